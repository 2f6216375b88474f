// Work that begins anew where it is stopped, for callers that come in short slices.
#pragma once

#include <utility>

#include "watch.hpp"

namespace nonosat::strategy {

class Whole {
 public:
  // Returns work(watch). Where the last call was stopped nothing stops this one, or work that is
  // longer than a slice would never come to its end.
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
