// Line solver for consecutive blocks of known lengths whose windows are not too wide, in a line of
// any length. Each block costs a few operations on integers of its window's width.
#pragma once

#include "line/span.hpp"
#include "watch.hpp"

namespace nonosat {

// Planes of a line's cells, each followed by zeros, so that whole integers can be read and written
// at any position.
struct PaddedLine {
  static constexpr int kPadding = 6;  // words

  Word* may;       // plane of value v: may + v * stride
  Word* mirrored;  // the empty cells of the mirrored line
  Word* kept;      // like `may`; zeros before the solve
  int64_t stride;  // words of a plane
  int64_t length;  // cells
};

// Width of the integers that solve a segment, and the memory needed.
struct WindowTask {
  WindowTask(const LongLine& line, const Segment& segment);

  // Words of memory besides the line; -1 if solve_windows cannot process the segment, because a
  // block is of unknown length or has too many starts left.
  int64_t num_words;
  int size;  // index of the integers
};

// Solves a segment whose blocks do not interact with those of other segments, in the memory that
// `task` requires. Adds the possible values of the segment's cells to `cells.kept`, narrows
// `line.permanent`, and returns true; returns false, with nothing changed, if there is no
// placement. Throws Stopped before anything has changed. Each block costs a few operations on
// integers of its window's width, and its length divided by the bits of a word.
bool solve_windows(const WindowTask& task, const LongLine& line, const Segment& segment,
                   const PaddedLine& cells, Word* memory, Watch& watch);

}  // namespace nonosat
