// Helpers of the bindings: native work under a watch, without the GIL.
//
// No call holds the GIL for long or ignores signals: every 5 ms a watch runs one step of Python,
// because only between steps of its own does Python handle signals and let waiting threads run. The
// step is the caller's `poll` or, without one, `checkpoint`, which polls the limits of the current
// work (core/limits.py).
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>

#include <optional>

#include "python/python_lock.hpp"
#include "watch.hpp"

namespace nonosat {

using Poll = std::optional<nanobind::typed<nanobind::callable, bool()>>;

// `nonosat.core.limits.checkpoint`, which raises LimitReached or returns False. Set when the module
// is initialised.
inline nanobind::handle idle_step;

// `poll` is called with the GIL held; its exceptions propagate.
inline Watch make_watch(std::optional<double> remaining_s, const Poll& poll) {
  return Watch(remaining_s, [call = poll ? nanobind::handle(*poll) : idle_step] {
    const Locked lock;
    return held_at_exit([call] { return nanobind::cast<bool>(call()); });
  });
}

// Runs `work` without the GIL and without a watch; for work that is short or must not be
// interrupted.
template <class Work>
auto unlocked(Work work) {
  const Unlocked unlock;
  return work();
}

// Runs `work(watch)` without the GIL; no value if the watch stopped it.
template <class Work>
auto watched(std::optional<double> remaining_s, const Poll& poll, Work work)
    -> std::optional<decltype(work(std::declval<Watch&>()))> {
  Watch watch = make_watch(remaining_s, poll);
  const Unlocked unlock;
  try {
    return work(watch);
  } catch (const Stopped&) {
    return {};
  }
}

// Like `watched`, for calls that cannot return "stopped": a stop is an exception of their `poll`.
template <class Work>
auto polled(const Poll& poll, Work work) {
  Watch watch = make_watch({}, poll);
  const Unlocked unlock;
  return work(watch);
}

}  // namespace nonosat
