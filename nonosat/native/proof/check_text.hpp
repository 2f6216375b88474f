// Formulas and proofs as text: DIMACS, DRAT and LRAT. The text may come from anybody.
//
// Invariant: memory grows with the text, never with a number that stands in it.
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "watch.hpp"

namespace nonosat {

// What is wrong with a formula or proof, in words for the user.
struct Refused : std::invalid_argument {
  using std::invalid_argument::invalid_argument;
};

// Whole numbers in decimal and words, between blanks and line ends.
class Reader {
 public:
  explicit Reader(std::string_view text) : text_(text) {}

  // These four skip blanks and line ends first.
  bool at_end();
  bool take(std::string_view word);  // the next word if it is this one
  bool take_line(char mark);         // the rest of the line if its first letter is the mark
  int64_t number(int64_t least, int64_t most);  // refuses any other
  int64_t line() const { return line_; }

  // Throws Refused with the number of the line.
  [[noreturn]] void refuse(const std::string& problem) const;

 private:
  bool is_over(size_t place) const;  // whether a word that ends before `place` ends there

  std::string_view text_;
  size_t at_ = 0;
  int64_t line_ = 1;
};

// Clauses one after another, each ended by 0.
struct Formula {
  int32_t num_vars = 0;
  std::vector<int32_t> clauses;
};

// Reads DIMACS CNF; throws Refused where header and clauses do not agree, and Stopped. Linear.
Formula read_dimacs(std::string_view text, Watch& watch);

// A DRAT proof: clauses added and deleted, in order.
struct Drat {
  struct Step {
    bool is_deletion;
    size_t first, last;  // of its literals
    int64_t line;
  };
  std::vector<Step> steps;
  std::vector<int32_t> lits;
};

// Reads DRAT text; throws Refused and Stopped. Refuses variables above `num_vars`: a step by unit
// propagation has no use for them. Linear.
Drat read_drat(std::string_view text, int32_t num_vars, Watch& watch);

}  // namespace nonosat
