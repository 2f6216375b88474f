// Wrapper of work that cannot resume, for callers with short slices.
#pragma once

#include <utility>

#include "watch.hpp"

namespace nonosat::strategy {

class Whole {
 public:
  // Returns work(watch). If the last call was stopped, this one runs without limit: work that takes
  // longer than a slice would otherwise never end.
  template <class Work>
  auto operator()(Watch& watch, Work work) {
    Watch free;
    Watch& used = std::exchange(was_stopped_, true) ? free : watch;
    auto made = work(used);
    was_stopped_ = false;
    return made;
  }

 private:
  bool was_stopped_ = false;
};

}  // namespace nonosat::strategy
