// What counting takes of a model beside lines and loops.
#pragma once

#include <cstdint>
#include <vector>

namespace nonosat {

// Between `lower` and `upper` of the literals are true; a literal is +-(1 + place) of what is
// decided: a variable, or an edge.
struct Rule {
  std::vector<int32_t> lits;
  int32_t lower, upper;
};

}  // namespace nonosat
