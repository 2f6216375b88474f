// Decimation: from beliefs about a board towards one solution. The most certain open cells are
// fixed, lines propagated exactly, and messages exchanged for a few more rounds, until nothing is
// open. A value that the lines refute is excluded. Where all values of a cell are refuted, a dead
// end, the cells fixed near it are released, messages about them fade, and it goes on from there.
// The neighbourhood, a box or lines, grows with every dead end that is met before more cells were
// known than ever.
//
// On a large board messages are certain along the sides first, and what they say moves inwards.
// Cells that are fixed before it has come to them are wrong too often. So while many cells are
// undecided, pushes take the place of fixing: some of the cells that are nearly decided count as
// decided for one round, and rounds follow. A push that was right has moved the front; a wrong one
// is soon forgotten, for nothing was fixed. Where pushes lead no further, cells are fixed after
// all.
//
// Invariant: after every step the board is at a line fixpoint and follows from the board that was
// given and the fixed cells, so a complete board is a solution and a contradiction without fixed
// cells is a proof. Otherwise it proves nothing. A step costs its rounds (beliefs.hpp); memory is
// that of beliefs and of the changed words since the board was given.
// Source: A. Braunstein, M. Mezard, R. Zecchina, Survey propagation: an algorithm for
// satisfiability (2005); releasing what was fixed: G. Parisi, Backtracking survey propagation
// (2003).
#pragma once

#include <cstdint>
#include <random>
#include <vector>

#include "beliefs/beliefs.hpp"
#include "board/board.hpp"
#include "watch.hpp"

namespace nonosat {

class Decimation {
 public:
  struct Settings {
    Beliefs::Settings beliefs;
    int first = 100;     // rounds before the first step
    int rounds = 6;      // and after each
    double pace = 0.02;  // the share of the open cells that a step fixes, at least one cell
    double widen = 2;    // how much further it releases for each dead end without progress
    double keep = 0;     // of what messages about released cells say
    int pushes = 0;      // how many of them may be in vain if no cell is decided; 0: none
  };
  enum class Outcome { kComplete, kContradiction, kBudget };

  // Works on a copy of the board. Throws TooLarge as Beliefs does.
  Decimation(const Board& board, const Settings& settings);
  Decimation(const Decimation&) = delete;  // its beliefs are about its board
  Decimation& operator=(const Decimation&) = delete;

  // Takes steps until the board is complete. kComplete: it holds a solution. kContradiction: the
  // board has no solution. kBudget: `budget` units of work were spent, or `dead_ends` met; calling
  // again goes on. After a Stopped exception it cannot be used any more. How many steps it takes is
  // not bounded otherwise: on a board of few solutions it may go on for ever.
  Outcome run(Watch& watch, int64_t budget, int64_t dead_ends = kAnyNumber);

  static constexpr int64_t kAnyNumber = int64_t{1} << 62;

  // The values reached; Board::kOpen where a cell is open.
  std::vector<uint8_t> cells() const { return board_.cells(); }

  // Hands over to beliefs about a board that `fits`: the messages about cells that are open here,
  // and the values reached of the others.
  void tell(Beliefs& beliefs) const { beliefs.follow(beliefs_, board_.cells()); }

  bool fits(const Beliefs& beliefs) const {
    const Board& other = beliefs.board();
    return other.height() == board_.height() && other.width() == board_.width() &&
           other.num_values() == board_.num_values();
  }

  int64_t num_steps() const { return num_steps_; }
  int64_t num_refuted() const { return num_refuted_; }    // values
  int64_t num_released() const { return num_released_; }  // times that both values were refuted
  int64_t num_pushes() const { return num_pushes_; }
  int64_t num_rounds() const { return beliefs_.num_rounds(); }

 private:
  using Choice = Beliefs::Choice;
  using Choices = std::vector<Choice>;
  using Cells = std::vector<uint8_t>;  // 1 for a cell that is meant

  bool begin(Watch& watch);
  bool step(Watch& watch);
  bool is_push_due(const Choices& open);
  bool push(const Choices& open, Watch& watch);
  bool fix_some(Choices& open, Watch& watch);
  bool fix(const Choice& choice, Watch& watch);
  void release(int cell, Watch& watch);
  Cells box_around(int cell) const;
  Cells lines_near(int cell);

  Board board_;
  Beliefs beliefs_;
  Settings settings_;
  std::mt19937_64 random_;
  Choices fixed_;
  size_t root_ = 0;  // the board's mark before anything was fixed
  bool is_begun_ = false;
  int64_t most_known_ = 0;     // cells, ever
  int64_t num_dead_ends_ = 0;  // since then
  int64_t most_decided_ = 0;   // cells, since the last release
  int64_t num_vain_ = 0;       // pushes since then
  int64_t num_steps_ = 0, num_refuted_ = 0, num_released_ = 0, num_pushes_ = 0;
};

}  // namespace nonosat
