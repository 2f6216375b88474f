// Candidates for solutions close to a known one, which are cheap to check.
//
// Random pictures have a 2x2 switch nearly always from 15x15 on, and clues that a mirror maps to
// themselves have the mirrored picture as well.
#pragma once

#include <cstddef>
#include <vector>

#include "strategy/cells.hpp"
#include "watch.hpp"

namespace nonosat::strategy {

// Returns true if the board allows these values, one for each cell, and its lines have these
// blocks. The board need not be propagated. O(cells).
bool is_solution(const Board& board, const Cells& cells);

// Returns at most `most` different solutions other than `known`, which is one: its images under
// symmetries of the clues, then pictures with two filled and two empty corners of a rectangle
// exchanged. Throws Stopped.
std::vector<Cells> neighbours(const Board& board, const Cells& known, size_t most, Watch& watch);

}  // namespace nonosat::strategy
