// Deadline, stop request and work budget of native code, checked every fraction of a millisecond.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <utility>

namespace nonosat {

// Exception that ends native code at a limit. Deductions made before it remain sound.
struct Stopped {};

// Units of work between two readings of the clock, and time between two calls of `poll`.
struct Pace {
  int64_t check_every = 100'000;
  std::chrono::milliseconds poll_every{5};
};

class Watch {
 public:
  using Clock = std::chrono::steady_clock;

  // `remaining_s`: wall-clock seconds until the deadline; none for no deadline. `poll` returns true
  // to stop, and may throw.
  explicit Watch(std::optional<double> remaining_s = {}, std::function<bool()> poll = {},
                 Pace pace = {})
      : poll_(std::move(poll)), pace_(pace), next_poll_(Clock::now() + pace.poll_every) {
    if (remaining_s && *remaining_s < 1e8) {
      deadline_ = Clock::now() + std::chrono::duration_cast<Clock::duration>(
                                     std::chrono::duration<double>(*remaining_s));
    }
  }

  // Adds `cost` units of work (about a nanosecond each) and, every `check_every` units, checks the
  // deadline and calls `poll`. Throws Stopped.
  void work(int64_t cost) {
    done_ += cost;
    if (done_ >= next_check_) check_limits();
  }

  // Units of work since construction: the measure of deterministic budgets.
  int64_t done() const { return done_; }

 private:
  void check_limits() {
    next_check_ = done_ + pace_.check_every;
    const auto now = Clock::now();
    if (now >= deadline_) throw Stopped{};
    if (poll_ && now >= next_poll_) {
      if (poll_()) throw Stopped{};
      next_poll_ = Clock::now() + pace_.poll_every;
    }
  }

  std::function<bool()> poll_;
  Pace pace_;
  Clock::time_point next_poll_;
  Clock::time_point deadline_ = Clock::time_point::max();
  int64_t done_ = 0;
  int64_t next_check_ = 0;
};

}  // namespace nonosat
