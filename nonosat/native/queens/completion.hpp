// Search for one placement of n queens on a board with many blocked or attacked squares, also a
// large one.
//
// Depth-first: the row or column with the fewest free squares is next (Haralick and Elliott 1980),
// and of its squares the one that costs other lines least: an attacked free square costs more, the
// fewer free squares its row and column have. An attempt is abandoned after a number of dead ends,
// which grows from attempt to attempt, and the next one breaks ties differently (Gomes, Selman and
// Kautz 1998). An attempt that exhausts its search refutes the board.
#pragma once

#include <cstdint>
#include <random>
#include <vector>

#include "watch.hpp"

namespace nonosat::queens {

inline constexpr int kMostCompleted = 2000;  // a board takes one byte per square

class Completion {
 public:
  enum class Outcome { kSolution, kExhausted, kBudget };

  // `size`: number of rows, columns and queens, at most kMostCompleted. `allowed`: one byte per
  // square, row by row, 0 if the square is blocked. Throws std::invalid_argument if `allowed` does
  // not have size * size bytes.
  Completion(int size, const std::vector<uint8_t>& allowed, uint64_t seed);

  // Searches for a placement, placing at most `budget` queens; each costs about `size` squares.
  // kExhausted: there is none. After kBudget or a Stopped exception the next call resumes; after
  // kSolution it restarts and may find the same placement again.
  Outcome next(Watch& watch, int64_t budget);

  // After kSolution: the column of the queen by row.
  const std::vector<int32_t>& columns() const { return columns_; }
  int64_t num_placed() const { return num_placed_; }

 private:
  struct Square {
    int32_t row, column;
  };
  struct Candidate {
    int64_t cost;
    Square square;
  };
  struct Level {  // a queen that has been placed
    Square square;
    size_t first;  // first candidate of its line; those after `taken` are untried
    size_t taken;
  };

  bool is_free(Square square) const;
  template <class Visit>
  void each_attacked(Square square, Visit visit) const;
  void place_queen(Square square);
  void remove_queen(Square square);
  int next_line();
  int64_t cost_of(Square square) const;
  void collect(int line);
  bool backtrack();
  bool step();
  void restart();

  int size_;
  std::vector<uint8_t> closed_;    // by square: 1 if blocked, plus the queens that attack it
  std::vector<int32_t> num_free_;  // by line: rows, then columns
  std::vector<uint8_t> is_taken_;  // by line: 1 if it has a queen
  std::vector<int64_t> weights_;   // of a free square, by the number of free squares in its line
  std::vector<Candidate> candidates_;  // of all levels, consecutively
  std::vector<Level> levels_;
  std::vector<int32_t> columns_;
  std::mt19937_64 random_;
  int num_dead_ = 0;  // lines with neither queen nor free square
  int64_t most_dead_ends_, num_dead_ends_ = 0;
  int64_t num_placed_ = 0;
  int64_t cost_ = 0;  // not yet added to the watch
};

}  // namespace nonosat::queens
