#!/usr/bin/env python3
"""What the documents show is what the program prints.

Every ```console block with a command "$ build/release/slotlab ..." is run, and its output is
compared with what stands below the command, with times, rates and memory masked. A block may hold
several commands; "..." on a line of its own stands for any lines. Commands that stand elsewhere are
held to the verbs and flags that there are, pieces of scenario files are read by the program, and
what `slotlab --help` and `slotlab list` name must have its place in the reference pages. With
--accept the documents are rewritten with the real output of blocks that have no "...", where it
differs.
"""

import json
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
    return [b for b in blocks if any(shown.command.startswith(PROMPT) for shown in b)]


def fenced(document, language):
    """The texts of the document's blocks in this language."""
    return re.findall(rf"^```{language}\n(.*?)^```$", document.read_text(encoding="utf-8"),
                      re.DOTALL | re.MULTILINE)


def slotlab(*words):
    return subprocess.run([program.PROGRAM, *words], cwd=ROOT, text=True, capture_output=True,
                          timeout=600, check=False)


def verbs():
    """The flags of each verb, by its name."""
    listed = slotlab("--help").stdout.split("Subcommands:")[1].split("Exit status")[0]
    names = re.findall(r"^  ([a-z-]+) ", listed, re.MULTILINE)
    return {name: set(re.findall(r"--[a-z-]+", slotlab(name, "--help").stdout)) for name in names}


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
        self.assertTrue(matches(["took 1.5 s"], ["took 2 min 1 s"]))
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

    def test_commands_in_the_text_have_verbs_and_flags_that_exist(self):
        known = verbs()
        self.assertIn("--seed", known["run"])
        pages = [*documents(), *sorted((ROOT / "docs").rglob("*.yml"))]
        count = 0
        for page in pages:
            text = re.sub(r"^```console\n.*?^```$", "", page.read_text(encoding="utf-8"),
                          flags=re.DOTALL | re.MULTILINE).replace("\\\n", " ")
            # In ticks, at the start of a line of a block, or by the path to the program.
            for verb, rest in re.findall(r"(?:`|^|release/)slotlab ([a-z][a-z-]*)\b([^`\n|;]*)", text,
                                         re.MULTILINE):
                count += 1
                with self.subTest(page=page.name, command=f"slotlab {verb}{rest}"):
                    self.assertIn(verb, known)
                    self.assertLessEqual(set(re.findall(r"--[a-z-]+", rest)), known[verb])
        self.assertGreater(count, 50)

    def test_commands_of_the_entrance_and_presets_exist(self):
        helped = subprocess.run([ROOT / "dev", "help"], text=True, capture_output=True, check=False,
                                timeout=60)
        commands = set(re.findall(r"^  ([a-z]+) ", helped.stdout, re.MULTILINE))
        presets = json.loads((ROOT / "CMakePresets.json").read_text(encoding="utf-8"))
        names = {each["name"] for kind in presets.values() if isinstance(kind, list)
                 for each in kind}
        self.assertLessEqual({"demo", "test", "browser"}, commands)
        for page in [*documents(), *sorted((ROOT / "docs").rglob("*.yml"))]:
            text = page.read_text(encoding="utf-8")
            for command in re.findall(r"\./dev ([a-z]+)", text):
                self.assertIn(command, commands | {"help"}, page.name)
            for name in re.findall(r"--preset[ =]([a-z-]+)", text):
                self.assertIn(name, names, page.name)

    def test_every_verb_is_told_of(self):
        page = (ROOT / "docs/verbs.md").read_text(encoding="utf-8")
        manual = (ROOT / "cli/man/slotlab.1").read_text(encoding="utf-8")
        for verb in verbs():
            with self.subTest(verb):
                self.assertRegex(page, rf"(?m)^\| \[`{verb} ?[^`]*`")
                self.assertRegex(manual, rf"(?m)^\.SS {verb}$")

    def test_the_statuses_of_the_verbs_are_those_of_the_table(self):
        page = (ROOT / "docs/verbs.md").read_text(encoding="utf-8")
        wrong = "scenarios/manual/wrong-order.yaml"
        with Folder() as folder:
            trace = str(folder / "a.trace")
            for words, status in [
                    (("run", wrong, "--seed", "2"), 0),
                    (("run", wrong, "--seed", "32", "--trace", trace), 1),
                    (("replay", trace), 1), (("step", trace, "--do", "check"), 0),
                    (("explain", trace), 0), (("hunt", wrong), 1), (("shrink", trace), 0),
                    (("reach", wrong, "--goal", "unowned"), 0), (("graph", wrong), 0),
                    (("orders", wrong, "--keep", "1<2<3<4<6"), 0),
                    (("export", trace, "--format", "mermaid"), 0),
                    (("check", wrong), 0), (("list",), 0)]:
                with self.subTest(words):
                    self.assertEqual(slotlab(*words).returncode, status)
                    row = re.search(rf"^\| \[`{words[0]}.*$", page, re.MULTILINE)[0]
                    self.assertIn(str(status), row.split("|")[3])

    def test_properties_and_faults_are_told_of_and_no_others(self):
        page = (ROOT / "docs/scenario-format.md").read_text(encoding="utf-8")
        listed = json.loads(slotlab("list", "--json").stdout)
        tables = {"properties": ("property", "situation"), "faults": ("fault",)}
        for kind, heads in tables.items():
            told = []
            for head in heads:
                rows = page.split(f"\n| {head} |")[1].split("\n\n")[0].splitlines()[2:]
                told += [re.match(r"\| `([^`]+)`", row)[1] for row in rows]
            self.assertEqual(sorted(told), sorted(each["name"] for each in listed[kind]))

    def test_pieces_of_scenario_files_are_read(self):
        """Each piece takes the place of the same keys in the whole file that begins the page."""
        whole, *pieces = fenced(ROOT / "docs/scenario-format.md", "yaml")
        pieces += fenced(ROOT / "docs/howto/own-rule.md", "yaml")
        self.assertGreaterEqual(len(pieces), 6)
        for piece in [whole, *pieces]:
            with self.subTest(piece), Folder() as folder:
                sections = dict(re.findall(r"^([a-z ]+):(.*?)(?=^[a-z#]|\Z)", whole,
                                           re.DOTALL | re.MULTILINE))
                sections |= dict(re.findall(r"^([a-z ]+):(.*?)(?=^[a-z#]|\Z)", piece,
                                            re.DOTALL | re.MULTILINE))
                path = folder / "piece.yaml"
                path.write_text("".join(f"{key}:{text}" for key, text in sections.items()))
                # The verdicts may be others than the whole file expects.
                done = slotlab("check", str(path), "--quiet", "--max-states", "100000")
                self.assertIn(done.returncode, (0,) if piece is whole else (0, 1, 3), done.stderr)

    def test_the_model_in_the_howto_is_the_one_that_is_built(self):
        """The test of the installed package builds and runs it."""
        code, = fenced(ROOT / "docs/howto/own-model.md", "cpp")
        self.assertEqual(code, (ROOT / "tests/install/consumer/lost_update.cc").read_text())

    def test_links_between_documents_lead_somewhere(self):
        for document in documents():
            text = re.sub(r"^```.*?^```$", "", document.read_text(encoding="utf-8"),
                          flags=re.DOTALL | re.MULTILINE)
            for link in re.findall(r"\]\(([^)#]+)(?:#[^)]*)?\)", text):
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
