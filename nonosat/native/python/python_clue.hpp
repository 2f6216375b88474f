// What the bindings share: clues from Python.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>

#include <optional>
#include <utility>

#include "board/board.hpp"
#include "python/python_values.hpp"

namespace nonosat {

// (length, colour), no length is an unknown one.
using PyBlock = std::pair<std::optional<int32_t>, int32_t>;
using PyClue = nanobind::typed<nanobind::sequence, PyBlock>;

inline Clue to_clue(const nanobind::object& blocks, int num_colours, Watch& watch) {
  Clue clue;
  clue.reserve(nanobind::len(blocks));
  each_item(blocks, watch, [&](const nanobind::object& block) {
    const auto [length, colour] = to_value<PyBlock>(block);
    if (length.value_or(1) < 1 || colour < 1 || colour > num_colours) {
      throw nanobind::value_error(
          "a block has a length of at least 1 (or None) and a known colour");
    }
    clue.push_back({length.value_or(0), colour});
  });
  return clue;
}

}  // namespace nonosat
