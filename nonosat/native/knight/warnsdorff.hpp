// Warnsdorff's rule (H. C. von Warnsdorff 1823): go where the fewest ways lead on.
//
// A heuristic: an attempt may end in a blind alley, and that says nothing about the board. What
// differs between attempts is which of several best squares is taken. An attempt takes time
// linear in the board.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "knight/board.hpp"
#include "watch.hpp"

namespace nonosat::knight {

// A small generator with the same numbers everywhere (SplitMix64, Steele, Lea and Flood 2014).
class Random {
 public:
  explicit Random(uint64_t seed) : state_(seed) {}

  uint64_t next() {
    uint64_t z = (state_ += 0x9e3779b97f4a7c15);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    return z ^ (z >> 31);
  }
  // A number from 0 to `end` - 1; `end` is positive.
  uint32_t below(uint32_t end) { return static_cast<uint32_t>(((next() >> 32) * end) >> 32); }

 private:
  uint64_t state_;
};

enum class Ties {
  kOrder,   // the first in the order of the moves
  kOuter,   // the farthest from the middle of the board (A. Roth, after D. Squirrel, P. Cull 1996)
  kRandom,  // any
};

// One attempt from a free square: the squares in the order in which they are visited. No value
// after a blind alley, or where a closed tour was wanted and the last square is not a move away
// from the first. Draws from `random` only for Ties::kRandom. Throws Stopped. Linear in the board.
std::optional<std::vector<Square>> warnsdorff(const Board& board, Square start, bool is_closed,
                                              Ties ties, Random& random, Watch& watch);

}  // namespace nonosat::knight
