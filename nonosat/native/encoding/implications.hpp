// Clauses for the values of other cells that each value of an open cell excludes (probing).
//
// If exact line propagation of "cell x has value v" removes "cell y has value u", not both hold:
// one clause, binary if each of the two is one literal. It can be found from both sides and is
// returned once. O(assumptions * a propagation), and a bit for each pair of assumed values.
// Source: Lynce, Marques-Silva, "Probing-based preprocessing techniques for propositional
// satisfiability" (2003).
#pragma once

#include <cstdint>
#include <vector>

#include "board/board.hpp"
#include "watch.hpp"

namespace nonosat {

class Implications {
 public:
  // Works on its own copy of a board. `variables`: for each colour and each cell, the variable "the
  // cell has the colour"; not used if the board excludes it. At most `max_tries` values are
  // assumed, in the order of the cells.
  Implications(Board board, std::vector<int32_t> variables, int max_tries, Watch& watch);

  // Returns clauses of the next values, each terminated by 0, about a million literals at a time;
  // none after the last. Each clause follows from the clues and the board, and no two exclude the
  // same pair. Must not be called after a Stopped exception.
  std::vector<int32_t> next(Watch& watch);

 private:
  struct Pair {
    int cell;
    int value;
    auto operator<=>(const Pair&) const = default;
  };

  void begin(Watch& watch);
  void assume_pair(size_t at, Watch& watch);
  std::vector<Pair> removed_since(size_t mark);
  bool is_new_exclusion(size_t at, Pair other);
  void deny(Pair pair);
  void forbid(Pair one);
  void forbid(Pair one, Pair other);

  Board board_;
  std::vector<int32_t> variables_;
  std::vector<Pair> pairs_;                  // to be assumed, ascending
  std::vector<std::vector<Word>> excluded_;  // by pair: the later pairs that it excludes
  std::vector<Word> before_;                 // by row word: its earlier value, if marked in `seen_`
  std::vector<uint8_t> seen_;
  std::vector<int32_t> clauses_;
  size_t at_ = 0;
  bool begun_ = false;
};

}  // namespace nonosat
