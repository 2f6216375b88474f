// A tour with given numbers, by local search: squares missed wander, led by beliefs, and parts are
// mended exactly.
//
// It finds tours where given numbers lie close together; that it finds none says nothing.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "knight/board.hpp"
#include "watch.hpp"

namespace nonosat::knight {

// A tour of a board as squares in the order of their steps, or nothing when `budget` units of work
// are spent or no walk fits the given squares. `given`: squares with their steps, at least one,
// each step below the number of free squares and each square and step once. Depends on nothing but
// its arguments. Throws Stopped.
std::vector<Square> complete(const Board& board, const std::vector<std::pair<Square, int>>& given,
                             bool is_closed, uint64_t seed, int64_t budget, Watch& watch);

}  // namespace nonosat::knight
