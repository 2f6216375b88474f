// Part of a walk anew, exactly: no square of the part is visited twice.
//
// The gaps of given numbers that come near a missed square and one visited twice are opened; a
// learning search (learn/solver.hpp) is asked for squares of their steps, each at most once and
// none that the rest of the walk visits. Such large neighbourhoods (Shaw 1998) are answered within
// milliseconds up to some hundred steps.
#pragma once

#include <cstdint>
#include <vector>

#include "knight/walk.hpp"
#include "learn/solver.hpp"
#include "watch.hpp"

namespace nonosat::knight {

// Squares of a board, those that are free, up to which a whole walk is mended at once.
inline constexpr int kMostWhole = 1500;

class Mending {
 public:
  Mending(Walk& walk, Random& random) : walk_(walk), random_(random) {}

  // Needs a walk that misses a square. Whether it misses fewer now; else it is as before.
  bool attempt(Watch& watch);

  // All of a walk that has started anew: kSat where it is a tour now, kUnsat where no tour has the
  // given squares. kUnknown where that takes more than some tenths of a second, or much memory.
  learn::Answer attempt_whole(Watch& watch);

 private:
  // Variables by square, 0 for squares where the step cannot be.
  using Row = std::vector<learn::Var>;

  learn::Answer solve(int64_t num_conflicts, size_t most_vars, Watch& watch);
  void open_gaps();
  void open_around(Square missed, Square doubled);
  void number_steps();
  bool number_squares(Watch& watch);
  bool may_come(int step, Square square, int from) const;
  bool write(learn::Solver& solver);
  void at_most_one(learn::Solver& solver, const std::vector<learn::Lit>& lits);
  void lead_on(learn::Solver& solver, size_t index, int direction);
  void take(const learn::Solver& solver);
  // The index of a step among those that are opened, -1 for others.
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
