// The line solver for consecutive blocks of known lengths whose windows are not too wide, however
// long the line is. Cost for a block: a few operations on integers of its window's width.
#pragma once

#include "line/span.hpp"
#include "watch.hpp"

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

// Which integers solve a segment, and what that takes.
struct WindowTask {
  WindowTask(const LongLine& line, const Segment& segment);

  int64_t num_words;  // of memory beside the line; -1 where solve_windows does not take the
                      // segment: a block is of unknown length, or has too many starts left
  int size;           // index of the integers
};

// Solves a segment that has memory for its `task` and whose blocks are not in the way of those of
// other segments. Adds to `cells.kept` what the segment's cells may be, narrows `line.lasting`, and
// returns true; returns false, with nothing changed, when there is no placement. Throws Stopped
// before anything has changed. Each block costs a few operations on integers of its window's width,
// and its length is looked at by the word.
bool solve_windows(const WindowTask& task, const LongLine& line, const Segment& segment,
                   const PaddedLine& cells, Word* memory, Watch& watch);

}  // namespace nonosat
