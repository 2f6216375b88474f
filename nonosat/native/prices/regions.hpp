// Regions: open cells of a board that depend on each other because blocks can be in each other's
// way. What is not in one region with a cell tells nothing of it.
//
// A line falls into stretches: runs of blocks whose windows leave room for each other, so that each
// is filled on its own. A region is what stretches that share a cell have in common, unless that is
// known to be empty. More may be independent of each other than is found here (count/component.hpp
// finds the rest), but the windows are all that it takes: a pass over the lines, and over the
// cells.
#pragma once

#include <cstddef>
#include <vector>

#include "board/board.hpp"
#include "watch.hpp"

namespace nonosat {

// The regions of a board at its line fixpoint, the largest first, each as a board of the same size
// at its fixpoint: the region's cells may have the same values as before, the clues have the blocks
// of the region, and all other cells are empty. The fillings of the board are those of its regions
// multiplied out. Leaves out regions of fewer than `least` open cells, of more than `most`, and all
// but the `max_regions` largest. Throws Stopped and TooLarge.
std::vector<Board> regions(const Board& board, size_t least, size_t most, size_t max_regions,
                           Watch& watch);

}  // namespace nonosat
