// A tour with given numbers, by local search: squares missed wander, led by beliefs, and parts are
// mended exactly.
//
// It finds tours where given numbers lie close together. A look at the whole comes first, which
// refutes most boards without a tour; that no tour is found later says nothing.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "knight/board.hpp"
#include "knight/search.hpp"
#include "watch.hpp"

namespace nonosat::knight {

// kSolution with the squares of a tour in the order of their steps, kExhausted where there is none.
struct Completion {
  Search::Outcome outcome;
  std::vector<Square> tour;
};

// A tour with given squares, unless `budget` units of work are spent before one is found. `given`:
// squares with their steps, at least one, each step below the number of free squares and each
// square and step once. Depends on nothing but its arguments. Throws Stopped.
Completion complete(const Board& board, const std::vector<std::pair<Square, int>>& given,
                    bool is_closed, uint64_t seed, int64_t budget, Watch& watch);

}  // namespace nonosat::knight
