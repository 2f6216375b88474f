// Warnsdorff's rule (H. C. von Warnsdorff 1823): move to the square with the fewest exits.
//
// A heuristic: an attempt may end in a dead end, which proves nothing about the board. Attempts
// differ in the choice among several best squares. An attempt takes time linear in the board.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "knight/board.hpp"
#include "watch.hpp"

namespace nonosat::knight {

// A small generator with equal numbers on all platforms (SplitMix64, Steele, Lea and Flood 2014).
class Random {
 public:
  explicit Random(uint64_t seed) : state_(seed) {}

  uint64_t next() {
    uint64_t z = (state_ += 0x9e3779b97f4a7c15);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    return z ^ (z >> 31);
  }
  // Returns a number from 0 to `end` - 1; `end` must be positive.
  uint32_t below(uint32_t end) { return static_cast<uint32_t>(((next() >> 32) * end) >> 32); }

 private:
  uint64_t state_;
};

enum class Ties {
  kOrder,   // the first in the order of the moves
  kOuter,   // the farthest from the middle of the board (A. Roth, after D. Squirrel, P. Cull 1996)
  kRandom,  // a random one
};

// Runs one attempt from a free square, and returns the squares in their order. Nothing after a dead
// end, or if a closed tour is required and the last square is not a move away from the first. Draws
// from `random` only for Ties::kRandom. Throws Stopped. Linear in the board.
std::optional<std::vector<Square>> warnsdorff(const Board& board, Square start, bool is_closed,
                                              Ties ties, Random& random, Watch& watch);

}  // namespace nonosat::knight
