// What a line solver knows of a line before it looks at the cells, in two parts.
//
// `Plan` holds what follows from the clue. It never changes after it was made, so lines of one clue
// and length, copies of a board and threads may share one. `Windows` holds what solves have found
// out about one long line for good. It changes with every lasting solve and belongs to that line
// alone, as `Scratch` (line.hpp) belongs to one solve at a time.
#pragma once

#include <compare>
#include <cstdint>
#include <vector>

#include "line/words.hpp"

namespace nonosat {

struct Block {
  int32_t length;  // 0: unknown, at least 1
  int32_t colour;  // 1 .. number of colours

  auto operator<=>(const Block&) const = default;
};

// Where the blocks of a long line can start, and what its last lasting solve left of the cells. A
// short line has neither: it is solved anew each time.
//
// Invariant: every placement that agrees with what is known for good starts block b in
// first[b]..last[b]. Where `settled` is not empty, the line was solved when its cells were
// `settled`, and each of them had a value left.
struct Windows {
  std::vector<int32_t> first, last;
  std::vector<Word> settled;  // a plane of words_for(length) words a value

  // The next solve looks at all blocks again. Needed before it when a cell has lost its last value,
  // or has more values again than the last lasting solve kept.
  void unsettle() { settled.clear(); }
};

// The steps of the solvers of line_mono.hpp, for blocks of one colour and of known lengths, in one
// piece of memory, because the plans of a board are cold: 200 boards in turn took 15 us instead of
// 18 (benchmarks/native/LOG.md). Steps: growing a window of cells by `step` after `step` it takes
// each distinct length in turn. Growths: the same block by block, for several blocks at a time.
struct MonoPlan {
  std::vector<uint8_t> bytes;
  int row = 0;  // bytes of a row: one a block, rounded up to fours
  int num_growths = 0;
  int num_steps = 0;

  const uint8_t* shift() const { return bytes.data(); }  // by block: its length plus 1
  const uint8_t* growth(int i) const { return shift() + (1 + i) * row; }
  const uint8_t* step_of() const { return growth(num_growths); }  // that reaches its length
  const uint8_t* step() const { return step_of() + row; }
  const uint8_t* step_shift() const { return step() + num_steps; }  // the length reached, plus 1
};

struct Plan {
  // Needs `length` >= 0, colours 1..num_colours and lengths >= 0. The blocks need not fit: `slack`
  // is negative then. O(k log k) for k blocks.
  Plan(int length, int num_colours, std::vector<Block> blocks);

  struct Size {  // a distinct (colour, length) among the blocks, ordered by colour, then length
    int32_t colour;
    int32_t length;
  };

  // Short lines are solved in one or two machine words, without windows or scratch memory. A line
  // of n cells has n + 1 positions.
  static constexpr int kShortWords = 2;
  static constexpr bool is_short(int length) { return length < kShortWords * kWordBits; }

  int length;
  int num_colours;
  std::vector<Block> blocks;
  std::vector<uint8_t> separated;  // block b and block b + 1 are of one colour
  std::vector<Size> sizes;
  std::vector<int32_t> size_of;  // index into `sizes`; -1 for a block of unknown length
  int slack;                     // cells left over by the tightest placement; negative: none fits
  bool is_mono;                  // short, one colour, known lengths, and room for all blocks
  MonoPlan mono;                 // then
  int64_t cost;                  // of a solve, in the watch's units; long lines account for more
  Windows open;                  // of a long line of which nothing is known; else empty
};

}  // namespace nonosat
