"""Runs the program as its users do: as a process with arguments, output and an exit status."""

import json
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).parents[2]
PROGRAM = ""  # set by main() of each test from its first argument

# Keys of the check object that differ from run to run; everything else is the same at any number of
# threads, in any process and in any build.
MEASURED = ("seconds", "cpu_seconds", "peak_memory_bytes", "visited_bytes",
            "spilled_bytes")


def run(*arguments, cwd=ROOT, **options):
    """The finished process; its output is text."""
    return subprocess.run([PROGRAM, *map(str, arguments)], cwd=cwd, text=True, capture_output=True,
                          timeout=600, check=False, **options)


def masked_json(text):
    """The object with what is measured taken out, as canonical text."""
    def mask(value):
        if isinstance(value, dict):
            return {k: 0 if k in MEASURED else mask(v) for k, v in value.items()}
        if isinstance(value, list):
            return [mask(v) for v in value]
        return value
    return json.dumps(mask(json.loads(text)), indent=1)


def masked_text(text):
    """The page with times, rates and memory replaced by '#', as documents are compared."""
    text = re.sub(r"\d+ min \d+ s\b", "# s", text)
    text = re.sub(r"\d[\d,.]* (?:s|ms)\b(?! *  )", "# s", text)
    text = re.sub(r"[\d,]+ (transitions|states)/s", r"# \1/s", text)
    return re.sub(r"[\d.]+ (?:B|KB|MB|GB)\b", "# MB", text)


def set_program_from_arguments():
    """Takes the program's path off sys.argv, so that unittest does not see it."""
    global PROGRAM
    PROGRAM = str(pathlib.Path(sys.argv.pop(1)).resolve())
