// Real time, for real servers only: the one place under cli/ that looks at a clock or sleeps.
// Nothing virtual depends on it.
#pragma once

#include <atomic>
#include <cstdint>

namespace slotlab::conform {

using Milliseconds = std::int64_t;

Milliseconds real_now();                // since some moment in the past; never goes back
void sleep_for_real(Milliseconds time);

// Somebody wants to wait no longer.
struct Interrupted {};
// ERRORS: throws Interrupted, before or after sleeping, if `*interrupt`; it may be null.
void sleep_unless(const std::atomic<bool>* interrupt, Milliseconds time);

}  // namespace slotlab::conform
