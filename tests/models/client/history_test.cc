// The judge on short histories whose verdict is plain.
#include "models/client/history.h"

#include <gtest/gtest.h>

namespace slotlab::client {
namespace {

Op write(const char* value) { return {.kind = OpKind::write, .value = value}; }
Op read() { return {.kind = OpKind::read, .value = {}}; }
Op remove() { return {.kind = OpKind::remove, .value = {}}; }

TEST(Register, ReadsWhatWasWritten) {
  Register reg("v0");
  EXPECT_TRUE(reg.answered(reg.begin(write("v1")), "OK"));
  EXPECT_TRUE(reg.answered(reg.begin(read()), "v1"));
  EXPECT_EQ(reg.acceptable(), (std::set<Held>{"v1"}));
}

TEST(Register, AStaleReadBreaksIt) {
  Register reg("v0");
  EXPECT_TRUE(reg.answered(reg.begin(write("v1")), "OK"));
  EXPECT_FALSE(reg.answered(reg.begin(read()), "v0"));
  EXPECT_TRUE(reg.broken());
  EXPECT_TRUE(reg.bad_read());
  EXPECT_EQ(reg.acceptable(), (std::set<Held>{"v1"}));
}

TEST(Register, ADeletedKeyDoesNotComeBack) {
  Register reg("v0");
  EXPECT_TRUE(reg.answered(reg.begin(remove()), "1"));
  EXPECT_FALSE(reg.answered(reg.begin(read()), "v0"));
}

TEST(Register, AnUnansweredWriteMayHappenLater) {
  Register reg("v0");
  const OpId lost = reg.begin(write("v1"));
  EXPECT_TRUE(reg.answered(reg.begin(read()), "v0"));
  EXPECT_TRUE(reg.answered(reg.begin(read()), "v1"));
  EXPECT_FALSE(reg.answered(reg.begin(read()), "v0"));  // but not be undone
  (void)lost;
}

TEST(Register, ARefusedWriteMustNotBeSeen) {
  Register reg("v0");
  const OpId id = reg.begin(write("v1"));
  EXPECT_TRUE(reg.refused(id));
  EXPECT_FALSE(reg.answered(reg.begin(read()), "v1"));
}

TEST(Register, RefusedAfterItWasSeen) {
  Register reg("v0");
  const OpId id = reg.begin(write("v1"));
  EXPECT_TRUE(reg.answered(reg.begin(read()), "v1"));
  EXPECT_FALSE(reg.refused(id));
  EXPECT_FALSE(reg.bad_read());
}

TEST(Register, TwoOpenWritesInEitherOrder) {
  Register reg;
  const OpId a = reg.begin(write("a"));
  const OpId b = reg.begin(write("b"));
  EXPECT_EQ(reg.acceptable(), (std::set<Held>{std::nullopt, "a", "b"}));
  EXPECT_TRUE(reg.answered(a, "OK"));
  EXPECT_TRUE(reg.answered(b, "OK"));
  EXPECT_EQ(reg.acceptable(), (std::set<Held>{"a", "b"}));
}

}  // namespace
}  // namespace slotlab::client
