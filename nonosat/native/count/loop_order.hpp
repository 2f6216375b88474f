// Order of the vertices for counting loops, and the resulting order of the edges.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "count/loop_plan.hpp"
#include "watch.hpp"

namespace nonosat::loops {

// Neighbours of each vertex; parallel edges give repeated entries.
using Near = std::vector<std::vector<int32_t>>;

// Returns for each vertex its rank in an order with a small frontier: the order of their numbers,
// or the best of some walks. Throws Stopped. O(vertices x frontier x degree).
std::vector<int32_t> best_ranks(const Near& near, Watch& watch);

// Returns the ranks by columns of a rectangle in which the vertices are numbered row by row, with
// the number of columns that gives the smallest frontier; nothing if the order of numbers is as
// good. Throws Stopped.
std::optional<std::vector<int32_t>> ranks_by_columns(const Near& near, Watch& watch);

// Sorts edges by the earlier one of their ends, then by the later one.
void sort_by_ranks(const Graph& graph, const std::vector<int32_t>& ranks,
                   std::vector<int32_t>& edges);

}  // namespace nonosat::loops
