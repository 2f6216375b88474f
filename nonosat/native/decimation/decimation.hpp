// Decimation: from beliefs about a board to one solution. The most certain open cells are fixed,
// lines are propagated exactly, and messages are exchanged for a few more rounds, until no cell is
// open. A value that the lines refute is removed. If all values of a cell are refuted, a dead end,
// the cells fixed near it are released, messages about them fade, and the search continues. The
// neighbourhood, a box or lines, grows with every dead end until the number of known cells exceeds
// the largest number reached before.
//
// On a large board messages first become certain along the sides, and this certainty moves inwards.
// Cells that are fixed before it has reached them are too often wrong. So while many cells are
// undecided, pushes replace fixing: some of the cells that are nearly decided count as decided for
// one round, and further rounds follow. A correct push has moved the front; a wrong one is soon
// corrected by messages, since nothing was fixed. When pushes no longer help, cells are fixed.
//
// Invariant: after every step the board is at the line fixpoint of the given board and the fixed
// cells, so a complete board is a solution, and a contradiction without fixed cells is a proof.
// Other outcomes prove nothing. A step costs its rounds (beliefs.hpp); memory is that of beliefs
// and of the words changed since the given board.
// Source: A. Braunstein, M. Mezard, R. Zecchina, Survey propagation: an algorithm for
// satisfiability (2005); releasing fixed variables: G. Parisi, Backtracking survey propagation
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
    int rounds = 6;      // rounds after each step
    double pace = 0.02;  // share of the open cells that a step fixes, at least one cell
    double widen = 2;    // growth of the released neighbourhood for each dead end without progress
    double keep = 0;     // factor for messages about released cells
    int pushes = 0;      // vain pushes allowed while no cell is decided; 0: no pushes
  };
  enum class Outcome { kComplete, kContradiction, kBudget };

  // Works on a copy of the board. Throws TooLarge as Beliefs does.
  Decimation(const Board& board, const Settings& settings);
  Decimation(const Decimation&) = delete;  // its beliefs refer to its board
  Decimation& operator=(const Decimation&) = delete;

  // Runs steps until the board is complete. kComplete: it holds a solution. kContradiction: the
  // board has no solution. kBudget: `budget` units of work were spent, or `dead_ends` reached; the
  // next call continues. Must not be called after a Stopped exception. The number of steps is not
  // bounded otherwise: on a board of few solutions it may never end.
  Outcome run(Watch& watch, int64_t budget, int64_t dead_ends = kAnyNumber);

  static constexpr int64_t kAnyNumber = int64_t{1} << 62;

  // Values found so far; Board::kOpen for an open cell.
  std::vector<uint8_t> cells() const { return board_.cells(); }

  // Transfers to the beliefs of a board that `fits`: the messages about cells that are open here,
  // and the values of the others.
  void transfer_to(Beliefs& beliefs) const { beliefs.copy_messages(beliefs_, board_.cells()); }

  bool fits(const Beliefs& beliefs) const {
    const Board& other = beliefs.board();
    return other.height() == board_.height() && other.width() == board_.width() &&
           other.num_values() == board_.num_values();
  }

  int64_t num_steps() const { return num_steps_; }
  int64_t num_refuted() const { return num_refuted_; }  // values
  // Dead ends: times that all values of a cell were refuted.
  int64_t num_released() const { return num_released_; }
  int64_t num_pushes() const { return num_pushes_; }
  int64_t num_rounds() const { return beliefs_.num_rounds(); }

 private:
  using Choice = Beliefs::Choice;
  using Choices = std::vector<Choice>;
  using Cells = std::vector<uint8_t>;  // 1 for each cell of the set

  bool begin(Watch& watch);
  bool run_rounds(Watch& watch, int64_t end);
  bool step(Watch& watch);
  bool is_push_due(const Choices& open);
  void push(const Choices& open);
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
  size_t root_ = 0;  // the board's mark before any cell was fixed
  bool is_begun_ = false;
  int rounds_left_ = 0;        // before the next step
  int64_t most_known_ = 0;     // largest number of cells known so far
  int64_t num_dead_ends_ = 0;  // since that record
  int64_t most_decided_ = 0;   // largest number of decided cells since the last release
  int64_t num_vain_ = 0;       // pushes since that record
  int64_t num_steps_ = 0, num_refuted_ = 0, num_released_ = 0, num_pushes_ = 0;
};

}  // namespace nonosat
