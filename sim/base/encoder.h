// The canonical byte form of a plain value. Two values of one type are equal exactly when their
// bytes are, so these bytes serve interning, fingerprints and equality alike. A struct takes part
// by listing its members once:
//
//   struct Mark {
//     std::uint8_t slot = 0, node = 0;
//     auto members() const { return std::tie(slot, node); }
//     bool operator==(const Mark&) const = default;
//   };
//
// Numbers are written little-endian at their full width, containers with their size first.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

namespace slotlab::sim {

class Encoder {
 public:
  void bytes(std::string_view text) { bytes_.append(text); }
  template <class Integer>
  void number(Integer value) {
    for (std::size_t i = 0; i < sizeof(Integer); ++i) {
      bytes_.push_back(static_cast<char>(static_cast<std::uint64_t>(value) >> (8 * i)));
    }
  }
  void clear() { bytes_.clear(); }
  const std::string& str() const { return bytes_; }

 private:
  std::string bytes_;
};

template <class T>
concept HasMembers = requires(const T& value) { value.members(); };

template <class T>
void encode(Encoder& out, const T& value);

namespace detail {
template <class T>
struct IsArray : std::false_type {};
template <class T, std::size_t N>
struct IsArray<std::array<T, N>> : std::true_type {};
template <class T>
struct IsTuple : std::false_type {};
template <class... T>
struct IsTuple<std::tuple<T...>> : std::true_type {};
template <class A, class B>
struct IsTuple<std::pair<A, B>> : std::true_type {};
template <class T>
struct IsOptional : std::false_type {};
template <class T>
struct IsOptional<std::optional<T>> : std::true_type {};
}  // namespace detail

template <class T>
void encode(Encoder& out, const T& value) {
  if constexpr (std::is_enum_v<T>) {
    out.number(static_cast<std::underlying_type_t<T>>(value));
  } else if constexpr (std::is_integral_v<T>) {
    out.number(value);
  } else if constexpr (detail::IsOptional<T>::value) {
    out.number(static_cast<std::uint8_t>(value.has_value()));
    if (value) encode(out, *value);
  } else if constexpr (detail::IsTuple<T>::value) {
    std::apply([&](const auto&... part) { (encode(out, part), ...); }, value);
  } else if constexpr (HasMembers<T>) {
    encode(out, value.members());
  } else {  // a container: array, vector, string, map, set
    if constexpr (!detail::IsArray<T>::value) {
      out.number(static_cast<std::uint32_t>(value.size()));
    }
    for (const auto& part : value) {
      if constexpr (std::is_same_v<T, std::vector<bool>>) {
        out.number(static_cast<std::uint8_t>(static_cast<bool>(part)));
      } else {
        encode(out, part);
      }
    }
  }
}

// The canonical bytes of one value.
template <class T>
std::string canonical_bytes(const T& value) {
  Encoder out;
  encode(out, value);
  return out.str();
}

}  // namespace slotlab::sim
