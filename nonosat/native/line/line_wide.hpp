// Line solver for lines of any length. It divides a line into segments: consecutive blocks that can
// interact, given their windows. A segment in which no cell has changed since the last permanent
// solve is skipped, so that a solve after a few changes costs their segments and a pass over the
// line's words.
#pragma once

#include "line/line.hpp"
#include "line/line_spans.hpp"

namespace nonosat {

// Solves a long line; `may`, `kept`, the result and exceptions as for propagate_line. If
// `line.permanent` is set, narrows the windows and records the solved cells. If there is no
// placement, or an exception ends the solve, `line.permanent` is invalidated, and windows already
// narrowed remain valid.
bool solve_wide_line(const LongLine& line, const Word* may, Word* kept, Scratch& scratch,
                     Watch& watch);

// The counterpart for block_domains: solves the whole line as one segment. Writes `kept`;
// `line.permanent` must be null.
bool solve_wide_domains(const LongLine& line, const Word* may, Word* kept, Scratch& scratch,
                        Watch& watch, DomainPlanes domains);

}  // namespace nonosat
