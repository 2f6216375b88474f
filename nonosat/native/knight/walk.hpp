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

// Invariant, after `start`: each step but the first is a move away from the preceding one, and
// given steps have their squares. There are as many open squares as steps without a given square,
// so the number of missed squares equals that of excess visits.
class Walk {
 public:
  // Maximal sequence of steps without a given square, and the given steps around it. `before` is
  // -1, or `after` the number of steps, if none is given there.
  struct Gap {
    int before, after;
    int length() const { return after - before - 1; }
  };

  // `given`: by step, kNoSquare for none; at least one square. If the last square equals the first
  // one, the walk is closed.
  Walk(const Board& board, std::vector<Square> given);

  // Draws a walk; false if there is none. Time and memory of a gap are O(its steps x squares of the
  // board).
  bool start(Random& random, Watch& watch);

  const Board& board() const { return board_; }
  int num_steps() const { return static_cast<int>(squares_.size()); }
  const std::vector<Square>& squares() const { return squares_; }
  Square at(int step) const { return squares_[step]; }
  const std::vector<Gap>& gaps() const { return gaps_; }
  // Gap of a step that is not given.
  const Gap& gap_of(int step) const { return gaps_[gap_of_[step]]; }
  bool is_given(int step) const {
    return step < 0 || step >= num_steps() || gap_of_[step] == kNone;
  }

  // Squares without a given step.
  const std::vector<Square>& open() const { return open_; }
  bool is_open(Square square) const { return is_open_[square] != 0; }
  int num_visits(Square square) const { return num_visits_[square]; }
  // Linked list of the steps at a square: all of an open square, or the given one; kNone after the
  // last.
  int first_visit(Square square) const { return first_visit_[square]; }
  int next_visit(int step) const { return next_visit_[step]; }

  // Open squares that are not visited exactly once, and the number of those that are not visited.
  const std::vector<Square>& wrong() const { return wrong_; }
  int num_missed() const { return num_missed_; }

  // For each step of a gap, and each square of the board: 1 if a walk through open squares leads
  // there from the gap's beginning, or from its end. Depends only on the given squares.
  std::vector<uint8_t> reached(const Gap& gap, bool from_beginning) const;

  // Returns the increase in missed squares if `squares` replaced those from step `first` on.
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
  std::vector<int32_t> index_of_wrong_;  // by square: index in `wrong_`, or kNone
  int num_missed_ = 0;
};

}  // namespace nonosat::knight
