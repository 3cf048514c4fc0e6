#!/usr/bin/env python3
"""Measures the checker as whole processes, on models whose state counts are known, on scenarios,
and beside SPIN; refuses a wrong count.

Rates are transitions per second of processor time, so that a busy machine disturbs them less. SPIN
and the checker run the same two-phase commit one right after the other, several times; the ratio of
their best rates is what can be compared between machines. Without SPIN that part is left out.

usage: bench.py PROGRAM [--long]     --long adds the models that take minutes
"""

import json
import os
import pathlib
import re
import resource
import shutil
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).parent
ROOT = HERE.parents[1]

# Model -> distinct states, from the closed form of two-phase commit and from counts of MigrateCore
# that several checkers agree on.
KNOWN = {
    "textbook:two-phase-commit/8": 2**8 + 4**8 + 6**8,
    "textbook:migrate-core/3-right-1-1-safety": 25595,
    "textbook:migrate-core/3-right-1-1-all-equal-safety": 3578463,
}
LONG = {
    "textbook:two-phase-commit/9": 2**9 + 4**9 + 6**9,
    "textbook:migrate-core/4-right-0-0-safety": 25579012,
}
SCENARIOS = [
    "scenarios/manual/right-order.yaml",
    "scenarios/network/lost-answers.yaml",
    "scenarios/network/two-streams.yaml",
]
REPEAT = 3


def check(program, subject, *flags):
    done = subprocess.run([program, "check", subject, "--json", *flags], cwd=ROOT,
                          capture_output=True, text=True, check=False)
    if done.returncode not in (0, 1):
        raise RuntimeError(f"{subject}: exit status {done.returncode}: {done.stderr.strip()}")
    return json.loads(done.stdout)


def best(program, subject, *flags):
    runs = [check(program, subject, *flags) for _ in range(REPEAT)]
    return min(runs, key=lambda run: run["cpu_seconds"]), min(run["seconds"] for run in runs)


def rate(found):
    return found["transitions"] / max(found["cpu_seconds"], 1e-9)


def hit_rate(found):
    figures = found["figures"]
    looked_up = figures.get("local transitions looked up", 0)
    if not looked_up:
        return "-"
    return f"{100 * (1 - figures['local transitions computed'] / looked_up):.3f} %"


def row(name, found, wall):
    print(f"{name:<52} {found['states']:>12,} {found['transitions']:>13,} {wall:>7.2f} "
          f"{found['cpu_seconds']:>7.2f} {rate(found) / 1e6:>8.1f} "
          f"{found['peak_memory_bytes'] / found['states']:>8.1f} "
          f"{found['visited_bytes'] / found['states']:>8.1f} {hit_rate(found):>10}", flush=True)


def spin_rate(folder, managers):
    """Best transitions per processor second of SPIN, exact and without its reductions."""
    def call(*words):
        return subprocess.run(words, cwd=folder, capture_output=True, text=True, check=True).stdout
    call("spin", f"-DN={managers}", "-a", str(HERE / "two_phase_commit.pml"))
    call("cc", "-O2", "-w", "-DSAFETY", "-DNOREDUCE", "-DMEMLIM=8000", "-o", "pan", "pan.c")
    rates = []
    for _ in range(REPEAT):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        text = call("./pan", "-m1000000", "-w25")
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
        states = int(re.search(r"(\d+) states, stored", text).group(1))
        # SPIN counts one transition into the initial state, and keeps one state more for it.
        transitions = float(re.search(r"([\d.e+]+) transitions", text).group(1))
        known = 2**managers + 4**managers + 6**managers
        if states != known:
            raise RuntimeError(f"SPIN: {states:,} states, expected {known:,}")
        rates.append(transitions / max(seconds, 1e-9))
    return max(rates)


def main():
    program = os.path.abspath(sys.argv[1])
    long = "--long" in sys.argv[2:]
    models = KNOWN | (LONG if long else {})
    wrong = 0
    print(f"{'one thread':<52} {'states':>12} {'transitions':>13} {'wall s':>7} {'cpu s':>7} "
          f"{'M/cpu-s':>8} {'B/state':>8} {'visited':>8} {'memo hits':>10}")
    rates = {}
    for model, states in models.items():
        found, wall = best(program, model, "--threads", "1")
        row(model, found, wall)
        rates[model] = rate(found)
        if found["states"] != states:
            print(f"{model}: {found['states']:,} states, expected {states:,}")
            wrong += 1
    for scenario in SCENARIOS:
        found, wall = best(program, scenario, "--threads", "1")
        row(scenario, found, wall)

    # In turns, since others use the machine too.
    model = "textbook:migrate-core/3-right-1-1-all-equal-safety"
    two_model = "textbook:migrate-core/4-right-0-0-safety" if long else model
    turns = [[check(program, two_model, "--threads", str(n))["seconds"] for n in (1, 2)]
             for _ in range(REPEAT)]
    print("\ntwo threads: " + ", ".join(f"{one:.1f} s with one and {two:.1f} s with two "
                                        f"({one / two:.2f} times as fast)" for one, two in turns))

    for reductions in ("none", "inert"):
        found = check(program, model, "--reductions", reductions)
        print(f"--reductions {reductions:<11} {found['states']:>12,} states")

    if shutil.which("spin") is None:
        print("\nSPIN is not installed, so there is no ratio to it")
    else:
        with tempfile.TemporaryDirectory() as folder:
            managers = 9 if long else 8
            theirs = spin_rate(folder, managers)
        ours = rates[f"textbook:two-phase-commit/{managers}"]
        print(f"\ntwo-phase commit, {managers} managers: SPIN {theirs / 1e6:.1f} M/cpu-s, "
              f"this program {ours / 1e6:.1f} M/cpu-s: {ours / theirs:.1f} times")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
