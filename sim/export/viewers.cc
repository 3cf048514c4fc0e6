// Runs for ShiViz (vector clocks), Mermaid (sequence diagrams) and the Chrome tracing format that
// Perfetto opens.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "sim/export/text_forms.h"
#include "sim/export/told_run.h"

namespace slotlab::sim {

namespace {

// ShiViz wants names without blanks.
std::string host(const std::string& name) {
  std::string out = name;
  std::replace(out.begin(), out.end(), ' ', '_');
  return out;
}

using Clock = std::vector<std::uint64_t>;  // by actor

class VectorClocks {
 public:
  explicit VectorClocks(const Told& told)
      : told_(told), clocks_(told.actors.size(), Clock(told.actors.size(), 0)) {}

  std::string log() {
    for (std::size_t i = 0; i < told_.events.size(); ++i) {
      const ToldEvent& event = told_.events[i];
      if (event.call) {
        line(*event.from, "calls " + told_.actors[event.actor] + ": " + event.what);
        merge(event.actor, clocks_[*event.from]);
      } else if (event.sent_by) {
        merge(event.actor, after_[*event.sent_by]);
      }
      line(event.actor, event.sentence);
      after_.push_back(clocks_[event.actor]);
    }
    return std::move(text_);
  }

 private:
  void merge(std::size_t actor, const Clock& other) {
    for (std::size_t i = 0; i < other.size(); ++i) {
      clocks_[actor][i] = std::max(clocks_[actor][i], other[i]);
    }
  }
  void line(std::size_t actor, const std::string& what) {
    ++clocks_[actor][actor];
    std::vector<std::string> parts;
    for (std::size_t i = 0; i < told_.actors.size(); ++i) {
      if (clocks_[actor][i] > 0) {
        parts.push_back(
            fmt::format("{}: {}", json_quoted(host(told_.actors[i])), clocks_[actor][i]));
      }
    }
    text_ += fmt::format("{} {{{}}}\n{}\n", host(told_.actors[actor]), fmt::join(parts, ", "),
                         what);
  }

  const Told& told_;
  std::vector<Clock> clocks_;  // by actor
  std::vector<Clock> after_;   // by event: its actor's clock
  std::string text_;
};

}  // namespace

// With the parser expression (?<host>\S*) (?<clock>{.*})\n(?<event>.*), which is ShiViz's default.
std::string to_shiviz(const Told& told) { return VectorClocks(told).log(); }

std::string to_mermaid(const Told& told, const std::string& title) {
  std::string text = fmt::format("---\ntitle: {}\n---\nsequenceDiagram\n", json_quoted(title));
  std::vector<std::uint8_t> used(told.actors.size(), 0);
  for (const ToldEvent& event : told.events) {
    used[event.actor] = 1;
    if (event.from) used[*event.from] = 1;
  }
  for (std::size_t i = 0; i < told.actors.size(); ++i) {
    if (used[i] != 0) {
      text += fmt::format("  participant p{} as {}\n", i, mermaid_escaped(told.actors[i]));
    }
  }
  for (std::size_t i = 0; i < told.events.size(); ++i) {
    const ToldEvent& event = told.events[i];
    const std::string what = mermaid_escaped(fmt::format("{}. {}", i + 1, event.what));
    if (event.from) {
      text += fmt::format("  p{}{}p{}: {}\n", *event.from, event.call ? "->>" : "-)", event.actor,
                          what);
    } else {
      text += fmt::format("  Note over p{}: {}\n", event.actor, what);
    }
    for (const std::string& line : event.gained) {
      const std::string name = line.substr(0, line.find(": "));
      const auto at = std::find(told.actors.begin(), told.actors.end(), name);
      if (at == told.actors.end() || line.size() <= name.size() + 2) continue;
      text += fmt::format("  Note right of p{}: {}\n", at - told.actors.begin(),
                          mermaid_escaped(line.substr(name.size() + 2)));
    }
  }
  return text;
}

std::string to_perfetto(const Told& told, const std::string& title) {
  std::vector<std::string> lines;
  lines.push_back(
      fmt::format(R"({{"name":"process_name","ph":"M","pid":1,"tid":0,"args":{{"name":{}}}}})",
                  json_quoted(title)));
  for (std::size_t i = 0; i < told.actors.size(); ++i) {
    lines.push_back(
        fmt::format(R"({{"name":"thread_name","ph":"M","pid":1,"tid":{},"args":{{"name":{}}}}})",
                    i + 1, json_quoted(told.actors[i])));
  }
  // Without a clock, one event a millisecond.
  const auto instant = [&](std::size_t i) {
    return told.events[i].at ? told.events[i].at->us : std::uint64_t{i + 1} * 1000;
  };
  for (std::size_t i = 0; i < told.events.size(); ++i) {
    const ToldEvent& event = told.events[i];
    std::vector<std::string> beliefs;
    for (const std::string& line : event.gained) beliefs.push_back(json_quoted(line));
    lines.push_back(fmt::format(R"({{"name":{},"ph":"X","ts":{},"dur":500,"pid":1,"tid":{},)"
                                R"("args":{{"event":{},"gained":[{}]}}}})",
                                json_quoted(event.sentence), instant(i), event.actor + 1, i + 1,
                                fmt::join(beliefs, ",")));
    if (!event.sent_by) continue;
    const std::size_t sender = *event.sent_by;
    lines.push_back(fmt::format(
        R"({{"name":"message","cat":"message","ph":"s","id":{},"ts":{},"pid":1,"tid":{}}})", i + 1,
        instant(sender), told.events[sender].actor + 1));
    lines.push_back(fmt::format(
        R"({{"name":"message","cat":"message","ph":"f","bp":"e","id":{},"ts":{},"pid":1,)"
        R"("tid":{}}})",
        i + 1, instant(i), event.actor + 1));
  }
  return fmt::format("{{\"displayTimeUnit\":\"ms\",\"traceEvents\":[\n{}\n]}}\n",
                     fmt::join(lines, ",\n"));
}

}  // namespace slotlab::sim
