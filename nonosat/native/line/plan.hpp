// Data of a line solver that are computed before a solve, in two parts.
//
// `Plan` depends on the clue and the length only. It never changes, so lines of equal clue and
// length, copies of a board, and threads may share one. `Windows` holds permanent results of
// earlier solves of one long line. It changes with every permanent solve and belongs to one line,
// as `Scratch` (line.hpp) belongs to one solve at a time.
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

// Ranges of the starts of the blocks of a long line, and the cells after its last permanent solve.
// Short lines have no windows; they are solved from scratch each time.
//
// Invariant: in every placement that agrees with the permanent cells, block b starts in
// first[b]..last[b]. If `settled` is not empty, the last permanent solve returned `settled`, with a
// value left for each cell.
struct Windows {
  std::vector<int32_t> first, last;
  std::vector<Word> settled;  // planes of words_for(length) words, one for each value

  // Makes the next solve visit all blocks. Required before it if a cell has lost its last value, or
  // has more values again than the last permanent solve returned.
  void invalidate() { settled.clear(); }
};

// Steps of the solvers of line_mono.hpp, for blocks of one colour and of known lengths. All of them
// are in one block of memory, because the plans of a board are usually not in the cache: 200 boards
// in turn took 15 us instead of 18 (benchmarks/native/LOG.md).
//
// The solvers need, for each block length, the places where that many cells in a row may be filled.
// They widen a window of one cell step by step. `step`: widths to add, so that the window reaches
// each distinct length in turn. `growth(i)`: for each block, the i-th width to add in order to
// reach its length; several blocks are then processed at a time.
struct MonoPlan {
  std::vector<uint8_t> bytes;
  int row = 0;  // bytes of a row: one for each block, rounded up to a multiple of four
  int num_growths = 0;
  int num_steps = 0;

  const uint8_t* shift() const { return bytes.data(); }  // by block: its length plus 1
  const uint8_t* growth(int i) const { return shift() + (1 + i) * row; }
  // Step that reaches the block's length.
  const uint8_t* step_of() const { return growth(num_growths); }
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
  std::vector<uint8_t> separated;  // 1 if blocks b and b + 1 have the same colour
  std::vector<Size> sizes;
  std::vector<int32_t> size_of;  // index into `sizes`; -1 for a block of unknown length
  int slack;                     // length - blocks - separators; -1 if the blocks do not fit
  bool is_mono;                  // short, one colour, known lengths, and room for all blocks
  MonoPlan mono;                 // only if `is_mono`
  int64_t cost;                  // of a solve, in units of work; long lines account for more
  Windows open;                  // windows of a long line without known cells; else empty
};

}  // namespace nonosat
