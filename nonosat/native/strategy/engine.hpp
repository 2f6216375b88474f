// Learning search over the open cells of a board, by the order encoding of its lines.
//
// Invariant: its models are the fillings of the open cells that satisfy all lines of the board that
// it was made from, and all constraints added since.
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "learn/solver.hpp"
#include "strategy/cells.hpp"
#include "watch.hpp"

namespace nonosat::strategy {

// Two sets of open cells. Two fillings differ in the pair if they differ in both sets.
using Ends = std::pair<std::vector<int>, std::vector<int>>;

class Engine {
 public:
  // Encodes a board at its line fixpoint. Throws Stopped and TooLarge.
  Engine(const Board& board, uint64_t seed, Watch& watch);

  // Sets the phases to the known values of `cells`; clears them if `cells` is empty.
  void set_phases(const Cells& cells);

  // Sets the phases of the cells in `where` to values other than those of `cells`.
  void set_phases_unlike(const Cells& cells, std::span<const int> where);

  // Requires the next fillings to differ from `cells` in one of the pairs; replaces the requirement
  // of the previous call.
  void require_unlike(const Cells& cells, std::span<const Ends> pairs);

  // Adds the values removed from the board since the last call. Linear in the board if there are
  // any.
  void narrow(const Board& board);

  // See learn::Solver::solve. Throws Stopped and TooLarge; the next call continues.
  learn::Answer solve(Watch& watch, int64_t num_conflicts);

  int64_t num_conflicts() const { return solver_.statistics().conflicts; }

  // Returns the board filled with the last model.
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
  int64_t num_pairs_;  // (cell, value) pairs left on the board at the last `narrow`
  Cells known_;
  std::vector<int32_t> lits_;    // by colour and cell: true if the cell has the colour
  std::vector<uint8_t> filled_;  // by cell: 1 if it is open and has a colour
  learn::Solver solver_;
  learn::Lit selector_ = learn::kTrue;  // of the current requirement; kTrue: none
};

}  // namespace nonosat::strategy
