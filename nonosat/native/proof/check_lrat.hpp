// A small strict checker of LRAT proofs: it follows the hints without any search.
//
// A line is `number literals 0 hints 0`. Line numbers continue those of the formula's clauses. The
// hints of a line are numbers of earlier clauses: with the line's literals false, each hint but the
// last is a unit clause, whose literal becomes true, and the last one is falsified. The last line
// is the empty clause. Deletions and resolution candidates (RAT) are refused, because the proofs
// written here do not contain them. Linear in the text.
//
// Source: L. Cruz-Filipe, M. Heule, W. Hunt, M. Kaufmann, P. Schneider-Kamp, "Efficient certified
// RAT verification" (CADE 2017), for the format.
#pragma once

#include "proof/check_text.hpp"

namespace nonosat {

// Checks a proof and returns the number of its lines; returns only if the formula is unsatisfiable.
// Throws Refused with the line number if the check fails, and Stopped. It shares no code with the
// backward checker except the reader of numbers.
int64_t check_lrat(const Formula& formula, std::string_view proof, Watch& watch);

}  // namespace nonosat
