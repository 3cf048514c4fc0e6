// The sections 'check' and 'expect': what must hold, and what the checker should say about it.
#include <fmt/format.h>

#include <algorithm>

#include "models/properties/registry.h"
#include "models/scenario/load_parts.h"

namespace slotlab::scenario {

namespace {

const std::vector<std::string> kMoods = {"always", "eventually always", "leads to", "sometimes"};

void add_check(const Value& value, CheckSpec check, std::vector<CheckSpec>& checks) {
  for (const CheckSpec& other : checks) {
    if (other.name() == check.name()) {
      value.fail(in_quotes(check.name()) + " is already checked; the first is in line " +
                 std::to_string(other.property.at.line));
    }
  }
  if (checks.size() >= 32) value.fail("more than 32 properties");
  checks.push_back(std::move(check));
}

// One item of 'leads to': a map of one pair, read "P leads to Q".
void read_leads_to(const Value& item, const std::vector<std::string>& known,
                   std::vector<CheckSpec>& checks) {
  const MapReader map = item.open_map();
  if (map.size() != 1) item.expected("one pair such as 'crashed: owned'");
  const std::string& from = map.key(0).text;
  if (std::find(known.begin(), known.end(), from) == known.end()) {
    map.fail_at_key(0, fmt::format("no property is called {}; known are {}{}", in_quotes(from),
                                   one_of(known), did_you_mean(from, known)));
  }
  CheckSpec check;
  check.mood = sim::Mood::leads_to;
  check.property = {.value = from, .at = map.key(0).at};
  check.then = read_reference(map.item(0), known, "property").value;
  add_check(item, std::move(check), checks);
}

Expectation read_expectation(const Value& value, sim::Mood mood) {
  if (mood == sim::Mood::sometimes) {
    return value.choice({"reached", "not reached"}) == 0 ? Expectation::reached
                                                         : Expectation::not_reached;
  }
  return value.choice({"holds", "violated"}) == 0 ? Expectation::holds : Expectation::violated;
}

class ExpectReader {
 public:
  explicit ExpectReader(const Scenario& so_far) : so_far_(so_far) {
    for (const CheckSpec& check : so_far.checks) names_.push_back(check.name());
    for (const auto& dialect : so_far.dialects) dialects_.push_back(dialect.value);
  }

  // `dialect` is empty for the expectations of all dialects.
  void read(const Value& value, const std::string& dialect) {
    const MapReader map = value.open_map();
    for (std::size_t i = 0; i < map.size(); ++i) {
      const std::string& key = map.key(i).text;
      const auto check = std::find(names_.begin(), names_.end(), key);
      if (check != names_.end()) {
        const auto which = static_cast<std::size_t>(check - names_.begin());
        out.push_back({.check = {.value = key, .at = map.key(i).at},
                       .dialect = dialect,
                       .expectation = read_expectation(map.item(i), so_far_.checks[which].mood)});
      } else if (dialect.empty() && protocol::dialect_named(key)) {
        if (std::find(dialects_.begin(), dialects_.end(), key) == dialects_.end()) {
          map.fail_at_key(i, in_quotes(key) + " is not among the dialects of this scenario");
        }
        read(map.item(i), key);
      } else {
        map.fail_at_key(i, fmt::format("{} is not checked; expected {}{}", in_quotes(key),
                                       one_of(names_), did_you_mean(key, names_)));
      }
    }
  }

  void check_all_said(const Value& value) const {
    for (const std::string& name : names_) {
      for (const std::string& dialect : dialects_) {
        const bool said = std::any_of(out.begin(), out.end(), [&](const ExpectSpec& e) {
          return e.check.value == name && (e.dialect.empty() || e.dialect == dialect);
        });
        if (!said) {
          value.fail(
              fmt::format("'expect' does not say what {} does in {}", in_quotes(name), dialect));
        }
      }
    }
  }

  std::vector<ExpectSpec> out;

 private:
  const Scenario& so_far_;
  std::vector<std::string> names_;
  std::vector<std::string> dialects_;
};

}  // namespace

std::vector<CheckSpec> read_checks(const MapReader& top) {
  const Value value = top.need("check");
  const MapReader map = value.map(kMoods);
  std::vector<std::string> known;
  for (const properties::Entry& entry : properties::registry()) known.emplace_back(entry.name);
  std::vector<CheckSpec> checks;
  for (std::size_t i = 0; i < map.size(); ++i) {
    const Value list = map.item(i);
    for (const Value& item : list.list(in_quotes(map.key(i).text))) {
      if (map.key(i).text == "leads to") {
        read_leads_to(item, known, checks);
        continue;
      }
      CheckSpec check;
      check.mood = map.key(i).text == "always"      ? sim::Mood::always
                   : map.key(i).text == "sometimes" ? sim::Mood::sometimes
                                                    : sim::Mood::eventually_always;
      check.property = read_reference(item, known, "property");
      add_check(item, std::move(check), checks);
    }
  }
  if (checks.empty()) value.expected("at least one property, such as always: [owned]");
  return checks;
}

std::vector<ExpectSpec> read_expects(const MapReader& top, const Scenario& so_far) {
  const Value value = top.need("expect");
  ExpectReader reader(so_far);
  reader.read(value, "");
  reader.check_all_said(value);
  return std::move(reader.out);
}

}  // namespace slotlab::scenario
