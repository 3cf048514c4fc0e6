#include "cli/conform/json_tree.h"

#include <algorithm>
#include <sstream>
#include <utility>

#include <fmt/format.h>

namespace slotlab::conform {
namespace {

constexpr std::size_t kNestingMax = 64;

// Builds the tree from the parser's events. The library does not say where an event is, but it
// reads its stream sign by sign, so the stream's position does.
class Builder : public nlohmann::json_sax<Json> {
 public:
  Builder(std::string_view text, std::istream& stream, const std::string& file)
      : stream_(stream), file_(file) {
    for (std::size_t i = 0; i < text.size(); ++i) {
      if (text[i] == '\n') line_ends_.push_back(i);
    }
  }

  JsonTree take() { return std::move(root_); }

  bool null() override { return add({.line = line()}); }
  bool boolean(bool value) override {
    return add({.kind = JsonTree::Kind::boolean, .line = line(), .flag = value});
  }
  bool number_integer(std::int64_t value) override { return add_number(value); }
  bool number_unsigned(std::uint64_t value) override {
    if (value > INT64_MAX) fail_at(file_, number_line(), "the number is too large");
    return add_number(static_cast<std::int64_t>(value));
  }
  bool number_float(double, const std::string& digits) override {
    fail_at(file_, number_line(), fmt::format("expected a whole number, found {}", digits));
  }
  bool string(std::string& value) override {
    return add({.kind = JsonTree::Kind::text, .line = line(), .text = value});
  }
  bool binary(nlohmann::json::binary_t&) override { return false; }  // never in text
  bool start_object(std::size_t) override { return open(JsonTree::Kind::object); }
  bool end_object() override { return close(); }
  bool start_array(std::size_t) override { return open(JsonTree::Kind::list); }
  bool end_array() override { return close(); }

  bool key(std::string& name) override {
    std::vector<std::string>& keys = open_.back().keys;
    if (std::find(keys.begin(), keys.end(), name) != keys.end()) {
      fail_at(file_, line(), fmt::format("the key '{}' occurs twice", name));
    }
    keys.push_back(name);
    return true;
  }

  bool parse_error(std::size_t position, const std::string&,
                   const nlohmann::detail::exception& error) override {
    // "[json.exception...] parse error at line 3, column 5: what is wrong"
    const std::string text = error.what();
    const std::size_t colon = text.find(": ");
    fail_at(file_, line_of(position == 0 ? 0 : position - 1),
            "not JSON: " + (colon == std::string::npos ? text : text.substr(colon + 2)));
  }

 private:
  std::size_t line_of(std::size_t offset) const {
    const auto at = std::lower_bound(line_ends_.begin(), line_ends_.end(), offset);
    return 1 + static_cast<std::size_t>(at - line_ends_.begin());
  }
  std::size_t read() const {
    const auto at = stream_.rdbuf()->pubseekoff(0, std::ios::cur, std::ios::in);
    return at < 0 ? 0 : static_cast<std::size_t>(at);
  }
  std::size_t line() const { return line_of(read() - 1); }
  // A number ends where the next sign is none of its own, so one sign more has been read.
  std::size_t number_line() const { return line_of(read() < 2 ? 0 : read() - 2); }

  bool add_number(std::int64_t value) {
    return add({.kind = JsonTree::Kind::integer, .line = number_line(), .number = value});
  }
  bool add(JsonTree value) {
    if (open_.empty()) {
      root_ = std::move(value);
    } else {
      open_.back().items.push_back(std::move(value));
    }
    return true;
  }
  bool open(JsonTree::Kind kind) {
    if (open_.size() >= kNestingMax) fail_at(file_, line(), "nested too deeply");
    open_.push_back({.kind = kind, .line = line()});
    return true;
  }
  bool close() {
    JsonTree done = std::move(open_.back());
    open_.pop_back();
    return add(std::move(done));
  }

  std::istream& stream_;
  const std::string& file_;
  std::vector<std::size_t> line_ends_;
  std::vector<JsonTree> open_;
  JsonTree root_;
};

}  // namespace

const JsonTree* JsonTree::find(std::string_view key) const {
  const auto at = std::find(keys.begin(), keys.end(), key);
  return at == keys.end() ? nullptr : &items[static_cast<std::size_t>(at - keys.begin())];
}

Json JsonTree::json() const {
  switch (kind) {
    case Kind::null: return nullptr;
    case Kind::boolean: return flag;
    case Kind::integer: return number;
    case Kind::text: return text;
    case Kind::list: {
      Json list = Json::array();
      for (const JsonTree& item : items) list.push_back(item.json());
      return list;
    }
    case Kind::object: break;
  }
  Json object = Json::object();
  for (std::size_t i = 0; i < items.size(); ++i) object[keys[i]] = items[i].json();
  return object;
}

std::string spaced_text(const Json& json) {
  if (!json.is_structured()) return json.dump(-1, ' ', false, Json::error_handler_t::replace);
  std::string out(json.is_array() ? "[" : "{");
  bool first = true;
  for (const auto& [key, item] : json.items()) {
    if (!first) out += ", ";
    first = false;
    if (json.is_object()) out += Json(key).dump() + ": ";
    out += spaced_text(item);
  }
  return out + (json.is_array() ? "]" : "}");
}

void fail_at(const std::string& file, std::size_t line, const std::string& message) {
  throw cli::InputError(fmt::format("{}:{}: {}", file, line, message));
}

JsonTree parse_json(std::string_view text, const std::string& file) {
  std::istringstream stream{std::string(text)};
  Builder builder(text, stream, file);
  Json::sax_parse(stream, &builder);
  return builder.take();
}

}  // namespace slotlab::conform
