#include "sim/random/random.h"

#include <bit>
#include <boost/random/uniform_int_distribution.hpp>

#include "sim/base/assert.h"

namespace slotlab::sim {

Xoshiro256::result_type Xoshiro256::operator()() {
  const std::uint64_t result = std::rotl(state[1] * 5, 7) * 9;
  const std::uint64_t shifted = state[1] << 17;
  state[2] ^= state[0];
  state[3] ^= state[1];
  state[1] ^= state[2];
  state[0] ^= state[3];
  state[2] ^= shifted;
  state[3] = std::rotl(state[3], 45);
  return result;
}

std::uint64_t splitmix64(std::uint64_t& state) {
  state += 0x9e3779b97f4a7c15;
  std::uint64_t mixed = state;
  mixed = (mixed ^ (mixed >> 30)) * 0xbf58476d1ce4e5b9;
  mixed = (mixed ^ (mixed >> 27)) * 0x94d049bb133111eb;
  return mixed ^ (mixed >> 31);
}

Random::Random(std::uint64_t seed) : seed_(seed) {
  std::uint64_t source = seed;
  for (std::uint64_t& word : engine_.state) word = splitmix64(source);
}

Random Random::stream(std::string_view name) const {
  // Each byte is mixed in with its place, and the length first, so that no name is a prefix of
  // another's work.
  std::uint64_t absorbed = seed_ ^ 0x736c6f746c616221;
  std::uint64_t mixed = splitmix64(absorbed) ^ name.size();
  for (const char letter : name) {
    absorbed = mixed ^ static_cast<unsigned char>(letter);
    mixed = splitmix64(absorbed);
  }
  return Random(mixed);
}

std::uint64_t Random::below(std::uint64_t n) {
  SIM_ASSERT(n > 0);
  return between(0, n - 1);
}

std::uint64_t Random::between(std::uint64_t low, std::uint64_t high) {
  SIM_ASSERT(low <= high);
  return boost::random::uniform_int_distribution<std::uint64_t>(low, high)(engine_);
}

bool Random::chance(std::uint64_t numerator, std::uint64_t denominator) {
  SIM_ASSERT(denominator > 0);
  SIM_ASSERT(numerator <= denominator);
  return below(denominator) < numerator;
}

}  // namespace slotlab::sim
