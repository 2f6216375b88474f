// A path and rings that share out all squares, grown to a tour by rotations.
//
// A path whose end is a move away from a ring takes all of it in, and so it does where two
// neighbours on the path are near to two on the ring. Otherwise it is turned at a square near its
// end: what comes behind that square is run through the other way round, and the path has another
// end (L. Posa, "Hamiltonian circuits in random graphs", 1976). Single squares in place of rings
// would be of one colour here and of the other there, and a path cannot carry them across. A
// heuristic: that it finds nothing says nothing about the board.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "knight/board.hpp"
#include "knight/warnsdorff.hpp"
#include "watch.hpp"

namespace nonosat::knight {

// A tour, closed where that is wanted. No value after so many rotations without one; each takes
// time linear in the path. Throws Stopped.
//
// Needs a path and rings, each in the order of its moves, with every free square once.
// `is_start_fixed`: the tour begins where the path does.
std::optional<std::vector<Square>> rotated(const Board& board, std::vector<Square> path,
                                           const std::vector<std::vector<Square>>& rings,
                                           bool is_start_fixed, bool is_closed, Random& random,
                                           int64_t most, Watch& watch);

}  // namespace nonosat::knight
