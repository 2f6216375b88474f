// Every knight's tour of a board, by depth-first search; exact, and resumed after each tour.
//
// Plain, it is the founding document's backtracking: squares in the order of its move table, no
// look ahead. Guided, moves to squares with the fewest exits come first (Warnsdorff 1823), and a
// partial tour is given up as soon as a square that is still to be visited has too few neighbours
// left to be entered and left again, or two of them would have to be the last one.
#pragma once

#include <array>
#include <cstdint>
#include <utility>
#include <vector>

#include "knight/board.hpp"
#include "watch.hpp"

namespace nonosat::knight {

// Which tours are asked for. Squares are free ones of the board; steps lie below its number of
// squares, each at most once.
struct Asked {
  std::vector<Square> starts;                 // tried in this order
  std::vector<std::pair<Square, int>> fixed;  // square, which is visited at this step (from 0)
  bool is_closed = false;                     // the last square is a move away from the first
  bool is_halved = false;  // closed tours in one of their two directions: second place < last
  bool is_guided = true;
};

class Search {
 public:
  enum class Outcome { kSolution, kExhausted, kBudget };

  // Needs a board with a free square.
  Search(const Board& board, Asked asked);

  // Goes on to the next tour, for at most `budget` squares entered; each is met once, in the order
  // of `starts` and moves. kExhausted: there are no others. After kBudget and after a Stopped
  // exception the next call goes on. Entering a square costs its moves and, guided, their exits.
  Outcome next(Watch& watch, int64_t budget);

  // After kSolution: the squares in the order in which they are visited.
  const std::vector<Square>& path() const { return path_; }
  // Squares entered since the beginning: calls of the document's recursive function.
  int64_t num_calls() const { return num_calls_; }

 private:
  struct Level {
    std::array<Square, kNumMoves> moves;
    int8_t num_moves = 0;
    int8_t num_tried = 0;
  };

  void enter(Square square);
  void leave();
  bool use_up_neighbours(Square left);
  void give_back_neighbours(Square left);
  void collect_moves(Square square, Level& level) const;
  int num_exits(Square square) const;
  bool may_be_at(Square square, int step) const;
  bool is_tour() const;

  Board board_;
  Asked asked_;
  std::vector<uint8_t> is_open_;     // free and not visited yet
  std::vector<int8_t> num_chances_;  // by open square: neighbours that are open, head, or first
  std::vector<int32_t> step_of_;     // by square, -1 where it is not fixed
  std::vector<Square> fixed_at_;     // by step, -1 where it is not fixed
  std::vector<Square> path_;
  std::vector<Level> levels_;
  size_t num_starts_tried_ = 0;
  int num_lasts_ = 0;  // open squares with a single chance: each would have to be the last one
  int64_t num_calls_ = 0;
};

}  // namespace nonosat::knight
