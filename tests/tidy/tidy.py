#!/usr/bin/env python3
"""Holds the tree to its own rules: who may include whom, what is banned, how files look.

A rule that is only written down is forgotten. This program reads the sources and prints one line
per breach, `file:line: error: X is banned, use Y`, and ends with status 1 if there was any. It is
run by the test suite; tidy_test.py shows that each rule catches what it should.
Usage: tidy.py [ROOT]
"""

import pathlib
import re
import sys

FOLDERS = ("sim", "models", "cli", "tests", "docs", "scenarios", "cmake", ".ci")
COLUMNS_MAX = 100
LINES_MAX = 500
# Files that are wrong on purpose: inputs that the tests expect to be refused.
WRONG_ON_PURPOSE = ("tests/data/",)

# Room -> rooms that its files may include, besides their own. A room is the longest prefix that
# is listed here.
SIM_FLOORS = [["base"], ["time", "random"], ["system", "property", "model"], ["trace"],
              ["drive", "check"], ["explain", "export"]]
NODE_FLOORS = [["client_state", "state", "config", "context", "step_codes", "words"],
               ["ownership", "serving", "persistence", "heartbeat", "replication"], ["failover"],
               ["receive", "commands", "before_sleep", "beliefs", "initial"], ["node"]]
MODEL_ROOMS = {
    "textbook": [],
    "protocol": [],
    "node": ["protocol"],
    "operator": ["protocol"],
    "client": ["protocol"],
    "properties": ["protocol", "node", "operator", "client"],
    "scenario": ["protocol", "node", "operator", "client", "properties"],
}

# (pattern, what it is called, what to use instead, files that may)
EVERYWHERE = [
    (r"\bstd::unordered_\w+|<unordered_(?:map|set)>", "std::unordered_*", "std::map or std::set",
     ()),
    (r"<random>|\bstd::(?:mt19937\w*|random_device|\w+_distribution)\b", "<random>",
     "sim/random", ()),
    (r"(?<![\w.>])s?rand\s*\(", "rand", "sim/random", ()),
    (r"<(?:chrono|ctime|time\.h|sys/time\.h)>|\bstd::chrono\b|\bclock_gettime\b", "a wall clock",
     "virtual time (sim/time), or sim/check/stopwatch for measuring",
     ("sim/check/stopwatch", "cli/conform/live/real_time")),
    (r"<thread>|<future>|\bstd::(?:jthread|thread|async)\b|\bthread_local\b", "a thread",
     "sim/check, where threads cannot change a result",
     ("sim/check/", "cli/conform/live/real_time")),
    (r"\b(?:secure_)?getenv\b", "getenv", "an option", ()),
    (r"\b(?:sleep|usleep|nanosleep|sleep_for|sleep_until)\s*\(", "sleeping", "virtual time",
     ("cli/conform/live/real_time",)),
    (r"\bsetlocale\b|\bstd::locale\b", "a locale", "plain ASCII handling", ()),
]
ENGINE_AND_MODELS = [
    (r"\bboost::unordered_\w+|<boost/unordered", "a hash container",
     "std::map, or one class in sim/check that lets no iteration out", ("sim/check/",)),
    (r"\bu?intptr_t\b", "an address as a number", "an index", ("sim/check/",)),
    (r"\bcurrent_path\s*\(", "the working directory", "a path that the caller gives", ()),
    (r"<iostream>|\bstd::(?:cout|cerr|clog)\b|\bfmt::print\b|(?<![\w:])f?printf\s*\(",
     "printing", "a returned value that cli/ prints", ()),
]
LIBRARIES = [
    (r"<CLI/", "CLI11", ("cli/", "tests/")),
    (r"<yaml-cpp/", "yaml-cpp", ("models/scenario/", "tests/")),
    (r"<boost/graph/", "Boost.Graph", ("sim/check/", "sim/explain/", "sim/export/", "tests/")),
]
LEFTOVERS = re.compile(r"\b(?:TO" r"DO|FIX" r"ME|XX" r"X|HA" r"CK)\b")
MACHINE_PATHS = re.compile(r"(?<![\w.:~$}/])/(?:work|tmp|home|root|Users)/\w")


class Tree:
    """The files of a checkout, with what was found wrong in them."""

    def __init__(self, root):
        self.root = pathlib.Path(root)
        self.errors = []

    def files(self):
        for path in sorted(self.root.iterdir()):
            if path.is_file() and (not path.name.startswith(".") or path.name == ".clang-format"):
                yield path.name
        for folder in FOLDERS:
            for path in sorted((self.root / folder).rglob("*")):
                name = path.relative_to(self.root).as_posix()
                if path.is_file() and "__pycache__" not in path.parts:
                    if not name.startswith(WRONG_ON_PURPOSE):
                        yield name

    def lines(self, name):
        return (self.root / name).read_text(encoding="utf-8").split("\n")

    def error(self, name, line, text):
        self.errors.append((name, line, text))


def without_comments_and_strings(lines):
    """The code of C++ lines, with comments and the insides of literals blanked, line by line."""
    code = []
    in_block = False
    for line in lines:
        if re.match(r"\s*#\s*include", line):
            code.append(line.split("//")[0])
            continue
        out = []
        at = 0
        while at < len(line):
            if in_block:
                end = line.find("*/", at)
                in_block = end < 0
                at = len(line) if end < 0 else end + 2
                continue
            if line.startswith("//", at):
                break
            if line.startswith("/*", at):
                in_block = True
                at += 2
                continue
            literal = re.compile(r'"(?:\\.|[^"\\])*"|\'(?:\\.|[^\'\\])+\'').match(line, at)
            # A quote between digits separates them: 75'489'733.
            if literal and not (line[at] == "'" and at > 0 and line[at - 1].isalnum()):
                out.append('""')
                at = literal.end()
                continue
            out.append(line[at])
            at += 1
        code.append("".join(out))
    return code


def floor_of(floors, room):
    for number, rooms in enumerate(floors):
        if room in rooms:
            return number
    return None


def room_of(parts):
    """The first path component, which is a folder or a file without its ending."""
    return parts[0].split(".")[0]


def include_fault(name, included):
    """Why `name` may not include `included`, or None."""
    here, there = name.split("/"), included.split("/")
    if there[0] not in ("sim", "models", "cli", "tests"):
        return f'"{included}" does not start at the root, use "sim/...", "models/..." or "cli/..."'
    may = {"sim": ("sim",), "models": ("sim", "models"), "cli": ("sim", "models", "cli"),
           "tests": ("sim", "models", "cli", "tests")}[here[0]]
    if there[0] not in may:
        return f'including {there[0]}/ in {here[0]}/ is banned, use only ' + ", ".join(may)
    if here[0] == "sim":
        return floors_fault("sim/", SIM_FLOORS, here[1:], there[1:])
    if here[0] == "models" and there[0] == "models":
        if here[1] not in MODEL_ROOMS:
            return f"models/{here[1]}/ has no place yet, give it one in tests/tidy/tidy.py"
        if here[1] == there[1]:
            if here[1] == "node":
                return floors_fault("models/node/", NODE_FLOORS, here[2:], there[2:])
            return None
        if there[1] not in MODEL_ROOMS[here[1]]:
            allowed = ", ".join(f"models/{r}/" for r in MODEL_ROOMS[here[1]]) or "sim/"
            return (f"including models/{there[1]}/ in models/{here[1]}/ is banned, "
                    f"use only {allowed}")
    return None


def floors_fault(where, floors, here, there):
    mine, theirs = floor_of(floors, room_of(here)), floor_of(floors, room_of(there))
    for room, floor in ((room_of(here), mine), (room_of(there), theirs)):
        if floor is None:
            return f"{where}{room} has no floor yet, give it one in tests/tidy/tidy.py"
    if theirs > mine:
        return (f"including {where}{room_of(there)} in {where}{room_of(here)} is banned (an arrow "
                "up), use what lies below or move the rule")
    return None


def check_includes(tree, name, code):
    for number, line in enumerate(code, 1):
        quoted = re.match(r'\s*#\s*include\s+"([^"]+)"', line)
        if quoted:
            fault = include_fault(name, quoted.group(1))
            if fault:
                tree.error(name, number, fault)
        for pattern, library, allowed in LIBRARIES:
            if re.search(pattern, line) and not name.startswith(allowed):
                where = ", ".join(allowed)
                tree.error(name, number, f"{library} is banned here, use it in {where}")
        if name.startswith(("sim/", "models/")) and name.endswith(".h") and "<fmt/" in line:
            tree.error(name, number, "<fmt/...> in a header is banned, use it in the .cc file")


def check_banned(tree, name, code):
    if name.startswith("tests/"):
        return
    rules = EVERYWHERE + (ENGINE_AND_MODELS if name.startswith(("sim/", "models/")) else [])
    for number, line in enumerate(code, 1):
        for pattern, called, instead, allowed in rules:
            if re.search(pattern, line) and not (allowed and name.startswith(allowed)):
                tree.error(name, number, f"{called} is banned, use {instead}")


def check_source(tree, name, lines):
    code = without_comments_and_strings(lines)
    check_includes(tree, name, code)
    check_banned(tree, name, code)
    has_header = name.endswith(".cc") and (tree.root / name).with_suffix(".h").is_file()
    if not lines[0].startswith("//") and not has_header:
        tree.error(name, 1, "a file without its why is banned, use two to six sentences on top")
    if name.endswith(".h") and "#pragma once" not in lines:
        tree.error(name, 1, "a header that can be included twice is banned, use #pragma once")
    if len(lines) > LINES_MAX:
        tree.error(name, len(lines), f"more than {LINES_MAX} lines are banned, use two files")
    if name.endswith(".cc"):
        check_listed(tree, name)


def check_listed(tree, name):
    folder = pathlib.PurePosixPath(name).parent
    while folder.parts:
        listing = tree.root / folder / "CMakeLists.txt"
        if listing.is_file():
            relative = pathlib.PurePosixPath(name).relative_to(folder).as_posix()
            if relative in re.split(r"[\s()]+", listing.read_text(encoding="utf-8")):
                return
        folder = folder.parent
    tree.error(name, 1, "a source that no target lists is banned, use a line in CMakeLists.txt")


def check_text(tree, name, lines):
    fenced = False
    for number, line in enumerate(lines, 1):
        if line.startswith("```"):
            fenced = not fenced
        # Tables and shown output cannot be broken; links should not be.
        free = name.endswith(".md") and (fenced or line.startswith("|") or "](" in line)
        if len(line) > COLUMNS_MAX and not free:
            tree.error(name, number, f"a line of {len(line)} columns is banned, use {COLUMNS_MAX}")
        if line != line.rstrip():
            tree.error(name, number, "a trailing blank is banned, use none")
        if "\t" in line:
            tree.error(name, number, "a tab is banned, use blanks")
        leftover = LEFTOVERS.search(line)
        if leftover:
            tree.error(name, number, f"{leftover.group()} is banned, use docs/limits.md or do it")
        if MACHINE_PATHS.search(line):
            tree.error(name, number, "a path of one machine is banned, use one from the root")
    if lines[-1] != "":
        tree.error(name, len(lines), "a last line without an end is banned, use a newline")
    elif len(lines) > 1 and lines[-2] == "":
        tree.error(name, len(lines) - 1, "an empty last line is banned, use none")


def check_document(tree, name, lines):
    fenced = False
    titles = []
    for number, line in enumerate(lines, 1):
        if line.startswith("```"):
            fenced = not fenced
        elif not fenced and re.match(r"# \S", line):
            titles.append(number)
    if len(titles) != 1:
        at = titles[1] if titles else 1
        tree.error(name, at, f"a document with {len(titles)} titles is banned, use exactly one")


def check_scenario(tree, name, lines):
    for key in ("title", "teaches"):
        if not any(re.match(key + r":\s*\S", line) for line in lines):
            tree.error(name, 1, f"a scenario without '{key}' is banned, use '{key}: ...'")


def check(root):
    """All breaches under `root`, as (file, line, text), in order."""
    tree = Tree(root)
    for name in tree.files():
        try:
            lines = tree.lines(name)
        except UnicodeDecodeError:
            tree.error(name, 1, "a file that is not UTF-8 text is banned, use tests/data/")
            continue
        check_text(tree, name, lines)
        if name.endswith((".h", ".cc")):
            check_source(tree, name, lines)
        if name.endswith(".md"):
            check_document(tree, name, lines)
        if name.startswith("scenarios/") and name.endswith((".yaml", ".yml")):
            check_scenario(tree, name, lines)
    return sorted(tree.errors)


def main():
    root = pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else pathlib.Path(__file__).parents[2]
    errors = check(root)
    print("".join(f"{name}:{line}: error: {text}\n" for name, line, text in errors), end="")
    if errors:
        print(f"{len(errors)} breaches")
    return 1 if errors else 0


if __name__ == "__main__":
    sys.exit(main())
