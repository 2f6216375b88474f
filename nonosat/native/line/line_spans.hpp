// The line solver for consecutive blocks that line_window.hpp does not take: some are of unknown
// length, or have very many starts left. line.hpp describes the method.
//
// Every set of positions is kept only in the words of its block's window, so memory is O(sum of the
// windows / 64), not O(blocks x cells).
#pragma once

#include "line/line.hpp"
#include "line/span.hpp"

namespace nonosat {

// Where a caller wants the positions of blocks (see block_domains); null for none.
struct DomainPlanes {
  Word* starts = nullptr;
  Word* ends = nullptr;
};

// Solves a segment of a long line. Needs `may` as propagate_line does, with a value left for each
// of the segment's cells, and blocks that are not in the way of those of other segments. Replaces
// the segment's cells in `kept` by those that some placement uses, leaves all others as they are,
// and narrows `line.lasting`; returns false, with the segment's cells in `kept` undefined and no
// window changed, when there is no placement. Domains can be asked for of a whole line only. Throws
// Stopped and TooLarge. O(log length) operations a word of each block's window and length.
bool solve_spans(const LongLine& line, const Word* may, Word* kept, const Segment& segment,
                 Scratch& scratch, Watch& watch, DomainPlanes domains = {});

}  // namespace nonosat
