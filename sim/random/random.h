// The one source of chance in Slotlab: xoshiro256** seeded through splitmix64, and integers drawn
// from it. Engine and draws give the same numbers on every platform and in every build, which the
// standard library does not promise of its distributions; tests pin the first outputs. Streams are
// split off a seed by name, one per concern, so that one more draw for faults shifts no latency.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace slotlab::sim {

// The engine: Blackman and Vigna's xoshiro256** 1.0. A uniform random bit generator.
struct Xoshiro256 {
  using result_type = std::uint64_t;
  std::array<std::uint64_t, 4> state{};  // not all zero

  static constexpr result_type min() { return 0; }
  static constexpr result_type max() { return UINT64_MAX; }
  result_type operator()();
};

// One step of splitmix64: advances `state` and returns the next output.
std::uint64_t splitmix64(std::uint64_t& state);

// A seeded stream of draws. Copies draw the same numbers from where they were copied.
class Random {
 public:
  explicit Random(std::uint64_t seed);

  // The stream `name` of this one's seed. It depends on the seed and the name alone, never on what
  // was drawn before; distinct names give unrelated streams.
  Random stream(std::string_view name) const;

  std::uint64_t bits() { return engine_(); }  // 64 bits
  // Uniform in [0, n). REQUIRES: n > 0.
  std::uint64_t below(std::uint64_t n);
  // Uniform in [low, high], both ends included. REQUIRES: low <= high.
  std::uint64_t between(std::uint64_t low, std::uint64_t high);
  // True in `numerator` of `denominator` cases.
  // REQUIRES: 0 < denominator, numerator <= denominator.
  bool chance(std::uint64_t numerator, std::uint64_t denominator);

  std::uint64_t seed() const { return seed_; }

 private:
  std::uint64_t seed_;
  Xoshiro256 engine_;
};

}  // namespace slotlab::sim
