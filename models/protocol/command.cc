// Replies by kind, and one line of text for each command and reply.
#include "models/protocol/command.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace slotlab::protocol {

Reply Reply::status(std::string text) {
  return {.type = Type::status, .text = std::move(text), .number = 0, .items = {}};
}
Reply Reply::error(std::string text) {
  return {.type = Type::error, .text = std::move(text), .number = 0, .items = {}};
}
Reply Reply::integer(std::int64_t n) {
  return {.type = Type::integer, .text = {}, .number = n, .items = {}};
}
Reply Reply::bulk(std::string text) {
  return {.type = Type::bulk, .text = std::move(text), .number = 0, .items = {}};
}
Reply Reply::array(std::vector<Reply> items) {
  return {.type = Type::array, .text = {}, .number = 0, .items = std::move(items)};
}
Reply Reply::nil() { return {.type = Type::nil, .text = {}, .number = 0, .items = {}}; }

std::string text(const Reply& reply) {
  switch (reply.type) {
    case Reply::Type::status:
      return "+" + reply.text;
    case Reply::Type::error:
      return "-" + reply.text;
    case Reply::Type::integer:
      return fmt::format("(integer) {}", reply.number);
    case Reply::Type::bulk:
      return "\"" + reply.text + "\"";
    case Reply::Type::nil:
      return "(nil)";
    case Reply::Type::array:
      break;
  }
  std::string out = "[";
  for (const Reply& item : reply.items) {
    if (out.size() > 1) out += ", ";
    out += text(item);
  }
  return out + "]";
}

std::string text(const Command& command) {
  return fmt::format("{}", fmt::join(command.words, " "));
}

}  // namespace slotlab::protocol
