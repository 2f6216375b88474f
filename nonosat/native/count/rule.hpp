// Constraints of a model for counting, besides lines and loops.
#pragma once

#include <cstdint>
#include <vector>

namespace nonosat {

// Between `lower` and `upper` of the literals are true. A literal is +-(1 + index) of a variable or
// an edge.
struct Rule {
  std::vector<int32_t> lits;
  int32_t lower, upper;
};

}  // namespace nonosat
