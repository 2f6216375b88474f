// What the bindings share: native work under a watch, without Python's lock.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>

#include <optional>

#include "watch.hpp"

namespace nonosat {

using Poll = std::optional<nanobind::typed<nanobind::callable, bool()>>;

// `poll` is called with Python's lock held; what it raises passes through.
inline Watch make_watch(std::optional<double> remaining_s, const Poll& poll) {
  if (!poll) return Watch(remaining_s);
  return Watch(remaining_s, [call = nanobind::handle(*poll)] {
    nanobind::gil_scoped_acquire lock;
    return nanobind::cast<bool>(call());
  });
}

// Runs `work(watch)` without Python's lock; nothing when the watch stopped it.
template <class Work>
auto watched(std::optional<double> remaining_s, const Poll& poll, Work work)
    -> std::optional<decltype(work(std::declval<Watch&>()))> {
  Watch watch = make_watch(remaining_s, poll);
  nanobind::gil_scoped_release unlock;
  try {
    return work(watch);
  } catch (const Stopped&) {
    return {};
  }
}

}  // namespace nonosat
