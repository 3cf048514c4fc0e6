#!/usr/bin/env python3
"""Determinism across build types: the program of this build and the release build next to it must
print the same JSON (what is measured aside) and write the same traces.

usage: same_bytes_test.py PROGRAM RELEASE_PROGRAM
Exits with 77, which CTest takes as skipped, where there is no release build beside this one.
"""

import pathlib
import subprocess
import sys
import tempfile

from program import ROOT, masked_json

SCENARIOS = ["scenarios/manual/right-order.yaml", "scenarios/manual/wrong-order.yaml",
             "scenarios/crashes/destination-dies-after-step-4.yaml",
             "scenarios/network/lost-answers.yaml"]


def output_of(executable, *arguments):
    done = subprocess.run([executable, *arguments], cwd=ROOT, text=True, capture_output=True,
                          timeout=600, check=False)
    assert done.returncode in (0, 1), (arguments, done.returncode, done.stderr)
    return done.stdout


def trace_of(executable, folder, verb, *arguments):
    path = pathlib.Path(folder) / "run.trace"
    output_of(executable, verb, *arguments, "--trace", str(path))
    text = path.read_text() if path.exists() else ""
    path.unlink(missing_ok=True)
    return text


def main():
    this, release = (str(pathlib.Path(p).resolve()) for p in sys.argv[1:3])
    if not pathlib.Path(release).exists():
        print(f"no release build at {release}")
        return 77
    differences = 0

    def expect_same(what, a, b):
        nonlocal differences
        if a != b:
            differences += 1
            print(f"differs: {what}")

    with tempfile.TemporaryDirectory() as folder:
        for scenario in SCENARIOS:
            for threads in ("1", "2"):
                arguments = ("check", scenario, "--json", "--threads", threads)
                expect_same(f"check {scenario} at {threads} threads",
                            masked_json(output_of(this, *arguments)),
                            masked_json(output_of(release, *arguments)))
            expect_same(f"check {scenario} --trace", trace_of(this, folder, "check", scenario),
                        trace_of(release, folder, "check", scenario))
            for driver in ("timed", "random"):
                arguments = (scenario, "--seed", "7", "--driver", driver)
                expect_same(f"run {scenario} {driver}", trace_of(this, folder, "run", *arguments),
                            trace_of(release, folder, "run", *arguments))
                expect_same(f"run {scenario} {driver} --json",
                            masked_json(output_of(this, "run", *arguments, "--json")),
                            masked_json(output_of(release, "run", *arguments, "--json")))
    print(f"{differences} differences")
    return 1 if differences else 0


if __name__ == "__main__":
    sys.exit(main())
