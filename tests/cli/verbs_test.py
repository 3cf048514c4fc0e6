#!/usr/bin/env python3
"""The verbs that find runs and say why, from outside: answers, statuses, keys, same bytes."""

import json
import pathlib
import shutil
import tempfile
import unittest
import xml.etree.ElementTree as xml

import program
from program import ROOT, run

RIGHT = "scenarios/manual/right-order-without-faults.yaml"
WRONG = "scenarios/manual/wrong-order.yaml"
EQUAL = "textbook:migrate-core/3-right-0-0-ab-equal"


class Verbs(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)

    def answer(self, *words, status=0):
        done = run(*words)
        self.assertEqual(done.returncode, status, done.stderr)
        return done.stdout

    def json(self, *words, status=0):
        return json.loads(self.answer(*words, "--json", status=status))

    def refused(self, text, *words):
        done = run(*words)
        self.assertEqual(done.returncode, 2, done.stdout + done.stderr)
        self.assertEqual(done.stdout, "")
        self.assertIn(text, done.stderr)

    def trace(self, *words):
        path = self.folder / "found.trace"
        self.answer("hunt", WRONG, "--trace", path, *words, status=1)
        return path

    def test_explain_names_what_decides_in_the_wrong_order(self):
        page = self.json("explain", WRONG)
        self.assertEqual(page["question"], "for good")
        self.assertTrue(page["exact"])
        self.assertEqual(page["point_of_no_return"]["event"], 5)
        texts = sorted(each["text"] for each in page["deciding_orderings"])
        between = "after step 5 reaches A and before step 4 reaches B"
        self.assertEqual(texts, [f"B crashes for good {between}", f"operator stops {between}"])
        self.assertEqual([each["text"] for each in page["unavoidable_steps"]],
                         ["step 1 reaches B", "step 2 reaches A", "step 3 reaches A",
                          "step 5 reaches A"])
        self.assertEqual(page["nearest_safe_run"]["first_difference"], 5)
        self.assertEqual(page["nearest_safe_run"]["does"]["text"], "step 4 reaches B")

    def test_explain_of_a_trace_adds_what_seals_it(self):
        page = self.answer("explain", self.trace())
        self.assertIn("added", page)
        self.assertIn("exactly when", page)

    def test_explain_of_equal_epochs_names_the_claim_that_wins(self):
        page = self.json("explain", EQUAL)
        self.assertTrue(page["exact"])
        self.assertIn("B: owner of the slot: A", page["deciding_orderings"][0]["text"])

    def test_explain_finds_nothing_where_nothing_is_violated(self):
        page = self.json("explain", RIGHT)
        self.assertIsNone(page["property"])
        self.assertIsNone(page["deciding_orderings"])
        self.assertIn("nothing to explain", self.answer("explain", RIGHT))
        self.refused("--property", "explain", RIGHT, "--property", "ownd")
        self.answer("explain", WRONG, "--max-states", "10", status=3)

    def test_hunt_is_the_same_at_any_number_of_threads_and_from_its_own_line(self):
        one = self.json("hunt", WRONG, "--threads", "1", status=1)
        self.assertEqual(one, self.json("hunt", WRONG, "--threads", "3", status=1))
        again = self.json(*one["again"].split()[1:], status=1)
        self.assertEqual(again["events"], one["events"])
        self.assertEqual([each["name"] for each in one["faults"]],
                         ["stop of operator", "crash of B for good between steps 5 and 4"])

    def test_hunt_says_that_faults_never_fired(self):
        page = self.answer("hunt", WRONG, "--property", "owned", "--steps", "1", "--seeds",
                           "64", status=3)
        self.assertIn("crash of B for good between steps 5 and 4", page)
        self.assertIn("NEVER FIRED", page)

    # The operator who idles, the one judged in the long run, and faults when nothing else happens.
    def test_hunt_finds_planted_faults(self):
        for name, dialect, violated in (
                ("no-collision-resolution", "redis-7.0-epoch-collision-resolved", "unique-epochs"),
                ("update-to-replicas", "redis-7.0-update-to-replicas",
                 "procedure-done leads to agreed")):
            file = f"scenarios/rules/{name}.yaml"
            words = ("hunt", file, "--property", violated, "--seeds", "256")
            self.answer(*words, "--dialect", dialect, status=1)
            self.answer(*words, status=3)  # with the rule on

    def test_no_output_over_an_input_or_another_output(self):
        mine = self.folder / "mine.yaml"
        shutil.copy(ROOT / WRONG, mine)
        before = mine.read_bytes()
        for words in (("check", mine, "--trace", mine), ("graph", mine, "-o", mine),
                      ("check", mine, "--checkpoint", self.folder / "." / "mine.yaml"),
                      ("report", mine, "-o", mine)):
            self.refused("is what is read", *words)
        self.assertEqual(mine.read_bytes(), before)
        both = self.folder / "both"
        self.refused("is written by --junit as well",
                     "test", mine, "--junit", both, "--sarif", both)
        self.assertFalse(both.exists())

    def test_a_report_without_a_run_is_inconclusive_and_leaves_no_page(self):
        page = self.folder / "page.html"
        self.answer("report", RIGHT, "--max-states", "1", "-o", page, status=3)
        self.assertFalse(page.exists())

    def test_shrink_gives_a_trace_that_replays_and_violates(self):
        big = self.trace()
        small = self.folder / "small.trace"
        page = self.json("shrink", big, "-o", small)
        self.assertTrue(page["smallest"])
        self.assertEqual(page["after"], {"faults": 0, "events": 4, "switches": 0})
        self.answer("replay", small, status=1)
        first = small.read_bytes()
        self.answer("shrink", big, "-o", small)
        self.assertEqual(small.read_bytes(), first)
        self.refused("violates nothing", "shrink", self.quiet_trace())

    def quiet_trace(self):
        path = self.folder / "quiet.trace"
        self.answer("run", RIGHT, "--trace", path)
        return path

    def test_reach_answers_and_refuses(self):
        goal = "A.owner(7) = B and B.state = gone"
        page = self.json("reach", WRONG, "--goal", goal)
        self.assertEqual((page["answer"], len(page["events"])), ("reachable", 5))
        self.assertEqual(self.json("reach", RIGHT, "--goal", "unowned")["answer"], "not reachable")
        self.answer("reach", RIGHT, "--goal", "unowned", "--max-depth", "2", status=3)
        self.refused("column 3", "reach", RIGHT, "--goal", "A.ower(7) = B")
        self.refused("column 14", "reach", RIGHT, "--goal", "A.owner(7) = D")
        self.refused("column 9", "reach", RIGHT, "--goal", "A.owner(99) = B")
        self.refused("the end", "reach", RIGHT, "--goal", "not (unowned")
        self.refused("longer than 4096 bytes", "reach", RIGHT, "--goal", "not " * 22000 + "owned")
        self.refused("control character 0x0a", "reach", RIGHT, "--goal", "A.owner(7)\n= B")

    def test_orders_says_which_steps_decide(self):
        page = self.json("orders", WRONG, "--keep", "1<2<3<4<6")
        self.assertEqual(page["conclusion"], "safe exactly with step 4 before step 5")
        safe = [" ".join(each["steps"]) for each in page["orders"] if each["safety"] == "safe"]
        self.assertEqual(safe, ["1 2 3 4 5 6", "1 2 3 4 6 5"])
        self.refused("no step '9'", "orders", WRONG, "--keep", "1<9")
        self.refused("no order keeps", "orders", WRONG, "--keep", "1<2", "--keep", "2<1")

    def test_crash_table_has_every_step_and_every_process(self):
        keys = "scenarios/manual/right-order-with-keys.yaml"
        page = self.json("crash-table", keys)
        self.assertTrue(page["complete"])
        rows = {(row["step"], row["when"], row["process"], row["death"]): row
                for row in page["rows"]}
        self.assertEqual(len(rows), len(page["rows"]))
        for step in "123456":
            self.assertIn((step, "before", "operator", "for good"), rows)
            for node in "ABC":
                for death in ("for good", "comes back"):
                    self.assertIn((step, "before", node, death), rows)
        # The source gives nothing away that it has not been told to be stored.
        for (_, _, process, death), row in rows.items():
            if process == "operator" or death == "comes back":
                self.assertFalse(row["lost"] or row["lost_after_repair"], row)
        self.assertTrue(all(rows[("4", "before", "B", "for good")]["ends"][0]["before"]
                            ["properties"][name] for name in ("owned", "agreed")))
        lost = rows[("4", "before", "B", "for good")]["ends"][0]["before"]["lost"]
        self.assertEqual([text.split()[0] for text in lost], ["key", "key"])
        both = [key for end in rows[("3", "within", "A", "comes back")]["ends"]
                for key in end["before"]["keys"] if key["at"] == ["A", "B"]]
        self.assertTrue(both)

    def test_crash_table_tells_repairs_apart(self):
        keys = "scenarios/manual/right-order-with-keys.yaml"
        words = ("crash-table", keys, "--process", "A")
        def owner(row):
            return [after["owners"][0]["owner"] for end in row["ends"] for after in end["after"]]
        for repair, owners, said in (("fix", ["A"], "will not"), ("fix-unreachable", ["B"], "done"),
                                     ("manual", ["B"], "done"), ("none", [], "")):
            row = self.json(*words, "--repair", repair)["rows"][0]
            self.assertEqual((row["step"], row["death"]), ("1", "for good"))
            self.assertEqual(owner(row), owners, repair)
            for after in row["ends"][0]["after"]:
                self.assertTrue(after["repair"].startswith(said), after)

    def test_crash_table_sees_the_gap_of_the_wrong_order(self):
        rows = self.json("crash-table", WRONG, "--process", "operator")["rows"]
        lost = [(row["step"], row["when"]) for row in rows if row["lost"]]
        self.assertEqual(lost, [("4", "before")])
        self.assertEqual(self.answer("crash-table", WRONG, "--threads", "1"),
                         self.answer("crash-table", WRONG, "--threads", "2"))

    def test_crash_table_refuses(self):
        self.refused("textbook model", "crash-table", EQUAL)
        self.refused("no operator with steps", "crash-table",
                     "scenarios/reports/fix-takes-the-slot-back.yaml")
        self.refused("there is no 'D'", "crash-table", WRONG, "--process", "D")
        self.refused("--repair", "crash-table", WRONG, "--repair", "glue")
        self.refused("--dialect", "crash-table", WRONG, "--dialect", "redis-9.9")
        self.refused("No such file", "crash-table", "scenarios/none.yaml")
        cut = self.json("crash-table", WRONG, "--max-states", "10", status=3)
        self.assertEqual((cut["complete"], cut["rows"]), (False, []))

    def test_graph_is_well_formed(self):
        dot = self.answer("graph", self.trace())
        self.assertTrue(dot.startswith("digraph slotlab {"))
        self.assertTrue(dot.endswith("}\n"))
        root = xml.fromstring(self.answer("graph", WRONG, "--format", "graphml"))
        space = "{http://graphml.graphdrawing.org/xmlns}"
        nodes = {each.get("id") for each in root.iter(space + "node")}
        edges = list(root.iter(space + "edge"))
        self.assertGreater(len(edges), len(nodes) - 1)
        self.assertTrue(all(each.get("source") in nodes for each in edges))
        self.answer("graph", WRONG, "--max-states", "10", status=3)

    def test_exports_are_what_viewers_read(self):
        trace = self.trace()
        itf = self.folder / "run.itf.json"
        self.answer("export", trace, "--format", "itf", "-o", itf)
        again = self.answer("export", itf, "--format", "itf")
        self.assertEqual(again, itf.read_text())
        self.assertEqual(self.answer("replay", itf, status=1),
                         self.answer("replay", trace, status=1))
        events = json.loads(self.answer("export", trace, "--format", "perfetto"))["traceEvents"]
        sent = [each["id"] for each in events if each["ph"] == "s"]
        self.assertEqual(sent, [each["id"] for each in events if each["ph"] == "f"])
        lines = self.answer("export", trace, "--format", "shiviz").splitlines()
        for clock in lines[::2]:
            self.assertTrue(json.loads(clock.split(" ", 1)[1]))
        diagram = self.answer("export", trace, "--format", "mermaid")
        self.assertIn("sequenceDiagram", diagram)
        itf.write_text('{"#meta": {}, "states": [}')
        self.refused("1:26", "replay", itf)
        itf.write_text('{"#meta": {}, "states": []}')
        self.refused("/#meta/slotlab", "replay", itf)

    def test_reports_for_build_servers(self):
        junit, sarif = self.folder / "junit.xml", self.folder / "report.sarif"
        bad = self.folder / "bad.yaml"
        bad.write_text("title: <&>\nteaches: 7\nbogus: 1\n")
        done = run("test", RIGHT, bad, "--junit", junit, "--sarif", sarif)
        self.assertEqual(done.returncode, 2)
        suite = xml.parse(junit).getroot()[0]
        self.assertEqual((suite.get("tests"), suite.get("errors")), ("2", "1"))
        results = json.loads(sarif.read_text())["runs"][0]["results"]
        self.assertEqual([each["ruleId"] for each in results], ["bad-input"])


if __name__ == "__main__":
    program.set_program_from_arguments()
    unittest.main()
