// What the YAML layer refuses before anything is read from it, with files too large to keep in the
// repository made here.
#include "models/scenario/tree.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "models/scenario/load.h"

namespace slotlab::scenario {
namespace {

// A folder of this test's own, removed at its end.
class TreeFiles : public ::testing::Test {
 protected:
  void SetUp() override { std::filesystem::create_directories(folder_); }
  void TearDown() override { std::filesystem::remove_all(folder_); }
  std::string path(const std::string& name) const { return (folder_ / name).string(); }
  std::string error_of(const std::string& file) {
    try {
      load_file(file);
    } catch (const InputError& error) {
      return error.what();
    }
    return "no error";
  }

 private:
  std::filesystem::path folder_ =
      std::filesystem::path(::testing::TempDir()) / "slotlab_tree_files_test";
};

TEST_F(TreeFiles, RefusesFileOf50MegabytesWithoutReadingItAll) {
  const std::string file = path("large.yaml");
  {
    std::ofstream out(file, std::ios::binary);
    const std::string line = "title: " + std::string(1023 - 7, 'x') + "\n";
    for (int i = 0; i < 50 * 1024; ++i) out << line;
  }
  ASSERT_EQ(std::filesystem::file_size(file), 50u * 1024u * 1024u);
  EXPECT_EQ(error_of(file), file + ": larger than 1048576 bytes (1 MiB); no scenario is");
}

TEST_F(TreeFiles, RefusesBombOfAliasesBeforeItExpands) {
  const std::string file = path("bomb.yaml");
  {
    std::ofstream out(file);
    out << "title: &a0 [lol, lol, lol, lol, lol, lol, lol, lol, lol, lol]\n";
    for (int i = 1; i <= 30; ++i) {
      out << "k" << i << ": &a" << i << " [";
      for (int j = 0; j < 9; ++j) out << (j > 0 ? ", " : "") << "*a" << i - 1;
      out << "]\n";
    }
  }
  EXPECT_EQ(error_of(file), file +
                                ":1:8: anchor '&a0': anchors are not allowed in a scenario; write "
                                "the value out");
}

TEST_F(TreeFiles, NamesWhyAFileCannotBeRead) {
  EXPECT_EQ(error_of(path("nothing.yaml")),
            path("nothing.yaml") + ": cannot be read: No such file or directory");
  std::filesystem::create_directories(path("folder.yaml"));
  EXPECT_EQ(error_of(path("folder.yaml")).find(path("folder.yaml") + ": cannot be read"), 0u);
}

TEST(Tree, RefusesTooManyValues) {
  std::string text = "[";
  for (std::size_t i = 0; i <= kValuesMax; ++i) text += "1,";
  try {
    parse_tree(text + "]", "many");
    FAIL();
  } catch (const InputError& error) {
    EXPECT_EQ(error.message(), "more than 100000 values; no scenario needs that many");
  }
}

TEST(Tree, RefusesTooManyKeysInOneMap) {
  std::string text;
  for (std::size_t i = 0; i <= kKeysMax; ++i) text += "k" + std::to_string(i) + ": 1\n";
  try {
    parse_tree(text, "many");
    FAIL();
  } catch (const InputError& error) {
    EXPECT_EQ(error.what(), std::string("many:1001:1: more than 1000 keys in a map"));
  }
}

TEST(Tree, KeepsPlacesOfKeysAndValues) {
  const Tree tree = parse_tree("a: 1\n'é': [x,\n  y]\n", "t");
  ASSERT_EQ(tree.kind, Tree::Kind::map);
  ASSERT_EQ(tree.keys.size(), 2u);
  EXPECT_EQ(tree.keys[1].text, "é");
  EXPECT_EQ(tree.keys[1].at, (Position{2, 1}));
  EXPECT_EQ(tree.items[0].at, (Position{1, 4}));
  ASSERT_EQ(tree.items[1].items.size(), 2u);
  EXPECT_EQ(tree.items[1].items[0].at, (Position{2, 7}));  // in bytes it would be 8
  EXPECT_EQ(tree.items[1].items[1].at, (Position{3, 3}));
}

TEST(Tree, AcceptsByteOrderMarkAndWindowsLineEnds) {
  const Tree tree = parse_tree(
      "\xef\xbb\xbf"
      "a: 1\r\nb: 2\r\n",
      "t");
  ASSERT_EQ(tree.keys.size(), 2u);
  EXPECT_EQ(tree.keys[0].at, (Position{1, 1}));
  EXPECT_EQ(tree.items[1].text, "2");
}

TEST(Errors, SuggestsTheNearestWordOnly) {
  const std::vector<std::string> words = {"may stop", "steps", "on error"};
  EXPECT_EQ(did_you_mean("may_stop", words), "; did you mean 'may stop'?");
  EXPECT_EQ(did_you_mean("step", words), "; did you mean 'steps'?");
  EXPECT_EQ(did_you_mean("stpes", words), "; did you mean 'steps'?");
  EXPECT_EQ(did_you_mean("banana", words), "");
  EXPECT_EQ(did_you_mean("D", {"A", "B"}), "");
  EXPECT_EQ(did_you_mean("a1", {"A1", "B1"}), "; did you mean 'A1'?");
}

TEST(Errors, QuotesWithoutControlCharactersAndShortens) {
  EXPECT_EQ(in_quotes("a\nb"), "'a.b'");
  EXPECT_EQ(in_quotes(std::string(50, 'x')), "'" + std::string(40, 'x') + "...'");
  EXPECT_EQ(in_quotes(std::string(39, 'x') + "é"), "'" + std::string(39, 'x') + "...'");
  EXPECT_EQ(one_of({"a", "b", "c"}), "'a', 'b' or 'c'");
}

}  // namespace
}  // namespace slotlab::scenario
