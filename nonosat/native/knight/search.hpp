// Enumerates the knight's tours of a board by depth-first search; exact, resumed after each tour.
//
// The search is guided or unguided. The unguided search is plain backtracking: moves are tried in
// the fixed order of the move table (board.hpp), without look-ahead. The guided search first tries
// moves to squares with the fewest exits (Warnsdorff 1823), and refutes a partial tour as soon as
// an unvisited square has too few neighbours left to be entered and left, or two unvisited squares
// would both have to be the last one.
#pragma once

#include <array>
#include <cstdint>
#include <utility>
#include <vector>

#include "knight/board.hpp"
#include "watch.hpp"

namespace nonosat::knight {

// Requirements for tours. Squares must be free; steps must be below the number of free squares,
// each at most once.
struct Requirements {
  std::vector<Square> starts;                 // tried in this order
  std::vector<std::pair<Square, int>> fixed;  // squares with their steps, from 0
  bool is_closed = false;                     // the last square must be a move away from the first
  bool is_halved = false;  // closed tours in one direction only: second place < last
  bool is_guided = true;
};

class Search {
 public:
  enum class Outcome { kSolution, kExhausted, kBudget };

  // Needs a board with a free square.
  Search(const Board& board, Requirements required);

  // Finds the next tour, entering at most `budget` squares; each tour is found once, in the order
  // of `starts` and moves. kExhausted: there are no others. After kBudget and after a Stopped
  // exception the next call continues. Entering a square costs its moves and, guided, their exits.
  Outcome next(Watch& watch, int64_t budget);

  // Squares of the tour in their order, after kSolution.
  const std::vector<Square>& path() const { return path_; }
  // Number of squares entered so far. A recursive search makes one call for each.
  int64_t num_calls() const { return num_calls_; }

 private:
  struct Level {
    std::array<Square, kNumMoves> moves;
    int8_t num_moves = 0;
    int8_t num_tried = 0;
  };

  void enter(Square square);
  void leave();
  bool remove_chances(Square left);
  void restore_chances(Square left);
  void collect_moves(Square square, Level& level) const;
  int num_exits(Square square) const;
  bool may_be_at(Square square, int step) const;
  bool is_tour() const;

  Board board_;
  Requirements required_;
  std::vector<uint8_t> is_open_;     // free and not visited
  std::vector<int8_t> num_chances_;  // by open square: see `enter`
  std::vector<int32_t> step_of_;     // by square, -1 if it is not fixed
  std::vector<Square> fixed_at_;     // by step, -1 if it is not fixed
  std::vector<Square> path_;
  std::vector<Level> levels_;
  size_t num_starts_tried_ = 0;
  int num_lasts_ = 0;  // open squares with a single chance, each of which would have to be the last
  int64_t num_calls_ = 0;
};

}  // namespace nonosat::knight
