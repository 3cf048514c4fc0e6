// What a node is told over a client connection, and what it answers: commands as the words a person
// types, replies as RESP values. Operators and clients speak to nodes in these alone.
#pragma once

#include <cstdint>
#include <string>
#include <tuple>
#include <vector>

#include "sim/system/actor.h"

namespace slotlab::protocol {

// Node ids inside commands and replies are the 40-digit ids of the Directory; the printers turn
// them into names.
struct Command final : sim::Message {
  std::vector<std::string> words;
  std::uint8_t connection = 0;  // which of the caller's connections carries it
  auto members() const { return std::tie(words, connection); }
  void encode(sim::Encoder& out) const override { sim::encode(out, members()); }
};

struct Reply {
  enum class Type : std::uint8_t { status, error, integer, bulk, array, nil };
  Type type = Type::status;
  std::string text;          // status, error (with its prefix: "ERR ...", "MOVED ..."), bulk
  std::int64_t number = 0;   // integer
  std::vector<Reply> items;  // array

  auto members() const { return std::tie(type, text, number, items); }
  bool operator==(const Reply&) const = default;
  bool is_error() const { return type == Type::error; }
  static Reply ok() { return {.type = Type::status, .text = "OK", .number = 0, .items = {}}; }
  static Reply status(std::string text);
  static Reply error(std::string text);  // as given, with its prefix
  static Reply integer(std::int64_t n);
  static Reply bulk(std::string text);
  static Reply array(std::vector<Reply> items);
  static Reply nil();
};

struct ReplyMessage final : sim::Message {
  Reply reply;
  std::uint8_t connection = 0;
  auto members() const { return std::tie(reply, connection); }
  void encode(sim::Encoder& out) const override { sim::encode(out, members()); }
};

// The connection ended without the answers that are still due: the process at its other end is
// gone.
struct Disconnected final : sim::Message {
  void encode(sim::Encoder&) const override {}
};

// "-MOVED 7 127.0.0.1:7001", "+OK", "(integer) 3": one line, as a terminal client would show it.
std::string text(const Reply& reply);
// The words joined by blanks.
std::string text(const Command& command);

}  // namespace slotlab::protocol
