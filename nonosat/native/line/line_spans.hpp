// Line solver for consecutive blocks that line_window.hpp cannot process, because the length of
// some is unknown, or very many starts are left. line.hpp describes the method.
//
// Every set of positions is stored only in the words of its block's window, so memory is O(sum of
// the windows / 64), not O(blocks x cells).
#pragma once

#include "line/line.hpp"
#include "line/span.hpp"

namespace nonosat {

// Output of the positions of blocks (see block_domains); null if not needed.
struct DomainPlanes {
  Word* starts = nullptr;
  Word* ends = nullptr;
};

// Solves a segment of a long line. Needs `may` as propagate_line does, with a value left for each
// of the segment's cells; its blocks must not interact with those of other segments. Replaces the
// segment's cells in `kept` by the values that occur in some placement, leaves all other cells
// unchanged, and narrows `line.permanent`. Returns false, with the segment's cells in `kept`
// undefined and no window changed, if there is no placement. `domains` are written for a whole line
// only. Throws Stopped and TooLarge. O(log length) operations a word of each block's window and
// length.
bool solve_spans(const LongLine& line, const Word* may, Word* kept, const Segment& segment,
                 Scratch& scratch, Watch& watch, DomainPlanes domains = {});

}  // namespace nonosat
