// The line solver for lines of any length. line.hpp describes the method.
//
// Every set of positions is kept only in the words of its block's window, the range of starts that
// the slack and earlier solves leave it. So the cost falls with the slack and with what is known.
#pragma once

#include "line/line.hpp"

namespace nonosat {

// Where a caller wants the positions of blocks (see block_domains); null for none.
struct DomainPlanes {
  Word* starts = nullptr;
  Word* ends = nullptr;
};

// Solves one line of any length; parameters as for propagate_line.
// Throws TooLarge where the line needs more than a gibibyte of scratch memory.
bool solve_wide_line(Plan& plan, const Word* may, Word* kept, bool lasting, Scratch& scratch,
                     Watch& watch, DomainPlanes domains = {});

}  // namespace nonosat
