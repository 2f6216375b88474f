// Extends a path, with rings on all other squares, to a tour by rotations.
//
// A path whose end is a move away from a ring appends it, and a ring is inserted if two neighbours
// on it are a move away from two neighbours on the path. Otherwise the path is rotated at a square
// a move away from its end: the part after that square is reversed, which gives the path another
// end (L. Posa, "Hamiltonian circuits in random graphs", 1976). Single squares cannot replace the
// rings: in one region more squares of one colour would be left over, in another region of the
// other colour, and a path, which alternates between colours, cannot balance them. The method is a
// heuristic: failure proves nothing about the board.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "knight/board.hpp"
#include "knight/warnsdorff.hpp"
#include "watch.hpp"

namespace nonosat::knight {

// Returns a tour, closed if `is_closed`; nothing after `most` rotations without one. Each rotation
// takes time linear in the path. Throws Stopped.
//
// Needs a path and rings, each in the order of its moves, that contain every free square once.
// `is_start_fixed`: the tour begins where the path does.
std::optional<std::vector<Square>> rotated(const Board& board, std::vector<Square> path,
                                           const std::vector<std::vector<Square>>& rings,
                                           bool is_start_fixed, bool is_closed, Random& random,
                                           int64_t most, Watch& watch);

}  // namespace nonosat::knight
