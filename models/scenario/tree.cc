// From YAML events to a Tree. See tree.h.
#include "models/scenario/tree.h"

#include <fmt/format.h>
#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/exceptions.h>
#include <yaml-cpp/parser.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <sstream>

#include "sim/base/assert.h"

namespace slotlab::scenario {

namespace {

constexpr const char* kNoAliases =
    "aliases ('*name') are not allowed in a scenario; write the value out";

// Where lines begin, to count columns in characters where the parser counts bytes.
class Lines {
 public:
  explicit Lines(std::string_view text) : text_(text), starts_{0} {
    for (std::size_t i = 0; i < text.size(); ++i) {
      if (text[i] == '\n') starts_.push_back(i + 1);
    }
  }
  // REQUIRES: counted from 0, `column` in bytes.
  Position position(std::size_t line, std::size_t column) const {
    line = std::min(line, starts_.size() - 1);
    const std::size_t end = std::min(starts_[line] + column, text_.size());
    if (line != last_.line || end < last_.at) last_ = {line, starts_[line], 1};
    for (; last_.at < end; ++last_.at) {
      if ((static_cast<unsigned char>(text_[last_.at]) & 0xc0) != 0x80) ++last_.column;
    }
    return {.line = static_cast<std::uint32_t>(line + 1), .column = last_.column};
  }
  // The text from a place on; counted from 0, `column` in bytes.
  std::string_view from(std::size_t line, std::size_t column) const {
    if (line >= starts_.size()) return {};
    return text_.substr(std::min(starts_[line] + column, text_.size()));
  }
  Position of_byte(std::size_t at) const {
    const auto after = std::upper_bound(starts_.begin(), starts_.end(), at);
    const auto line = static_cast<std::size_t>(after - starts_.begin()) - 1;
    return position(line, at - starts_[line]);
  }

 private:
  // Places are mostly asked for in order, so counting goes on where it ended: a file of one long
  // line would take quadratic time else.
  struct Last {
    std::size_t line = 0;
    std::size_t at = 0;  // byte
    std::uint32_t column = 1;
  };
  std::string_view text_;
  std::vector<std::size_t> starts_;
  mutable Last last_;
};

// Length of the UTF-8 sequence at `at`, 0 if there is none: overlong forms, surrogates and values
// above U+10FFFF are none.
std::size_t utf8_length(std::string_view text, std::size_t at) {
  const auto byte = [&](std::size_t i) {
    return i < text.size() ? static_cast<unsigned char>(text[i]) : 0u;
  };
  const unsigned lead = byte(at);
  if (lead < 0x80) return 1;
  const std::size_t length = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 2;
  if (lead < 0xc2 || lead > 0xf4) return 0;
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte(at + i) & 0xc0) != 0x80) return 0;
  }
  const unsigned second = byte(at + 1);
  if ((lead == 0xe0 && second < 0xa0) || (lead == 0xed && second > 0x9f)) return 0;
  if ((lead == 0xf0 && second < 0x90) || (lead == 0xf4 && second > 0x8f)) return 0;
  return length;
}

// Inside a value; line ends of the file itself are not.
bool is_control(char c) {
  return (static_cast<unsigned char>(c) < 0x20 && c != '\n' && c != '\t') || c == 0x7f;
}

void check_characters(std::string_view text, const Lines& lines, const std::string& file) {
  for (std::size_t at = 0; at < text.size();) {
    const auto byte = static_cast<unsigned char>(text[at]);
    const std::size_t length = utf8_length(text, at);
    if (length == 0) {
      throw InputError(file, lines.of_byte(at),
                       fmt::format("byte 0x{:02x} is not UTF-8; a scenario is UTF-8 text", byte));
    }
    if ((byte < 0x20 && byte != '\n' && byte != '\r' && byte != '\t') || byte == 0x7f) {
      throw InputError(file, lines.of_byte(at),
                       fmt::format("control character 0x{:02x}; a scenario is plain text", byte));
    }
    at += length;
  }
}

// Whether a text in quotes, from its first quote on, ends. yaml-cpp lets the end of the file end
// it.
bool is_closed(std::string_view text) {
  const char quote = text.empty() ? ' ' : text[0];
  if (quote != '"' && quote != '\'') return true;  // a block
  for (std::size_t i = 1; i < text.size(); ++i) {
    if (quote == '"' && text[i] == '\\') {
      ++i;
    } else if (text[i] == quote) {
      const bool doubled = quote == '\'' && i + 1 < text.size() && text[i + 1] == quote;
      if (!doubled) return true;
      ++i;
    }
  }
  return false;
}

class TreeMaker final : public YAML::EventHandler {
 public:
  TreeMaker(const Lines& lines, const std::string& file) : lines_(lines), file_(file) {}

  Tree root;
  bool any = false;

  void OnDocumentStart(const YAML::Mark&) override {}
  void OnDocumentEnd() override {}
  void OnNull(const YAML::Mark& mark, YAML::anchor_t anchor) override {
    refuse_anchor(mark, anchor);
    add(mark, {});
  }
  void OnAlias(const YAML::Mark& mark, YAML::anchor_t) override { fail(mark, kNoAliases); }
  void OnScalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                const std::string& value) override {
    refuse_anchor(mark, anchor);
    refuse_tag(mark, tag);
    Tree scalar;
    scalar.kind = Tree::Kind::scalar;
    scalar.text = value;
    scalar.is_quoted = tag == "!";
    if (scalar.is_quoted && !mark.is_null() &&
        !is_closed(lines_.from(static_cast<std::size_t>(mark.line),
                               static_cast<std::size_t>(mark.column)))) {
      fail(mark, "a text in quotes that does not end");
    }
    // Escapes such as "\x1b" can bring in what the file itself may not contain.
    if (std::any_of(value.begin(), value.end(), is_control)) {
      fail(mark, "a control character, written as an escape; a scenario is plain text");
    }
    add(mark, std::move(scalar));
  }
  void OnSequenceStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                       YAML::EmitterStyle::value) override {
    refuse_anchor(mark, anchor);
    refuse_tag(mark, tag);
    open(mark, Tree::Kind::list);
  }
  void OnSequenceEnd() override { open_.pop_back(); }
  void OnMapStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                  YAML::EmitterStyle::value) override {
    refuse_anchor(mark, anchor);
    refuse_tag(mark, tag);
    open(mark, Tree::Kind::map);
  }
  void OnMapEnd() override { open_.pop_back(); }
  void OnAnchor(const YAML::Mark& mark, const std::string& name) override {
    fail(mark, "anchor " + in_quotes("&" + name) +
                   ": anchors are not allowed in a scenario; write the value out");
  }

  [[noreturn]] void fail(const YAML::Mark& mark, const std::string& message) const {
    throw InputError(file_, place(mark), message);
  }
  Position place(const YAML::Mark& mark) const {
    if (mark.is_null()) return {};
    return lines_.position(static_cast<std::size_t>(mark.line),
                           static_cast<std::size_t>(mark.column));
  }

 private:
  void refuse_anchor(const YAML::Mark& mark, YAML::anchor_t anchor) const {
    if (anchor != 0) fail(mark, "anchors are not allowed in a scenario; write the value out");
  }
  void refuse_tag(const YAML::Mark& mark, const std::string& tag) const {
    if (tag != "?" && tag != "!" && !tag.empty()) {
      fail(mark, "tag " + in_quotes(tag) + ": tags are not allowed in a scenario");
    }
  }

  void open(const YAML::Mark& mark, Tree::Kind kind) {
    if (open_.size() >= kNestingMax) {
      fail(mark, fmt::format("nested more than {} deep; no scenario needs that", kNestingMax));
    }
    Tree tree;
    tree.kind = kind;
    open_.push_back(add(mark, std::move(tree)));
  }

  // Puts a value where it belongs. Pointers in `open_` stay good: a list or map grows only while it
  // is the innermost open one.
  Tree* add(const YAML::Mark& mark, Tree value) {
    if (++values_ > kValuesMax) {
      fail(mark, fmt::format("more than {} values; no scenario needs that many", kValuesMax));
    }
    value.at = place(mark);
    any = true;
    if (open_.empty()) {
      root = std::move(value);
      return &root;
    }
    Tree& in = *open_.back();
    if (in.kind == Tree::Kind::map && in.keys.size() == in.items.size()) {
      add_key(mark, in, value);
      return nullptr;
    }
    in.items.push_back(std::move(value));
    return &in.items.back();
  }

  void add_key(const YAML::Mark& mark, Tree& in, const Tree& key) {
    if (key.kind != Tree::Kind::scalar)
      fail(mark, "a key must be a word, not a list or a map (is a bracket not closed?)");
    if (key.text == "<<") fail(mark, "merge keys ('<<') are not allowed in a scenario");
    if (in.keys.size() >= kKeysMax) fail(mark, fmt::format("more than {} keys in a map", kKeysMax));
    for (const Key& other : in.keys) {
      if (other.text == key.text) {
        fail(mark, fmt::format("key {} is given twice; the first is in line {}",
                               in_quotes(key.text), other.at.line));
      }
    }
    in.keys.push_back({.text = key.text, .at = key.at});
  }

  const Lines& lines_;
  const std::string& file_;
  std::vector<Tree*> open_;
  std::size_t values_ = 0;
};

}  // namespace

Tree parse_tree(std::string_view text, const std::string& file) {
  if (text.size() > kFileBytesMax) {
    throw InputError(file, {}, fmt::format("larger than {} bytes (1 MiB)", kFileBytesMax));
  }
  if (text.starts_with("\xef\xbb\xbf")) text.remove_prefix(3);  // a byte order mark says nothing
  const Lines lines(text);
  check_characters(text, lines, file);
  TreeMaker maker(lines, file);
  try {
    std::istringstream stream{std::string(text)};
    YAML::Parser parser(stream);
    parser.HandleNextDocument(maker);
    const bool first = maker.any;
    TreeMaker second(lines, file);
    if (first && parser.HandleNextDocument(second)) {
      throw InputError(file, second.root.at,
                       "a second document: '---', or a first line that is indented otherwise "
                       "than this one; a file holds one scenario");
    }
  } catch (const YAML::Exception& error) {
    // An alias without its anchor; one with it was refused at the anchor.
    const bool alias = error.msg == YAML::ErrorMsg::UNKNOWN_ANCHOR;
    throw InputError(file, maker.place(error.mark), alias ? kNoAliases : "not YAML: " + error.msg);
  }
  return std::move(maker.root);
}

std::string read_file(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  const int why = errno;
  if (!in) throw InputError(path, {}, fmt::format("cannot be read: {}", std::strerror(why)));
  std::string bytes(kFileBytesMax + 1, '\0');
  in.read(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  if (in.bad()) throw InputError(path, {}, "cannot be read: it is a folder or the disk has errors");
  bytes.resize(static_cast<std::size_t>(in.gcount()));
  if (bytes.size() > kFileBytesMax) {
    throw InputError(path, {},
                     fmt::format("larger than {} bytes (1 MiB); no scenario is", kFileBytesMax));
  }
  return bytes;
}

}  // namespace slotlab::scenario
