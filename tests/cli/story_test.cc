// How events are laid out for reading.
#include "cli/story.h"

#include <gtest/gtest.h>

namespace slotlab::cli {
namespace {

StoryEvent event(std::string text, std::vector<std::string> gained = {},
                 std::vector<std::string> lost = {}) {
  return {.text = std::move(text),
          .gained = std::move(gained),
          .lost = std::move(lost),
          .notes = {},
          .replies = {},
          .at = {}};
}

TEST(ChangeLines, AFactWithANewValueIsToldOnce) {
  EXPECT_EQ(change_lines(event("x", {"A: slot 7: B"}, {"A: slot 7: mine"})),
            std::vector<std::string>{"A: slot 7: B"});
}

TEST(ChangeLines, AFactWithoutAColonEndsInItsValue) {
  EXPECT_EQ(change_lines(event("x", {"B: config epoch 4"},
                               {"B: config epoch 3", "B: importing 7 from A"})),
            (std::vector<std::string>{"B: config epoch 4", "B: no longer importing 7 from A"}));
}

TEST(ChangeLines, OfACrashedProcessOnlyThatIsTold) {
  EXPECT_EQ(change_lines(event("A crashes", {"A: down", "A: current epoch 0", "B: alone"},
                               {"A: current epoch 3"})),
            (std::vector<std::string>{"A: down", "B: alone"}));
}

TEST(ChangeLines, AStepThatIsOverGoesWithoutSaying) {
  EXPECT_EQ(change_lines(event("x", {"operator: done"}, {"operator: step 6 next"})),
            std::vector<std::string>{"operator: done"});
  EXPECT_TRUE(
      change_lines(event("x", {"operator: step 6 next"}, {"operator: step 5 next"})).empty());
}

TEST(ChangeLines, AFactThatIsGoneIsTold) {
  EXPECT_EQ(change_lines(event("x", {}, {"A: migrating 7: to B"})),
            std::vector<std::string>{"A: no longer migrating 7: to B"});
}

TEST(StoryText, ChangesStandToTheRightInOneColumn) {
  Story story;
  story.events = {event("operator -> B: IMPORTING", {"B: importing 7: from A"}),
                  event("A crashes", {"A: state: down"})};
  EXPECT_EQ(story_text(story),
            "  1  operator -> B  IMPORTING   B: importing 7: from A\n"
            "  2  A crashes                  A: state: down\n");
}

TEST(StoryText, SeveralChangesStandBelowEachOther) {
  Story story;
  story.events = {event("A crashes", {"A: a: 1", "A: b: 2"})};
  EXPECT_EQ(story_text(story),
            "  1  A crashes   A: a: 1\n"
            "                 A: b: 2\n");
}

TEST(StoryText, ALongSentenceHasItsChangesBelow) {
  Story story;
  const std::string sentence(80, 'x');
  story.events = {event("A crashes", {"A: a: 1"}), event(sentence, {"A: b: 2"})};
  EXPECT_EQ(story_text(story),
            "  1  A crashes   A: a: 1\n"
            "  2  " + sentence + "\n"
            "                 A: b: 2\n");
}

TEST(StoryText, ALassoSaysWhereItBegins) {
  Story story;
  story.events = {event("one"), event("two")};
  story.cycle_start = 1;
  EXPECT_EQ(story_text(story), "  1  one\n     from here on, for ever:\n  2  two\n");
}

TEST(StoryText, RepliesThatAreNotOkAndReasonsForNothingAreTold) {
  Story story;
  story.events = {event("one"), event("two"), event("three")};
  story.events[0].replies = {"operator is answered +OK"};
  story.events[1].replies = {"operator is answered -ERR no"};
  story.events[2].notes = {"stale_config_epoch"};
  EXPECT_EQ(story_text(story),
            "  1  one\n"
            "  2  two     operator is answered -ERR no\n"
            "  3  three   (stale_config_epoch)\n");
}

}  // namespace
}  // namespace slotlab::cli
