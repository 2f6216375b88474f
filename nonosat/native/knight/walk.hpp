// A walk with given squares at given steps that may visit squares twice and miss others: the state
// of a local search for tours.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "knight/board.hpp"
#include "knight/warnsdorff.hpp"
#include "watch.hpp"

namespace nonosat::knight {

constexpr Square kNoSquare = -1;

// Invariant, after `start`: each step but the first is a move away from the one before, and given
// steps are at their squares. There are as many open squares as steps that are not given, so that
// as many are missed as are visited too often.
class Walk {
 public:
  // Consecutive steps that are not given, and the given ones around them. `before` is -1, or
  // `after` the number of steps, where none is given.
  struct Gap {
    int before, after;
    int length() const { return after - before - 1; }
  };

  // `given`: by step, kNoSquare where none is given; one is. The last square may be the first one
  // again, which makes the walk a closed one.
  Walk(const Board& board, std::vector<Square> given);

  // Draws a walk; false where there is none. Time and memory of a gap grow with its steps times the
  // squares of the board.
  bool start(Random& random, Watch& watch);

  const Board& board() const { return board_; }
  int num_steps() const { return static_cast<int>(squares_.size()); }
  const std::vector<Square>& squares() const { return squares_; }
  Square at(int step) const { return squares_[step]; }
  const std::vector<Gap>& gaps() const { return gaps_; }
  // The gap of a step; none for given ones.
  const Gap& gap_of(int step) const { return gaps_[gap_of_[step]]; }
  bool is_given(int step) const {
    return step < 0 || step >= num_steps() || gap_of_[step] == kNone;
  }

  // Squares without a given step.
  const std::vector<Square>& open() const { return open_; }
  bool is_open(Square square) const { return is_open_[square] != 0; }
  int num_visits(Square square) const { return num_visits_[square]; }
  // The steps at an open square, one after the other, or the given one; kNone after the last.
  int first_visit(Square square) const { return first_visit_[square]; }
  int next_visit(int step) const { return next_visit_[step]; }

  // Open squares that are not visited exactly once, and how many are not visited.
  const std::vector<Square>& wrong() const { return wrong_; }
  int num_missed() const { return num_missed_; }

  // By step of a gap, row after row of the board's squares: whether a walk through open squares
  // leads there from the gap's beginning, or from its end. Needs given squares alone.
  std::vector<uint8_t> reached(const Gap& gap, bool from_beginning) const;

  // How many more squares would be missed with others from a step on.
  int change(int first, std::span<const Square> squares);
  void put(int step, Square square);

  static constexpr int kNone = -1;

 private:
  void add_gaps();
  bool route(const Gap& gap, Random& random, Watch& watch);
  void link(int step, Square square);
  void unlink(int step);
  void update(Square square);

  const Board& board_;
  std::vector<Square> squares_;
  std::vector<Gap> gaps_;
  std::vector<int32_t> gap_of_;
  std::vector<Square> open_;
  std::vector<uint8_t> is_open_;
  std::vector<int32_t> num_visits_, first_visit_;     // by square
  std::vector<int32_t> next_visit_, previous_visit_;  // by step
  std::vector<Square> wrong_;
  std::vector<int32_t> place_of_wrong_;  // by square, kNone for the others
  int num_missed_ = 0;
};

}  // namespace nonosat::knight
