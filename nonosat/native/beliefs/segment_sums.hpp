// How likely each cell of a segment is filled: the sums of line_sums.hpp for one colour and known
// lengths, four starts at a time.
//
// Because blocks are placed by the slack (segments.hpp), what block b leaves at i is what block
// b + 1 finds at i, separating cell included. With E(c) = whether cell c may be empty and W(b, i) =
// the product of the weights under block b:
//   T(b, i)     = G(b, i) W(b, i)                           all ways up to the block's end
//   G(b + 1, i) = E(offset(b + 1) + i - 1) (G(b + 1, i - 1) + T(b, i))
//   R(b, i)     = E(offset(b) + length(b) + i) H(b + 1, i)  all ways behind it
//   H(b, i)     = W(b, i) R(b, i) + E(offset(b) + i) H(b, i + 1)
// H begins at one over the sum of everything, so that block b starts there with probability T R. A
// cell is filled with the probability of the starts up to it less that of the ends before it. That
// difference is precise to 1e-15 of one, so log-odds are up to kMaxClamp.
//
// Doubles hold all sums where the open cells hear little enough. Where they do not, the sums before
// and behind each block get a power of two of their own; then places of a block that one side makes
// e^700 times less likely than its best are taken for impossible. What is lost by that is noticed
// when some block does not start anywhere with certainty.
//
// O(cells + blocks x slack); a round takes a quarter of the time that it took with LineSums alone
// (benchmarks/native/DECIMATION.md).
#pragma once

#include <vector>

#include "beliefs/segments.hpp"

namespace nonosat {

// What a run works in; it grows as needed.
struct SumMemory {
  std::vector<double> rows;
  std::vector<int> powers;
};

class SegmentSums {
 public:
  // Logarithms up to this one keep enough digits.
  static constexpr double kMaxClamp = 16;

  // Whether a line may be summed over here, where no cell hears more than `clamp`.
  static bool fits(const Plan& plan, double clamp);

  // The log-odds of the marginals of a segment's cells less what they heard, clamped; of any value
  // where a cell is not open. `heard`: by cell of the line, with three entries of any value behind
  // the last; what other cells heard does not matter. By cell of the segment; good until the next
  // run. Null where there is no filling, or where doubles do not hold the sums.
  const double* run(const Segments& segments, const SumSegment& segment, const double* heard,
                    double clamp);

 private:
  SumMemory memory_;
};

}  // namespace nonosat
