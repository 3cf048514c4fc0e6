// Each property on hand-made states: where it holds, where it does not, and what it says then.
#include <set>

#include "tests/models/properties/by_hand.h"

namespace slotlab::properties {
namespace {

TEST_F(Properties, AllRequirementsButTheProceduresEndHoldAtTheStart) {
  for (const char* name : {"owned", "one-owner", "unique-epochs", "agreed", "closed"}) {
    EXPECT_EQ(ask(name), "holds") << name;
  }
  EXPECT_EQ(ask("procedure-ends"), "operator is still at step 1");
}

TEST_F(Properties, NoSituationIsReachedAtTheStart) {
  for (const Entry& entry : registry()) {
    if (entry.mood == sim::Mood::sometimes) {
      EXPECT_NE(ask(std::string(entry.name)), "holds") << entry.name;
    }
  }
}

TEST_F(Properties, OwnedNeedsSomebodyWhoClaimsTheSlotForItself) {
  config(kA).owner[kSlot7] = kB;  // step 5 before step 4: A says B, B says A
  EXPECT_EQ(ask("owned"), "slot 7 has no owner");
  EXPECT_EQ(ask("unowned"), "holds");
  config(kB).owner[kSlot7] = kB;
  EXPECT_EQ(ask("owned"), "holds");
}

TEST_F(Properties, OwnedCountsADownNodeByItsFileIfItCanComeBack) {
  set(kA, Status::down);
  EXPECT_EQ(ask("owned"), "holds");
  states[0].written.owner[kSlot7] = kB;  // whatever it believed, this is what it will read back
  EXPECT_EQ(ask("owned"), "slot 7 has no owner");
  states[0].written.owner[kSlot7] = kA;
  set(kA, Status::gone);
  EXPECT_EQ(ask("owned"), "slot 7 has no owner");
}

// B is gone for good. C becomes its replica, which A alone may vote for.
TEST_F(Properties, ReplaceableNeedsVotersThatKnowNoNewerClaim) {
  set(kB, Status::gone);
  EXPECT_EQ(ask("replaceable"), "holds");  // B has no replica, so nobody is kept from anything
  node::NodeRecord& me = config(kC).nodes.at(kC);
  me.replica = true;
  me.master = kB;
  std::replace(config(kC).owner.begin(), config(kC).owner.end(), kC, kA);
  states[2].memory.size = 1;
  EXPECT_EQ(ask("replaceable"), "holds");
  EXPECT_NE(ask("irreplaceable"), "holds");
  ++config(kA).nodes.at(kB).config_epoch;  // A has heard of an epoch that C has not
  EXPECT_EQ(ask("replaceable"),
            "B is gone for good, and of 1 voters 1 would refuse C, which claims the slots at an "
            "epoch of the past");
  EXPECT_EQ(ask("irreplaceable"), "holds");
  config(kC).nodes.at(kB).config_epoch = config(kA).nodes.at(kB).config_epoch;
  EXPECT_EQ(ask("replaceable"), "holds");
}

TEST_F(Properties, HomesAreExcusedOnlyWhileTheirNodeIsGone) {
  set(kB, Status::gone);
  EXPECT_EQ(ask("owned"), "holds");
  EXPECT_EQ(ask("agreed"), "holds");
  set(kB, Status::up);
  everybody_says(kHomeOfB, kA);
  config(kA).owner[kHomeOfB] = kB;
  EXPECT_EQ(ask("owned"), "slot 16382 has no owner");
}

TEST_F(Properties, OneOwnerAllowsTwoClaimsWithDifferentEpochsOnly) {
  config(kB).owner[kSlot7] = kB;
  EXPECT_EQ(ask("one-owner"), "holds");
  EXPECT_EQ(ask("two-claim"), "holds");
  config(kB).nodes.at(kB).config_epoch = 1;
  EXPECT_EQ(ask("one-owner"), "slot 7 is claimed by A and B with config epoch 1");
  set(kA, Status::paused);
  EXPECT_NE(ask("one-owner"), "holds");
  set(kA, Status::down);
  EXPECT_EQ(ask("one-owner"), "holds");
  set(kA, Status::up);
  config(kB).nodes.at(kB).replica = true;
  EXPECT_EQ(ask("one-owner"), "holds");
}

TEST_F(Properties, UniqueEpochsComparesOwnEpochsOfLiveMasters) {
  config(kA).nodes.at(kC).config_epoch = 1;  // what A thinks of C does not matter
  EXPECT_EQ(ask("unique-epochs"), "holds");
  config(kC).nodes.at(kC).config_epoch = 2;
  EXPECT_EQ(ask("unique-epochs"), "B and C both have config epoch 2");
  EXPECT_EQ(ask("collision"), "holds");
  set(kB, Status::down);
  EXPECT_EQ(ask("unique-epochs"), "holds");
}

TEST_F(Properties, AgreedNeedsOneNameFromAllLiveNodes) {
  config(kC).owner[kSlot7] = kB;
  EXPECT_EQ(ask("agreed"), "slot 7: A says A, C says B");
  set(kC, Status::down);
  EXPECT_EQ(ask("agreed"), "holds");
  set(kC, Status::up);
  config(kC).owner[kSlot7] = kNoNode;
  EXPECT_EQ(ask("agreed"), "slot 7: C knows no owner");
}

TEST_F(Properties, AgreedNeedsTheNamedOwnerToClaimTheSlot) {
  everybody_says(kSlot7, kB);
  EXPECT_EQ(ask("agreed"), "holds");
  set(kB, Status::down);
  states[1].written.owner[kSlot7] = kA;
  EXPECT_EQ(ask("agreed"), "slot 7: all say B, which does not claim it");
  states[1].written.owner[kSlot7] = kB;
  EXPECT_EQ(ask("agreed"), "holds");
  set(kB, Status::gone);
  EXPECT_EQ(ask("agreed"), "slot 7: all say B, which never comes back");
}

TEST_F(Properties, ClosedSeesMarksOfLiveAndReturningNodes) {
  config(kA).migrating_to[kSlot7] = kB;
  EXPECT_EQ(ask("closed"), "slot 7 is still marked at A: migrating to B");
  set(kA, Status::down);
  EXPECT_EQ(ask("closed"), "holds");  // the mark is not in its file
  set(kA, Status::up);
  config(kA).migrating_to[kSlot7] = kNoNode;
  config(kB).importing_from[kSlot7] = kA;
  EXPECT_EQ(ask("closed"), "slot 7 is still marked at B: importing from A");
  set(kB, Status::gone);
  EXPECT_EQ(ask("closed"), "holds");
}

TEST_F(Properties, ProcedureEndsHoweverItEnds) {
  op->stop();
  EXPECT_EQ(ask("procedure-ends"), "holds");
  EXPECT_EQ(ask("operator-stopped"), "holds");
  EXPECT_NE(ask("procedure-done"), "holds");
}

TEST_F(Properties, SituationsAreReached) {
  set(kC, Status::down);
  EXPECT_EQ(ask("crashed"), "holds");
  set(kC, Status::paused);
  EXPECT_EQ(ask("paused"), "holds");
  EXPECT_NE(ask("crashed"), "holds");
  env_.cut[1] = sim::Cut::severed;
  EXPECT_EQ(ask("link-cut"), "holds");
  config(kB).owner[kSlot7] = kB;
  EXPECT_EQ(ask("owner-changed"), "holds");
  set(kB, Status::down);
  EXPECT_NE(ask("owner-changed"), "holds");
  config(kA).nodes.at(kA).replica = true;
  EXPECT_EQ(ask("demoted"), "holds");
}

TEST_F(Properties, NoStrayKeySeesKeysAtLiveMastersThatDoNotOwnTheirSlot) {
  begin_with_a_key();
  EXPECT_EQ(ask("no-stray-key"), "holds");
  put_key(kB, "v0");
  EXPECT_EQ(ask("no-stray-key"), "B holds k{41432} of slot 7, which is not its own");
  set(kB, Status::down);
  EXPECT_EQ(ask("no-stray-key"), "holds");
  set(kB, Status::up);
  config(kB).nodes.at(kB).replica = true;
  EXPECT_EQ(ask("no-stray-key"), "holds");
}

TEST_F(Properties, KeysKeptLooksForTheKeysOfTheStartAnywhere) {
  begin_with_a_key();
  EXPECT_EQ(ask("keys-kept"), "holds");
  take_key(kA);
  EXPECT_EQ(ask("keys-kept"), "k{41432} is nowhere any more");
  put_key(kC, "another value");
  EXPECT_EQ(ask("keys-kept"), "holds");
  set(kC, Status::down);
  EXPECT_EQ(ask("keys-kept"), "holds");
  set(kC, Status::gone);
  EXPECT_EQ(ask("keys-kept"), "k{41432} is nowhere any more");
}

TEST_F(Properties, KeysSafeFollowsTheOwnerAndItsAsk) {
  begin_with_a_key();
  EXPECT_EQ(ask("keys-safe"), "holds");
  take_key(kA);
  put_key(kB, "v0");  // nobody is led there
  EXPECT_EQ(ask("keys-safe"), "k{41432} should hold v0; there is v0 at B");
  config(kA).migrating_to[kSlot7] = kB;
  EXPECT_NE(ask("keys-safe"), "holds");  // B does not let anybody in
  config(kB).importing_from[kSlot7] = kA;
  EXPECT_EQ(ask("keys-safe"), "holds");
  put_key(kB, "older");
  EXPECT_EQ(ask("keys-safe"), "k{41432} should hold v0; there is older at B");
}

TEST_F(Properties, KeysSafeExcusesWhatDiedWithItsNode) {
  begin_with_a_key();
  set(kA, Status::gone);
  EXPECT_EQ(ask("keys-safe"), "holds");
  EXPECT_EQ(ask("keys-kept"), "k{41432} is nowhere any more");
}

TEST_F(Properties, TwoCopiesCountsMasters) {
  begin_with_a_key();
  EXPECT_NE(ask("two-copies"), "holds");
  put_key(kB, "older");
  EXPECT_EQ(ask("two-copies"), "holds");
  config(kB).nodes.at(kB).replica = true;
  states[1].written.nodes.at(kB).replica = true;
  EXPECT_NE(ask("two-copies"), "holds");
}

TEST_F(Properties, StateOkAsksLiveNodes) {
  states[2].memory.state_ok = false;
  EXPECT_EQ(ask("state-ok"), "C is in cluster state fail");
  set(kC, Status::down);
  EXPECT_EQ(ask("state-ok"), "holds");
}

TEST_F(Properties, MarksNameMastersSeesReplicasAndStrangers) {
  config(kA).migrating_to[kSlot7] = kB;
  EXPECT_EQ(ask("marks-name-masters"), "holds");
  config(kA).nodes.at(kB).replica = true;
  EXPECT_EQ(ask("marks-name-masters"),
            "slot 7 is marked at A: migrating to B, which is no master");
  config(kA).nodes.erase(kB);
  EXPECT_NE(ask("marks-name-masters"), "holds");
  config(kA).migrating_to[kSlot7] = kNoNode;
  EXPECT_EQ(ask("marks-name-masters"), "holds");
}

TEST_F(Properties, WithoutClientsAllTheirPropertiesHold) {
  for (const char* name : {"linearizable", "bounded-redirects", "clients-end", "keys-safe"}) {
    EXPECT_EQ(ask(name), "holds") << name;
  }
}

TEST_F(Properties, ClientsEndWhenTheirProgramsDo) {
  begin_with_a_client({{"GET", kKey}});
  EXPECT_EQ(ask("clients-end"), "c has not come to the end of its program");
  client_is_told(protocol::Reply::bulk("v0"));
  EXPECT_EQ(ask("clients-end"), "holds");
  EXPECT_NE(ask("client-error"), "holds");
}

TEST_F(Properties, BoundedRedirectsCountsOneCommandAndOneSession) {
  begin_with_a_client({{"GET", kKey}, {"GET", kKey}});
  client_is_told(protocol::Reply::error("ASK 7 127.0.0.1:7002"));
  client_is_told(protocol::Reply::bulk("v0"));
  EXPECT_EQ(ask("bounded-redirects"), "holds");
  client_is_told(protocol::Reply::error("ASK 7 127.0.0.1:7002"));
  client_is_told(protocol::Reply::error("MOVED 7 127.0.0.1:7001"));
  EXPECT_EQ(ask("bounded-redirects"), "a command of c is redirected more than 1 time(s)");
}

TEST_F(Properties, BoundedRedirectsCountsMovedOfASession) {
  begin_with_a_client({{"GET", kKey}, {"GET", kKey}});
  client_is_told(protocol::Reply::error("MOVED 7 127.0.0.1:7002"));
  client_is_told(protocol::Reply::bulk("v0"));
  client_is_told(protocol::Reply::error("MOVED 7 127.0.0.1:7001"));
  EXPECT_EQ(ask("bounded-redirects"), "c is answered MOVED more than 1 time(s)");
}

TEST_F(Properties, LinearizableAndKeysSafeJudgeWhatClientsWereTold) {
  begin_with_a_key();
  begin_with_a_client({{"SET", kKey, "v1"}, {"GET", kKey}});
  put_key(kA, "v1");
  client_is_told(protocol::Reply::ok());
  EXPECT_EQ(ask("linearizable"), "holds");
  EXPECT_EQ(ask("keys-safe"), "holds");
  put_key(kA, "v0");  // the acknowledged write is gone
  EXPECT_EQ(ask("keys-safe"), "k{41432} should hold v1; there is v0 at A");
  EXPECT_EQ(ask("linearizable"), "holds");  // nobody has been told yet
  client_is_told(protocol::Reply::bulk("v0"));
  EXPECT_EQ(ask("linearizable"), "GET of k{41432} told c v0, though it holds v1");
}

TEST_F(Properties, ACommandThatEndsWithoutAResultIsAClientError) {
  begin_with_a_client({{"GET", kKey}});
  client_is_told(protocol::Reply::error("ERR no"));
  EXPECT_EQ(ask("client-error"), "holds");
  EXPECT_EQ(ask("linearizable"), "holds");
}

TEST_F(Properties, APictureHasOwnersMarksAndKeys) {
  begin_with_a_key();
  EXPECT_EQ(picture_text(picture()), "7: all say A; k{41432} at A");
  config(kA).migrating_to[kSlot7] = kB;
  config(kB).owner[kSlot7] = kB;
  put_key(kB, "older");
  const Picture two = picture();
  EXPECT_EQ(picture_text(two),
            "7: A and C say A, B says B; A migrating 7 to B; k{41432} at A and B");
  ASSERT_EQ(two.slots.size(), 1u);  // homes are left out
  EXPECT_EQ(owner_text(two.slots[0]), "split");
  EXPECT_TRUE(two.slots[0].owned);
  EXPECT_EQ(two.operators, (std::vector<std::pair<std::string, std::string>>{
                               {"operator", "step 1 next"}}));
  set(kA, Status::gone);
  set(kB, Status::down);
  take_key(kB);
  states[1].written.owner[kSlot7] = kA;
  const Picture lost = picture();
  EXPECT_EQ(picture_text(lost), "7: all say A; k{41432} nowhere; B down; A gone");
  EXPECT_FALSE(lost.slots[0].owned);
}

TEST_F(Properties, LeadsToJoinsTwo) {
  const sim::Property property = make_leads_to("crashed", "owned", std::make_shared<const Cast>());
  EXPECT_EQ(property.name, "crashed leads to owned");
  EXPECT_EQ(property.mood, sim::Mood::leads_to);
  EXPECT_TRUE(property.then(*this));  // no slots in this cast
}

TEST(Registry, NamesAreUniqueAndEachHasASentence) {
  std::set<std::string_view> names;
  for (const Entry& entry : registry()) {
    EXPECT_TRUE(names.insert(entry.name).second) << entry.name;
    EXPECT_TRUE(entry.sentence.ends_with('.')) << entry.name;
    EXPECT_EQ(find(entry.name), &entry);
  }
  EXPECT_EQ(find("nothing-of-the-kind"), nullptr);
}

}  // namespace
}  // namespace slotlab::properties
