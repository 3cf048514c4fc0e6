#!/usr/bin/env python3
"""Which scenario notices which rule: docs/mutations.md, made from the scenarios themselves.

A scenario notices a rule if it names a dialect with the rule flipped (`redis-7.0-bump-on-import`)
and expects something else there; `slotlab test` holds it to that. The table goes to standard
output; rules that no scenario declares are listed at its end. With --check the document is
compared. With --try each of those is flipped in every scenario, in the first and the last of its
dialects, and what comes out otherwise is written to tests/data/mutations_tried.json, which the
document is made from as well; that takes minutes.
Usage: mutations.py SLOTLAB [--check | --try]
"""

import json
import pathlib
import re
import subprocess
import sys
import textwrap

ROOT = pathlib.Path(__file__).parents[2]
DOCUMENT = ROOT / "docs" / "mutations.md"
TRIED = ROOT / "tests" / "data" / "mutations_tried.json"
STATES = "100000"  # scenarios with more are left out
WHY_UNNOTICED = {
    "cluster-down-checked-first": "It decides which error a client reads, not who owns a slot.",
    "config-file-atomic": "Only a crash within the write shows it, and here a write is one event.",
    "demote-only-if-all-claimed": "Only slotless-master-failover switches replica migration off.",
    "demote-within-shard": "Only slotless-master-failover switches replica migration off.",
    "dirty-deletion-propagated": "No property looks at the keys of replicas.",
    "equal-offsets-ranked-by-id": "Ranks are waits, and the search tries every order of them.",
    "first-eval-counts-zero-masters": "It is about what a node says before it has looked once.",
    "follow-grand-master": "No scenario ends with a replica of a replica.",
    "gossip-adds-nodes": "In scenarios all nodes know each other.",
    "grand-master-at-role-change": "No scenario ends with a replica of a replica.",
    "manual-failover-at-once": "It is about when, and the search tries every moment.",
    "migrate-ttl-per-key": "Keys of scenarios do not expire.",
    "promotion-always-updates": "A promoted replica without a new claim changes no owner.",
    "replica-epoch-is-masters": "It is about what is shown and written, not about what is claimed.",
    "replica-reads-by-flag": "Clients of scenarios speak to masters.",
    "replicas-broadcast-fail": "Masters broadcast it as well.",
    "replicas-know-open-slots": "Clients of scenarios speak to masters.",
    "replicate-broadcasts": "Only votes-survive-reparenting sends CLUSTER REPLICATE.",
    "reports-need-slots": "No scenario has a master without slots among those that report.",
    "shard-mates-keep-marks": "No scenario has a master with marks follow one of its own shard.",
    "todo-read-live": "What is raised too late is done at the next event.",
}
FLIPPED = re.compile(r"\b((?:redis|valkey)-\d+\.\d+)([-+])([a-z][a-z-]*[a-z])")


def listed(program):
    done = subprocess.run([program, "list", "--dialects", "--json"], text=True, check=True,
                          stdout=subprocess.PIPE)
    return json.loads(done.stdout)["dialects"]


def rules_of(program):
    return [(rule["rule"], rule["line"]) for rule in listed(program)]


def dialects_with(program, rule):
    named = next(each["in"] for each in listed(program) if each["rule"] == rule)
    return [dialect for dialect, has in named.items() if has]


def verdicts(program, path, dialect):
    """Property -> verdict; None if the search was cut short or the file refuses the dialect."""
    done = subprocess.run([program, "check", str(path), "--dialect", dialect, "--json",
                           "--max-states", STATES], text=True, stdout=subprocess.PIPE,
                          stderr=subprocess.DEVNULL)
    if done.returncode not in (0, 1):
        return None
    return {p["name"]: p["verdict"] for p in json.loads(done.stdout)["properties"]}


def try_all(program):
    """Rule -> how many scenarios were tried, and what came out otherwise."""
    found = hits()
    unnoticed = [rule for rule, _ in rules_of(program) if rule not in found]
    tried = {rule: {"scenarios": 0, "cut short": 0, "otherwise": []} for rule in unnoticed}
    have = {rule: dialects_with(program, rule) for rule in unnoticed}
    for path in sorted((ROOT / "scenarios").rglob("*.yaml")):
        if path.parent.name == "large":
            continue
        named = re.search(r"^dialect: *(.*)", path.read_text("utf-8"), re.M)
        own = re.findall(r"[a-z]+-\d+\.\d+(?![\w+-])", named.group(1) if named else "")
        own = own or ["redis-7.0"]
        for dialect in dict.fromkeys([own[0], own[-1]]):
            try_one(program, path, dialect, have, tried)
        print(path.name, file=sys.stderr, flush=True)
    TRIED.write_text(json.dumps(tried, indent=1, sort_keys=True) + "\n", encoding="utf-8")


def try_one(program, path, dialect, have, tried):
    before = verdicts(program, path, dialect)
    if before is None:
        return
    for rule in tried:
        sign = "-" if dialect in have[rule] else "+"
        after = verdicts(program, path, f"{dialect}{sign}{rule}")
        tried[rule]["scenarios"] += 1
        if after is None:
            tried[rule]["cut short"] += 1
        elif after != before:
            changed = [f"{p}: {v}" for p, v in after.items() if v != before.get(p)]
            tried[rule]["otherwise"].append([path.relative_to(ROOT).as_posix(), dialect,
                                             "off" if sign == "-" else "on", ", ".join(changed)])


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
    tried = json.loads(TRIED.read_text(encoding="utf-8"))
    noticed = [rule for rule, _ in rules if rule not in found and tried[rule]["otherwise"]]
    lines += ["", "## Noticed, though nobody says so", "",
              f"Every other rule was flipped in every scenario of at most {int(STATES):,} states,",
              "in the first and the last of its dialects (`mutations.py --try`). The first that",
              "says otherwise then:",
              "", "| rule | flipped | scenario | then |", "|---|---|---|---|"]
    for rule in noticed:
        path, dialect, switch, then = tried[rule]["otherwise"][0]
        lines.append(f"| `{rule}` | {switch} in {dialect} | {path} | {then} |")
    lines += ["", "## Rules that no scenario notices", "",
              "Tests of the node and transcripts of real servers are what holds these, if",
              "anything. What probably keeps scenarios from it was not proved:", ""]
    for rule, sentence in rules:
        if rule in found or rule in noticed:
            continue
        why = WHY_UNNOTICED.get(rule, "")
        lines += textwrap.wrap(f"- `{rule}`: {sentence} {why}".rstrip(), 100,
                               subsequent_indent="  ", break_on_hyphens=False)
    return "\n".join(lines) + "\n"


def main():
    if "--try" in sys.argv:
        try_all(sys.argv[1])
        return 0
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
