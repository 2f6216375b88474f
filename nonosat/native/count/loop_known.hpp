// What rules and vertices force of the edges of a graph before loops are counted.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "count/loop_plan.hpp"
#include "watch.hpp"

namespace nonosat::loops {

// The value of each edge as far as one rule or one vertex at a time forces it; none at a
// contradiction. Throws Stopped.
std::optional<std::vector<Value>> known_values(const Graph& graph, Watch& watch);

}  // namespace nonosat::loops
