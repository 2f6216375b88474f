// Regions: sets of open cells of a board that depend on each other through overlapping windows of
// blocks. A cell of one region implies nothing about cells of another.
//
// A line is partitioned into stretches: sequences of blocks whose windows overlap or touch, so that
// stretches are filled independently of each other. Stretches that share a cell that is not known
// to be empty belong to the same region. Cells of one region may still be independent
// (count/component.hpp finds that), but regions need only the windows: one pass over the lines, and
// one over the cells.
#pragma once

#include <cstddef>
#include <vector>

#include "board/board.hpp"
#include "watch.hpp"

namespace nonosat {

// Returns the regions of a board at its line fixpoint, the largest first, each as a board of the
// same size at its fixpoint: the region's cells keep their values, the clues are the region's
// blocks, and all other cells are empty. The fillings of the board are the combinations of fillings
// of all regions. Omits regions of fewer than `least` or more than `most` open cells, and all but
// the `max_regions` largest. Throws Stopped and TooLarge.
std::vector<Board> regions(const Board& board, size_t least, size_t most, size_t max_regions,
                           Watch& watch);

}  // namespace nonosat
