// The line solver for consecutive blocks that the one of line_window.hpp does not take: of unknown
// length, or with very many starts left. line.hpp describes the method.
//
// Every set of positions is kept only in the words of its block's window.
#pragma once

#include "line/line.hpp"
#include "line/span.hpp"

namespace nonosat {

// Where a caller wants the positions of blocks (see block_domains); null for none.
struct DomainPlanes {
  Word* starts = nullptr;
  Word* ends = nullptr;
};

// Solves a segment; the other parameters as for propagate_line. `kept` receives its cells alone.
// Domains can be had of a whole line only.
bool solve_spans(Plan& plan, const Word* may, Word* kept, const Segment& segment, bool lasting,
                 Scratch& scratch, Watch& watch, DomainPlanes domains = {});

}  // namespace nonosat
