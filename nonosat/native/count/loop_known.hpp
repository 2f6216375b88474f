// Propagation of rules and vertices over the edges of a graph before loops are counted.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "count/loop_plan.hpp"
#include "watch.hpp"

namespace nonosat::loops {

// Returns the value of each edge as far as propagation of single rules and vertices determines it;
// nothing at a contradiction. Throws Stopped.
std::optional<std::vector<Value>> known_values(const Graph& graph, Watch& watch);

}  // namespace nonosat::loops
