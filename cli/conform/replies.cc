#include "cli/conform/replies.h"

#include <algorithm>
#include <vector>

#include "cli/conform/target.h"

namespace slotlab::conform {

Json reply_json(const protocol::Reply& reply) {
  using Type = protocol::Reply::Type;
  switch (reply.type) {
    case Type::status: return {{"type", "status"}, {"value", reply.text}};
    case Type::error: return {{"type", "error"}, {"value", reply.text}};
    case Type::integer: return {{"type", "int"}, {"value", reply.number}};
    case Type::bulk: return {{"type", "bulk"}, {"value", reply.text}};
    case Type::nil: return {{"type", "nil"}};
    case Type::array: break;
  }
  Json items = Json::array();
  for (const protocol::Reply& item : reply.items) items.push_back(reply_json(item));
  Json out = {{"type", "array"}};
  out["value"] = std::move(items);
  return out;
}

Json recorded(Json reply, Record record) {
  const bool array = reply["type"] == "array" && reply.contains("value");
  if (record == Record::type) return {{"type", reply["type"]}};
  if (record == Record::length && array) {
    return {{"type", "array"}, {"length", reply["value"].size()}};
  }
  if (record == Record::sorted && array) {
    std::vector<Json> items(reply["value"].begin(), reply["value"].end());
    std::sort(items.begin(), items.end(),
              [](const Json& a, const Json& b) { return a.dump() < b.dump(); });
    reply["value"] = items;
  }
  return reply;
}

}  // namespace slotlab::conform
