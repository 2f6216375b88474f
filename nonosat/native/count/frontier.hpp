// Counting by a dynamic program that goes through a component cell by cell, line by line.
//
// What matters of a partial filling is where the diagram of the line under way and those of all
// crossing lines stand: the frontier. Fillings with equal frontiers are counted together, so that
// the cost is what crosses, not what is filled: linear in the length of a narrow board.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "count/component.hpp"
#include "count/natural.hpp"
#include "watch.hpp"

namespace nonosat {

struct FrontierRoom {
  int64_t work;      // units of work, about a nanosecond each
  size_t max_bytes;  // of all states at once
};

// The number of fillings that agree with all strips of the component; none where that would take
// more work or memory than `room`. Throws Stopped. O(cells x states of the widest frontier x arcs),
// and the words of a state and its count for each of them; a state is counted once however many
// fillings lead to it.
std::optional<Natural> count_by_frontier(const Component& component, const FrontierRoom& room,
                                         Watch& watch);

}  // namespace nonosat
