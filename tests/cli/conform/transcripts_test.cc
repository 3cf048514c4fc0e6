// Every transcript recorded from real servers, run on virtual nodes in the dialect of its server:
// one test for each file, and one for each folder that counts them, so that none is passed over
// silently.
#include <filesystem>
#include <map>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include "cli/conform/conform.h"

namespace slotlab::conform {
namespace {

namespace fs = std::filesystem;

const std::string kFolder = std::string(SLOTLAB_SOURCE_DIR) + "/tests/data/transcripts";

std::vector<std::string> files_in(const std::string& version) {
  std::vector<std::string> files;
  for (const std::string& file : transcript_files({kFolder})) {
    if (fs::path(file).parent_path().filename() == version) files.push_back(file);
  }
  return files;
}

std::string test_name(const testing::TestParamInfo<std::string>& info) {
  std::string name = fs::path(info.param).stem().string();
  for (char& c : name) {
    if (!std::isalnum(static_cast<unsigned char>(c))) c = '_';
  }
  return name;
}

class Transcripts : public testing::TestWithParam<std::string> {};

TEST_P(Transcripts, VirtualNodesAnswerAsTheServersDid) {
  const Outcome outcome = conform_one(load_transcript(GetParam()), ConformOptions{});
  EXPECT_EQ(outcome.verdict, Verdict::passed)
      << outcome_text(outcome)
      << fmt::format("{}", fmt::join(outcome.unknown_commands, ", "));
}

INSTANTIATE_TEST_SUITE_P(Redis7_0_15, Transcripts, testing::ValuesIn(files_in("transcripts")),
                         test_name);
INSTANTIATE_TEST_SUITE_P(Redis7_2_6, Transcripts, testing::ValuesIn(files_in("redis-7.2.6")),
                         test_name);
INSTANTIATE_TEST_SUITE_P(Redis3_0_7, Transcripts, testing::ValuesIn(files_in("redis-3.0.7")),
                         test_name);
INSTANTIATE_TEST_SUITE_P(Valkey8_0_1, Transcripts, testing::ValuesIn(files_in("valkey-8.0.1")),
                         test_name);
// What `slotlab conform --random` found, and what was mended since.
INSTANTIATE_TEST_SUITE_P(Drawn, Transcripts, testing::ValuesIn(files_in("drawn")), test_name);

TEST(TranscriptFolders, HoldAllTakesOfTheServersTheyName) {
  const std::map<std::string, std::pair<std::string, std::size_t>> folders = {
      {"transcripts", {"redis 7.0.15", 113}},
      {"redis-7.2.6", {"redis 7.2.6", 113}},
      {"redis-3.0.7", {"redis 3.0.7", 113}},
      {"valkey-8.0.1", {"valkey 8.0.1", 112}}};
  for (const auto& [folder, wanted] : folders) {
    const std::vector<std::string> files = files_in(folder);
    EXPECT_EQ(files.size(), wanted.second) << folder;
    for (const std::string& file : files) {
      EXPECT_EQ(load_transcript(file).server, wanted.first) << file;
    }
  }
}

}  // namespace
}  // namespace slotlab::conform
