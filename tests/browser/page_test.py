#!/usr/bin/env python3
"""The page of slotlab report in a real browser: Debian's chromium, without a window.

page_test.py PROGRAM

Keys are pressed, buttons clicked and links followed as a reader would; what a screen reader is
given is read from the browser itself. Exits 77 (skipped) where there is no chromium.
"""

import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

import chromium

ROOT = pathlib.Path(__file__).parents[2]
PROGRAM = str(pathlib.Path(sys.argv[1]).resolve())
WRONG = "scenarios/manual/wrong-order.yaml"
RIGHT = "scenarios/manual/right-order.yaml"


def slotlab(*words):
    return subprocess.run([PROGRAM, *map(str, words)], cwd=ROOT, text=True, capture_output=True,
                          timeout=600, check=False)


class Page(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.browser = cls.enterClassContext(chromium.Chromium())
        cls.folder = pathlib.Path(tempfile.mkdtemp())
        cls.addClassCleanup(shutil.rmtree, cls.folder, ignore_errors=True)
        cls.wrong = cls.page(WRONG)

    @classmethod
    def page(cls, subject):
        path = cls.folder / (pathlib.Path(subject).stem + ".html")
        done = slotlab("report", subject, "-o", path)
        if done.returncode != 0:
            raise AssertionError(done.stderr)
        return path

    @classmethod
    def long_run(cls, seed=5):
        """The page of a run of 2,000 events."""
        trace = cls.folder / "long.trace"
        done = slotlab("step", RIGHT, "--do", f"play random 2000 {seed}; save {trace}")
        if "saved 2,000 events" not in done.stdout:
            raise AssertionError(done.stdout + done.stderr)
        return cls.page(trace)

    def setUp(self):
        self.browser.look()

    def tearDown(self):
        self.assertEqual(self.browser.errors, [])

    def open(self, path, place=""):
        self.browser.open(path, place)

    def press(self, *names):
        for name in names:
            self.browser.key(name)

    def text(self, name):
        return self.browser.run(f"document.getElementById('{name}').textContent")

    def count(self):
        return self.text("count")

    def click(self, name):
        self.browser.click(f"document.getElementById('{name}')")

    def follow(self, words):
        """Clicks the link into a branch whose text has these words."""
        self.browser.click(f"""[...document.querySelectorAll('#branches a')]
                               .find((a) => a.textContent.includes({words!r}))""")

    # --- stepping

    def test_it_needs_no_network(self):
        text = self.wrong.read_text(encoding="utf-8")
        self.assertNotRegex(text, r'(src|href)="(https?:)?//')
        self.assertNotRegex(text, r"@import|url\(|fetch\(|XMLHttpRequest")

    def test_stepping_by_button(self):
        self.open(self.wrong)
        self.assertEqual(self.text("sentence"), "At the start")
        self.click("next")
        self.assertEqual(self.count(), "1 / 5")
        self.assertIn("CLUSTER SETSLOT 7 IMPORTING A", self.text("sentence"))
        self.assertIn("B: importing 7 from A", self.text("changes"))
        self.click("last")
        self.assertEqual(self.count(), "5 / 5")
        self.click("previous")
        self.assertEqual(self.count(), "4 / 5")
        self.click("first")
        self.assertEqual(self.count(), "0 / 5")
        self.assertTrue(self.browser.run("document.getElementById('previous').disabled"))

    def test_stepping_by_key(self):
        self.open(self.wrong)
        seen = []
        for name in ("ArrowRight", "ArrowRight", "ArrowRight", "ArrowLeft", "End", "ArrowRight",
                     "PageUp", "PageDown", "Home", "ArrowLeft"):
            self.press(name)
            seen.append(self.count()[0])
        self.assertEqual("".join(seen), "1232550500")
        self.press("End")
        self.assertIn("operator stops", self.text("sentence"))
        self.assertIn("slot 7 has no owner", self.text("properties"))

    def test_stepping_by_slider_and_by_line(self):
        self.open(self.wrong)
        self.browser.run("document.getElementById('slider').focus()")
        self.press("End", "ArrowLeft")
        self.assertIn("Event 4 of 5: operator -> A: CLUSTER SETSLOT 7 NODE B",
                      self.text("sentence"))
        self.assertIn("owned is false now", self.text("changes"))
        self.assertEqual(self.browser.run("location.hash"), "#4")
        self.browser.click("document.getElementById('row-2')")
        self.assertEqual(self.count(), "2 / 5")
        self.press("ArrowDown")  # a click into the diagram puts the keys there
        self.assertEqual(self.count(), "3 / 5")

    def test_everything_is_reached_with_the_tab_key(self):
        self.open(self.wrong, "#4")
        reached = set()
        for _ in range(60):
            self.press("Tab")
            reached.add(self.browser.run("""(() => { const e = document.activeElement;
                return e.id || (e.closest("section") || {}).id || e.tagName; })()"""))
        self.assertLessEqual({"first", "previous", "next", "last", "slider", "rows", "believes",
                              "why", "possible"}, reached)
        self.open(self.wrong)
        for _ in range(60):
            self.press("Tab")
            if self.browser.run("document.activeElement.closest('#branches') !== null"):
                break
        self.press("Enter")
        self.assertEqual(self.count(), "1 / 1")  # into the branch

    # --- what is shown

    def test_beliefs_mark_what_changed(self):
        self.open(self.wrong, "#4")
        changed = self.browser.run("""[...document.querySelectorAll('#beliefs td.changed')]
                                      .map((cell) => cell.textContent)""")
        self.assertEqual(len(changed), 2)  # the owner, and the mark that is gone
        self.assertTrue(any(text.startswith("B") and text.endswith("A") for text in changed),
                        changed)
        columns = self.browser.run("""[...document.querySelectorAll('#beliefs thead th')]
                                      .map((cell) => cell.textContent.trim())""")
        self.assertEqual(columns, ["fact", "A", "B", "C"])

    def test_the_explanation_is_marked(self):
        self.open(self.wrong)
        self.assertIn("operator stops after step 5 reaches A", self.text("summary"))
        many = "document.querySelectorAll('{}').length"
        self.assertEqual(self.browser.run(many.format(".no-return")), 1)
        self.assertGreaterEqual(self.browser.run(many.format(".row .badge")), 2)
        self.browser.click("document.querySelector('#deciding button')")
        self.assertEqual(self.count(), "5 / 5")

    def test_a_run_without_violation_has_no_explanation(self):
        self.open(self.page(RIGHT))
        self.assertTrue(self.browser.run("document.getElementById('why').hidden"))
        self.press("End")
        self.assertNotIn("false:", self.text("properties"))

    # --- branches

    def test_branches_are_links_there_and_back(self):
        self.open(self.wrong, "#4")
        self.follow("-> B: CLUSTER SETSLOT 7 NODE B")
        branch = self.text("sentence")
        self.assertIn("Event 5 of 5: operator -> B: CLUSTER SETSLOT 7 NODE B", branch)
        self.assertIn("owned is true now", self.text("changes"))
        self.assertIn("back to the run", self.text("leave"))
        place = self.browser.run("location.hash")
        self.follow(" ")
        self.assertEqual(self.count(), "6 / 6")
        self.press("b")
        self.assertEqual(self.count(), "4 / 5")
        self.assertTrue(self.browser.run("document.getElementById('leave').hidden"))
        self.open(self.wrong, place)  # the address can be kept as a link
        self.assertEqual(self.text("sentence"), branch)
        self.click("leave")
        self.assertEqual(self.count(), "4 / 5")
        self.browser.run("history.back()")
        self.browser.run("new Promise((done) => setTimeout(done, 200))")
        self.assertEqual(self.text("sentence"), branch)

    # --- who cannot see it, and who sees it on a phone

    def test_a_screen_reader_is_told(self):
        self.open(self.wrong)
        self.press("ArrowRight")
        tree = self.browser.read_aloud()
        controls = [each for each in tree if each[0] in ("button", "slider", "link", "listbox",
                                                         "option", "table", "region")]
        self.assertEqual([each for each in controls if not each[1]], [])
        self.assertGreater(len(controls), 15)
        self.assertTrue(any(properties.get("live") == "polite" for _, _, properties in tree))
        chosen = [name for role, name, properties in tree
                  if role == "option" and properties.get("selected")]
        self.assertEqual(len(chosen), 1)
        self.assertIn("1", chosen[0])
        images = [name for role, name, _ in tree if role in ("img", "image")]
        self.assertIn("owned: true from the start, false from event 4", images)
        headers = {name.strip() for role, name, _ in tree if role == "columnheader"}
        self.assertLessEqual({"A", "B", "C"}, headers)
        self.assertEqual(self.browser.run("document.documentElement.lang"), "en")

    def test_a_phone_needs_no_scrolling_sideways(self):
        for width in (320, 360, 800):
            with self.subTest(width):
                self.browser.look(width=width, height=700)
                for place in ("#0", "#4"):
                    self.open(self.wrong, place)
                    self.assertEqual(self.browser.run("document.documentElement.scrollWidth"),
                                     width)
                    self.assertEqual(self.browser.run("""
                        [...document.querySelectorAll("section, header, nav, button")]
                          .filter((e) => e.getBoundingClientRect().right > innerWidth)
                          .map((e) => e.id)"""), [])

    def test_text_has_contrast(self):
        """At least 4.5 to 1 for every text, the figure of WCAG AA, in light and in dark."""
        for dark in (False, True):
            with self.subTest(dark=dark):
                self.browser.look(dark=dark)
                self.open(self.wrong, "#4")
                self.assertEqual(self.browser.run(FAINT_TEXTS), [])

    # --- long runs

    def test_two_thousand_steps_stay_smooth(self):
        page = self.long_run()
        self.assertLess(page.stat().st_size, 8 << 20)
        self.open(page)
        self.assertEqual(self.count(), "0 / 2000")
        times = self.browser.run(PRESS_THROUGH)
        self.assertEqual(self.count(), "2000 / 2000")
        self.assertLess(self.browser.run("document.querySelectorAll('*').length"), 1000)
        times.sort()
        median, slow = times[len(times) // 2], times[len(times) * 99 // 100]
        print(f"\n2,000 key presses: median {median:.1f} ms, 99 of 100 within {slow:.1f} ms",
              file=sys.stderr)
        # What is smooth is 16 ms for a frame; the machine may be busy with other tests.
        self.assertLess(median, 16)
        self.assertLess(slow, 100)
        self.press("Home")
        self.assertEqual(self.count(), "0 / 2000")


# Presses the right arrow until the end; how long each press took, to the page laid out again.
PRESS_THROUGH = """(() => {
  const times = [];
  for (let i = 0; i < 2000; ++i) {
    const begin = performance.now();
    document.body.dispatchEvent(
        new KeyboardEvent("keydown", {key: "ArrowRight", bubbles: true, cancelable: true}));
    document.body.offsetHeight + document.getElementById("rows").scrollTop;
    times.push(performance.now() - begin);
  }
  return times;
})()"""

# Texts whose colour is too near to that of what is behind them.
FAINT_TEXTS = """(() => {
  const parts = (colour) => colour.match(/[\\d.]+/g).map(Number);
  const over = (top, below) => {
    const alpha = top[3] === undefined ? 1 : top[3];
    return [0, 1, 2].map((i) => top[i] * alpha + below[i] * (1 - alpha));
  };
  const behind = (element) => {
    if (!element) return [255, 255, 255];
    const colour = parts(getComputedStyle(element).backgroundColor);
    return colour[3] === 0 ? behind(element.parentElement)
                           : over(colour, behind(element.parentElement));
  };
  const opacity = (element) => element === null ? 1 :
      Number(getComputedStyle(element).opacity) * opacity(element.parentElement);
  const light = (colour) => {
    const [r, g, b] = colour.map((x) => x / 255)
        .map((x) => x <= 0.03928 ? x / 12.92 : ((x + 0.055) / 1.055) ** 2.4);
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const faint = [];
  for (const element of document.querySelectorAll("body *:not(script)")) {
    const own = [...element.childNodes].some((n) => n.nodeType === 3 && n.textContent.trim());
    if (!own || element.closest("[hidden], .hidden, :disabled")) continue;
    const back = behind(element);
    const ink = parts(getComputedStyle(element).color);
    const shown = over([ink[0], ink[1], ink[2], opacity(element)], back);
    const [a, b] = [light(shown), light(back)].sort((x, y) => y - x);
    const contrast = (a + 0.05) / (b + 0.05);
    if (contrast < 4.5) faint.push(contrast.toFixed(2) + " " + element.textContent);
  }
  return faint;
})()"""


if __name__ == "__main__":
    if chromium.PATH is None:
        print("skipped: there is no chromium; ./dev browser installs it")
        sys.exit(77)
    unittest.main(argv=sys.argv[:1])
