#!/usr/bin/env python3
"""How often one command can be redirected: the table of docs/redirections.md.

For each scenario of scenarios/redirections and each policy of a client, the least number that the
property bounded-redirects holds for, found by checking one number after the other. A policy has no
bound if LIMIT can be exceeded. --accept writes the table into the document, --check compares it.
Usage: redirections.py SLOTLAB [--check | --accept]
"""

import concurrent.futures
import json
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).parents[2]
DOCUMENT = ROOT / "docs" / "redirections.md"
FOLDER = ROOT / "scenarios" / "redirections"
SCENARIOS = ["right-order", "wrong-map", "operator-stops", "two-keys", "two-new-keys",
             "source-first", "migrating-first"]
POLICIES = ["careful", "no-asking", "asking-apart", "map-on-ask", "known-nodes-only", "refreshing",
            "resending", "redisc", "redis-cli"]
LIMIT = 20
MARKS = ("<!-- table -->\n", "<!-- end of table -->\n")


def verdicts(program, scenario, policy, bound, folder):
    text = (FOLDER / f"{scenario}.yaml").read_text(encoding="utf-8")
    text, policies = re.subn(r"\{like: [a-z-]+,", f"{{like: {policy},", text)
    text, bounds = re.subn(r"redirects at most: \d+", f"redirects at most: {bound}", text)
    assert (policies, bounds) == (1, 1), scenario
    if policy == "known-nodes-only":  # knows nobody before it has asked for a map
        text = re.sub(r" *map: .*\n", "", text)
    path = pathlib.Path(folder) / f"{scenario}-{policy}-{bound}.yaml"
    path.write_text(text, encoding="utf-8")
    done = subprocess.run([program, "check", str(path), "--json", "--threads", "1"], text=True,
                          stdout=subprocess.PIPE, check=False)
    result = json.loads(done.stdout)
    return {each["name"]: each["verdict"] for each in result["properties"]}


def cell(program, scenario, policy, folder):
    """"2", "none", or "none, for ever": a fair run in which the client never gets its answer."""
    for bound in [LIMIT, *range(LIMIT)]:
        found = verdicts(program, scenario, policy, bound, folder)
        ends = found["clients-end"] == "holds"
        if found["bounded-redirects"] != "holds":
            if bound == LIMIT:
                return "none" if ends else "none, for ever"
        elif bound < LIMIT:
            return str(bound) if ends else f"{bound}, then waits for ever"
    return str(LIMIT)


def table(program):
    with tempfile.TemporaryDirectory() as folder, concurrent.futures.ThreadPoolExecutor(2) as pool:
        cells = {(scenario, policy): pool.submit(cell, program, scenario, policy, folder)
                 for scenario in SCENARIOS for policy in POLICIES}
        lines = ["| policy | " + " | ".join(SCENARIOS) + " |", "|---" * (len(SCENARIOS) + 1) + "|"]
        for policy in POLICIES:
            row = [cells[scenario, policy].result() for scenario in SCENARIOS]
            lines.append(f"| `{policy}` | " + " | ".join(row) + " |")
    return "\n".join(lines) + "\n"


def main():
    listed = {path.stem for path in FOLDER.glob("*.yaml")}
    assert listed == set(SCENARIOS), listed ^ set(SCENARIOS)
    names = subprocess.run([sys.argv[1], "list", "--properties"], text=True, check=True,
                           stdout=subprocess.PIPE).stdout
    assert "bounded-redirects" in names
    made = table(sys.argv[1])
    text = DOCUMENT.read_text(encoding="utf-8") if DOCUMENT.exists() else "".join(MARKS)
    before, rest = text.split(MARKS[0])
    shown, after = rest.split(MARKS[1])
    if "--accept" in sys.argv:
        DOCUMENT.write_text(before + MARKS[0] + made + MARKS[1] + after, encoding="utf-8")
    elif "--check" not in sys.argv:
        sys.stdout.write(made)
    elif shown != made:
        print("docs/redirections.md is out of date: tests/cli/redirections.py SLOTLAB --accept")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
