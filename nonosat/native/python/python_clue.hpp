// What the bindings share: clues from Python, and work without Python's lock.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/vector.h>

#include <optional>
#include <utility>
#include <vector>

#include "board/board.hpp"

namespace nonosat {

// (length, colour), no length is an unknown one.
using PyClue = std::vector<std::pair<std::optional<int32_t>, int32_t>>;

inline Clue to_clue(const PyClue& blocks, int num_colours) {
  Clue clue;
  clue.reserve(blocks.size());
  for (const auto& [length, colour] : blocks) {
    if (length.value_or(1) < 1 || colour < 1 || colour > num_colours) {
      throw nanobind::value_error(
          "a block has a length of at least 1 (or None) and a known colour");
    }
    clue.push_back({length.value_or(0), colour});
  }
  return clue;
}

// Works without Python's lock: on a large board that takes a while.
template <class Work>
auto unlocked(Work work) {
  nanobind::gil_scoped_release unlock;
  return work();
}

}  // namespace nonosat
