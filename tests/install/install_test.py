#!/usr/bin/env python3
"""What is installed works away from the tree: the program, its page and completion, the package.

install_test.py BUILD_FOLDER        cmake --install, and a consumer built on it
install_test.py BUILD_FOLDER deb    the .deb, unpacked
"""

import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).parents[2]
BUILD = pathlib.Path(sys.argv[1]).resolve()


def call(*words, **options):
    done = subprocess.run([str(w) for w in words], text=True, capture_output=True, check=False,
                          timeout=1000, **options)
    assert done.returncode == 0, f"{words}\n{done.stdout}\n{done.stderr}"
    return done.stdout


class Folder(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)

    def works(self, prefix):
        """The program below `prefix` checks a scenario that came with it."""
        scenarios = prefix / "share/slotlab/scenarios"
        self.assertEqual({p.relative_to(scenarios) for p in scenarios.rglob("*.yaml")},
                         {p.relative_to(ROOT / "scenarios")
                          for p in (ROOT / "scenarios").rglob("*.yaml")})
        text = call(prefix / "bin/slotlab", "check", scenarios / "manual/wrong-order.yaml",
                    cwd=self.folder)
        self.assertIn("slot 7 has no owner", text)
        page = (prefix / "share/man/man1/slotlab.1").read_text(encoding="utf-8")
        for verb in verbs(prefix / "bin/slotlab"):
            self.assertIn(f".SS {verb}\n", page)


def verbs(program):
    text = call(program, "--help")
    block = re.search(r"^Subcommands:\n((?:  .*\n)+)", text, re.MULTILINE)[1]
    return re.findall(r"^  ([a-z-]+) ", block, re.MULTILINE)


class Install(Folder):
    def test_the_program_and_its_companions(self):
        call("cmake", "--install", BUILD, "--prefix", self.folder)
        self.works(self.folder)
        completion = self.folder / "share/bash-completion/completions/slotlab"
        environment = {**os.environ, "PATH": f"{self.folder / 'bin'}:{os.environ['PATH']}"}
        ask = ("source {}; COMP_WORDS=({}); COMP_CWORD={}; _slotlab; printf '%s\\n' "
               "\"${{COMPREPLY[@]}}\"")
        found = call("bash", "-c", ask.format(completion, "slotlab ch", 1), env=environment)
        self.assertIn("check", found.split())
        found = call("bash", "-c", ask.format(completion, "slotlab check --max", 2),
                     env=environment)
        self.assertEqual(set(found.split()), {"--max-depth", "--max-states"})

    def test_a_consumer_finds_the_package(self):
        call("cmake", "--install", BUILD, "--prefix", self.folder / "usr")
        consumer = ROOT / "tests/install/consumer"
        call("cmake", "-S", consumer, "-B", self.folder / "build", "-G", "Ninja",
             f"-DCMAKE_PREFIX_PATH={self.folder / 'usr'}")
        call("cmake", "--build", self.folder / "build")
        text = call(self.folder / "build/consumer",
                    ROOT / "scenarios/manual/right-order.yaml")
        self.assertEqual(text, "288 states, The manual's order\n")
        page = (ROOT / "docs/howto/own-model.md").read_text(encoding="utf-8")
        shown = re.search(r"^```text\n(.*?)^```$", page, re.DOTALL | re.MULTILINE)[1]
        self.assertEqual(call(self.folder / "build/lost_update"), shown)


class Deb(Folder):
    def test_the_package_unpacked(self):
        call("cpack", "--config", BUILD / "CPackConfig.cmake", "-B", self.folder)
        packages = list(self.folder.glob("*.deb"))
        self.assertEqual(len(packages), 1)
        self.assertIn("libfmt9", call("dpkg-deb", "-f", packages[0], "Depends"))
        call("dpkg-deb", "-x", packages[0], self.folder / "root")
        self.works(self.folder / "root/usr")


if __name__ == "__main__":
    unittest.main(argv=["install_test.py", "Deb" if "deb" in sys.argv[2:] else "Install"])
