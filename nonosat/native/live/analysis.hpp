// Analysis of a puzzle while it is drawn on the page, in short slices: its verdict
// (strategy/strategy.hpp), all cells in which solutions differ, and the number of solutions.
// A deadline of the watch ends a slice; the next call continues from there.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "count/counter.hpp"
#include "strategy/strategy.hpp"
#include "watch.hpp"

namespace nonosat::live {

using strategy::Cells, strategy::Verdict;

struct Puzzle {
  int num_colours = 1;
  std::vector<Clue> rows, columns;
  Cells given;    // Board::kOpen for a cell that is not given; empty if no cell is
  Cells picture;  // a claimed solution; empty if there is none
};

// Returns the board of a puzzle, not propagated. Throws Stopped and TooLarge.
Board board_of(const Puzzle& puzzle, Watch& watch);

class Analysis {
 public:
  // `max_bytes`: memory limit of the counter's cache. Throws Stopped and TooLarge.
  Analysis(const Puzzle& puzzle, size_t max_bytes, Watch& watch);
  Analysis(const Analysis&) = delete;  // its counter refers to its board
  Analysis& operator=(const Analysis&) = delete;

  // The next three functions throw Stopped, after which the next call continues, and TooLarge and
  // bad_alloc, after which all results so far are kept.

  // Works until the verdict is known.
  void judge(Watch& watch);

  // Works until all cells in which solutions differ are known; does nothing without two solutions.
  void compare(Watch& watch);

  // After the verdict: works until the number of solutions is known.
  void count(Watch& watch);

  Verdict verdict() const { return strategy_.verdict(); }
  // Solutions; empty while none is known.
  const Cells& first() const { return strategy_.solutions().first(); }
  const Cells& second() const { return strategy_.solutions().second(); }

  // For each cell, 1 if two known solutions differ in it, else 0.
  const std::vector<uint8_t>& differing() const { return differing_; }
  bool is_compared() const { return is_compared_; }

  // The number of solutions, or a lower bound.
  Natural total() const;
  bool is_counted() const { return is_counted_; }

 private:
  void note(const Cells& other);

  strategy::Strategy strategy_;
  size_t max_bytes_;
  std::vector<uint8_t> differing_;
  bool is_begun_ = false;         // `compare` has begun
  bool is_engine_ready_ = false;  // it searches for differences not in `differing_`
  bool is_compared_ = false;
  std::optional<Board> counted_;  // only the counter changes it
  std::unique_ptr<Counter<Board>> counter_;
  bool is_counted_ = false;
};

}  // namespace nonosat::live
