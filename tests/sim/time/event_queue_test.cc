// The order of the event queue is what makes ties in virtual time the same in every run. The last
// test holds it against a stable sort of whatever was pushed and not cancelled.
#include "sim/time/event_queue.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <rapidcheck/gtest.h>
#include <string>
#include <tuple>
#include <vector>

namespace slotlab::sim {
namespace {

std::string drain(EventQueue<char>& queue) {
  std::string order;
  while (!queue.empty()) order += queue.pop().second;
  return order;
}

TEST(EventQueue, EarlierFirstThenSmallerPriorityThenWhoWasPushedFirst) {
  EventQueue<char> queue;
  queue.push(Instant{5}, 1, 'd');
  queue.push(Instant{5}, 0, 'b');
  queue.push(Instant{9}, 0, 'f');
  queue.push(Instant{5}, 1, 'e');
  queue.push(Instant{5}, 0, 'c');
  queue.push(Instant{2}, 9, 'a');
  EXPECT_EQ(queue.next_time(), Instant{2});
  EXPECT_EQ(drain(queue), "abcdef");
}

TEST(EventQueue, CancelledEntryNeverLeaves) {
  EventQueue<char> queue;
  queue.push(Instant{1}, 0, 'a');
  const Ticket b = queue.push(Instant{1}, 0, 'b');
  queue.push(Instant{1}, 0, 'c');
  EXPECT_TRUE(queue.holds(b));
  EXPECT_TRUE(queue.cancel(b));
  EXPECT_FALSE(queue.holds(b));
  EXPECT_FALSE(queue.cancel(b));
  EXPECT_EQ(drain(queue), "ac");
}

TEST(EventQueue, TicketOfWhatLeftOrOfNothingCancelsNothing) {
  EventQueue<char> queue;
  const Ticket a = queue.push(Instant{0}, 0, 'a');
  EXPECT_EQ(queue.pop().first, a);
  queue.push(Instant{0}, 0, 'b');
  EXPECT_FALSE(queue.cancel(a));
  EXPECT_FALSE(queue.cancel(Ticket{}));
  EXPECT_FALSE(Ticket{});
  EXPECT_EQ(drain(queue), "b");
}

TEST(EventQueue, LookingIntoAnEmptyQueueIsAnAssert) {
  EventQueue<char> queue;
  EXPECT_THROW(queue.next_time(), InternalError);
  EXPECT_THROW(queue.pop(), InternalError);
}

RC_GTEST_PROP(EventQueue, LeavesInStableSortedOrderWithoutTheCancelled,
              (std::vector<std::tuple<std::uint8_t, std::uint8_t, bool>> entries)) {
  EventQueue<std::size_t> queue;
  std::vector<std::size_t> expected;
  std::vector<Ticket> cancelled;
  const auto key = [&](std::size_t i) {
    const auto& [at, priority, cancel] = entries[i];
    return std::pair(at % 4, priority % 3);
  };
  for (std::size_t i = 0; i < entries.size(); ++i) {
    const auto [at, priority] = key(i);
    const Ticket ticket = queue.push(Instant{static_cast<std::uint64_t>(at)},
                                     static_cast<std::uint8_t>(priority), i);
    if (std::get<2>(entries[i])) {
      cancelled.push_back(ticket);
    } else {
      expected.push_back(i);
    }
  }
  for (const Ticket ticket : cancelled) RC_ASSERT(queue.cancel(ticket));
  std::stable_sort(expected.begin(), expected.end(),
                   [&](std::size_t a, std::size_t b) { return key(a) < key(b); });
  std::vector<std::size_t> order;
  while (!queue.empty()) order.push_back(queue.pop().second);
  RC_ASSERT(order == expected);
}

}  // namespace
}  // namespace slotlab::sim
