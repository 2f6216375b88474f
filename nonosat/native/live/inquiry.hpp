// Answers of the page about a puzzle that is being drawn, computed in short slices: its verdict
// (strategy/strategy.hpp), then all cells in which solutions differ, and the number of solutions.
// A watch with a deadline ends a slice, and the next call continues there.
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
  Cells given;    // Board::kOpen where nothing is given; empty where nothing is at all
  Cells picture;  // a solution that is claimed; empty where none is
};

// A board of a puzzle, not yet propagated. Throws Stopped and TooLarge.
Board board_of(const Puzzle& puzzle, Watch& watch);

class Inquiry {
 public:
  // `max_bytes`: what counting may remember. Throws Stopped and TooLarge.
  Inquiry(const Puzzle& puzzle, size_t max_bytes, Watch& watch);
  Inquiry(const Inquiry&) = delete;  // its counter is about its board
  Inquiry& operator=(const Inquiry&) = delete;

  // All three throw Stopped, after which they go on when called again, and TooLarge and bad_alloc,
  // after which what is known stays.

  // Works until the verdict is known.
  void judge(Watch& watch);

  // Of a puzzle with several solutions: works until all cells are known in which some differ.
  void compare(Watch& watch);

  // After the verdict: works until the number of solutions is known.
  void count(Watch& watch);

  Verdict verdict() const { return strategy_.verdict(); }
  // Solutions; empty while none is known.
  const Cells& first() const { return strategy_.solutions().first(); }
  const Cells& second() const { return strategy_.solutions().second(); }

  // By cell, whether two known solutions differ in it.
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
  bool is_begun_ = false;  // comparing
  bool is_asked_ = false;  // the engine, for what is missing in `differing_`
  bool is_compared_ = false;
  std::optional<Board> counted_;  // changed by the counter alone
  std::unique_ptr<Counter> counter_;
  bool is_counted_ = false;
};

}  // namespace nonosat::live
