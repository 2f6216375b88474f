// Counting clauses and writing them as text. Clauses are a buffer of literals, each clause
// terminated by 0.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "watch.hpp"

namespace nonosat {

using Lits = std::span<const int32_t>;

// Returns the number of clauses. All functions here require that the last clause is terminated, and
// are linear in the literals.
int64_t num_clauses(Lits clauses);

// Returns the clauses in DIMACS CNF, a line "1 -2 0\n" for each.
std::string dimacs_text(Lits clauses, Watch& watch);

// Returns the clauses in OPB, a line "+1 x1 -1 x2 >= 0 ;\n" for each. A negated literal is written
// as 1 - x, since not every reader accepts "~x2".
std::string opb_text(Lits clauses, Watch& watch);

}  // namespace nonosat
