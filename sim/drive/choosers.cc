#include "sim/drive/choosers.h"

#include <algorithm>
#include <array>
#include <stdexcept>

#include "sim/base/assert.h"

namespace slotlab::sim {
namespace {

constexpr std::size_t kKinds = static_cast<std::size_t>(ActionKind::lose_reply) + 1;

// The thread of PCT that an action belongs to.
std::uint32_t thread_key(Action action) {
  switch (action.kind()) {
    case ActionKind::deliver: return action.bits;
    case ActionKind::step: return Action::make(ActionKind::step, action.a()).bits;
    case ActionKind::lose_reply: return Action::make(ActionKind::lose_reply, action.a()).bits;
    case ActionKind::crash:
    case ActionKind::cut:
    case ActionKind::pause:
    case ActionKind::stop: return Action::make(action.kind(), action.a()).bits;
    case ActionKind::restart:
    case ActionKind::heal:
    case ActionKind::resume: return Action::make(action.kind(), 0).bits;
  }
  SIM_ASSERT(false, std::string("an action of no kind"));
}

}  // namespace

UniformChooser::UniformChooser(std::uint64_t seed) : random_(Random(seed).stream("choice")) {}

std::size_t UniformChooser::choose(const World&, const std::vector<Action>& possible) {
  return random_.below(possible.size());
}

std::uint32_t KindWeights::of(ActionKind kind) const {
  switch (kind) {
    case ActionKind::deliver: return deliver;
    case ActionKind::step: return step;
    case ActionKind::crash: return crash;
    case ActionKind::restart: return restart;
    case ActionKind::cut: return cut;
    case ActionKind::heal: return heal;
    case ActionKind::pause: return pause;
    case ActionKind::resume: return resume;
    case ActionKind::stop: return stop;
    case ActionKind::lose_reply: return lose_reply;
  }
  SIM_ASSERT(false, std::string("an action of no kind"));
}

KindChooser::KindChooser(std::uint64_t seed, KindWeights weights)
    : random_(Random(seed).stream("choice")), weights_(weights) {}

std::size_t KindChooser::choose(const World&, const std::vector<Action>& possible) {
  std::array<std::uint64_t, kKinds> count{};
  for (const Action action : possible) ++count[static_cast<std::size_t>(action.kind())];
  std::uint64_t total = 0;
  for (std::size_t kind = 0; kind < kKinds; ++kind) {
    if (count[kind] > 0) total += weights_.of(static_cast<ActionKind>(kind));
  }
  if (total == 0) return random_.below(possible.size());
  std::uint64_t ticket = random_.below(total);
  std::size_t chosen = 0;
  for (std::size_t kind = 0; kind < kKinds; ++kind) {
    if (count[kind] == 0) continue;
    const std::uint64_t weight = weights_.of(static_cast<ActionKind>(kind));
    if (ticket < weight) {
      chosen = kind;
      break;
    }
    ticket -= weight;
  }
  std::uint64_t nth = random_.below(count[chosen]);
  for (std::size_t i = 0; i < possible.size(); ++i) {
    if (static_cast<std::size_t>(possible[i].kind()) == chosen && nth-- == 0) return i;
  }
  SIM_ASSERT(false, std::string("the kind was counted"));
}

PctChooser::PctChooser(std::uint64_t seed, PctOptions options)
    : priorities_(Random(seed).stream("priority")),
      choices_(Random(seed).stream("choice")),
      options_(options) {
  if (options.depth < 1 || options.steps_expected < 1 || options.patience < 1) {
    throw std::invalid_argument("PCT: depth, steps_expected and patience are 1 or more");
  }
  Random changes = Random(seed).stream("change");
  for (std::uint32_t i = 1; i < options.depth; ++i) {
    changes_.push_back(changes.below(options.steps_expected));
  }
  std::sort(changes_.begin(), changes_.end());
}

PctChooser::Thread& PctChooser::thread(std::uint32_t key) {
  const auto [at, fresh] = threads_.try_emplace(key);
  if (fresh) at->second.priority = static_cast<std::int64_t>(priorities_.bits() >> 1);
  return at->second;
}

void PctChooser::put_last(Thread& thread) {
  thread.priority = --lowest_;
  thread.turns = 0;
}

std::size_t PctChooser::choose(const World&, const std::vector<Action>& possible) {
  const auto highest = [&] {
    Thread* best = nullptr;
    for (const Action action : possible) {
      Thread& candidate = thread(thread_key(action));
      if (best == nullptr || candidate.priority > best->priority) best = &candidate;
    }
    return best;
  };
  Thread* best = highest();
  for (const std::uint64_t change : changes_) {
    if (change != events_) continue;
    put_last(*best);
    best = highest();
  }
  ++events_;
  std::vector<std::size_t> indices;
  for (std::size_t i = 0; i < possible.size(); ++i) {
    if (&thread(thread_key(possible[i])) == best) indices.push_back(i);
  }
  if (++best->turns >= options_.patience) put_last(*best);
  return indices[choices_.below(indices.size())];
}

}  // namespace slotlab::sim
