// Tours with given numbers, by local search that beliefs guide, and by exact repair of parts of a
// walk.
//
// The search finds tours if given numbers are close together. It begins with an exact attempt at
// the whole tour, which refutes most boards without a tour. After this attempt, failure to find a
// tour proves nothing.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "knight/board.hpp"
#include "knight/search.hpp"
#include "watch.hpp"

namespace nonosat::knight {

// kSolution with the squares of a tour in the order of their steps; kExhausted if there is none.
struct Completion {
  Search::Outcome outcome;
  std::vector<Square> tour;
};

// Returns a tour with given squares, unless `budget` units of work are spent before. `given`: at
// least one square with its step, each step below the number of free squares, each square and step
// once. Depends only on its arguments. Throws Stopped.
Completion complete(const Board& board, const std::vector<std::pair<Square, int>>& given,
                    bool is_closed, uint64_t seed, int64_t budget, Watch& watch);

}  // namespace nonosat::knight
