#!/usr/bin/env python3
"""Flips every rule of the dialects, one at a time, and finds the scenarios that notice.

A scenario notices a flipped rule if some property's verdict is another than with the rule as its
dialect has it. The table goes to standard output as a document (docs/mutations.md); rules that no
scenario notices are listed at its end. Usage: mutations.py SLOTLAB [SCENARIOS]
"""

import json
import pathlib
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

JOBS = 2
STATES_MAX = 150_000  # larger searches are left out
SHOWN_MAX = 3         # scenarios per rule


def run(program, *words):
    done = subprocess.run([program, *words, "--json"], text=True, check=False,
                          stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    return json.loads(done.stdout) if done.returncode in (0, 1, 3) and done.stdout else None


def verdicts(program, path, dialect):
    """Property -> verdict, or None if the search was cut short."""
    found = run(program, "check", str(path), "--dialect", dialect, "--threads", "1",
                "--max-states", str(STATES_MAX))
    if found is None or not found["complete"]:
        return None
    return {each["name"]: each["verdict"] for each in found["properties"]}


class Table:
    def __init__(self, program, scenarios):
        self.program = program
        self.files = sorted(pathlib.Path(scenarios).rglob("*.yaml"))
        self.root = pathlib.Path(scenarios).parent
        self.normal = {}

    def baseline(self, path, dialect):
        key = (path, dialect)
        if key not in self.normal:
            self.normal[key] = verdicts(self.program, path, dialect)
        return self.normal[key]

    def notices(self, path, rule, has):
        """What changes when `rule` is flipped in each dialect that has or lacks it, or None."""
        for dialect, on in has.items():
            before = self.baseline(path, dialect)
            if before is None:
                continue
            after = verdicts(self.program, path, f"{dialect}{'-' if on else '+'}{rule}")
            if after is None:
                continue
            changed = [name for name in before if before[name] != after[name]]
            if changed:
                name = changed[0]
                switch = "off" if on else "on"
                return (f"{dialect}, {switch}", f"`{name}` {before[name]} → {after[name]}")
        return None

    def row(self, rule, has):
        # One version that has the rule and one that lacks it, the baseline first.
        pick = {}
        for dialect, on in has.items():
            if on not in pick.values():
                pick[dialect] = on
        likely = sorted(self.files, key=lambda p: (rule not in p.stem, p.parts[-2] != "rules", p))
        found = []
        for path in likely:
            hit = self.notices(path, rule, pick)
            if hit:
                found.append((path.relative_to(self.root).as_posix(), *hit))
            if len(found) == SHOWN_MAX:
                break
        return rule, found


def rules_of(program):
    listed = run(program, "list", "--dialects")["dialects"]
    return [(rule["rule"], rule["line"], rule["in"]) for rule in listed]


def main():
    program = sys.argv[1]
    scenarios = sys.argv[2] if len(sys.argv) > 2 else "scenarios"
    table = Table(program, scenarios)
    rules = rules_of(program)
    with ThreadPoolExecutor(JOBS) as pool:
        rows = dict(pool.map(lambda each: table.row(each[0], each[2]), rules))
    print("# Which scenario notices which rule\n")
    print("Every rule that differs between dialects, or can be switched, flipped one at a time; for "
          "each up\nto three scenarios whose verdict changes. Made by `tests/cli/mutations.py`; "
          f"searches of more than\n{STATES_MAX:,} states were left out.\n")
    print("| rule | scenario | dialect, rule | what changes |\n|---|---|---|---|")
    for name, _, _ in rules:
        for path, where, what in rows[name]:
            print(f"| `{name}` | {path} | {where} | {what} |")
    print("\n## Rules that no scenario notices\n")
    for name, sentence, _ in rules:
        if not rows[name]:
            print(f"- `{name}`: {sentence}")


if __name__ == "__main__":
    main()
