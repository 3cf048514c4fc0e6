// Slots by class, sets of them, and the directory.
#include "models/protocol/words.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <set>

namespace slotlab::protocol {
namespace {

std::vector<SlotRange> ranges(const SlotClasses& classes) {
  std::vector<SlotRange> all;
  for (std::size_t c = 0; c < classes.count(); ++c) {
    all.push_back(classes.range(static_cast<SlotClass>(c)));
  }
  return all;
}

TEST(SlotClasses, NothingToldApartIsOneClass) {
  const SlotClasses classes = SlotClasses::cut({});
  EXPECT_EQ(ranges(classes), (std::vector<SlotRange>{{0, 16383}}));
  EXPECT_EQ(classes.size(0), 16384u);
  EXPECT_EQ(classes.of(16383), SlotClass{0});
}

TEST(SlotClasses, RangesAreCutWhereOneOfThemBeginsOrEnds) {
  const SlotClasses classes = SlotClasses::cut({{0, 5460}, {7, 7}, {5000, 6000}});
  EXPECT_EQ(ranges(classes),
            (std::vector<SlotRange>{
                {0, 6}, {7, 7}, {8, 4999}, {5000, 5460}, {5461, 6000}, {6001, 16383}}));
  EXPECT_EQ(classes.of(7), SlotClass{1});
  EXPECT_EQ(classes.size(1), 1u);
}

TEST(SlotClasses, OnlyCoveredSlotsHaveAClass) {
  const SlotClasses classes = SlotClasses::cut({{7, 7}}, std::vector<SlotRange>{{1, 1}, {7, 8}});
  EXPECT_EQ(ranges(classes), (std::vector<SlotRange>{{1, 1}, {7, 7}, {8, 8}}));
  EXPECT_EQ(classes.of(2), std::nullopt);
}

RC_GTEST_PROP(SlotClasses, EachToldApartRangeIsAUnionOfClasses, ()) {
  std::vector<SlotRange> told_apart;
  for (int i = 0; i < 4; ++i) {
    const auto a = *rc::gen::inRange<int>(0, kSlots);
    const auto b = *rc::gen::inRange<int>(a, kSlots);
    told_apart.push_back({static_cast<Slot>(a), static_cast<Slot>(b)});
  }
  const SlotClasses classes = SlotClasses::cut(told_apart);
  std::uint32_t total = 0;
  for (std::size_t i = 0; i < classes.count(); ++i) {
    const auto c = static_cast<SlotClass>(i);
    const SlotRange range = classes.range(c);
    total += classes.size(c);
    RC_ASSERT(classes.of(range.first) == c);
    RC_ASSERT(classes.of(range.last) == c);
    for (const SlotRange& told : told_apart) {
      const bool inside = told.first <= range.first && range.last <= told.last;
      const bool outside = range.last < told.first || told.last < range.first;
      RC_ASSERT(inside || outside);
    }
  }
  RC_ASSERT(total == kSlots);
}

RC_GTEST_PROP(SlotSet, IsASetAndEqualSetsAreEqualValues, ()) {
  SlotSet set(*rc::gen::inRange<std::size_t>(0, 200));
  std::set<SlotClass> expected;
  for (int i = 0; i < 40; ++i) {
    const auto c = *rc::gen::inRange<SlotClass>(0, 200);
    if (*rc::gen::arbitrary<bool>()) {
      set.add(c);
      expected.insert(c);
    } else {
      set.remove(c);
      expected.erase(c);
    }
  }
  RC_ASSERT(set.count() == expected.size());
  RC_ASSERT(set.empty() == expected.empty());
  for (SlotClass c = 0; c < 210; ++c) RC_ASSERT(set.has(c) == expected.contains(c));
  SlotSet again;
  for (const SlotClass c : expected) again.add(c);
  RC_ASSERT(set == again);
}

TEST(SlotsText, JoinsNeighbours) {
  const SlotClasses classes = SlotClasses::cut({{0, 9}, {10, 10}, {20, 29}});
  SlotSet set;
  set.add(*classes.of(0));
  set.add(*classes.of(10));
  set.add(*classes.of(20));
  EXPECT_EQ(slots_text(classes, set), "0-10,20-29");
  EXPECT_EQ(slots_text(classes, {}), "");
}

TEST(Directory, FindsIdentitiesAndOrdersThemById) {
  Directory directory;
  directory.identities = {
      {.name = "A", .id = std::string(40, 'b'), .port = 7001},
      {.name = "B", .id = std::string(40, 'a'), .port = 7002},
  };
  const NodeId a = directory.by_name("A"), b = directory.by_name("B");
  EXPECT_EQ(directory[a].port, 7001);
  EXPECT_EQ(directory.by_id(std::string(40, 'a')), b);
  EXPECT_EQ(directory.by_id(std::string(39, 'a')), kNoNode);
  EXPECT_EQ(directory.by_address("127.0.0.1", 7002), b);
  EXPECT_EQ(directory.by_address("127.0.0.1", 7003), kNoNode);
  EXPECT_TRUE(directory.smaller(b, a));  // by id, not by index
}

}  // namespace
}  // namespace slotlab::protocol
