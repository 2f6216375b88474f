// The line solver for lines of any length, which cuts them into segments: consecutive blocks that
// earlier solves have left room to be in each other's way. A segment in which no cell has changed
// since the last lasting solve is not solved again, so that a solve after a few changes costs what
// is around them, and a pass over the line's words.
#pragma once

#include "line/line.hpp"
#include "line/line_spans.hpp"

namespace nonosat {

// Solves a long line; `may`, `kept`, the result and exceptions as for propagate_line. With
// `line.lasting`, narrows the windows and settles the line; where there is no placement or an
// exception ends the solve, the line is unsettled, and what was narrowed stays true.
bool solve_wide_line(const LongLine& line, const Word* may, Word* kept, Scratch& scratch,
                     Watch& watch);

// The same for block_domains: the whole line as one segment. `kept` is written, and `line.lasting`
// is null.
bool solve_wide_domains(const LongLine& line, const Word* may, Word* kept, Scratch& scratch,
                        Watch& watch, DomainPlanes domains);

}  // namespace nonosat
