// Parsing of formulas and proofs: DIMACS, DRAT and LRAT. The text is untrusted.
//
// Invariant: memory is linear in the length of the text, whatever numbers it contains.
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "watch.hpp"

namespace nonosat {

// Error in a formula or proof, with a message for the user.
struct Refused : std::invalid_argument {
  using std::invalid_argument::invalid_argument;
};

// Reads decimal integers and words that are separated by blanks and line ends.
class Reader {
 public:
  explicit Reader(std::string_view text) : text_(text) {}

  // The next four skip blanks and line ends first.
  bool at_end();
  bool accept(std::string_view word);        // consumes the next word if it is `word`
  bool skip_line(char mark);                 // consumes the line if it begins with `mark`
  int64_t number(int64_t min, int64_t max);  // throws Refused if out of range
  int64_t line() const { return line_; }

  // Throws Refused with the line number.
  [[noreturn]] void refuse(const std::string& problem) const;

 private:
  bool ends_word(size_t place) const;  // true if no word continues at `place`

  std::string_view text_;
  size_t at_ = 0;
  int64_t line_ = 1;
};

// Clauses, each terminated by 0.
struct Formula {
  int32_t num_vars = 0;
  std::vector<int32_t> clauses;
};

// Reads DIMACS CNF. Throws Refused if header and clauses do not agree, and Stopped. Linear.
Formula read_dimacs(std::string_view text, Watch& watch);

// A DRAT proof: added and deleted clauses, in order.
struct Drat {
  struct Step {
    bool is_deletion;
    size_t first, last;  // range of its literals
    int64_t line;
  };
  std::vector<Step> steps;
  std::vector<int32_t> lits;
};

// Reads DRAT text. Throws Refused, also for variables above `num_vars`, which no RUP step needs,
// and Stopped. Linear.
Drat read_drat(std::string_view text, int32_t num_vars, Watch& watch);

}  // namespace nonosat
