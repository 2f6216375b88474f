// Clauses that say which values of other cells each value of an open cell rules out.
//
// Exact line propagation of "cell x has value v" that rules out "cell y has value u" says that not
// both hold: one clause, binary where each of the two is one literal. It is found from either side
// and given once. O(tries * a propagation), and a bit for each two values tried.
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
  // Works on its own copy of a board. `variables`: of each colour, for each cell, the variable that
  // says so; not used where the board rules it out. At most `max_tries` values are tried, in the
  // order of the cells.
  Implications(Board board, std::vector<int32_t> variables, int max_tries, Watch& watch);

  // Clauses of the next values, each ended by 0; each follows from the clues and the board, and no
  // two say the same pair. An empty answer ends them. About a million literals at a time. After a
  // Stopped exception it cannot be used any more.
  std::vector<int32_t> next(Watch& watch);

 private:
  struct Pair {
    int cell;
    int value;
    auto operator<=>(const Pair&) const = default;
  };

  void begin(Watch& watch);
  void try_pair(size_t at, Watch& watch);
  std::vector<Pair> removed_since(size_t mark);
  bool is_news(size_t at, Pair other);
  void deny(Pair pair);
  void forbid(Pair one);
  void forbid(Pair one, Pair other);

  Board board_;
  std::vector<int32_t> variables_;
  std::vector<Pair> pairs_;              // to be tried, ascending
  std::vector<std::vector<Word>> said_;  // by pair: those behind it that it rules out
  std::vector<Word> before_;             // by row word: what it was, where `seen_` says so
  std::vector<uint8_t> seen_;
  std::vector<int32_t> clauses_;
  size_t at_ = 0;
  bool begun_ = false;
};

}  // namespace nonosat
