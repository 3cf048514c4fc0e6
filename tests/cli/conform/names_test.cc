// Names in place of ids and addresses, both ways.
#include "cli/conform/names.h"

#include <gtest/gtest.h>

namespace slotlab::conform {
namespace {

const std::string kA(40, 'a'), kB(40, 'b'), kNew(40, 'c');

Names two_nodes() {
  Names names;
  names.add("A", kA, 7600);
  names.add("B1", kB, 7601);
  return names;
}

TEST(Names, StandForIdsAndAddressesInCommands) {
  const Names names = two_nodes();
  EXPECT_EQ(names.plain("@A"), kA);
  EXPECT_EQ(names.plain("%B1"), "127.0.0.1:7601");
  EXPECT_EQ(names.plain("%B1.ip"), "127.0.0.1");
  EXPECT_EQ(names.plain("%B1.port"), "7601");
  for (const char* word : {"@C", "@", "%", "A", "@A.old", "%A.x", "x@A", ""}) {
    EXPECT_EQ(names.plain(word), word);
  }
}

TEST(Names, ArePutIntoReplies) {
  const Names names = two_nodes();
  EXPECT_EQ(names.tidy("ERR Unknown node " + kB), "ERR Unknown node @B1");
  EXPECT_EQ(names.tidy(std::string("MOVED 7 127.0.0.1:7600")), "MOVED 7 %A");
  EXPECT_EQ(names.tidy(kA + " 127.0.0.1:7600@17600 master"), "@A %A master");
  const Json reply = {{"type", "array"}, {"value", {{{"type", "bulk"}, {"value", kA}}}}};
  EXPECT_EQ(names.tidy(reply).dump(), R"({"type":"array","value":[{"type":"bulk","value":"@A"}]})");
}

TEST(Names, FollowAHardReset) {
  Names names = two_nodes();
  names.renamed("A", kNew);
  EXPECT_EQ(names.plain("@A"), kNew);
  EXPECT_EQ(names.tidy(kA + " " + kNew), "@A.old @A");
  EXPECT_EQ(names.name_of(kA), "A.old");
  EXPECT_EQ(names.name_of(kNew), "A");
  EXPECT_EQ(names.name_of(std::string(40, 'd')), "?dddddd");
}

}  // namespace
}  // namespace slotlab::conform
