// The line solver for consecutive blocks of known lengths whose windows are not too wide, however
// long the line is. Cost for a block: a few operations on integers of its window's width.
#pragma once

#include "line/line.hpp"
#include "line/span.hpp"

namespace nonosat {

// The cells of a line, a plane after another, with zeros behind each plane so that it can be read
// and written an integer at a time.
struct PaddedLine {
  static constexpr int kPadding = 6;  // words

  Word* may;       // the value's plane v is may + v * stride
  Word* mirrored;  // the empty cells, read from right to left
  Word* kept;      // as `may`, zeros before the solve
  int64_t stride;  // words of a plane
  int64_t length;  // cells
};

// Solving a segment takes `num_words` words of memory beside the line; -1 where a block is of
// unknown length, or has too many starts left.
struct WindowTask {
  WindowTask(const Plan& plan, const Segment& segment);

  int64_t num_words;
  int size;  // which integer
};

// Solves the segment and adds to `line.kept` what its cells may be; `lasting` as in line.hpp. The
// plan's windows are narrowed only where there is a placement.
bool solve_windows(const WindowTask& task, Plan& plan, const Segment& segment,
                   const PaddedLine& line, Word* memory, bool lasting, Watch& watch);

}  // namespace nonosat
