// Clauses in a buffer of literals, each ended by 0: counting them, and writing them as text.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "watch.hpp"

namespace nonosat {

using Lits = std::span<const int32_t>;

// All functions here need a last clause that is ended, and are linear in the literals.
int64_t num_clauses(Lits clauses);

// Lines of DIMACS CNF, "1 -2 0\n" a clause.
std::string dimacs_text(Lits clauses, Watch& watch);

// Lines of OPB, "+1 x1 -1 x2 >= 0 ;\n" a clause: a negated literal counts as 1 - x, since not every
// reader knows "~x2".
std::string opb_text(Lits clauses, Watch& watch);

}  // namespace nonosat
