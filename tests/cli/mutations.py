#!/usr/bin/env python3
"""Which scenario notices which rule: docs/mutations.md, made from the scenarios themselves.

A scenario notices a rule if it names a dialect with the rule flipped (`redis-7.0-bump-on-import`)
and expects something else there; `slotlab test` holds it to that. The table goes to standard
output; rules that no scenario notices are listed at its end. With --check the document is compared.
Usage: mutations.py SLOTLAB [--check]
"""

import json
import pathlib
import re
import subprocess
import sys
import textwrap

ROOT = pathlib.Path(__file__).parents[2]
DOCUMENT = ROOT / "docs" / "mutations.md"
FLIPPED = re.compile(r"\b((?:redis|valkey)-\d+\.\d+)([-+])([a-z][a-z-]*[a-z])")


def rules_of(program):
    done = subprocess.run([program, "list", "--dialects", "--json"], text=True, check=True,
                          stdout=subprocess.PIPE)
    return [(rule["rule"], rule["line"]) for rule in json.loads(done.stdout)["dialects"]]


def hits():
    """Rule -> (scenario, dialect, "on" or "off", what is expected then)."""
    found = {}
    for path in sorted((ROOT / "scenarios").rglob("*.yaml")):
        text = path.read_text(encoding="utf-8")
        expect = text.split("\nexpect:", 1)[1]
        for line in expect.splitlines():
            flipped = FLIPPED.match(line.strip())
            if flipped:
                dialect, sign, rule = flipped.groups()
                then = line.split(":", 1)[1].strip().strip("{}")
                found.setdefault(rule, []).append(
                    (path.relative_to(ROOT).as_posix(), dialect, "off" if sign == "-" else "on",
                     then))
    return found


def document(program):
    rules, found = rules_of(program), hits()
    lines = ["# Which scenario notices which rule", "",
             "Each rule flipped alone, in a scenario that expects something else with it. Made by",
             "`tests/cli/mutations.py` from the scenarios; `slotlab test scenarios` holds them to",
             "it.",
             "", "| rule | flipped | scenario | expected then |", "|---|---|---|---|"]
    for rule, _ in rules:
        for path, dialect, switch, then in found.get(rule, []):
            lines.append(f"| `{rule}` | {switch} in {dialect} | {path} | {then} |")
    lines += ["", "## Rules that no scenario notices", "",
              "No scenario declares what becomes of it without them. They were not tried against",
              "every scenario, so one or the other may notice all the same.", ""]
    for rule, sentence in rules:
        if rule not in found:
            lines += textwrap.wrap(f"- `{rule}`: {sentence}", 100, subsequent_indent="  ",
                                   break_on_hyphens=False)
    return "\n".join(lines) + "\n"


def main():
    text = document(sys.argv[1])
    if "--check" not in sys.argv:
        sys.stdout.write(text)
        return 0
    if DOCUMENT.read_text(encoding="utf-8") == text:
        return 0
    print("docs/mutations.md is out of date: tests/cli/mutations.py SLOTLAB > docs/mutations.md")
    return 1


if __name__ == "__main__":
    sys.exit(main())
