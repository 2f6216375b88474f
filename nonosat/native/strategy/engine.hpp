// A learning search over the open cells of a board, by the order encoding of its lines.
//
// Invariant: its models are the fillings of the open cells that agree with all lines of the board
// it was made of, and with what it was told since.
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "learn/solver.hpp"
#include "strategy/cells.hpp"
#include "watch.hpp"

namespace nonosat::strategy {

// Two sets of open cells. A filling differs from another one in the pair if it does in both sets.
using Ends = std::pair<std::vector<int>, std::vector<int>>;

class Engine {
 public:
  // Of a board at its line fixpoint. Throws Stopped and TooLarge.
  Engine(const Board& board, uint64_t seed, Watch& watch);

  // Tries the values of `cells` first, where they are known; nothing in particular without cells.
  void set_phases(const Cells& cells);

  // Tries other values than those of `cells` first, in the cells of `where`.
  void suggest_unlike(const Cells& cells, std::span<const int> where);

  // From now on `solve` looks for a filling that differs from `cells` in one of the pairs, and no
  // longer for what was asked before.
  void ask_unlike(const Cells& cells, std::span<const Ends> pairs);

  // Takes over what was ruled out on the board since. Linear in the board if anything was.
  void narrow(const Board& board);

  // See learn::Solver::solve. Throws Stopped and TooLarge; the next call goes on.
  learn::Answer solve(Watch& watch, int64_t num_conflicts);

  int64_t num_conflicts() const { return solver_.statistics().conflicts; }

  // The board with the last model filled in.
  Cells found() const;

 private:
  void add_cells(const Board& board);
  void add_lines(const Board& board, Watch& watch);
  void add_clauses(std::span<const int32_t> lits, Watch& watch);
  void append_unlike(int cell, int value, std::vector<learn::Lit>& lits) const;
  int32_t lit_of(int cell, int colour) const {
    return lits_[static_cast<size_t>(colour - 1) * known_.size() + static_cast<size_t>(cell)];
  }

  int num_colours_;
  int64_t num_pairs_;  // (cell, value) pairs left on the board, as far as the engine knows
  Cells known_;
  std::vector<int32_t> lits_;    // by colour and cell: whether the cell has the colour
  std::vector<uint8_t> filled_;  // by cell: whether it is open and has some colour
  learn::Solver solver_;
  learn::Lit asked_ = learn::kTrue;
};

}  // namespace nonosat::strategy
