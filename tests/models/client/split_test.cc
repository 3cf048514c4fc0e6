// Grouping of keys: the worked examples of the proposal, its properties over drawn maps and keys,
// and how many MOVED a group costs when its premises hold and when they do not.
#include "models/client/split.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <set>

#include "models/protocol/key_slot.h"

namespace slotlab::client {
namespace {

using protocol::key_slot;
using protocol::Slot;
using Groups = std::vector<Keys>;

const Keys kKeys = {"a",   "b",   "foo",       "bar",  "hello",
                    "ab",  "abc", "123456789", "{a}x", "b"};
const Groups kBySlot = {{"hello"}, {"b", "b"},      {"bar"}, {"abc"},
                        {"foo"},   {"123456789"},   {"ab"},  {"a", "{a}x"}};

std::string owner_of(Slot slot) { return slot <= 5460 ? "A" : slot <= 10922 ? "B" : "C"; }

SlotMap complete() {
  SlotMap map;
  for (Slot slot = 0; slot < protocol::kSlots; ++slot) map[slot] = owner_of(slot);
  return map;
}

TEST(Split, BySlot) { EXPECT_EQ(split_by_slot(kKeys), kBySlot); }

TEST(Split, NoKeysNoGroups) {
  EXPECT_TRUE(split_by_slot({}).empty());
  EXPECT_TRUE(split_by_node({}, complete()).empty());
}

TEST(Split, WithACompleteMap) {
  EXPECT_EQ(split_by_node(kKeys, complete()),
            (Groups{{"b", "bar", "hello", "b"}, {"abc"}, {"a", "foo", "ab", "123456789", "{a}x"}}));
}

TEST(Split, WithoutAMapOrClosedAsBySlot) { EXPECT_EQ(split_by_node(kKeys, {}), kBySlot); }

TEST(Split, OneMappedSlotIsItsOwnGroup) {
  EXPECT_EQ(split_by_node(kKeys, {{3300, "A"}}), kBySlot);
}

TEST(Split, SomeSlotsUnmapped) {
  SlotMap map = complete();
  for (auto at = map.begin(); at != map.end();) {
    const bool gone = at->first == 866 || at->first == 12182 || at->first > 13000;
    at = gone ? map.erase(at) : std::next(at);
  }
  EXPECT_EQ(split_by_node(kKeys, map), (Groups{{"hello"},
                                               {"b", "bar", "b"},
                                               {"abc"},
                                               {"foo"},
                                               {"123456789"},
                                               {"ab"},
                                               {"a", "{a}x"}}));
}

TEST(Split, AfterOneMoved) {
  SlotMap map = complete();
  map[12182] = "A";
  EXPECT_EQ(split_by_node(kKeys, map),
            (Groups{{"b", "foo", "bar", "hello", "b"}, {"abc"}, {"a", "ab", "123456789", "{a}x"}}));
}

// Keys from a small stock, so that slots repeat.
Keys drawn_keys() {
  const auto one = rc::gen::map(rc::gen::inRange(0, 60), [](int i) {
    return i % 3 == 0 ? "k{" + std::to_string(i % 10) + "}" + std::to_string(i) : std::to_string(i);
  });
  return *rc::gen::container<Keys>(one).as("keys");
}

SlotMap drawn_map(const Keys& keys) {
  SlotMap map;
  for (const std::string& key : keys) {
    const int node = *rc::gen::inRange(0, 5);
    if (node < 4) map[key_slot(key)] = std::string(1, static_cast<char>('A' + node));
  }
  return map;
}

RC_GTEST_PROP(SplitByNode, UnionOfSlotGroups, ()) {  // (a), (d)
  const Keys keys = drawn_keys();
  const SlotMap map = drawn_map(keys);
  std::map<Slot, std::size_t> group_of;
  const Groups groups = split_by_node(keys, map);
  for (std::size_t i = 0; i < groups.size(); ++i) {
    for (const std::string& key : groups[i]) {
      RC_ASSERT(group_of.try_emplace(key_slot(key), i).first->second == i);
    }
  }
}

RC_GTEST_PROP(SplitByNode, EachKeyExactlyOnceInOrder, ()) {  // (b)
  const Keys keys = drawn_keys();
  Keys joined;
  for (const Keys& group : split_by_node(keys, drawn_map(keys))) {
    // A group is a subsequence of the input.
    std::size_t at = 0;
    for (const std::string& key : group) {
      while (at < keys.size() && keys[at] != key) ++at;
      RC_ASSERT(at < keys.size());
      ++at;
    }
    joined.insert(joined.end(), group.begin(), group.end());
  }
  Keys expected = keys;
  std::sort(expected.begin(), expected.end());
  std::sort(joined.begin(), joined.end());
  RC_ASSERT(joined == expected);
}

RC_GTEST_PROP(SplitByNode, OneGroupPerNodeAndPerUnmappedSlot, ()) {  // (c)
  const Keys keys = drawn_keys();
  const SlotMap map = drawn_map(keys);
  std::set<std::string> nodes;
  std::set<Slot> unmapped;
  for (const std::string& key : keys) {
    const auto at = map.find(key_slot(key));
    if (at == map.end()) {
      unmapped.insert(key_slot(key));
    } else {
      nodes.insert(at->second);
    }
  }
  const Groups groups = split_by_node(keys, map);
  RC_ASSERT(groups.size() == nodes.size() + unmapped.size());
  for (const Keys& group : groups) {
    std::set<std::string> of_group;
    for (const std::string& key : group) {
      const auto at = map.find(key_slot(key));
      of_group.insert(at == map.end() ? "slot " + std::to_string(key_slot(key)) : at->second);
    }
    RC_ASSERT(of_group.size() == 1u);
  }
}

RC_GTEST_PROP(SplitByNode, OrderedBySmallestSlot, ()) {
  const Keys keys = drawn_keys();
  int last = -1;
  for (const Keys& group : split_by_node(keys, drawn_map(keys))) {
    int smallest = protocol::kSlots;
    for (const std::string& key : group) smallest = std::min<int>(smallest, key_slot(key));
    RC_ASSERT(last < smallest);
    last = smallest;
  }
}

RC_GTEST_PROP(SplitByNode, EqualInputEqualOutput, ()) {  // (e)
  const Keys keys = drawn_keys();
  const SlotMap map = drawn_map(keys);
  const Keys copied(keys.begin(), keys.end());
  SlotMap rebuilt;  // the same content, inserted the other way round
  for (auto at = map.rbegin(); at != map.rend(); ++at) rebuilt[at->first] = at->second;
  RC_ASSERT(split_by_node(keys, map) == split_by_node(copied, rebuilt));
}

// MOVED that single-key commands in the order of `group` get on a connection that follows them,
// where every node knows the true owners.
int moved_count(const Keys& group, std::string connected, const SlotMap& truth) {
  int moved = 0;
  for (const std::string& key : group) {
    const std::string& owner = truth.at(key_slot(key));
    moved += owner != connected ? 1 : 0;
    connected = owner;
  }
  return moved;
}

RC_GTEST_PROP(SplitByNode, AtMostOneMovedPerGroupOfOneOwner, ()) {
  const Keys keys = drawn_keys();
  const SlotMap map = drawn_map(keys);
  const int new_owner = *rc::gen::inRange(0, 5);
  for (const Keys& group : split_by_node(keys, map)) {
    SlotMap truth;  // the premise: one node owns all slots of the group
    for (const std::string& key : group) {
      truth[key_slot(key)] = std::string(1, static_cast<char>('A' + new_owner));
    }
    const auto mapped = map.find(key_slot(group.front()));
    const std::string start = mapped == map.end() ? "E" : mapped->second;
    const int moved = moved_count(group, start, truth);
    RC_ASSERT(moved == (truth.begin()->second == start ? 0 : 1));
  }
}

// The premise dropped: one slot of the group has moved, and its keys alternate with others.
TEST(SplitByNode, AlternatingOwnersCostOneMovedEach) {
  const Keys keys = {"b", "bar", "{b}2", "{bar}2"};
  const SlotMap map = {{key_slot("b"), "A"}, {key_slot("bar"), "A"}};
  const Groups groups = split_by_node(keys, map);
  ASSERT_EQ(groups.size(), 1u);
  SlotMap truth = map;
  truth[key_slot("b")] = "B";
  EXPECT_EQ(moved_count(groups[0], "A", truth), 4);
  const Keys by_slot = {"b", "{b}2", "bar", "{bar}2"};
  EXPECT_EQ(moved_count(by_slot, "A", truth), 2);
}

}  // namespace
}  // namespace slotlab::client
