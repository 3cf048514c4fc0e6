#!/usr/bin/env python3
"""Searches that are cut short, killed and taken up again must tell the same as one that was not.

usage: checkpoint_test.py PROGRAM
"""

import json
import pathlib
import subprocess
import tempfile
import time
import unittest

import program
from program import masked_json, run

MODEL = "textbook:migrate-core/3-right-1-1-all-equal-safety"
SMALL = "textbook:migrate-core/3-right-1-1-safety"
MIDDLE = "textbook:migrate-core/3-right-1-1-ab-equal-safety"
ROUNDS = "scenarios/manual/wrong-order.yaml"


class Checkpoints(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.file = pathlib.Path(self.folder.name) / "search.checkpoint"

    def tearDown(self):
        self.folder.cleanup()

    @classmethod
    def setUpClass(cls):
        cls.whole = run("check", MODEL, "--json").stdout

    def check(self, *arguments):
        done = run("check", *arguments, "--json")
        self.assertIn(done.returncode, (0, 1, 3), done.stderr)
        return done.stdout

    def refused(self, *arguments):
        done = run("check", *arguments)
        self.assertEqual(done.returncode, 2, done.stdout + done.stderr)
        self.assertEqual(done.stdout, "")
        return done.stderr

    def test_goes_on_to_the_same_result(self):
        for subject, states in ((SMALL, 9000), (ROUNDS, 700), (MIDDLE, 300000)):
            whole = masked_json(self.check(subject, "--threads", 1))
            for threads in (1, 2):
                cut = self.check(subject, "--threads", threads, "--max-states", states,
                                 "--checkpoint", self.file)
                self.assertFalse(json.loads(cut)["complete"])
                self.assertGreater(json.loads(cut)["states_waiting"], 0)
                resumed = self.check(subject, "--threads", 3 - threads, "--resume", self.file)
                self.assertEqual(masked_json(resumed), whole)

    def test_survives_being_killed(self):
        process = subprocess.Popen([program.PROGRAM, "check", MODEL, "--checkpoint", self.file,
                                    "--checkpoint-every", "1s", "--threads", "1"], cwd=program.ROOT,
                                   stdout=subprocess.DEVNULL)
        for _ in range(600):
            if self.file.exists() and self.file.stat().st_size > 0:
                break
            time.sleep(0.05)
        process.kill()
        process.wait()
        self.assertEqual(masked_json(self.check(MODEL, "--resume", self.file)),
                         masked_json(self.whole))

    def test_refuses_what_it_cannot_use(self):
        self.check(SMALL, "--max-states", 9000, "--checkpoint", self.file)
        self.assertIn("but this search is of", self.refused(ROUNDS, "--resume", self.file))
        self.assertIn("reductions", self.refused(SMALL, "--reductions", "inert", "--resume",
                                                 self.file))
        whole = self.file.read_bytes()
        self.file.write_bytes(whole[:len(whole) // 2])
        self.assertIn("damaged or cut short", self.refused(SMALL, "--resume", self.file))
        damaged = bytearray(whole)
        damaged[len(whole) // 3] ^= 1
        self.file.write_bytes(damaged)
        self.assertIn("damaged or cut short", self.refused(SMALL, "--resume", self.file))
        self.file.write_text("no checkpoint at all\n")
        self.assertIn("not a checkpoint", self.refused(SMALL, "--resume", self.file))
        self.file.unlink()
        self.assertIn("cannot read", self.refused(SMALL, "--resume", self.file))
        self.assertIn("--memory", self.refused(SMALL, "--spill", self.folder.name))

    def test_stays_within_its_memory(self):
        budget = 60 << 20
        cut = json.loads(self.check(MODEL, "--memory", "60M", "--checkpoint", self.file))
        self.assertEqual(cut["stopped_by"], "memory")
        self.assertEqual(cut["verdict"], "violated")  # a violation was found before
        self.assertLessEqual(cut["peak_memory_bytes"], budget)
        whole = json.loads(self.whole)
        resumed = json.loads(self.check(MODEL, "--resume", self.file))
        self.assertEqual(resumed["states"], whole["states"])
        self.assertEqual(resumed["trace"], whole["trace"])

    def test_what_is_worked_out_before_a_search_keeps_to_its_memory(self):
        # Without a budget this scenario's preparation takes hundreds of megabytes.
        found = json.loads(self.check("scenarios/rules/bus-clears-migrating.yaml", "--reductions",
                                      "inert+lasting+similar+split", "--memory", "60M",
                                      "--time", "20s"))
        self.assertLessEqual(found["peak_memory_bytes"], 60 << 20)

    def test_goes_on_from_disk(self):
        whole = json.loads(self.whole)
        spilled = json.loads(self.check(MODEL, "--memory", "72M", "--spill", self.folder.name))
        self.assertGreater(spilled["spilled_bytes"], 0)
        self.assertLessEqual(spilled["peak_memory_bytes"], 72 << 20)
        for key in ("states", "transitions", "depth", "properties", "complete"):
            self.assertEqual(spilled[key], whole[key], key)


if __name__ == "__main__":
    program.set_program_from_arguments()
    unittest.main()
