// Tours of large boards from tours of small blocks, in time linear in the board.
//
// The board is divided into blocks that have closed tours. Two tours are joined where an edge of
// one runs beside an edge of the other: both are taken away and their ends connected by two moves
// across. A board with an odd number of squares has one block with an open tour among them. Boards
// of three rows begin with a small one, in whose tour an edge gives way to the open tour of a
// block, an edge of that to the next, and so on. Boards of four rows have no construction here.
// Sources: I. Parberry, "An efficient algorithm for the knight's tour problem" (1997); A. J.
// Schwenk, "Which rectangular chessboards have a knight's tour?" (1991) for three rows. Tours of
// blocks are found when they are needed.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "knight/board.hpp"
#include "watch.hpp"

namespace nonosat::knight {

// The places of a board without holes in the order in which they are visited.
//
// Needs at least one row and one column. `start` is a place, or -1 for any; equal seeds give equal
// tours. No value where this construction knows no such tour, which does not mean that there is
// none. Throws Stopped. Linear in the board, beside tours of blocks of at most 15 x 15 squares.
std::optional<std::vector<Place>> construct(int rows, int columns, bool is_closed, Place start,
                                            uint64_t seed, Watch& watch);

}  // namespace nonosat::knight
