// Counting by a dynamic program over the cells of a component, line by line.
//
// The state of a partial filling consists of the diagram states of the current line and of all
// crossing lines: the frontier. Fillings with equal frontiers are counted together, so that the
// cost depends on the number of frontiers: linear in the length of a narrow board.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "count/component.hpp"
#include "count/natural.hpp"
#include "watch.hpp"

namespace nonosat {

struct FrontierRoom {
  int64_t work;      // units of work
  size_t max_bytes;  // of all states at a time
};

// Returns the number of fillings that agree with all strips of the component; nothing if that needs
// more work or memory than `room`. Throws Stopped. O(cells x states of the widest frontier x arcs),
// each with the words of a state and its count.
std::optional<Natural> count_by_frontier(const Component& component, const FrontierRoom& room,
                                         Watch& watch);

}  // namespace nonosat
