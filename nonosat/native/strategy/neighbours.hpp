// Solutions close to a known one, which cost next to nothing to try.
//
// Random pictures have a 2x2 switch nearly always from 15x15 on, and clues that a mirror maps to
// themselves have the mirrored picture as well.
#pragma once

#include <cstddef>
#include <vector>

#include "strategy/cells.hpp"
#include "watch.hpp"

namespace nonosat::strategy {

// Whether the board allows these values and its lines have these blocks. The board need not be
// propagated; it has a value for every cell. O(cells).
bool is_solution(const Board& board, const Cells& cells);

// Different solutions other than `known`, which is one: its images under symmetries of the clues,
// then pictures with a switch of two filled and two empty corners thrown; at most `most`. Throws
// Stopped.
std::vector<Cells> neighbours(const Board& board, const Cells& known, size_t most, Watch& watch);

}  // namespace nonosat::strategy
