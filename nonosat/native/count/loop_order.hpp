// The order of vertices in which loops are counted, and the edges in the order that follows of it.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "count/loop_plan.hpp"
#include "watch.hpp"

namespace nonosat::loops {

// Vertices with edges between them; several edges of two vertices are in it several times.
using Near = std::vector<std::vector<int32_t>>;

// By vertex its place in the order that keeps the frontier small: that of their numbers, or the
// best of some walks. Throws Stopped. O(vertices x frontier x degree).
std::vector<int32_t> best_ranks(const Near& near, Watch& watch);

// The same for vertices that are numbered row by row in a rectangle, by its columns, of whatever
// sides make the frontier smallest; none where their numbers do. Throws Stopped.
std::optional<std::vector<int32_t>> ranks_by_columns(const Near& near, Watch& watch);

// Sorts edges: each comes with the earlier one of its ends, then by the later one.
void sort_by_ranks(const Graph& graph, const std::vector<int32_t>& ranks,
                   std::vector<int32_t>& edges);

}  // namespace nonosat::loops
