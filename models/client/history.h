// The judge of what clients were told. Every key is a register: a write sets it, a delete clears
// it, a read tells what it holds. The judge keeps, for each key, all states that the register could
// be in after the answers so far: what it holds, and which of the operations still without an
// answer have already taken effect. An answer that no such state explains breaks the history. An
// operation whose answer was lost stays without one for ever and may take effect at any moment, or
// never. SOURCE: Wing and Gong, Testing and verifying concurrent objects, 1993.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <vector>

namespace slotlab::client {

// What a key holds; nothing: it does not exist.
using Held = std::optional<std::string>;

enum class OpKind : std::uint8_t { read, write, remove };

struct Op {
  OpKind kind = OpKind::read;
  std::string value;  // write
  auto members() const { return std::tie(kind, value); }
  bool operator==(const Op&) const = default;
};

// Number of an operation without an answer, unique among those of its key.
using OpId = std::uint16_t;

// One state that a register could be in.
struct Possible {
  Held held;
  // What the operations that have taken effect and are not yet answered will be answered.
  std::map<OpId, Held> effective;
  auto members() const { return std::tie(held, effective); }
  auto operator<=>(const Possible&) const = default;
};

class Register {
 public:
  explicit Register(Held held = {})
      : possible_{Possible{.held = std::move(held), .effective = {}}} {}

  // Calls: an operation begins. It is answered, or it is known never to be executed, or neither.
  OpId begin(Op op);
  // The answer: a read tells what it saw, a remove whether there was something (`seen` then holds
  // any text). For a write `seen` is ignored. False: nothing explains it; the register is broken.
  bool answered(OpId id, const Held& seen);
  // A node has said that it did not execute it. False: an answer to another was explained by it.
  bool refused(OpId id);

  // What it may hold now, all that is unanswered considered.
  std::set<Held> acceptable() const;
  // A read was answered with something that the key could not hold.
  bool bad_read() const { return bad_read_; }
  // Any answer at all could not be explained.
  bool broken() const { return possible_.empty(); }
  bool operator==(const Register&) const = default;
  auto members() const { return std::tie(possible_, open_, bad_read_, last_acceptable_); }
  // What was acceptable when it broke.
  const std::set<Held>& last_acceptable() const { return last_acceptable_; }

 private:
  std::set<Possible> reachable() const;
  void break_now(bool by_read);

  std::set<Possible> possible_;
  std::map<OpId, Op> open_;
  bool bad_read_ = false;
  std::set<Held> last_acceptable_;
};

// "v1", "nothing"; "v1 or v2".
std::string held_text(const Held& held);
std::string held_text(const std::set<Held>& held);

}  // namespace slotlab::client
