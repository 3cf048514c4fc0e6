// Fingerprints that follow a state's changes. A state's fingerprint is the sum, in each half, of
// one well-mixed number per (component, value); a successor's is its parent's plus the difference
// of the few components that changed, which is why expanding costs nothing per unchanged component.
//
// The numbers are functions of the component's place and value alone: the same in every run, build
// and number of threads.
#pragma once

#include <cstdint>
#include <span>

#include "sim/check/space.h"

namespace slotlab::sim {

// Sum and difference per half, modulo 2^64.
constexpr Fingerprint operator+(const Fingerprint& a, const Fingerprint& b) {
  return {a.low + b.low, a.high + b.high};
}
constexpr Fingerprint operator-(const Fingerprint& a, const Fingerprint& b) {
  return {a.low - b.low, a.high - b.high};
}

// The number of one component's value. `low` is a bijection of (component, value), mixed by the
// finalizer of SplitMix64; `high` is another bijection of `low`, so that sums which agree in one
// half have no reason to agree in the other.
constexpr Fingerprint component_fingerprint(std::uint32_t component, std::uint32_t value) {
  std::uint64_t z = (std::uint64_t{component} << 32 | value) + 1;
  z *= 0x9e3779b97f4a7c15u;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  z ^= z >> 31;
  std::uint64_t y = (z ^ (z >> 29)) * 0xd6e8feb86659fd93u;
  y ^= y >> 32;
  return {z, y};
}

// A fingerprint of which only `low` is of interest; computing it leaves the rest out.
struct LowHalf {
  std::uint64_t low = 0;
  constexpr LowHalf() = default;
  constexpr explicit LowHalf(const Fingerprint& whole) : low(whole.low) {}
  constexpr explicit operator Fingerprint() const { return {low, 0}; }
  friend constexpr LowHalf operator+(LowHalf a, LowHalf b) { return a.plus(b.low); }
  friend constexpr LowHalf operator-(LowHalf a, LowHalf b) { return a.plus(-b.low); }

 private:
  constexpr LowHalf plus(std::uint64_t more) const {
    LowHalf sum;
    sum.low = low + more;
    return sum;
  }
};

// The fingerprint of a whole state.
constexpr Fingerprint tuple_fingerprint(std::span<const std::uint32_t> state) {
  Fingerprint sum;
  for (std::uint32_t i = 0; i < state.size(); ++i) sum = sum + component_fingerprint(i, state[i]);
  return sum;
}

}  // namespace slotlab::sim
