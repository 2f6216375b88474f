// Sums over all weighted fillings of a segment: a faster form of line_sums.hpp for known lengths,
// which computes four starts of a block at a time. With one colour the result is the message about
// each cell, else the weights of each cell's values.
//
// Blocks are indexed by the slack (segments.hpp), so that index i of block b is followed by index i
// of block b + 1, separating cell included if there is one. Let E(c) be 1 if cell c may be empty,
// else 0, W(b, i) the product of the weights under block b, and S(b) = E(offset(b) + length(b) + i)
// if block b + 1 is separated, else 1:
//   T(b, i)     = G(b, i) W(b, i)                     all ways up to the block's end
//   N(b + 1, i) = E(offset(b + 1) + i - 1) (G(b + 1, i - 1) + [separated] T(b, i))
//   G(b + 1, i) = N(b + 1, i) + [not separated] T(b, i)
//   R(b, i)     = S(b) H(b + 1, i)                    all ways after it
//   H(b, i)     = W(b, i) R(b, i) + E(offset(b) + i) H(b, i + 1)
// N are the ways in which the cell before the block is empty. H begins with the inverse of the sum
// of all fillings, so that block b starts at i with probability T R, and the cell before it is
// empty with probability N H.
//
// With one colour a cell is filled with the probability of the starts up to it minus that of the
// ends before it. This difference is precise to 1e-15, so log-odds are precise up to kMaxClamp.
// With several colours the improbable values of a cell are compared with each other, so the starts
// that cover a cell are added up one by one.
//
// Doubles represent all sums if the messages are small enough. If they are not, the sums before and
// after each block are scaled by powers of two; places of a block that one side makes e^700 times
// less likely than its best place then count as impossible. A loss of precision by this is detected
// when the starts of some block do not sum up to one.
//
// O(cells + blocks x slack), with several colours also the sum of the blocks' lengths x slack; a
// round takes a quarter of its time with LineSums alone, and a tenth in two colours
// (benchmarks/native/DECIMATION.md).
#pragma once

#include <vector>

#include "beliefs/segments.hpp"

namespace nonosat {

// Working memory of runs; it grows as needed.
struct SumMemory {
  std::vector<double> rows;
  std::vector<int> powers;
};

class SegmentSums {
 public:
  // Largest clamp for which log-odds are precise enough.
  static constexpr double kMaxClamp = 16;

  // Returns true if lines of the plan can be summed here when no message exceeds `clamp`.
  static bool fits(const Plan& plan, double clamp);

  // For a segment of a board with one colour. Returns the log-odds of the marginals of a segment's
  // cells minus the incoming messages, clamped; any value for a cell that is not open. `incoming`:
  // by cell of the line, with three more entries of any value; those of other cells are ignored.
  // The result is indexed by cell of the segment and valid until the next run. Null if there is no
  // filling, or if doubles cannot represent the sums.
  const double* run(const Segments& segments, const SumSegment& segment, const double* incoming,
                    double clamp);

  // Logarithms of the weights of all fillings in which a cell has a value, with a common factor:
  // entry [0] for an empty cell, [1 + plane] for the colour of a plane; below kNone if there are
  // none.
  struct Logs {
    const double* rows;  // null if there is no filling, or if doubles cannot represent the sums
    int64_t row;         // entries of a row
    double at(size_t value, int64_t cell) const { return rows[value * row + cell]; }
  };
  static constexpr double kNone = -688;  // log of 1e-299, rounded up

  // For a segment of a board with several colours. `incoming`: for each plane a row of `stride`
  // logarithms of weights, relative to the lowest value left of the cell; by cell of the line, with
  // three more entries; those of cells that must not have the colour are ignored, those of cells
  // that have it for certain are 0. The result is indexed by cell of the segment and valid until
  // the next run.
  Logs run_coloured(const Segments& segments, const SumSegment& segment, const double* incoming,
                    int64_t stride);

 private:
  SumMemory memory_;
};

}  // namespace nonosat
