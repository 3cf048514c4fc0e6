#!/usr/bin/env python3
"""slotlab step from outside: what commands show, branches, saved runs, wrong words, statuses."""

import os
import pathlib
import pty
import shutil
import subprocess
import tempfile
import unittest

import program
from program import run

WRONG = "scenarios/manual/wrong-order.yaml"
# The four events of the shortest loss, by words that tell each from everything else possible.
LOSS = ["IMPORTING A", "MIGRATING B", "GETKEYSINSLOT", "-> A: CLUSTER SETSLOT 7 NODE B"]


def step(*commands, subject=WRONG):
    """The session with these commands from standard input."""
    return subprocess.run([program.PROGRAM, "step", str(subject)], cwd=program.ROOT, text=True,
                          input="".join(c + "\n" for c in commands), capture_output=True,
                          timeout=100, check=False)


def answers(text):
    """The answer to each command, by its order; the greeting first."""
    parts = [p.partition("\n") for p in ("> \n" + text).split("\n> ")]
    return [parts[0][2]] + [p[2] for p in parts[1:]]


def number_of(text, words):
    """The number under which the event with these words is listed last."""
    for line in reversed(text.splitlines()):
        head, _, rest = line.strip().partition("  ")
        if head.isdigit() and words in rest:
            return head
    raise AssertionError(f"{words} is not possible in:\n{text}")


class Walk:
    """Finds the numbers of events on the way, by running the session again and again."""

    def __init__(self):
        self.commands = []

    def do(self, *commands):
        self.commands += commands
        return answers(step(*self.commands).stdout)[-1]

    def take(self, words):
        listed = answers(step(*self.commands, "list").stdout)[-1]
        return self.do(number_of(listed, words))


class Step(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)

    def loss(self):
        walk = Walk()
        for words in LOSS:
            walk.take(words)
        return walk

    def test_events_are_taken_by_their_words(self):
        told = answers(step("take heartbeat", "take zebra", "take", "take A heartbeat to B",
                            "take step 1", "take SETSLOT MIGRATING", "check").stdout)[1:]
        self.assertIn("6 possible events have the words 'heartbeat', expected one:", told[0])
        self.assertIn("no possible event has the words 'zebra'; 'why zebra' says why", told[1])
        self.assertIn("expected take and words", told[2])
        self.assertIn("event 1: A heartbeat to B", told[3])
        self.assertIn("event 2: operator -> B: CLUSTER SETSLOT 7 IMPORTING A", told[4])
        self.assertIn("event 3: operator -> A: CLUSTER SETSLOT 7 MIGRATING B", told[5])
        self.assertRegex(told[6], r"crashed +false\n")  # nothing to add, so no colon

    def test_the_greeting_lists_what_is_possible(self):
        done = step()
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("The manual's wrong order", done.stdout)
        self.assertIn("at the start", done.stdout)
        self.assertIn("operator -> B: CLUSTER SETSLOT 7 IMPORTING A   (step 1)", done.stdout)

    def test_an_event_is_taken_and_tells_what_changed(self):
        walk = Walk()
        text = walk.take("IMPORTING A")
        self.assertIn("event 1: operator -> B", text)
        self.assertIn("B: importing 7 from A", text)
        self.assertIn("(step 2)", text)

    def test_a_property_that_changes_is_told(self):
        walk = self.loss()
        self.assertIn("owned is false now: slot 7 has no owner",
                      answers(step(*walk.commands).stdout)[-1])
        self.assertRegex(walk.do("check"), r"owned +false: slot 7 has no owner")

    def test_back_and_goto(self):
        walk = self.loss()
        self.assertIn("event 3", walk.do("back"))
        self.assertIn("1 event known ahead", walk.do("changed"))
        self.assertIn("event 1", walk.do("back 2"))
        self.assertIn("event 4", walk.do("goto 4"))
        self.assertIn("at the start", walk.do("goto 0"))
        done = step(*walk.commands, "goto 5", "back 1")
        self.assertEqual(done.returncode, 2)
        self.assertIn("the run has 4 events, expected 0 to 4", done.stdout)
        self.assertIn("only 0 events can be taken back", done.stdout)

    def test_another_event_forgets_what_lay_ahead_but_marks_keep_it(self):
        walk = self.loss()
        walk.do("mark lost", "back 2")
        text = walk.take("operator stops")
        self.assertIn("event 3: operator stops", text)
        self.assertNotIn("known ahead", text)
        self.assertIn("GETKEYSINSLOT", walk.do("go lost", "story"))
        self.assertIn("lost   after 4 events", walk.do("marks"))

    def test_believe(self):
        walk = self.loss()
        everyone = walk.do("believe")
        for words in ("A\n", "B\n", "owner of 7: B", "importing 7 from A"):
            self.assertIn(words, everyone)
        self.assertNotIn("owner of 7: B", walk.do("believe B"))
        done = step("believe D")
        self.assertEqual(done.returncode, 2)
        self.assertIn("there is no 'D'", done.stdout)

    def test_why(self):
        self.assertIn("too early", answers(step("why B crashes").stdout)[-1])
        self.assertIn("B is up, not down", answers(step("why B restarts").stdout)[-1])
        ahead = answers(step("why -> A: MIGRATING").stdout)[-1]
        self.assertIn('comes about as "operator -> A: CLUSTER SETSLOT 7 MIGRATING B" after 1 event',
                      ahead)
        self.assertIn("no such event in the nearest", answers(step("why Z explodes").stdout)[-1])
        walk = self.loss()
        walk.take("B crashes for good")
        self.assertIn("B is down for good", walk.do("why B restarts"))
        self.assertIn("B is down for good", walk.do("why -> B: NODE"))
        self.assertIn("that is spent", walk.do("why B crashes"))

    def test_a_saved_run_is_replayed_and_walked_through(self):
        trace = self.folder / "loss.trace"
        walk = self.loss()
        self.assertIn("saved 4 events", walk.do(f"save {trace}"))
        done = run("replay", trace)
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertIn("slot 7 has no owner", done.stdout)
        walked = step("goto 4", subject=trace)
        self.assertEqual(walked.returncode, 0, walked.stderr)
        self.assertIn("(the trace lies ahead: goto 1 to 4)", walked.stdout)
        self.assertIn("event 4: operator -> A", walked.stdout)

    def test_play_is_the_same_for_the_same_seed(self):
        for driver in ("timed", "random"):
            first = step(f"play {driver} 40 7", "story").stdout
            self.assertEqual(first, step(f"play {driver} 40 7", "story").stdout)
            self.assertNotEqual(first, step(f"play {driver} 40 8", "story").stdout)
            self.assertRegex(first, r"played \d+ events?;")

    def test_wrong_words_are_told_and_spoil_the_status_of_a_pipe(self):
        for words in ("blak", "999999", "1 2", "goto", "goto x", "play", "play timed 0",
                      "play wild 3", "go nowhere", "save", "why", "list now", "back x"):
            done = step(words, "list")
            self.assertEqual(done.returncode, 2, words)
            self.assertIn("error: ", done.stdout)
            self.assertIn("possible now", answers(done.stdout)[-1])  # it went on
        self.assertIn("did you mean 'back'", step("bakc").stdout)
        self.assertEqual(step("help", "quit", "nonsense").returncode, 0)

    def test_do(self):
        done = run("step", WRONG, "--do", "1; back ;list")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(done.stdout.count("\n> "), 3)
        self.assertEqual(run("step", WRONG, "--do", "blub").returncode, 2)

    def test_bad_subjects(self):
        for subject in ("textbook:two-phase-commit/3", "nowhere.yaml"):
            done = step(subject=subject)
            self.assertEqual(done.returncode, 2)
            self.assertEqual(done.stdout, "")
            self.assertTrue(done.stderr.startswith("slotlab: error: "))

    def test_in_a_terminal_wrong_words_are_forgiven_and_the_end_of_input_ends_it(self):
        ours, theirs = pty.openpty()
        with subprocess.Popen([program.PROGRAM, "step", WRONG], cwd=program.ROOT, stdin=theirs,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE) as child:
            os.close(theirs)
            os.write(ours, b"blub\nlist\n\x04")
            output, errors = child.communicate(timeout=60)
            os.close(ours)
        self.assertEqual(child.returncode, 0, errors)
        self.assertIn(b"there is no command 'blub'", output)


if __name__ == "__main__":
    program.set_program_from_arguments()
    unittest.main()
