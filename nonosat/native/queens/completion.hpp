// One placement of n queens on a board of which much is blocked or attacked, large ones as well.
//
// Depth-first: the row or column with the fewest free squares is next (Haralick and Elliott 1980),
// and of its squares the one that takes least from the other lines: a free square that is attacked
// counts for more, the fewer its row and its column have. An attempt is given up after some dead
// ends, and a new one breaks ties in another way; each may take more dead ends than the one before
// (Gomes, Selman and Kautz 1998). An attempt that comes to its end has refuted the board.
#pragma once

#include <cstdint>
#include <random>
#include <vector>

#include "watch.hpp"

namespace nonosat::queens {

inline constexpr int kMostCompleted = 2000;  // a board is a byte a square

class Completion {
 public:
  enum class Outcome { kSolution, kExhausted, kBudget };

  // `allowed`: a byte a square, row by row, 0 where no queen may stand; at most kMostCompleted
  // rows. Throws std::invalid_argument where these are not `size` rows of as many squares.
  Completion(int size, const std::vector<uint8_t>& allowed, uint64_t seed);

  // Looks for a placement, for at most `budget` queens put down; one costs about `size` squares.
  // kExhausted: there is none. After kBudget and after a Stopped exception the next call goes on,
  // after kSolution it begins anew and may find the same placement again.
  Outcome next(Watch& watch, int64_t budget);

  // After kSolution: the column of each row's queen.
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
  struct Level {  // a queen that was put down
    Square square;
    size_t first;  // of its line's candidates; those behind the one taken are still to be tried
    size_t taken;
  };

  bool is_free(Square square) const;
  template <class Visit>
  void each_attacked(Square square, Visit visit) const;
  void put(Square square);
  void take_back(Square square);
  int next_line();
  int64_t cost_of(Square square) const;
  void collect(int line);
  bool advance();
  bool step();
  void restart();

  int size_;
  std::vector<uint8_t> closed_;        // by square: blocked, and queens that attack it
  std::vector<int32_t> num_free_;      // by line: rows, then columns
  std::vector<uint8_t> is_taken_;      // by line: has a queen
  std::vector<int64_t> weights_;       // of a free square, by how many its line has
  std::vector<Candidate> candidates_;  // of all levels, one behind the other
  std::vector<Level> levels_;
  std::vector<int32_t> columns_;
  std::mt19937_64 random_;
  int num_dead_ = 0;  // lines without queen and free square
  int64_t most_dead_ends_, num_dead_ends_ = 0;
  int64_t num_placed_ = 0;
  int64_t cost_ = 0;  // not yet told to the watch
};

}  // namespace nonosat::queens
