// Tours of large boards from tours of small blocks, in time linear in the board.
//
// The board is divided into blocks that have closed tours. Two tours are joined at parallel edges:
// both edges are removed and their ends connected by two moves. A board with an odd number of
// squares has one block with an open tour. Boards of three rows begin with a small one, in whose
// tour an edge is replaced by the open tour of a block, an edge of that by the next, and so on.
// There is no construction here for boards of four rows.
// Sources: I. Parberry, "An efficient algorithm for the knight's tour problem" (1997); A. J.
// Schwenk, "Which rectangular chessboards have a knight's tour?" (1991) for three rows. Tours of
// blocks are computed when needed.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "knight/board.hpp"
#include "watch.hpp"

namespace nonosat::knight {

// Returns the places of a board without holes in the order of a tour.
//
// Needs at least one row and one column. `start` is a place, or -1 for any; equal seeds give equal
// tours. Nothing if this construction has no such tour, although there may be one. Throws Stopped.
// Linear in the board, without the tours of blocks of at most 15 x 15 squares.
std::optional<std::vector<Place>> construct(int rows, int columns, bool is_closed, Place start,
                                            uint64_t seed, Watch& watch);

}  // namespace nonosat::knight
