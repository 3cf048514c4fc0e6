// One line of text for each message between a master and its replicas.
#include "models/protocol/replication.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace slotlab::protocol {
namespace {

std::string command_text(const Replicated& command) {
  switch (command.kind) {
    case Replicated::Kind::set:
      return fmt::format("SET {} {}", command.key, command.value);
    case Replicated::Kind::remove:
      return fmt::format("DEL {}", command.key);
    case Replicated::Kind::setslot:
      break;
  }
  return fmt::format("{}", fmt::join(command.words, " "));
}

}  // namespace

std::string replication_text(const sim::Message& message, const Directory& directory) {
  if (const auto* command = dynamic_cast<const Replicated*>(&message)) {
    return fmt::format("replicated {} (offset {})", command_text(*command), command->offset);
  }
  if (const auto* ack = dynamic_cast<const Acknowledged*>(&message)) {
    return fmt::format("{} acknowledges offset {}", directory[ack->replica].name, ack->offset);
  }
  if (const auto* request = dynamic_cast<const SyncRequest*>(&message)) {
    return fmt::format("{} asks for a copy of the data set", directory[request->replica].name);
  }
  if (const auto* data = dynamic_cast<const SyncData*>(&message)) {
    return fmt::format("copy of the data set of {} at offset {}", directory[data->master].name,
                       data->offset);
  }
  if (const auto* detached = dynamic_cast<const Detached*>(&message)) {
    return fmt::format("{} ends its replication", directory[detached->replica].name);
  }
  return "a message";
}

}  // namespace slotlab::protocol
