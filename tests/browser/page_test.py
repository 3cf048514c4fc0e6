#!/usr/bin/env python3
"""The page of slotlab report in a real browser: Debian's chromium, without a window.

page_test.py PROGRAM [SCREENSHOT FOLDER]

A driver script is put into a copy of the page; it presses keys and follows links as a reader would,
and leaves what it saw in the document, which chromium prints. Exits 77 (skipped) where there is no
chromium. With a folder, screenshots at three widths, light and dark, are left there to be looked
at.
"""

import html
import json
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).parents[2]
PROGRAM = str(pathlib.Path(sys.argv[1]).resolve())
CHROMIUM = shutil.which("chromium")
WRONG = "scenarios/manual/wrong-order.yaml"

HELPERS = """
const key = (name, target) => (target || document.body).dispatchEvent(
  new KeyboardEvent("keydown", {key: name, bubbles: true, cancelable: true}));
const text = (id) => document.getElementById(id).textContent;
const pause = (ms) => new Promise((done) => setTimeout(done, ms));
const seen = {};
const errors = [];
addEventListener("error", (event) => errors.push(String(event.message)));
"""


def slotlab(*words, cwd=ROOT):
    return subprocess.run([PROGRAM, *map(str, words)], cwd=cwd, text=True, capture_output=True,
                          timeout=600, check=False)


def chromium(*words):
    return subprocess.run([CHROMIUM, "--headless=old", "--no-sandbox", "--disable-gpu",
                           "--no-zygote", "--disable-extensions",
                           "--disable-dev-shm-usage", "--hide-scrollbars", *map(str, words)],
                          text=True, capture_output=True, timeout=300, check=False)


def framed(page, width, height, script=""):
    """A page that shows `page` in a frame of this size: windows cannot be as small as a phone."""
    frame = page.with_name("frame.html")
    frame.write_text(f"""<!doctype html><meta name="color-scheme" content="light dark">
        <style>body {{ margin: 0 }} iframe {{ border: 0; display: block }}</style>
        <iframe id="frame" src="{page.as_uri()}" width="{width}" height="{height}"></iframe>
        <script>{script}</script>""", encoding="utf-8")
    return frame


class Page(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)

    def page(self, subject, *flags):
        path = self.folder / "page.html"
        done = slotlab("report", subject, "-o", path, *flags)
        self.assertEqual(done.returncode, 0, done.stderr)
        return path

    def see(self, page, script, budget_ms=20000, width=1280):
        """What `script` put into `seen`, after the page's own script has run, in a frame."""
        driven = page.with_name("driven.html")
        driver = ("<script>(async () => {" + HELPERS + "try {" + script +
                  "} catch (error) { errors.push(String(error)); } seen.errors = errors;"
                  "const out = document.createElement('pre'); out.id = 'seen';"
                  "out.textContent = JSON.stringify(seen); document.body.append(out); })();"
                  "</script>")
        whole = page.read_text(encoding="utf-8").replace("</body>", driver + "</body>")
        driven.write_text(whole, encoding="utf-8")
        frame = framed(driven, width, 900, """
            const look = setInterval(() => {
              const seen = frame.contentDocument.getElementById("seen");
              if (seen) { document.body.append(seen.cloneNode(true)); clearInterval(look); }
            }, 20);""")
        done = chromium(f"--virtual-time-budget={budget_ms}", "--allow-file-access-from-files",
                        f"--user-data-dir={self.folder / 'profile'}", "--dump-dom",
                        frame.as_uri())
        found = re.search(r'<pre id="seen">(.*?)</pre>', done.stdout, re.DOTALL)
        self.assertTrue(found, done.stderr[-2000:] + done.stdout[-500:])
        seen = json.loads(html.unescape(found[1]))
        self.assertEqual(seen["errors"], [])
        return seen

    def test_it_needs_no_network(self):
        text = self.page(WRONG).read_text(encoding="utf-8")
        self.assertNotRegex(text, r'(src|href)="(https?:)?//')
        self.assertNotRegex(text, r"@import|url\(|fetch\(|XMLHttpRequest")

    def test_stepping_by_button_key_and_slider(self):
        seen = self.see(self.page(WRONG), """
            seen.start = text("sentence");
            document.getElementById("next").click();
            seen.one = text("sentence"); seen.changes = text("changes");
            key("ArrowRight"); key("ArrowRight"); seen.three = text("count");
            key("ArrowLeft"); seen.two = text("count");
            key("End"); seen.end = text("count"); seen.last = text("sentence");
            seen.nextDisabled = document.getElementById("next").disabled;
            key("Home"); seen.home = text("count");
            const slider = document.getElementById("slider");
            slider.value = 4; slider.dispatchEvent(new Event("input"));
            seen.slid = text("sentence"); seen.hash = location.hash;
            seen.wrong = text("properties"); seen.told = text("changes");""")
        self.assertEqual(seen["start"], "At the start")
        self.assertIn("CLUSTER SETSLOT 7 IMPORTING A", seen["one"])
        self.assertIn("B: importing 7 from A", seen["changes"])
        self.assertEqual((seen["two"], seen["three"]), ("2 / 5", "3 / 5"))
        self.assertEqual((seen["home"], seen["end"]), ("0 / 5", "5 / 5"))
        self.assertIn("operator stops", seen["last"])
        self.assertTrue(seen["nextDisabled"])
        self.assertIn("Event 4 of 5: operator -> A: CLUSTER SETSLOT 7 NODE B", seen["slid"])
        self.assertEqual(seen["hash"], "#4")
        self.assertIn("slot 7 has no owner", seen["wrong"])
        self.assertIn("owned is false now", seen["told"])

    def test_beliefs_mark_what_changed(self):
        seen = self.see(self.page(WRONG), """
            key("End"); key("ArrowLeft");
            const cells = [...document.querySelectorAll("#beliefs td.changed")];
            seen.changed = cells.map((cell) => cell.textContent);
            seen.columns = [...document.querySelectorAll("#beliefs thead th")]
              .map((cell) => cell.textContent.trim());
            seen.scopes =
                document.querySelectorAll("#beliefs tbody th:not([scope=row])").length;""")
        self.assertEqual(seen["columns"], ["fact", "A", "B", "C"])
        self.assertTrue(any(text.startswith("B") and text.endswith("A")
                            for text in seen["changed"]), seen)
        self.assertEqual(len(seen["changed"]), 2)  # the owner, and the mark that is gone
        self.assertEqual(seen["scopes"], 0)

    def test_the_explanation_is_marked(self):
        seen = self.see(self.page(WRONG), """
            seen.why = text("summary");
            seen.lines = document.querySelectorAll(".no-return").length;
            seen.badges = document.querySelectorAll(".row .badge").length;
            const jump = document.querySelector("#deciding button");
            jump.click(); seen.jumped = text("count");""")
        self.assertIn("operator stops after step 5 reaches A", seen["why"])
        self.assertEqual(seen["lines"], 1)
        self.assertGreaterEqual(seen["badges"], 2)
        self.assertEqual(seen["jumped"], "5 / 5")

    def test_branches_are_links_there_and_back(self):
        seen = self.see(self.page(WRONG), """
            key("End"); key("ArrowLeft");
            const link = [...document.querySelectorAll("#branches a")]
              .find((a) => a.textContent.includes("-> B: CLUSTER SETSLOT 7 NODE B"));
            link.click(); await pause(50);
            seen.branch = text("sentence"); seen.leave = document.getElementById("leave").hidden;
            seen.hash = location.hash; seen.owned = text("changes");
            const more = document.querySelector("#branches a"); more.click(); await pause(50);
            seen.deeper = text("count");
            key("b"); await pause(50); seen.back = text("count");
            seen.hidden = document.getElementById("leave").hidden;
            location.hash = seen.hash; await pause(50); seen.again = text("sentence");""")
        self.assertIn("Event 5 of 5: operator -> B: CLUSTER SETSLOT 7 NODE B", seen["branch"])
        self.assertFalse(seen["leave"])
        self.assertIn("owned is true now", seen["owned"])
        self.assertEqual(seen["deeper"], "6 / 6")
        self.assertEqual(seen["back"], "4 / 5")
        self.assertTrue(seen["hidden"])
        self.assertEqual(seen["again"], seen["branch"])

    def test_a_screen_reader_is_told(self):
        seen = self.see(self.page(WRONG), """
            seen.live = document.getElementById("live").getAttribute("aria-live");
            seen.nameless = [...document.querySelectorAll("button, input, a[href]")]
              .filter((e) => !(e.textContent.trim() || e.getAttribute("aria-label") ||
                               (e.labels && e.labels.length))).length;
            seen.sections = [...document.querySelectorAll("section")]
              .filter((s) => !document.getElementById(s.getAttribute("aria-labelledby"))).length;
            key("ArrowRight");
            const rows = document.getElementById("rows");
            const active = document.getElementById(rows.getAttribute("aria-activedescendant"));
            seen.active = active.getAttribute("aria-selected");
            seen.strips = [...document.querySelectorAll("#properties svg")]
              .map((s) => s.getAttribute("aria-label"));
            seen.lang = document.documentElement.lang;""")
        self.assertEqual((seen["live"], seen["active"], seen["lang"]), ("polite", "true", "en"))
        self.assertEqual((seen["nameless"], seen["sections"]), (0, 0))
        self.assertIn("owned: true from the start, false from event 4", seen["strips"])

    def test_two_thousand_steps_stay_smooth(self):
        trace = self.folder / "long.trace"
        done = slotlab("step", "scenarios/manual/right-order.yaml", "--do",
                       f"play random 2000 5; save {trace}")
        self.assertIn("saved 2,000 events", done.stdout)
        page = self.page(trace)
        self.assertLess(page.stat().st_size, 8 << 20)
        seen = self.see(page, """
            seen.count = text("count");
            const times = [];
            for (let i = 0; i < 300; ++i) {
              const begin = performance.now();
              if (i % 100 === 99) key("PageDown"); else key("ArrowRight");
              document.getElementById("rows").scrollTop;
              times.push(performance.now() - begin);
            }
            key("End"); seen.end = text("count");
            seen.elements = document.querySelectorAll("*").length;
            times.sort((a, b) => a - b); seen.median = times[150];""", budget_ms=60000)
        self.assertEqual((seen["count"], seen["end"]), ("0 / 2000", "2000 / 2000"))
        self.assertLess(seen["elements"], 3000)  # only what is in sight
        self.assertLess(seen["median"], 100)     # milliseconds, on a busy machine

    def test_a_phone_needs_no_scrolling_sideways(self):
        page = self.page(WRONG)
        seen = self.see(page, """
            seen.width = innerWidth; seen.scroll = document.documentElement.scrollWidth;
            const wide = [...document.querySelectorAll("section, header, nav, button")]
              .filter((e) => e.getBoundingClientRect().right > innerWidth);
            seen.wide = wide.map((e) => e.id);""", width=360)
        self.assertEqual((seen["width"], seen["scroll"], seen["wide"]), (360, 360, []))


def screenshots(folder):
    folder = pathlib.Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    page = folder / "page.html"
    done = slotlab("report", WRONG, "-o", page)
    assert done.returncode == 0, done.stderr
    for width in (390, 820, 1440):
        for theme in ("light", "dark"):
            dark = ["--blink-settings=preferredColorScheme=0"] if theme == "dark" else []
            profile = tempfile.mkdtemp()
            frame = framed(page, width, 1500)
            text = frame.read_text(encoding="utf-8").replace("page.html\"", "page.html#4\"")
            frame.write_text(text, encoding="utf-8")
            chromium(f"--window-size={max(width, 500)},1500", f"--user-data-dir={profile}", *dark,
                     f"--screenshot={folder / f'{width}-{theme}.png'}", frame.as_uri())
            shutil.rmtree(profile, ignore_errors=True)


if __name__ == "__main__":
    if CHROMIUM is None:
        print("skipped: there is no chromium; ./dev browser installs it")
        sys.exit(77)
    if len(sys.argv) > 2:
        screenshots(sys.argv[2])
    else:
        unittest.main(argv=sys.argv[:1])
