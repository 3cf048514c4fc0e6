// A run on paper: the list of its sentences, with the scenario they belong to, in one text file
// that people read and replay reads back. States are recomputed, never stored. docs/trace-format.md
// explains the file character by character. What print_trace() writes, parse_trace() reads to an
// equal Trace; a file that was damaged or edited is refused with the place and what was expected.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "sim/time/instant.h"

namespace slotlab::sim {

struct TraceEvent {
  std::optional<Instant> at;  // virtual time: of all events of a trace, or of none
  std::string sentence;  // not empty; any bytes, those that are not text are escaped in the file
  bool operator==(const TraceEvent&) const = default;
};

struct Trace {
  std::string scenario_path;         // as it was given to the program; may be empty
  std::string driver;                // "timed", "random", "pct", "exhaustive", "replay"
  std::optional<std::uint64_t> seed; // of the drivers that have one
  std::string property;              // the name of the property violated; empty: none
  // Whatever else it takes to have this run again, in this order: {"latency-max", "2ms"}. A name is
  // lower-case letters, digits and hyphens, starts with a letter and occurs once; a value may be
  // any text.
  std::vector<std::pair<std::string, std::string>> settings;
  std::vector<TraceEvent> events;
  // A lasso: the events from this one on (0-based) repeat for ever. Less than events.size().
  std::optional<std::size_t> cycle_start;
  std::string scenario_text;         // the whole scenario file; UTF-8
  bool operator==(const Trace&) const = default;

  std::uint64_t scenario_hash() const;  // xxhash64 of scenario_text
  std::uint64_t fingerprint() const;    // of the events, see RunFingerprint
};

// Why a trace was refused. Lines and columns start at 1, columns count bytes; 0: the whole file.
struct TraceError {
  std::string file;
  std::size_t line = 0;
  std::size_t column = 0;
  std::string message;   // with what was expected
  std::string text() const;  // "wrong-order.trace:14:3: ..."
  bool operator==(const TraceError&) const = default;
};

inline constexpr std::uint64_t kTraceBytesMax = std::uint64_t{64} << 20;

// The text of the file.
// ERRORS: throws std::invalid_argument for a trace that breaks the comments above (an empty
// sentence, a time that goes back, a setting named twice): a mistake of the caller.
std::string print_trace(const Trace& trace);

// `file` is only named in errors.
std::variant<Trace, TraceError> parse_trace(std::string_view text, const std::string& file);

std::variant<Trace, TraceError> read_trace(const std::string& path);
// Writes the whole file or leaves what was there. Returns why it could not: the disk, a scenario
// that is not UTF-8, or more than kTraceBytesMax.
std::optional<TraceError> write_trace(const Trace& trace, const std::string& path);

}  // namespace slotlab::sim
