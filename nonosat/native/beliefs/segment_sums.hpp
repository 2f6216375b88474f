// Computation of the marginal probability that each cell of a segment is filled, over all weighted
// fillings of the segment. It is a faster form of line_sums.hpp for lines of one colour with known
// lengths, and computes four starts of a block at a time.
//
// Blocks are indexed by the slack (segments.hpp), so that index i of block b is followed by index i
// of block b + 1, separating cell included. Let E(c) be 1 if cell c may be empty, else 0, and W(b,
// i) the product of the weights under block b:
//   T(b, i)     = G(b, i) W(b, i)                           all ways up to the block's end
//   G(b + 1, i) = E(offset(b + 1) + i - 1) (G(b + 1, i - 1) + T(b, i))
//   R(b, i)     = E(offset(b) + length(b) + i) H(b + 1, i)  all ways after it
//   H(b, i)     = W(b, i) R(b, i) + E(offset(b) + i) H(b, i + 1)
// H begins with the inverse of the sum of all fillings, so that block b starts at i with
// probability T R. A cell is filled with the probability of the starts up to it minus that of the
// ends before it. This difference is precise to 1e-15, so log-odds are precise up to kMaxClamp.
//
// Doubles represent all sums if the messages are small enough. If they are not, the sums before and
// after each block are scaled by powers of two; places of a block that one side makes e^700 times
// less likely than its best place then count as impossible. A loss of precision by this is detected
// when the starts of some block do not sum up to one.
//
// O(cells + blocks x slack); a round takes a quarter of its time with LineSums alone
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

  // Returns the log-odds of the marginals of a segment's cells minus the incoming messages,
  // clamped; any value for a cell that is not open. `incoming`: by cell of the line, with three
  // more entries of any value; those of other cells are ignored. The result is indexed by cell of
  // the segment and valid until the next run. Null if there is no filling, or if doubles cannot
  // represent the sums.
  const double* run(const Segments& segments, const SumSegment& segment, const double* incoming,
                    double clamp);

 private:
  SumMemory memory_;
};

}  // namespace nonosat
