// The space of a system in which messages last and similar local states and messages count as one.
// What is similar is found by small searches first; what the search that counts has seen is then
// judged like everything else that a round assumes.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "sim/check/similar.h"
#include "sim/check/space.h"
#include "sim/check/tuple_space.h"

namespace slotlab::sim {

// So many states are looked at before what is similar is worked out for the first time, and at most
// so many before the search that counts. More spares rounds of that search, and perhaps some
// merging.
struct Looks {
  std::size_t first = 1000;
  std::size_t last = 64'000;
};

class SimilarSpace final : public Space {
 public:
  // `go_on` is asked now and then while it works out what is similar, and may end that early; null:
  // never.
  SimilarSpace(std::shared_ptr<const System> system, std::vector<Property> properties,
               std::function<bool()> go_on = nullptr, Looks looks = {});

  std::size_t width() const override { return inner_->width(); }
  std::vector<std::vector<std::uint32_t>> initial() const override { return inner_->initial(); }
  Fingerprint fingerprint(std::span<const std::uint32_t> state) const override {
    return inner_->fingerprint(state);
  }
  void expand(std::span<const std::uint32_t> state, const Fingerprint& fingerprint,
              Successors& out) const override {
    inner_->expand(state, fingerprint, out);
  }
  PropertyBits check(std::span<const std::uint32_t> state) const override {
    return inner_->check(state);
  }
  std::size_t property_count() const override { return inner_->property_count(); }
  const std::string& property_name(std::size_t p) const override {
    return inner_->property_name(p);
  }
  Mood property_mood(std::size_t p) const override { return inner_->property_mood(p); }
  std::string explain(std::size_t p, std::span<const std::uint32_t> state) const override {
    return inner_->explain(p, state);
  }
  std::string describe(std::span<const std::uint32_t> state, Action action) const override {
    return inner_->describe(state, action);
  }
  std::vector<std::string> beliefs(std::span<const std::uint32_t> state) const override {
    return inner_->beliefs(state);
  }
  std::vector<Bound> bounds() const override { return inner_->bounds(); }
  std::vector<std::string> fairness_classes() const override {
    return inner_->fairness_classes();
  }
  bool needs_another_round() override;
  bool round_is_void() const override { return void_; }
  void review(std::uint64_t states) override;
  bool shows_cuts(ActorId a, ActorId b) const override { return inner_->shows_cuts(a, b); }
  std::vector<Figure> figures() const override;
  std::uint64_t memory_bytes() const override { return inner_->memory_bytes(); }

 private:
  void begin();
  bool learn();
  bool look(std::size_t states);
  void look_around(std::size_t states);

  std::shared_ptr<const System> system_;
  std::vector<Property> properties_;
  std::function<bool()> go_on_;
  const Looks looks_;
  Similarity similarity_;
  // Transitions known when it was last worked out what is similar.
  std::size_t taken_ = 0;
  std::uint64_t next_review_ = 0;  // when so many states were found
  bool merged_wrongly_ = false;  // in this round, as far as was reviewed
  bool void_ = false;
  std::shared_ptr<const Merging> merging_ = std::make_shared<Merging>();
  std::unique_ptr<TupleSpace> inner_;
};

}  // namespace slotlab::sim
