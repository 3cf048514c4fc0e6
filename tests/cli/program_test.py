#!/usr/bin/env python3
"""The program from outside: exit statuses, JSON keys, determinism, bad input, signals, pipes."""

import json
import os
import pathlib
import pty
import select
import shutil
import signal
import subprocess
import tempfile
import time
import unittest

import program
from program import ROOT, masked_json, run

RIGHT = "scenarios/manual/right-order-without-faults.yaml"
WRONG = "scenarios/manual/wrong-order.yaml"
SMALL = "textbook:two-phase-commit/3"
LONG = "textbook:two-phase-commit/10"

CHECK_KEYS = [
    "format", "subject", "title", "dialect", "verdict", "as_expected", "properties", "states",
    "transitions", "states_generated", "depth", "levels", "rounds", "complete", "stopped_by",
    "states_waiting", "states_left_estimate", "bounds_hit", "bounds", "settings", "figures",
    "collision_probability", "trace", "seconds", "cpu_seconds", "peak_memory_bytes",
    "spilled_bytes", "visited_bytes",
]
PROPERTY_KEYS = ["name", "mood", "verdict", "expected", "states", "depth", "explanation", "trace",
                 "cycle_start"]


class Folder(unittest.TestCase):
    """A test with a folder of its own."""

    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)

    def inverted(self, name):
        """A copy of a scenario that expects the opposite of everything."""
        text = (ROOT / name).read_text(encoding="utf-8")
        head, expect = text.split("\nexpect:", 1)
        swapped = expect.replace("violated", "\0").replace("holds", "violated")
        swapped = swapped.replace("\0", "holds")
        self.assertNotEqual(swapped, expect)
        path = self.folder / "inverted.yaml"
        path.write_text(head + "\nexpect:" + swapped, encoding="utf-8")
        return path

    def assert_refused(self, done, *words):
        """Exit 2, nothing on standard output, one line of error with these words."""
        self.assertEqual(done.returncode, 2, done.stderr + done.stdout)
        self.assertEqual(done.stdout, "")
        self.assertTrue(done.stderr.startswith("slotlab: error: "), done.stderr)
        self.assertEqual(done.stderr.count("\n"), 1, done.stderr)
        for word in words:
            self.assertIn(word, done.stderr)


class ExitStatus(Folder):
    def test_as_expected_is_0_even_if_something_is_violated(self):
        self.assertEqual(run("check", RIGHT).returncode, 0)
        done = run("check", WRONG)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("VIOLATED", done.stdout)

    def test_not_as_expected_is_1(self):
        self.assertEqual(run("check", self.inverted(WRONG)).returncode, 1)
        self.assertEqual(run("check", self.inverted(RIGHT)).returncode, 1)

    def test_a_textbook_model_that_holds_is_0(self):
        self.assertEqual(run("check", SMALL).returncode, 0)

    def test_a_textbook_model_that_is_violated_is_1(self):
        self.assertEqual(run("check", "textbook:migrate-core/3-wrong-0-0").returncode, 1)

    def test_a_search_cut_short_is_3_and_never_holds(self):
        for flags in (("--max-states", "50"), ("--max-depth", "3")):
            done = run("check", SMALL, *flags, "--json")
            self.assertEqual(done.returncode, 3)
            found = json.loads(done.stdout)
            self.assertEqual(found["verdict"], "inconclusive")
            self.assertFalse(found["complete"])
            self.assertEqual(len(found["bounds_hit"]), 1)

    def test_help_is_0_and_lists_the_statuses(self):
        for words in (["--help"], ["check", "--help"], ["test", "--help"]):
            done = run(*words)
            self.assertEqual(done.returncode, 0)
            for status in ("  0 ", "  1 ", "  2 ", "  3 ", "  70 "):
                self.assertIn(status, done.stdout)
        self.assertRegex(run("--version").stdout, r"^slotlab \d+\.\d+\.\d+\n$")

    def test_the_suite_of_scenarios(self):
        folder = self.folder / "suite"
        folder.mkdir()
        shutil.copy(ROOT / RIGHT, folder)
        shutil.copy(ROOT / WRONG, folder)
        done = run("test", folder)
        self.assertEqual(done.returncode, 0, done.stdout)
        self.assertIn("0 not", done.stdout)
        shutil.copy(self.inverted(WRONG), folder)
        done = run("test", folder)
        self.assertEqual(done.returncode, 1)
        self.assertIn("NOT AS EXPECTED", done.stdout)
        self.assertIn("CLUSTER SETSLOT", done.stdout)  # the run is shown
        (folder / "broken.yaml").write_text("title: [\n", encoding="utf-8")
        done = run("test", folder, "--json")
        self.assertEqual(done.returncode, 2)
        totals = json.loads(done.stdout)["totals"]
        self.assertEqual(totals["bad_input"], 1)
        self.assertGreaterEqual(totals["not_as_expected"], 1)


class CheckJson(Folder):
    def test_its_keys(self):
        for subject in (SMALL, WRONG):
            found = json.loads(run("check", subject, "--json").stdout)
            self.assertEqual(list(found), CHECK_KEYS)
            self.assertEqual(found["format"], "slotlab-check/1")
            for each in found["properties"]:
                self.assertEqual(list(each), PROPERTY_KEYS)
        document = (ROOT / "docs/json.md").read_text(encoding="utf-8")
        for key in CHECK_KEYS + PROPERTY_KEYS:
            self.assertIn(f"`{key}`", document)

    def test_textbook_counts(self):
        found = json.loads(run("check", SMALL, "--json").stdout)
        self.assertEqual(found["states"], 2**3 + 4**3 + 6**3)
        self.assertEqual(found["states_generated"],
                         2 + (3 + 1) * 4**3 + 3 * 2**3 + 4 * 3 * 6**3 // 3)
        self.assertEqual(found["verdict"], "holds")
        self.assertIsNone(found["as_expected"])
        self.assertIsNone(found["trace"])

    def test_a_violation_carries_its_run(self):
        found = json.loads(run("check", WRONG, "--json").stdout)
        self.assertEqual(found["verdict"], "violated")
        self.assertIs(found["as_expected"], True)
        owned = next(p for p in found["properties"] if p["name"] == "owned")
        self.assertEqual(owned["verdict"], "violated")
        self.assertEqual(len(owned["trace"]), owned["depth"])
        self.assertIn("CLUSTER SETSLOT", found["trace"][-1])

    def test_quiet_prints_the_verdicts_alone(self):
        done = run("check", WRONG, "--quiet")
        count = len(json.loads(run("check", WRONG, "--json").stdout)["properties"])
        self.assertEqual(done.stdout.count("\n"), count)

    def test_show_chooses_whose_run_is_printed_and_saved(self):
        for name, words in [("crashed", "in which 'crashed' is reached"),
                            ("agreed", "in which 'agreed' is violated")]:
            with self.subTest(name):
                path = self.folder / f"{name}.trace"
                done = run("check", WRONG, "--show", name, "--trace", path)
                self.assertEqual(done.returncode, 0, done.stderr)
                self.assertIn(words, done.stdout)
                # The line to have it again.
                self.assertIn(f"--show {name} --trace", run("check", WRONG, "--show", name).stdout)
                event = "B crashes" if name == "crashed" else "from here on, for ever"
                self.assertIn(event, run("replay", path).stdout)
        # Not what was asked for by default, and what has no run has none to show.
        self.assertNotIn("in which 'crashed'", run("check", WRONG).stdout)
        done = run("check", RIGHT, "--show", "owned", "--trace", self.folder / "none.trace")
        self.assertFalse((self.folder / "none.trace").exists(), done.stdout)
        self.assert_refused(run("check", WRONG, "--show", "onwed"), "--show", "'owned'")

    def test_every_verb_that_prints_a_result_prints_json(self):
        trace = self.folder / "run.trace"
        self.assertEqual(run("check", WRONG, "--trace", trace).returncode, 0)
        for words in (["run", RIGHT], ["replay", trace], ["test", RIGHT], ["list"],
                      ["list", "--dialects"]):
            found = json.loads(run(*words, "--json").stdout)
            self.assertRegex(found["format"], r"^slotlab-\w+/\d+$")


class Determinism(Folder):
    def test_check_is_the_same_in_two_processes_and_at_any_number_of_threads(self):
        for subject in (SMALL, WRONG, "textbook:migrate-core/3-wrong-1-1"):
            outputs, traces = set(), set()
            for threads in (1, 1, 2, 3):
                trace = self.folder / "run.trace"
                done = run("check", subject, "--json", "--threads", threads, "--trace", trace)
                outputs.add(masked_json(done.stdout))
                traces.add(trace.read_bytes() if trace.exists() else b"")
            self.assertEqual(len(outputs), 1, subject)
            self.assertEqual(len(traces), 1, subject)

    def test_run_is_the_same_for_one_seed_and_another_for_another(self):
        for driver in ("timed", "random"):
            texts, traces = [], []
            for seed in (7, 7, 8):
                trace = self.folder / f"{driver}.trace"
                texts.append(run("run", RIGHT, "--seed", seed, "--driver", driver, "--trace",
                                 trace).stdout)
                traces.append(trace.read_bytes())
            self.assertEqual(texts[0], texts[1])
            self.assertEqual(traces[0], traces[1])
            self.assertNotEqual(traces[0], traces[2])

    def test_a_run_says_its_seed_first_and_how_to_have_it_again_last(self):
        lines = run("run", RIGHT, "--seed", 5).stdout.splitlines()
        self.assertTrue(lines[0].startswith("seed 5"))
        again = lines[-1].split("slotlab ", 1)[1].split()
        self.assertEqual(run(*again).stdout.splitlines(), lines)


class Replay(Folder):
    def test_the_saved_run_of_a_violation_is_violated_again(self):
        trace = self.folder / "wrong order.trace"
        done = run("check", WRONG, "--trace", trace)
        self.assertIn(f"slotlab replay '{trace}'", done.stdout)
        again = run("replay", trace)
        self.assertEqual(again.returncode, 1, again.stderr)
        self.assertRegex(again.stdout, r"owned +VIOLATED after event \d")

    def test_runs_of_the_other_drivers_replay_to_the_same_events(self):
        for driver in ("timed", "random"):
            trace = self.folder / f"{driver}.trace"
            first = json.loads(run("run", WRONG, "--seed", 3, "--driver", driver, "--trace", trace,
                                   "--json").stdout)
            again = json.loads(run("replay", trace, "--json").stdout)
            self.assertEqual(first["events"], again["events"])
            self.assertEqual(first["fingerprint"], again["fingerprint"])

    def test_a_textbook_run_replays(self):
        trace = self.folder / "core.trace"
        run("check", "textbook:migrate-core/3-wrong-0-0", "--trace", trace)
        again = run("replay", trace)
        self.assertEqual(again.returncode, 1, again.stderr)

    def test_a_damaged_trace_is_refused(self):
        trace = self.folder / "run.trace"
        run("check", WRONG, "--trace", trace)
        text = trace.read_text(encoding="utf-8")
        for damaged in (text.replace("SETSLOT 7", "SETSLOT 8", 1), text[:-20], "", "junk\n"):
            trace.write_text(damaged, encoding="utf-8")
            done = run("replay", trace)
            self.assertEqual(done.returncode, 2, done.stdout)
            self.assertIn("run.trace", done.stderr)


class Parts(Folder):
    """Searches that stand for another: lasting messages, similar states, one for each crash."""

    ALL = ("--reductions", "inert+lasting+similar+split")

    def test_a_violation_comes_with_a_real_run_and_the_verdicts_are_the_same(self):
        for name in (WRONG, "scenarios/crashes/destination-dies-after-step-4.yaml",
                     "scenarios/replicas/destination-replica.yaml",
                     "scenarios/network/one-way-cut.yaml",
                     "scenarios/reports/repair-during-a-cut.yaml"):
            with self.subTest(name=name):
                plain = json.loads(run("check", name, "--json").stdout)
                parts = json.loads(run("check", name, "--json", *self.ALL).stdout)
                for a, b in zip(plain["properties"], parts["properties"]):
                    if a["mood"] not in ("always", "sometimes"):
                        self.assertEqual(b["verdict"], "inconclusive")
                        continue
                    self.assertEqual((a["verdict"], a["depth"], a["trace"]),
                                     (b["verdict"], b["depth"], b["trace"]), a["name"])

    def test_threads_change_nothing(self):
        name = "scenarios/replicas/destination-replica.yaml"
        outputs = {masked_json(run("check", name, "--json", *self.ALL, "--threads", n).stdout)
                   for n in ("1", "2", "3")}
        self.assertEqual(len(outputs), 1)

    def test_a_bound_ends_it_without_an_answer(self):
        done = run("check", RIGHT, *self.ALL, "--max-states", "10")
        self.assertEqual(done.returncode, 3, done.stdout)
        self.assertIn("NOT COMPLETE: ended by states", done.stdout)

    def test_a_part_of_a_split_keeps_the_long_run(self):
        name = "scenarios/crashes/destination-restarts.yaml"
        plain = json.loads(run("check", name, "--json").stdout)
        split = json.loads(run("check", name, "--json", "--reductions", "inert+split").stdout)
        self.assertEqual([p["verdict"] for p in plain["properties"]],
                         [p["verdict"] for p in split["properties"]])


class BadInput(Folder):
    def test_flags_and_values(self):
        for words, said in [
                (["chek", RIGHT], "did you mean 'check'"),
                (["check"], "SUBJECT"),
                ([], "no verb"),
                (["check", RIGHT, "--thread", "2"], "did you mean '--threads'"),
                (["check", RIGHT, "--threads", "0"], "from 1 to 64"),
                (["check", RIGHT, "--threads", "65"], "from 1 to 64"),
                (["check", RIGHT, "--threads", "two"], "from 1 to 64"),
                (["check", RIGHT, "--threads"], "--threads"),
                (["check", RIGHT, "--memory", "4X"], "4G"),
                (["check", RIGHT, "--memory", "99999999999999G"], "4G"),
                (["check", RIGHT, "--time", "-1"], "--time"),
                (["check", RIGHT, "--max-states", "0"], "at least 1"),
                (["check", RIGHT, "--max-depth", "x"], "whole number"),
                (["check", RIGHT, "--reductions", "inrt"], "did you mean 'inert'"),
                (["check", RIGHT, "--reductions", "inert+"], "there is no ''"),
                (["check", RIGHT, "--reductions", "por"], "expected inert+por"),
                (["check", RIGHT, "--reductions", "inert+por+symmetry"], "exclude each other"),
                (["check", RIGHT, "--reductions", "inert+por", "--checkpoint", "no.checkpoint"],
                 "without --checkpoint"),
                (["check", RIGHT, "--reductions", "lasting"], "expected inert+lasting"),
                (["check", RIGHT, "--reductions", "inert+similar"], "inert+lasting+similar"),
                (["check", RIGHT, "--reductions", "inert+symmetry+split"], "go with inert only"),
                (["check", RIGHT, "--reductions", "split", "--checkpoint", "no.checkpoint"],
                 "without --checkpoint"),
                (["check", SMALL, "--reductions", "split"], "is for scenarios"),
                (["explain", RIGHT, "--reductions", "inert+lasting"], "expected inert or none"),
                (["explain", RIGHT, "--reductions", "symmetry"], "expected inert or none"),
                (["graph", RIGHT, "--reductions", "inert+por"], "expected inert or none"),
                (["check", RIGHT, "--dialect", "redis-7"], "redis-7.0"),
                (["check", RIGHT, WRONG], "one argument too many"),
                (["run", RIGHT, "--driver", "timd"], "did you mean 'timed'"),
                (["run", RIGHT, "--seed", "18446744073709551616"], "--seed"),
                (["run", SMALL], "textbook model"),
                (["list", "--faults", "--dialects"], "at once"),
                (["check", "textbook:two-phase-comit/3"], "two-phase-commit"),
                (["check", "textbook:two-phase-commit/0"], "two-phase-commit"),
                (["check", "textbook:migrate-core/3-left-0-0"], "migrate-core"),
        ]:
            with self.subTest(words=words):
                self.assert_refused(run(*words), said)

    def test_files(self):
        (self.folder / "junk.yaml").write_bytes(bytes(range(256)) * 10)
        (self.folder / "empty.yaml").write_text("", encoding="utf-8")
        (self.folder / "key.yaml").write_text("title: T\nteaches: U\nclutser: {}\n",
                                              encoding="utf-8")
        for name, said in [("missing.yaml", "missing.yaml"), ("junk.yaml", "junk.yaml"),
                           ("empty.yaml", "empty.yaml"), ("key.yaml", "key.yaml:3:1"), ("", "")]:
            for verb in ("check", "run"):
                with self.subTest(name=name, verb=verb):
                    self.assert_refused(run(verb, self.folder / name), said)
        self.assert_refused(run("replay", self.folder / "missing.trace"), "missing.trace")
        self.assert_refused(run("check", "scenarios/manual"), "a folder", "'slotlab test'")
        self.assertEqual(run("run", RIGHT, "--trace", self.folder / "a.trace").returncode, 0)
        for verb in ("check", "run", "hunt"):
            self.assert_refused(run(verb, self.folder / "a.trace"), "a.trace: it is a saved run",
                                "'slotlab replay'")
        self.assert_refused(run("test", self.folder / "nowhere" / ".."), "nowhere")
        empty = self.folder / "nothing"
        empty.mkdir()
        self.assert_refused(run("test", empty), "no scenario")

    def test_a_trace_that_cannot_be_written_is_refused_before_the_search(self):
        start = time.monotonic()
        for path in (self.folder / "no" / "such" / "run.trace", self.folder, ""):
            with self.subTest(path=path):
                self.assert_refused(run("check", LONG, "--trace", path), "--trace")
        self.assertLess(time.monotonic() - start, 10)
        self.assertEqual(list(self.folder.iterdir()), [])

    def test_a_trace_is_written_whole_or_not_at_all(self):
        trace = self.folder / "run.trace"
        run("check", WRONG, "--trace", trace)
        self.assertEqual([p.name for p in self.folder.iterdir()], ["run.trace"])
        done = run("check", RIGHT, "--trace", self.folder / "none.trace")
        self.assertEqual(done.returncode, 0)
        self.assertIn("no violating run", done.stderr)
        self.assertEqual([p.name for p in self.folder.iterdir()], ["run.trace"])

    def test_what_is_no_file_is_not_replaced(self):
        pipe = self.folder / "pipe"
        os.mkfifo(pipe)
        self.assert_refused(run("check", WRONG, "--trace", pipe), "no regular file")
        self.assertTrue(pipe.is_fifo())
        link = self.folder / "link"
        link.symlink_to("target")
        run("check", WRONG, "--trace", link)
        self.assertTrue(link.is_symlink())
        self.assertTrue((self.folder / "target").is_file())


class Interrupts(Folder):
    def start(self, **options):
        return subprocess.Popen([program.PROGRAM, "check", LONG, "--json"], cwd=ROOT, text=True,
                                stdout=subprocess.PIPE, stderr=subprocess.PIPE, **options)

    def test_the_first_ctrl_c_ends_the_search_with_what_is_known(self):
        process = self.start()
        time.sleep(1)
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=60)
        self.assertEqual(process.returncode, 3, err)
        found = json.loads(out)
        self.assertEqual(found["verdict"], "inconclusive")
        self.assertEqual(found["stopped_by"], "interrupt")
        self.assertGreater(found["states"], 0)
        self.assertEqual(err, "")  # no progress where nobody watches

    def test_the_second_ctrl_c_kills(self):
        # Two signals in one go: the second arrives while the first is still being honoured, or the
        # search has ended by then, which is as good.
        process = self.start()
        time.sleep(1)
        process.send_signal(signal.SIGINT)
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=60)
        self.assertIn(process.returncode, (-signal.SIGINT, 3))

    def test_progress_shows_on_a_terminal(self):
        master, slave = pty.openpty()
        process = subprocess.Popen([program.PROGRAM, "check", LONG], cwd=ROOT, stderr=slave,
                                   stdout=subprocess.DEVNULL)
        os.close(slave)
        seen = b""
        while b"states" not in seen and select.select([master], [], [], 30)[0]:
            seen += os.read(master, 4096)
        process.send_signal(signal.SIGINT)
        process.wait(timeout=60)
        os.close(master)
        for word in (b"states", b"/s", b"depth", b"waiting"):
            self.assertIn(word, seen)


class Pipes(Folder):
    def test_a_reader_that_goes_away_is_no_error(self):
        for words in (["check", WRONG], ["list"], ["check", SMALL, "--json"]):
            read, write = os.pipe()
            os.close(read)
            done = subprocess.run([program.PROGRAM, *words], cwd=ROOT, stdout=write,
                                  stderr=subprocess.PIPE, text=True, timeout=60, check=False)
            os.close(write)
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertEqual(done.stderr, "")

    @unittest.skipUnless(os.path.exists("/dev/full"), "needs a device that is always full")
    def test_a_full_disk_is_told(self):
        with open("/dev/full", "w", encoding="utf-8") as full:
            done = subprocess.run([program.PROGRAM, "list"], cwd=ROOT, stdout=full,
                                  stderr=subprocess.PIPE, text=True, timeout=60, check=False)
        self.assertEqual(done.returncode, 2)
        self.assertIn("standard output", done.stderr)


class Import(Folder):
    DUMPS = [program.ROOT / "tests/data/dumps" / name
             for name in ("half-told-a.txt", "half-told-b.txt")]

    def test_what_it_writes_can_be_checked(self):
        made = self.folder / "made.yaml"
        done = run("import", *self.DUMPS, "-o", made)
        self.assertEqual((done.returncode, done.stdout, done.stderr), (0, "", ""))
        self.assertEqual(made.read_text(encoding="utf-8"), run("import", *self.DUMPS).stdout)
        check = json.loads(run("check", made, "--json").stdout)
        owned = next(p for p in check["properties"] if p["name"] == "owned")
        self.assertEqual((owned["verdict"], owned["depth"]), ("violated", 0))

    def test_bad_texts_are_refused(self):
        bad = self.folder / "bad.txt"
        bad.write_text("not a node\n", encoding="utf-8")
        self.assert_refused(run("import", bad), "bad.txt:1")
        self.assert_refused(run("import", self.folder / "none.txt"), "none.txt")
        self.assert_refused(run("import", self.DUMPS[0], self.DUMPS[0]), "same node")
        self.assert_refused(run("import", self.DUMPS[0], "--slots", "9-7"), "ends before")
        self.assert_refused(run("import", self.DUMPS[0], "--dialect", "redis"), "--dialect")


class Conform(Folder):
    TRANSCRIPTS = program.ROOT / "tests/data/transcripts"

    def test_a_transcript_passes_and_a_wrong_one_differs(self):
        good = self.TRANSCRIPTS / "addslots-guards.json"
        done = run("conform", good)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertIn("1 transcript: 1 passed", done.stdout)
        wrong = self.folder / "wrong.json"
        text = good.read_text(encoding="utf-8")
        wrong.write_text(text.replace("ERR Slot 100 is already busy", "ERR Slot 100 is free"),
                         encoding="utf-8")
        done = run("conform", wrong)
        self.assertEqual(done.returncode, 1)
        self.assertIn("ERR Slot 100 is free", done.stdout)
        self.assertEqual(json.loads(run("conform", wrong, "--json").stdout)["differ"], 1)

    def test_bad_input(self):
        broken = self.folder / "broken.json"
        broken.write_text("{\n  \"name\": 3\n}", encoding="utf-8")
        empty = self.folder / "empty"
        empty.mkdir()
        for words, said in [(["conform"], "TRANSCRIPT"), (["conform", broken], "broken.json:"),
                            (["conform", self.folder / "none.json"], "none.json"),
                            (["conform", "--random", "3"], "--live"),
                            (["conform", "--random", "0", "--live", "redis-server"], "--random"),
                            (["conform", empty], "no transcripts"),
                            (["conform", self.TRANSCRIPTS, "--live", "true"], "server"),
                            (["conform", self.TRANSCRIPTS, "--dialect", "x"], "dialect")]:
            with self.subTest(words=words):
                self.assert_refused(run(*words), said)


class List(Folder):
    def test_each_thing_has_a_line(self):
        text = run("list").stdout
        for word in ("scenarios/manual/right-order.yaml", "owned", "lose reply", "redis-7.0",
                     "textbook:two-phase-commit"):
            self.assertIn(word, text)

    def test_the_matrix_of_rules(self):
        matrix = json.loads(run("list", "--dialects", "--json").stdout)["dialects"]
        self.assertGreater(len(matrix), 10)
        for row in matrix:
            self.assertIn("redis-7.0", row["in"])
            self.assertTrue(row["line"])


if __name__ == "__main__":
    program.set_program_from_arguments()
    unittest.main()
