// The table in docs/replicas.md says what the files in scenarios/replicas expect, no more and no
// less; `slotlab test scenarios` holds the files to what the checker finds.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "models/scenario/load.h"

namespace slotlab::scenario {
namespace {

const std::filesystem::path kRoot = SLOTLAB_SOURCE_DIR;
const std::vector<std::string> kColumns = {"redis-3.0", "redis-7.0", "redis-7.2", "valkey-8.0"};

std::vector<std::string> cells_of(const std::string& line) {
  std::vector<std::string> cells;
  std::istringstream in(line.substr(1));
  for (std::string cell; std::getline(in, cell, '|');) cells.push_back(cell);
  return cells;
}

std::vector<std::string> words_in_backticks(const std::string& text) {
  std::vector<std::string> words;
  std::size_t at = text.find('`');
  while (at != std::string::npos) {
    const std::size_t end = text.find('`', at + 1);
    words.push_back(text.substr(at + 1, end - at - 1));
    at = text.find('`', end + 1);
  }
  return words;
}

TEST(TableOfReplicas, SaysWhatTheScenariosExpect) {
  std::ifstream document(kRoot / "docs/replicas.md");
  std::set<std::string> said;
  std::string file;
  for (std::string line; std::getline(document, line);) {
    const std::vector<std::string> cells = line.starts_with("|") ? cells_of(line) : kColumns;
    if (cells.size() != 2 + kColumns.size() || words_in_backticks(cells[1]).empty()) continue;
    if (!words_in_backticks(cells[0]).empty()) file = words_in_backticks(cells[0])[0];
    const auto scenario = load_file((kRoot / "scenarios/replicas" / (file + ".yaml")).string());
    for (const std::string& property : words_in_backticks(cells[1])) {
      said.insert(file + " " + property);
      for (std::size_t i = 0; i < kColumns.size(); ++i) {
        const char* expected = expectation_text(scenario.expected(property, kColumns[i]));
        EXPECT_NE(cells[2 + i].find(expected), std::string::npos) << line << "\n" << expected;
      }
    }
  }
  for (const auto& each : std::filesystem::directory_iterator(kRoot / "scenarios/replicas")) {
    for (const CheckSpec& check : load_file(each.path().string()).checks) {
      if (check.mood == sim::Mood::sometimes) continue;
      EXPECT_TRUE(said.contains(each.path().stem().string() + " " + check.name()))
          << each.path() << " " << check.name();
    }
  }
}

}  // namespace
}  // namespace slotlab::scenario
