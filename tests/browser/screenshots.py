#!/usr/bin/env python3
"""Pictures of the page of slotlab report, to be looked at by people: they are not compared.

screenshots.py PROGRAM FOLDER [NAME ...]

For each run below: three widths (a phone, a tablet, a desk), light and dark. With names only those
runs. What to look for: clipped or touching texts, faint colours, arrows that cannot be followed,
anything that needs scrolling sideways.
"""

import pathlib
import subprocess
import sys

import chromium

ROOT = pathlib.Path(__file__).parents[2]
PROGRAM = str(pathlib.Path(sys.argv[1]).resolve())

# By name: the scenario, what `slotlab step` does to make the run (nothing: the report's own run),
# and the place that is shown.
RUNS = {
    "wrong-order": ("scenarios/manual/wrong-order.yaml", "", "#4"),
    "branch": ("scenarios/manual/wrong-order.yaml", "", "branch"),
    "no-violation": ("scenarios/manual/right-order.yaml", "", "#6"),
    "keys": ("scenarios/reports/asking-separated.yaml", "", "#3"),
    "replicas": ("scenarios/replicas/all-three.yaml", "play random 60 3", "#30"),
    "long": ("scenarios/manual/right-order.yaml", "play random 2000 5", "#1000"),
}
SIZES = ((360, 800), (800, 1100), (1400, 1000))


def slotlab(*words):
    subprocess.run([PROGRAM, *map(str, words)], cwd=ROOT, check=True, stdout=subprocess.DEVNULL)


def page_of(name, folder):
    scenario, play, _ = RUNS[name]
    subject = scenario
    if play:
        subject = folder / f"{name}.trace"
        slotlab("step", scenario, "--do", f"{play}; save {subject}")
    slotlab("report", subject, "-o", folder / f"{name}.html")
    return folder / f"{name}.html"


def main():
    folder = pathlib.Path(sys.argv[2]).resolve()
    folder.mkdir(parents=True, exist_ok=True)
    with chromium.Chromium() as browser:
        for name in sys.argv[3:] or RUNS:
            page = page_of(name, folder)
            for width, height in SIZES:
                for dark in (False, True):
                    browser.look(width, height, dark)
                    place = RUNS[name][2]
                    if place == "branch":
                        browser.open(page, "#3")
                        place = browser.run("document.querySelector('#branches a').hash")
                    browser.open(page, place)
                    browser.picture(folder / f"{name}-{width}-{'dark' if dark else 'light'}.png",
                                    whole=True)


if __name__ == "__main__":
    main()
