#!/usr/bin/env python3
"""What the documents show is what the program prints.

Every ```console block whose first line is "$ build/release/slotlab ..." is run, and its output is
compared with what stands below the command, with times, rates and memory masked. A block may hold
several commands; "..." on a line of its own stands for any lines. With --accept the documents are
rewritten with the real output of blocks that have no "...", where it differs.
"""

import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import unittest

import program
from program import ROOT, masked_text

PROMPT = "$ build/release/slotlab "


def documents():
    return [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]


class Shown:
    """A command in a document, with the output that the document shows for it."""

    def __init__(self, document, line, command):
        self.document, self.line, self.command = document, line, command
        self.output = []


def shown_in(document):
    """The commands of a document, grouped by block."""
    blocks, block = [], None
    for number, line in enumerate(document.read_text(encoding="utf-8").splitlines(), 1):
        if line == "```console":
            block = []
        elif line == "```" and block is not None:
            blocks.append(block)
            block = None
        elif block is not None and line.startswith("$ "):
            block.append(Shown(document, number, line))
        elif block:
            block[-1].output.append(line)
    return [b for b in blocks if b and b[0].command.startswith(PROMPT)]


def real_output(shown, folder):
    """What the command prints, run in a copy of the tree's layout."""
    command = shown.command[2:].replace("build/release/slotlab", shlex.quote(program.PROGRAM))
    done = subprocess.run(["bash", "-c", command], cwd=folder, text=True, timeout=600, check=False,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    return done.stdout.rstrip("\n").split("\n") if done.stdout else []


def matches(shown, real):
    """Whether `real` is `shown`, where "..." stands for any lines."""
    pattern = "".join(r"(?:[^\n]*\n)*?" if line.strip() == "..." else
                      re.escape(masked_text(line.rstrip())) + r"\n" for line in shown)
    return re.fullmatch(pattern, "".join(masked_text(l.rstrip()) + "\n" for l in real)) is not None


class Folder:
    """A place to run in that has scenarios/ and tests/ but takes the files that commands write."""

    def __enter__(self):
        self.path = pathlib.Path(tempfile.mkdtemp())
        for name in ("scenarios", "tests"):
            (self.path / name).symlink_to(ROOT / name)
        return self.path

    def __exit__(self, *_):
        shutil.rmtree(self.path)


class Documents(unittest.TestCase):
    def test_the_comparison_itself(self):
        self.assertTrue(matches(["took 1.5 s"], ["took 0.003 s"]))
        self.assertTrue(matches(["a", "...", "z"], ["a", "b", "c", "z"]))
        self.assertFalse(matches(["309 states"], ["310 states"]))
        self.assertFalse(matches(["a"], ["a", "b"]))

    def test_commands_print_what_the_documents_show(self):
        count = 0
        for document in documents():
            for block in shown_in(document):
                with Folder() as folder:
                    for shown in block:
                        real = real_output(shown, folder)
                        count += 1
                        where = f"{document.relative_to(ROOT)}:{shown.line}: {shown.command}"
                        with self.subTest(where):
                            self.assertTrue(matches(shown.output, real),
                                            f"{where}\nshown:\n" + "\n".join(shown.output) +
                                            "\nreal:\n" + "\n".join(real))
        self.assertGreaterEqual(count, 3, "the README shows at least three commands")

    def test_every_statement_of_the_manual_is_shown_by_something(self):
        page = ROOT / "docs/manual-coverage.md"
        rows = [l for l in page.read_text(encoding="utf-8").splitlines()
                if l.startswith("| ") and not l.startswith(("| the manual", "|---"))]
        self.assertGreaterEqual(len(rows), 38)
        for row in rows:
            with self.subTest(row):
                links = re.findall(r"\]\(([^)]+)\)", row.split(" | ")[1])
                self.assertTrue(links)
                for link in links:
                    self.assertTrue((page.parent / link).resolve().is_file(), link)
                    self.assertRegex(link, r"^\.\./(tests|scenarios)/")

    def test_links_between_documents_lead_somewhere(self):
        for document in documents():
            for link in re.findall(r"\]\(([^)#]+)(?:#[^)]*)?\)",
                                   document.read_text(encoding="utf-8")):
                if not re.match(r"[a-z]+:", link):
                    with self.subTest(document=document.name, link=link):
                        self.assertTrue((document.parent / link).exists())


def accept():
    for document in documents():
        lines = document.read_text(encoding="utf-8").splitlines()
        for block in reversed(shown_in(document)):
            with Folder() as folder:
                outputs = [real_output(shown, folder) for shown in block]
            for shown, real in reversed(list(zip(block, outputs))):
                # What differs in times alone stays as it is.
                if not matches(shown.output, real) and "..." not in map(str.strip, shown.output):
                    lines[shown.line:shown.line + len(shown.output)] = [l.rstrip() for l in real]
        document.write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    program.set_program_from_arguments()
    if "--accept" in sys.argv:
        accept()
    else:
        unittest.main()
