// A small strict checker of LRAT proofs: it follows the hints and searches nothing.
//
// A line is `number literals 0 hints 0`. Lines are numbered on from the clauses of the formula. The
// hints of a line name clauses before it: when the line's literals are false, each hint but the
// last has exactly one literal left, which becomes true, and the last one has none. The last line
// is the empty clause. Deletions and resolution candidates (RAT) are refused: no proof written
// here has them. Linear in the text.
//
// Source: L. Cruz-Filipe, M. Heule, W. Hunt, M. Kaufmann, P. Schneider-Kamp, "Efficient certified
// RAT verification" (CADE 2017), for the format.
#pragma once

#include "proof/check_text.hpp"

namespace nonosat {

// Checks a proof and returns the number of its lines; throws Refused, with the number of the line,
// where it fails, and Stopped. Returning means that the formula is unsatisfiable. It shares no code
// with the backward checker but the reader of numbers.
int64_t check_lrat(const Formula& formula, std::string_view proof, Watch& watch);

}  // namespace nonosat
