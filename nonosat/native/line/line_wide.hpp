// The line solver for lines of any length, which cuts them into segments: consecutive blocks that
// earlier solves have left room to be in each other's way. A segment in which nothing has changed
// since is not solved again.
#pragma once

#include "line/line.hpp"
#include "line/line_spans.hpp"

namespace nonosat {

// Solves one line of any length; parameters as for propagate_line.
// Throws TooLarge where the line needs more than a gibibyte of scratch memory.
bool solve_wide_line(Plan& plan, const Word* may, Word* kept, bool lasting, Scratch& scratch,
                     Watch& watch);

// The same for block_domains; nothing lasts, and no block is left out.
bool solve_wide_domains(Plan& plan, const Word* may, Word* kept, Scratch& scratch, Watch& watch,
                        DomainPlanes domains);

}  // namespace nonosat
