// Every way in which a scenario file can be bad that we could think of, one file each: the error
// names the place and says what is wrong. The files are in tests/data/bad/.
#include <gtest/gtest.h>

#include <filesystem>
#include <set>
#include <string>

#include "models/scenario/load.h"

namespace slotlab::scenario {
namespace {

struct BadFile {
  const char* name;
  Position at;
  const char* says;          // the message begins with this
  const char* ends = "";     // and ends with this
};

void PrintTo(const BadFile& file, std::ostream* out) { *out << file.name; }

const BadFile kBadFiles[] = {
    {"a-list", {1, 1}, "the scenario: expected a map with keys such as 'title', found a list of 2"},
    {"alias", {5, 24}, "aliases ('*name') are not allowed in a scenario; write the value out"},
    {"anchor", {5, 24},
     "anchor '&all': anchors are not allowed in a scenario; write the value out"},
    {"at-most-255", {15, 25}, "'at most': expected a whole number from 1 to 254, found '255'"},
    {"at-most-zero", {15, 25}, "'at most': expected a whole number from 1 to 254, found '0'"},
    {"bad-id", {6, 21}, "'id': expected 40 hexadecimal digits in lower case, found 'abc'"},
    {"bad-indent", {6, 4}, "not YAML: end of map not found"},
    {"bad-node-name", {7, 3}, "'3C' is no name; a name is a letter and up to 15 letters,"},
    {"binary-junk", {1, 1}, "control character 0x7f; a scenario is plain text"},
    {"column-counts-characters", {1, 31}, "the scenario: unknown key 'wat'; expected 'title',"},
    {"crash-of-missing-node", {15, 13},
     "'crash': no node is called 'D'; known are 'A', 'B' or 'C'"},
    {"crash-of-operator", {15, 13},
     "'crash': no node is called 'operator'; known are 'A', 'B' or 'C'"},
    {"crash-twice", {15, 17}, "'B' is given twice"},
    {"cut-any-of-one-node", {5, 11}, "'cut: any' needs two nodes"},
    {"cut-of-one", {15, 11}, "'cut': expected a pair such as [A, B], or 'any', found 'A'"},
    {"cut-of-three", {15, 11},
     "'cut': expected a pair such as [A, B], or 'any', found a list of 3"},
    {"cyclic-replica", {6, 19}, "'replica of' goes round in a circle from 'B' to itself"},
    {"deep-nesting-of-dashes", {2, 33}, "nested more than 16 deep; no scenario needs that"},
    {"deep-nesting-of-maps", {1, 64}, "nested more than 16 deep; no scenario needs that"},
    {"deep-nesting-unclosed", {1, 1}, "a key must be a word, not a list or a map"},
    {"deep-nesting", {1, 23}, "nested more than 16 deep; no scenario needs that"},
    {"dialect-with-a-rule-it-has", {3, 10},
     "'dialect': no dialect is called 'redis-7.0+bump-on-import'; known are"},
    {"dialect-twice", {3, 22}, "dialect 'redis-7.0' is given twice"},
    {"duplicate-node", {7, 3}, "key 'A' is given twice; the first is in line 5"},
    {"duplicate-top-key", {4, 1}, "key 'dialect' is given twice; the first is in line 3"},
    {"empty-file", {0, 0}, "empty file; a scenario begins with 'title: ...'"},
    {"empty-title", {1, 1}, "'title': expected a title, found nothing"},
    {"epoch-is-a-map", {6, 14},
     "'epoch': expected a whole number from 0 to 4294967295, found a map with key 'is'"},
    {"epoch-negative", {6, 14},
     "'epoch': expected a whole number from 0 to 4294967295, found '-2'"},
    {"epoch-octal", {6, 14}, "'epoch': expected a whole number from 0 to 4294967295, found '007'"},
    {"epoch-quoted", {6, 14}, "'epoch': expected a whole number from 0 to 4294967295, found '2'"},
    {"epoch-too-large", {6, 14},
     "'epoch': expected a whole number from 0 to 4294967295, found '99999999999999999999'"},
    {"escape-character", {1, 8}, "control character 0x1b; a scenario is plain text"},
    {"escaped-control-character", {1, 8},
     "a control character, written as an escape; a scenario is plain text"},
    {"expect-forgets-a-property", {18, 9},
     "'expect' does not say what 'one-owner' does in redis-7.0"},
    {"expect-of-unchecked", {18, 24}, "'agreed' is not checked; expected 'owned'"},
    {"expect-other-dialect", {18, 24}, "'valkey-8.0' is not among the dialects of this scenario"},
    {"expect-reached-of-always", {18, 17},
     "'owned': expected 'holds' or 'violated', found 'reached'"},
    {"expect-wrong-word", {18, 17}, "'owned': expected 'holds' or 'violated', found 'true'"},
    {"fault-is-a-word", {15, 5}, "a fault: expected a map, found 'crash'"},
    {"home-twice", {5, 34}, "'home' is given twice"},
    {"id-twice", {7, 21}, "this id is already that of 'B'"},
    {"key-in-wrong-slot", {5, 28}, "key 'foo' hashes to slot 12182, not to 7"},
    {"key-of-another-fault", {15, 16},
     "a fault: unknown key 'heals'; expected 'crash', 'restart',"},
    {"keys-without-number", {5, 27}, "'7': expected a whole number from 0 to 1000, found 'many'"},
    {"latin-1", {1, 11}, "byte 0xfc is not UTF-8; a scenario is UTF-8 text"},
    {"leads-to-not-a-pair", {18, 14}, "'leads to': expected a map, found 'crashed'"},
    {"list-as-key", {6, 5}, "a key must be a word, not a list or a map"},
    {"merge-key", {6, 7}, "merge keys ('<<') are not allowed in a scenario"},
    {"missing-check", {1, 1}, "the scenario: key 'check' is missing"},
    {"missing-expect", {1, 1}, "the scenario: key 'expect' is missing"},
    {"missing-master", {7, 19}, "no node is called 'D'; nodes are 'A', 'B' or 'C'"},
    {"missing-node-in-command", {13, 30}, "no node is called 'D'; nodes are 'A', 'B' or 'C'"},
    {"missing-node-in-step", {13, 21}, "'to': no node is called 'D'; known are 'A', 'B' or 'C'"},
    {"missing-title", {1, 1}, "the scenario: key 'title' is missing"},
    {"misspelt-action", {10, 30},
     "'IMPORT' is no action of SETSLOT that virtual nodes know;",
     "; did you mean 'IMPORTING'?"},
    {"misspelt-command", {13, 30},
     "'CLUSTR' is no command that virtual nodes know; expected",
     "; did you mean 'CLUSTER'?"},
    {"misspelt-subcommand", {13, 30},
     "'SETSLOTS' is no subcommand of CLUSTER that virtual nodes",
     "; did you mean 'SETSLOT'?"},
    {"move-to-itself", {12, 44}, "keys cannot move from a node to itself"},
    {"no-masters", {5, 19}, "'replica of' goes round in a circle from 'A' to itself"},
    {"no-nodes", {4, 10}, "'cluster': expected at least one node, such as A: {epoch:"},
    {"no-steps", {9, 10}, "'steps': expected at least one step, found a list of 0"},
    {"node-called-any", {7, 3}, "'any' is no name; a name is a letter and up to 15 letters,"},
    {"not-yaml", {6, 3}, "not YAML: end of sequence flow not found"},
    {"nothing-to-check", {17, 3}, "'check': expected at least one property, such as always:"},
    {"nul-bytes", {1, 9}, "control character 0x00; a scenario is plain text"},
    {"on-error-unknown", {9, 13},
     "'on error': expected 'stop', 'continue' or 'retry', found 'ignore'"},
    {"only-a-word", {1, 1},
     "the scenario: expected a map with keys such as 'title', found 'hello'"},
    {"only-comments", {0, 0}, "empty file; a scenario begins with 'title: ...'"},
    {"operator-and-operators", {14, 12}, "give either 'operator' or 'operators', not both"},
    {"operator-called-like-a-node", {9, 2}, "'B' is both a node and an operator"},
    {"overlong-utf-8", {1, 8}, "byte 0xc0 is not UTF-8; a scenario is UTF-8 text"},
    {"pause-for-good", {15, 16}, "a fault: unknown key 'resumes'; expected 'pause', 'at most',"},
    {"property-not-a-list", {17, 11}, "'always': expected a list, found 'owned'"},
    {"property-twice", {18, 23}, "'owned' is already checked; the first is in line 17"},
    {"replica-of-itself", {7, 19}, "'replica of' goes round in a circle from 'C' to itself"},
    {"replica-of-replica", {7, 19}, "'B' is itself a replica; a replica follows a master"},
    {"replica-with-epoch", {7, 29}, "a replica has no epoch of its own"},
    {"replica-with-slots", {7, 29}, "a replica has no slots of its own"},
    {"restart-sometimes", {15, 25}, "'restart': expected 'any time' or 'never', found 'perhaps'"},
    {"retries-zero", {9, 12}, "'retries': expected a whole number from 1 to 254, found '0'"},
    {"room-above-capacity", {14, 56},
     "'messages in flight': expected a whole number from 3 to 64, found '2'"},
    {"rule-is-a-number", {4, 25},
     "'bump-on-import': expected true or false (or on or off), found '0'"},
    {"second-document", {20, 1}, "a second document: '---', or a first line that is indented"},
    {"setslot-of-nobodys-slot", {13, 30},
     "slot 9 is nobody's: no node has it in its 'slots', and no step adds it"},
    {"setslot-without-node", {13, 30}, "SETSLOT NODE needs a node"},
    {"slot-16384-in-command", {13, 30}, "'send': '16384' is not a slot; slots are 0 to 16383"},
    {"slot-16384", {5, 25}, "a slot: '16384' is not a slot; slots are 0 to 16383"},
    {"slot-is-a-word", {5, 25}, "a slot: 'seven' is not a slot; slots are 0 to 16383"},
    {"slot-negative", {5, 25}, "a slot: '-1' is not a slot; slots are 0 to 16383"},
    {"slot-range-backwards", {5, 25}, "the range '9-7' ends before it begins"},
    {"slot-twice", {6, 25}, "slot 7 is already a slot of 'A'"},
    {"slots-not-a-list", {5, 24}, "'slots': expected a list, found '7'"},
    {"step-is-a-word", {13, 7},
     "a step: expected a map with keys such as 'step', found 'CLUSTER SETSLOT 7 NODE B'"},
    {"step-label-twice", {13, 14}, "another step is already called '2'"},
    {"step-with-both", {13, 7}, "a step: expected either 'send' or 'move keys'"},
    {"step-without-command", {13, 7}, "a step: expected either 'send' or 'move keys'"},
    {"step-without-label", {13, 7}, "a step: key 'step' is missing"},
    {"streams-three", {14, 20}, "'streams': expected a whole number from 1 to 2, found '3'"},
    {"surrogate", {1, 8}, "byte 0xed is not UTF-8; a scenario is UTF-8 text"},
    {"suspicions-without-detection", {14, 37},
     "'suspicions of live peers' needs 'failure detection: on'"},
    {"tab-indent", {6, 2}, "not YAML: end of map not found"},
    {"tag", {6, 14}, "tag 'tag:yaml.org,2002:int': tags are not allowed in a scenario"},
    {"title-is-a-list", {1, 8}, "'title': expected a title, found a list of 3"},
    {"two-faults-in-one", {15, 23}, "a fault is one thing; this is 'crash' and 'pause'"},
    {"silent-missing-node", {19, 27}, "a node of the pair: no node is called 'D'; known are"},
    {"silent-to-itself", {19, 24}, "a node of the pair: expected another node than B, found 'B'"},
    {"silent-with-pings", {19, 46}, "'silent' needs 'heartbeats: merged'"},
    {"unclosed-brace", {6, 3}, "not YAML: end of map flow not found"},
    {"unclosed-quote", {13, 30}, "a quote in the command is not closed"},
    {"unclosed-text", {1, 8}, "a text in quotes that does not end"},
    {"underscore-key", {9, 3},
     "'operator': unknown key 'may_stop'; expected 'steps', 'may",
     "; did you mean 'may stop'?"},
    {"unknown-dialect", {3, 10},
     "'dialect': no dialect is called 'redis-7.1'; known are",
     "; did you mean 'redis-7.0'?"},
    {"unknown-fault", {15, 5},
     "a fault: expected one of 'crash', 'cut', 'pause', 'stop' or",
     "; did you mean 'crash'?"},
    {"unknown-mood", {17, 3},
     "'check': unknown key 'allways'; expected 'always',",
     "; did you mean 'always'?"},
    {"unknown-node-key", {6, 7},
     "'B': unknown key 'epok'; expected 'epoch', 'slots',",
     "; did you mean 'epoch'?"},
    {"unknown-property", {17, 12},
     "'always': no property is called 'ownd'; known are 'owned',",
     "; did you mean 'owned'?"},
    {"unknown-rule", {4, 9},
     "no rule is called 'bump-on-imports' ('slotlab list' shows",
     "; did you mean 'bump-on-import'?"},
    {"unknown-top-key", {3, 1},
     "the scenario: unknown key 'dialekt'; expected 'title',",
     "; did you mean 'dialect'?"},
    {"utf-16", {1, 1}, "byte 0xff is not UTF-8; a scenario is UTF-8 text"},
    {"window-backwards", {15, 35}, "step '3' does not come after step '4'"},
    {"window-given-twice", {15, 31}, "'between steps' stands for 'after step' and 'before step'"},
    {"window-of-one", {15, 31},
     "'between steps': expected two steps such as [5, 4], found a list of 1"},
    {"window-unknown-step", {15, 35},
     "'between steps': no step is called '9'; steps are '1', '2', '3' or '4'"},
    {"window-without-operator", {9, 28}, "'after step': the scenario has no operator with steps"},
    {"clients-without-sessions", {7, 3}, "'clients': key 'sessions' is missing"},
    {"clients-no-sessions", {7, 13},
     "'sessions': expected at least one session, found an empty map"},
    {"clients-unknown-key", {7, 3},
     "'clients': unknown key 'session'; expected 'sessions', 'shared connection',"},
    {"clients-unknown-policy", {7, 26},
     "'policy': expected 'careful', 'no-asking', 'asking-apart', 'map-on-ask',"},
    {"clients-unknown-policy-key", {7, 42},
     "'policy': unknown key 'ask'; expected 'like', 'asking', 'asking together',"},
    {"clients-attempts-zero", {7, 37},
     "'attempts': expected a whole number from 1 to 100, found '0'"},
    {"clients-attempts-a-word", {7, 37},
     "'attempts': expected a whole number from 1 to 100, or 'any number', found"},
    {"clients-empty-program", {7, 27},
     "'program': expected at least one command, found a list of 0"},
    {"clients-no-program", {7, 17}, "'c': key 'program' is missing"},
    {"clients-unknown-command", {7, 28}, "'INCR k': clients send GET, SET, DEL, MGET and MSET"},
    {"clients-get-of-two", {7, 28}, "'GET k l': GET takes one key"},
    {"clients-mset-odd", {7, 28}, "'MSET k 1 l': MSET takes keys with values"},
    {"clients-cross-slot", {7, 28},
     "keys 'a' and 'b' are in different slots; servers refuse that"},
    {"clients-empty-pipeline", {7, 28},
     "a command: expected at least one command, found a list of 0"},
    {"clients-transaction-misspelt", {7, 29},
     "a command: unknown key 'transactions'; expected 'transaction'; did you mean"},
    {"clients-map-of-missing-node", {7, 27}, "'7': no node is called 'D'; known are 'A' or 'B'"},
    {"clients-map-slot-too-large", {7, 31},
     "'16384': '16384' is not a slot; slots are 0 to 16383"},
    {"clients-asks-missing-node", {7, 28}, "a node: no node is called 'D'; known are 'A' or 'B'"},
    {"clients-redirects-too-many", {7, 22},
     "'redirects at most': expected a whole number from 0 to 100, found '101'"},
    {"clients-bad-session-name", {7, 14},
     "'1' is no name; a name is a letter and up to 15 letters, digits, '-' or '_',"},
    {"tool-unknown", {6, 18},
     "'tool': expected 'reshard 7.0', 'reshard 3.0', 'reshard 8.0', 'fix 7.0', 'fix"},
    {"tool-without-version", {6, 18},
     "'tool': expected 'reshard 7.0', 'reshard 3.0', 'reshard 8.0', 'fix 7.0', 'fix"},
    {"tool-with-steps", {6, 43}, "'steps': a tool has its own steps and reactions"},
    {"tool-without-slot", {6, 11}, "'operator': key 'slot' is missing"},
    {"tool-slot-too-large", {6, 33},
     "'slot': expected a whole number from 0 to 16383, found '16384'"},
    {"tool-fix-with-from", {6, 42}, "'from': fix finds out by itself where keys go"},
    {"tool-reshard-without-to", {6, 11}, "'operator': key 'to' is missing"},
    {"tool-reshard-to-itself", {6, 53}, "a slot cannot move from a node to itself"},
    {"tool-reshard-missing-node", {6, 53}, "'to': no node is called 'D'; known are 'A' or 'B'"},
    {"tool-unreachable-of-reshard", {6, 82},
     "'with unreachable masters': belongs to the tool fix"},
    {"tool-slot-and-slots", {6, 37}, "'slot': expected either 'slot' or 'slots'"},
    {"tool-slots-zero", {6, 38}, "'slots': expected a whole number from 1 to 64, found '0'"},
    {"tool-slots-of-fix", {6, 34}, "'slots' belongs to reshard and rebalance"},
    {"tool-slots-from-target", {6, 51}, "slots cannot move from a node to itself"},
    {"tool-slots-from-twice", {6, 51}, "'A' is named twice"},
    {"tool-rebalance-with-slot", {6, 39}, "'slot': rebalance finds out by itself what goes where"},
    {"tool-rebalance-weight-of-missing-node", {6, 43}, "'D' is no node; expected 'A' or 'B'"},
    {"tool-rebalance-weight-too-large", {6, 46},
     "'A': expected a whole number from 0 to 1000, found '1001'"},
    {"tool-weights-of-reshard", {6, 65}, "'weights': belongs to the tool rebalance"},
    {"tool-rebalance-with-home", {6, 18},
     "a tool that chooses slots itself would choose a 'home' too; expected none"},
    {"tool-rebalance-too-many-slots", {6, 18},
     "a tool that chooses slots itself has 102 to choose from; expected at most 64"},
    {"tool-key-without-tool", {6, 18}, "'slot': belongs to a tool"},
    {"if-of-unknown-step", {9, 48},
     "'if': '3 failed' does not begin with the name of an earlier step"},
    {"if-of-a-later-step", {8, 61},
     "'if': '2 failed' does not begin with the name of an earlier step"},
    {"if-without-condition", {9, 48}, "'if': after '1' expected 'is', 'is not',"},
    {"if-unknown-condition", {9, 48},
     "'if': after '1' expected 'is', 'is not', 'contains', 'lacks' or 'begins with'"},
    {"until-of-keys", {8, 54}, "'until' belongs to a step with 'send'"},
    {"until-failed", {8, 64},
     "'until': an error is for 'on error' to deal with, expected a condition on a"},
    {"until-nonsense", {8, 64},
     "'until': expected 'is', 'is not', 'contains', 'lacks' or 'begins with' and a"},
    {"retries-many", {8, 66},
     "'retries': expected a whole number from 1 to 254, or 'any number', found"},
    {"views-of-missing-node", {7, 3}, "no node is called 'D'; known are 'A' or 'B'"},
    {"views-unknown-key", {7, 7}, "'A': unknown key 'owner'; expected 'current epoch',"},
    {"views-epoch-of-itself", {7, 16}, "what 'A' is itself is said under 'cluster'"},
    {"views-slot-twice", {7, 22}, "slot 7 is named twice"},
    {"views-slot-too-large", {7, 23},
     "'16384': '16384' is not a slot; slots are 0 to 16383"},
    {"views-unknown-and-named", {7, 16}, "'B' is named under 'owners' as well"},
    {"views-mark-of-nobody", {7, 22}, "'7': no node is called 'nobody'"},
    {"views-a-list", {7, 3}, "'views': expected a map"},
    {"views-epoch-negative", {7, 22},
     "'current epoch': expected a whole number from 0 to 4294967295, found '-1'"},
};

std::filesystem::path folder() {
  return std::filesystem::path(SLOTLAB_SOURCE_DIR) / "tests" / "data" / "bad";
}

class BadScenarioFile : public ::testing::TestWithParam<BadFile> {};

TEST_P(BadScenarioFile, GivesOneClearError) {
  const BadFile& bad = GetParam();
  const std::string path = (folder() / (std::string(bad.name) + ".yaml")).string();
  try {
    load_file(path);
    FAIL() << "no error";
  } catch (const InputError& error) {
    EXPECT_EQ(error.file(), path);
    EXPECT_EQ(error.at().line, bad.at.line);
    EXPECT_EQ(error.at().column, bad.at.column);
    const std::string& message = error.message();
    EXPECT_TRUE(message.starts_with(bad.says)) << message;
    EXPECT_TRUE(message.ends_with(bad.ends)) << message;
    EXPECT_EQ(message.find('\n'), std::string::npos) << "more than one line";
  }
}

INSTANTIATE_TEST_SUITE_P(Files, BadScenarioFile, ::testing::ValuesIn(kBadFiles),
                         [](const auto& file) {
                           std::string name = file.param.name;
                           for (char& c : name) c = c == '-' ? '_' : c;
                           return name;
                         });

TEST(BadScenarioFiles, AreAllInTheTable) {
  std::set<std::string> known, found;
  for (const BadFile& bad : kBadFiles) known.insert(std::string(bad.name) + ".yaml");
  for (const auto& entry : std::filesystem::directory_iterator(folder())) {
    found.insert(entry.path().filename().string());
  }
  EXPECT_EQ(found, known);
  EXPECT_GE(known.size(), 40u);
}

}  // namespace
}  // namespace slotlab::scenario
