// What the bindings share: native work under a watch, without Python's lock.
//
// No call holds the lock for long, and none is deaf: every 5 ms a watch takes one step of Python.
// Between its own steps alone Python handles signals, and threads that wait for the lock. The step
// is the caller's `poll` or, without one, `checkpoint`, which polls the limits of the work in
// progress (core/limits.py).
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>

#include <optional>

#include "python/python_lock.hpp"
#include "watch.hpp"

namespace nonosat {

using Poll = std::optional<nanobind::typed<nanobind::callable, bool()>>;

// `nonosat.core.limits.checkpoint`, which raises LimitReached or returns False. Set with the
// module.
inline nanobind::handle idle_step;

// `poll` is called with Python's lock held; what it raises passes through.
inline Watch make_watch(std::optional<double> remaining_s, const Poll& poll) {
  return Watch(remaining_s, [call = poll ? nanobind::handle(*poll) : idle_step] {
    const Locked lock;
    return held_at_exit([call] { return nanobind::cast<bool>(call()); });
  });
}

// Works without Python's lock, where that is quick or cannot be left half done.
template <class Work>
auto unlocked(Work work) {
  const Unlocked unlock;
  return work();
}

// Runs `work(watch)` without Python's lock; nothing when the watch stopped it.
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

// The same for calls that have no answer when they are stopped: their `poll` raises instead.
template <class Work>
auto polled(const Poll& poll, Work work) {
  Watch watch = make_watch({}, poll);
  const Unlocked unlock;
  return work(watch);
}

}  // namespace nonosat
