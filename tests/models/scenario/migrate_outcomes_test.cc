// What MIGRATE answers and leaves behind when something goes wrong on its way, row by row as a real
// Redis 7.0.15 was seen to do it. Each test plays one run: it names the events in their order.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "models/properties/picture.h"
#include "models/scenario/build.h"
#include "models/scenario/load.h"
#include "sim/system/world.h"

namespace slotlab::scenario {
namespace {

// A moves k1, k2 and k3 of slot 7 to B, as far as they are there.
std::string cluster(const std::string& at_a, const std::string& at_b, const std::string& migrate) {
  const auto keys = [](const std::string& names) {
    return names.empty() ? std::string() : ", keys: {7: [" + names + "]}";
  };
  return "title: t\nteaches: t\ncluster:\n"
         "  A: {slots: [7, home]" + keys(at_a) + "}\n"
         "  B: {slots: [home]" + keys(at_b) + "}\n"
         "views: {A: {migrating: {7: B}}, B: {importing: {7: A}}}\n"
         "operator: {steps: [{step: m, to: A, send: '" + migrate + "'}]}\n"
         "faults: [{cut: [A, B], at most: 2}, {crash: B, at most: 2}, "
         "{lose reply: operator}]\n"
         "servers: {slow targets: 1}\n"
         "network: {silent: [A, B]}\n"
         "check: {always: [owned]}\nexpect: {owned: holds}\n";
}

const std::string kK1 = "\"a{41432}\"", kK2 = "\"b{41432}\"", kK3 = "\"c{41432}\"";
const std::string kAll = kK1 + ", " + kK2 + ", " + kK3;
const std::string kOne = "MIGRATE B \"\" 0 400 KEYS a{41432}";
const std::string kOneReplaced = "MIGRATE B \"\" 0 400 REPLACE KEYS a{41432}";
const std::string kThree = "MIGRATE B \"\" 0 400 KEYS a{41432} b{41432} c{41432}";
const std::string kThreeReplaced =
    "MIGRATE B \"\" 0 400 REPLACE KEYS a{41432} b{41432} c{41432}";

const std::string kReading = "-IOERR error or timeout reading to target instance";
const std::string kWriting = "-IOERR error or timeout writing to target instance";
const std::string kBusy =
    "-ERR Target instance replied with error: BUSYKEY Target key name already exists.";

class Play {
 public:
  Play(const std::string& at_a, const std::string& at_b, const std::string& migrate,
       const std::string& first = "operator -> A")
      : built_(build(load_text(cluster(at_a, at_b, migrate), "play"))), world_(built_.system) {
    takes(first);
  }

  // Takes the one possible event whose sentence has all of this in it.
  void takes(const std::string& part) {
    const std::vector<sim::Action> possible = world_.possible();
    const auto at = std::find_if(possible.begin(), possible.end(), [&](sim::Action action) {
      return world_.describe(action).find(part) != std::string::npos;
    });
    ASSERT_NE(at, possible.end()) << "nothing like '" << part << "' is possible; there are:\n"
                                  << sentences(possible);
    note(world_.take(*at));
  }
  // Delivers what is on its way until nothing is, or the MIGRATE is answered.
  void goes_on() {
    for (int i = 0; i < 100 && answer_.empty(); ++i) {
      const std::vector<sim::Action> possible = world_.possible();
      const auto at = std::find_if(possible.begin(), possible.end(), [&](sim::Action action) {
        const std::string text = world_.describe(action);
        return action.kind() == sim::ActionKind::deliver ||
               text.find("connects to") != std::string::npos;
      });
      if (at == possible.end()) return;
      note(world_.take(*at));
    }
  }

  const std::string& answer() const { return answer_; }
  std::string operator_says() const {
    return properties::picture_of(*built_.cast, world_).operators.front().second;
  }
  // "a:AB b:B", without the tags.
  std::string keys() const {
    std::string out;
    for (const auto& key : properties::picture_of(*built_.cast, world_).keys) {
      out += (out.empty() ? "" : " ") + key.key.substr(0, 1) + ":";
      for (const std::string& node : key.at) out += node;
    }
    return out;
  }

 private:
  std::string sentences(const std::vector<sim::Action>& possible) const {
    std::string out;
    for (const sim::Action action : possible) out += "  " + world_.describe(action) + "\n";
    return out;
  }
  void note(const sim::World::Event& event) {
    for (const auto& [actor, text] : event.replies) {
      if (world_.system().name(actor) == "operator") answer_ = text;
    }
  }

  Built built_;
  sim::World world_;
  std::string answer_;
};

TEST(Migrate, MovesAndAnswersOk) {
  Play play(kAll, "", kThree);
  play.goes_on();
  EXPECT_EQ(play.answer(), "+OK");
  EXPECT_EQ(play.keys(), "a:B b:B c:B");
}

TEST(Migrate, NothingToMove) {
  Play play("", kK1, kOne);
  EXPECT_EQ(play.answer(), "+NOKEY");
}

TEST(Migrate, AStalledTargetGetsTheKeyLaterThanTheError) {
  Play play(kK1, "", kOne);
  play.takes("connects to B");
  play.takes("gives up waiting for B");
  EXPECT_EQ(play.answer(), kReading);
  EXPECT_EQ(play.keys(), "a:A");
  play.takes("RESTORE-ASKING");
  EXPECT_EQ(play.keys(), "a:AB");
}

// The connection breaks with what B had been sent carried out, and B is there again for a retry.
void breaks_and_is_there_again(Play& play) {
  play.takes("B crashes");
  play.takes("finds its connection to B broken");
  play.takes("B restarts");
}

void stores_all(Play& play) {
  play.takes("connects to B");
  for (const char* key : {"RESTORE-ASKING a", "RESTORE-ASKING b", "RESTORE-ASKING c"}) {
    play.takes(key);
  }
}

TEST(Migrate, ARetryFindsWhatTheFirstTryStored) {
  Play play(kK1, "", kOne);
  play.takes("connects to B");
  play.takes("RESTORE-ASKING a");
  breaks_and_is_there_again(play);
  play.goes_on();
  EXPECT_EQ(play.answer(), kBusy);
  EXPECT_EQ(play.keys(), "a:AB");
}

TEST(Migrate, ARetryWithReplaceGoesOverIt) {
  Play play(kK1, "", kOneReplaced);
  play.takes("connects to B");
  play.takes("RESTORE-ASKING a");
  breaks_and_is_there_again(play);
  play.goes_on();
  EXPECT_EQ(play.answer(), "+OK");
  EXPECT_EQ(play.keys(), "a:B");
}

TEST(Migrate, ASecondBreakEndsIt) {
  Play play(kK1, "", kOne);
  play.takes("connects to B");
  play.takes("RESTORE-ASKING a");
  breaks_and_is_there_again(play);
  play.takes("connects to B");
  play.takes("RESTORE-ASKING a");
  play.takes("B crashes");
  play.takes("finds its connection to B broken");
  EXPECT_EQ(play.answer(), kReading);
  EXPECT_EQ(play.keys(), "a:AB");
}

TEST(Migrate, ABreakAfterTheFirstAcknowledgementIsNotRetried) {
  Play play(kAll, "", kThree);
  stores_all(play);
  play.takes("B -> A: +OK");
  play.takes("B crashes");
  play.takes("finds its connection to B broken");
  EXPECT_EQ(play.answer(), kReading);
  EXPECT_EQ(play.keys(), "a:B b:AB c:AB");
}

TEST(Migrate, ABreakBeforeAnyAcknowledgementLeavesAllAtBothEnds) {
  Play play(kAll, "", kThree);
  stores_all(play);
  breaks_and_is_there_again(play);
  play.goes_on();
  EXPECT_EQ(play.answer(), kBusy);
  EXPECT_EQ(play.keys(), "a:AB b:AB c:AB");
}

TEST(Migrate, TheSameWithReplaceMovesAll) {
  Play play(kAll, "", kThreeReplaced);
  stores_all(play);
  breaks_and_is_there_again(play);
  play.goes_on();
  EXPECT_EQ(play.answer(), "+OK");
  EXPECT_EQ(play.keys(), "a:B b:B c:B");
}

TEST(Migrate, AnErrorForOneKeyLeavesTheOthersMoved) {
  Play play(kAll, kK2, kThree);
  play.goes_on();
  EXPECT_EQ(play.answer(), kBusy);
  EXPECT_EQ(play.keys(), "a:B b:AB c:B");
}

TEST(Migrate, ATargetThatIsGoneIsNoticedWhileWriting) {
  Play play(kAll, "", kThree);
  play.takes("B crashes");
  play.takes("A ");  // it has nothing else to do than to notice
  EXPECT_EQ(play.answer(), kWriting);
  EXPECT_EQ(play.keys(), "a:A b:A c:A");
}

// MIGRATE answers in a later event than it is sent in; its answer can be lost all the same.
TEST(Migrate, TheAnswerToTheOperatorMayBeLost) {
  Play play(kK1, "", kOne, "(the reply is lost)");
  play.goes_on();
  EXPECT_EQ(play.answer(), "+OK");  // it comes, and nobody takes it for an answer
  EXPECT_EQ(play.operator_says(), "step m next");
  EXPECT_EQ(play.keys(), "a:B");
  play.takes("operator -> A");  // who waits sends it again
  EXPECT_EQ(play.answer(), "+NOKEY");
  EXPECT_EQ(play.operator_says(), "done");
}

TEST(Migrate, ToItselfTimesOut) {
  Play play(kK1, "", "MIGRATE A \"\" 0 200 KEYS a{41432}");
  play.takes("waits for A in vain");
  EXPECT_EQ(play.answer(), kReading);
  EXPECT_EQ(play.keys(), "a:A");
}

TEST(Migrate, ACutThatLastsIsATimeOutAndIsNotRetried) {
  Play play(kK1, "", kOne);
  play.takes("connects to B");
  play.takes("RESTORE-ASKING a");
  play.takes("the links between A and B are cut");
  play.takes("waits for B in vain");
  EXPECT_EQ(play.answer(), kReading);
  EXPECT_EQ(play.keys(), "a:AB");
}

}  // namespace
}  // namespace slotlab::scenario
