// Repairs part of a walk exactly, by large neighbourhood search (Shaw 1998), so that no square of
// the part is visited twice.
//
// The gaps of given numbers near a missed square and one visited twice are opened; a learning
// search (learn/solver.hpp) finds squares for their steps, each at most once and none that the rest
// of the walk visits. Up to some hundred steps this takes milliseconds.
#pragma once

#include <cstdint>
#include <vector>

#include "knight/walk.hpp"
#include "learn/solver.hpp"
#include "watch.hpp"

namespace nonosat::knight {

// Largest number of free squares of a board for which a whole walk is solved at once.
inline constexpr int kMostWhole = 1500;

class Repair {
 public:
  Repair(Walk& walk, Random& random) : walk_(walk), random_(random) {}

  // Needs a walk that misses a square. Returns true if it misses fewer now; else it is unchanged.
  bool attempt(Watch& watch);

  // Solves the whole walk, which must have started: kSat if it is a tour now, kUnsat if no tour has
  // the given squares, kUnknown if that takes more than some tenths of a second, or much memory.
  learn::Answer attempt_whole(Watch& watch);

 private:
  // Variables by square, 0 for squares that the step cannot have.
  using Row = std::vector<learn::Var>;

  learn::Answer solve(int64_t num_conflicts, size_t most_vars, Watch& watch);
  void open_gaps();
  void open_around(Square missed, Square doubled);
  void number_steps();
  bool number_squares(Watch& watch);
  bool may_come(int step, Square square, int from) const;
  bool write(learn::Solver& solver);
  void at_most_one(learn::Solver& solver, const std::vector<learn::Lit>& lits);
  void require_neighbour(learn::Solver& solver, size_t index, int direction);
  void apply_model(const learn::Solver& solver);
  // Returns the index of a step in `steps_`; -1 if the step is not opened.
  int index(int step) const { return step < 0 || step >= walk_.num_steps() ? -1 : index_[step]; }

  Walk& walk_;
  Random& random_;
  std::vector<int32_t> steps_;    // opened, in their order
  std::vector<int32_t> index_;    // by step
  std::vector<uint8_t> is_left_;  // open squares that the rest of the walk does not visit
  std::vector<Row> rows_;         // by index
  learn::Var num_vars_ = 0;
};

}  // namespace nonosat::knight
