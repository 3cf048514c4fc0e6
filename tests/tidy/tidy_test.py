#!/usr/bin/env python3
"""Shows that each rule of tidy.py catches a small file that breaks it, and lets a good one pass."""

import contextlib
import io
import pathlib
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).parent))
import tidy  # noqa: E402

LISTS = "slotlab_library(x SOURCES good.cc check/good.cc)\n"


def errors_in(files):
    """What tidy says of a tree that holds `files` (name -> text)."""
    with tempfile.TemporaryDirectory() as root:
        for name, text in files.items():
            path = pathlib.Path(root) / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(text if isinstance(text, bytes) else text.encode("utf-8"))
        return tidy.check(root)


class TidyTest(unittest.TestCase):
    def assert_caught(self, name, text, words, line=None, extra=None):
        errors = errors_in({name: text, **(extra or {})})
        self.assertTrue(any(words in e[2] and e[0] == name for e in errors), errors)
        if line is not None:
            self.assertIn(line, [e[1] for e in errors if words in e[2]])

    def assert_clean(self, name, text, extra=None):
        self.assertEqual(errors_in({name: text, **(extra or {})}), [])

    def header(self, body):
        return "// Why this file exists.\n#pragma once\n" + body + "\n"

    def test_a_good_header_passes(self):
        self.assert_clean("sim/time/good.h", self.header('#include "sim/base/assert.h"'))

    def test_include_direction_between_floors(self):
        for name, included in [
                ("sim/time/a.h", "models/protocol/words.h"),
                ("sim/time/a.h", "cli/report.h"),
                ("models/protocol/a.h", "cli/report.h"),
                ("models/operator/a.h", "models/node/state.h"),
                ("models/client/a.h", "models/node/state.h"),
                ("models/textbook/a.h", "models/protocol/words.h"),
                ("models/node/a.h", "models/scenario/load.h"),
                ("models/protocol/a.h", "models/node/state.h"),
                ("cli/a.h", "tests/cli/helper.h"),
        ]:
            with self.subTest(name=name, included=included):
                self.assert_caught(name, self.header(f'#include "{included}"'), "is banned", 3)

    def test_include_direction_inside_the_node(self):
        for here, there in [("state.h", "ownership/slot_table.h"),
                            ("ownership/a.h", "failover/b.h"), ("failover/a.h", "receive/b.h"),
                            ("receive/a.h", "node.h"), ("serving/a.h", "commands/b.h")]:
            with self.subTest(here=here, there=there):
                self.assert_caught(f"models/node/{here}",
                                   self.header(f'#include "models/node/{there}"'), "an arrow up", 3)
                self.assert_clean(f"models/node/{there}",
                                  self.header(f'#include "models/node/{here}"'))

    def test_include_direction_inside_the_engine(self):
        self.assert_caught("sim/system/a.h", self.header('#include "sim/check/space.h"'),
                           "arrow up")
        self.assert_clean("sim/check/a.h", self.header('#include "sim/system/system.h"'))

    def test_a_room_without_a_place_is_named(self):
        self.assert_caught("sim/attic/a.h", self.header('#include "sim/base/assert.h"'), "no floor")
        self.assert_caught("models/attic/a.h", self.header('#include "models/node/node.h"'),
                           "no place")

    def test_includes_start_at_the_root(self):
        self.assert_caught("sim/time/a.h", self.header('#include "instant.h"'), "start at the root")

    def test_libraries_stay_in_their_rooms(self):
        self.assert_caught("models/node/state.h", self.header("#include <yaml-cpp/yaml.h>"),
                           "yaml-cpp")
        self.assert_caught("sim/base/a.h", self.header("#include <CLI/CLI.hpp>"), "CLI11")
        self.assert_caught("sim/base/a.h", self.header("#include <fmt/format.h>"), "in a header")

    def test_banned_words(self):
        for text in ["std::unordered_map<int, int> m;", "#include <unordered_set>",
                     "#include <random>", "std::mt19937 g;", "int x = rand();", "#include <chrono>",
                     "auto t = std::chrono::steady_clock::now();", "std::thread t;",
                     "thread_local int x;", 'auto e = std::getenv("HOME");', "sleep(1);",
                     "boost::unordered_flat_map<int, int> m;", "std::uintptr_t p;",
                     "std::cout << 1;", "fmt::print(x);", 'printf("x");', "std::locale l;",
                     "auto p = std::filesystem::current_path();"]:
            with self.subTest(text=text):
                self.assert_caught("models/protocol/a.h", self.header(text), "is banned, use", 3)

    def test_words_in_comments_strings_and_longer_names_are_no_use(self):
        self.assert_clean("models/protocol/a.h", self.header(
            "// std::unordered_map would be wrong here.\n"
            'const char* text = "rand() and std::thread";\n'
            "/* getenv\n   std::chrono */\n"
            "int operand(int x);  // printf(\n"
            "constexpr long kMany = 75'489'733;\n"
            "void brand(); void snprintf_like();"))

    def test_the_rooms_that_may(self):
        self.assert_clean("sim/check/stopwatch.h", self.header("#include <chrono>"))
        self.assert_clean("sim/check/a.h", self.header("#include <thread>"))
        self.assert_clean("sim/check/a.h", self.header("boost::unordered_flat_map<int, int> m;"))
        self.assert_caught("cli/a.h", self.header("#include <chrono>"), "a wall clock")

    def test_looks(self):
        for body, words in [("// " + "x" * 98, "101 columns"), ("int a; ", "trailing blank"),
                            ("\tint a;", "a tab"), ("// TO" "DO later", "TO" "DO is banned"),
                            ("// FIX" "ME", "FIX" "ME"), ("// XX" "X", "XX" "X"),
                            ("// HA" "CK", "HA" "CK"),
                            ('auto p = "/' 'tmp/x";', "path of one machine")]:
            with self.subTest(body=body):
                self.assert_caught("sim/base/a.h", self.header(body), words, 3)

    def test_a_file_begins_with_its_why(self):
        self.assert_caught("sim/base/a.h", "#pragma once\n", "without its why", 1)
        lists = {"sim/CMakeLists.txt": LISTS}
        self.assert_caught("sim/good.cc", '#include "sim/good.h"\n', "without its why", 1, lists)

    def test_a_source_may_leave_its_why_to_its_header(self):
        self.assert_clean("sim/good.cc", "int a;\n",
                          {"sim/CMakeLists.txt": LISTS, "sim/good.h": self.header("")[:-1]})

    def test_pragma_once(self):
        self.assert_caught("sim/base/a.h", "// Why.\nint a;\n", "included twice")

    def test_last_lines(self):
        self.assert_caught("sim/base/a.h", "// Why.\n#pragma once", "without an end", 2)
        self.assert_caught("sim/base/a.h", "// Why.\n#pragma once\n\n", "empty last line", 3)

    def test_long_files(self):
        self.assert_caught("sim/base/a.h", self.header("int a;\n" * 600), "use two files")

    def test_sources_are_listed(self):
        lists = {"sim/CMakeLists.txt": LISTS}
        self.assert_clean("sim/good.cc", "// Why.\n", lists)
        self.assert_clean("sim/check/good.cc", "// Why.\n", lists)
        self.assert_caught("sim/lost.cc", "// Why.\n", "no target lists", 1, lists)

    def test_documents_have_one_title(self):
        self.assert_clean("docs/a.md", "# Title\n\n```sh\n# a comment\n```\n")
        self.assert_caught("docs/a.md", "Text\n", "0 titles", 1)
        self.assert_caught("docs/a.md", "# One\n\n# Two\n", "2 titles", 3)

    def test_tables_and_output_in_documents_may_be_wide(self):
        self.assert_clean("docs/a.md",
                          "# T\n\n| " + "x" * 120 + " |\n\n```\n" + "y" * 120 + "\n```\n")

    def test_scenarios_say_what_they_are(self):
        self.assert_clean("scenarios/a.yaml", "title: A\nteaches: B\n")
        self.assert_caught("scenarios/a.yaml", "title: A\n", "without 'teaches'")
        self.assert_caught("scenarios/a.yaml", "teaches: A\n", "without 'title'")

    def test_binary_junk_is_told_not_tripped_over(self):
        self.assert_caught("docs/a.md", b"\xff\xfe\x00", "not UTF-8")
        self.assert_clean("tests/data/junk.yaml", b"\xff\xfe\x00")

    def test_the_printed_form(self):
        with tempfile.TemporaryDirectory() as root:
            (pathlib.Path(root) / "a.md").write_text("no title\n", encoding="utf-8")
            sys.argv = ["tidy.py", root]
            out = io.StringIO()
            with contextlib.redirect_stdout(out):
                self.assertEqual(tidy.main(), 1)
            self.assertTrue(out.getvalue().startswith("a.md:1: error: a document with 0 titles"))


if __name__ == "__main__":
    unittest.main()
