// Segments: maximal groups of consecutive blocks of a line that can interact. The fillings of a
// line are the products of the fillings of its segments, so sums can be computed for each
// separately, over fewer cells and blocks, and known parts cost nothing.
//
// The start of a block is stored relative to its first possible place. offset(b) is the smallest
// number of cells that the blocks before b need, separators included; block b starts at offset(b) +
// i for some i with low(b) <= i <= high(b). Neither bound decreases from one block to the next.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "beliefs/weighted_line.hpp"
#include "line/plan.hpp"

namespace nonosat {

struct SegmentBlock {
  int32_t length, offset, low, high;
  int32_t size;  // index of its length among the segment's distinct lengths
};

struct SumSegment {
  int32_t from, num_cells;  // range of cells of the line
  int32_t slack;            // num_cells - blocks - separators
  size_t blocks_at, num_blocks;
  size_t lengths_at, num_lengths;  // distinct lengths, ascending
  size_t sets_at;
};

class Segments {
 public:
  // Returns true if lines of this plan can be divided: one colour and known lengths.
  static bool fits(const Plan& plan);

  void clear();

  // Appends the segments of a line that have open cells, for a plan that fits. `may` and `windows`
  // as for WindowFinder. False, with nothing appended, if open cells are outside of all segments,
  // which happens only if the line is not at its fixpoint. O(cells + blocks).
  bool add(const Plan& plan, const Word* may, std::span<const Window> windows);

  size_t size() const { return segments_.size(); }
  const SumSegment& operator[](size_t index) const { return segments_[index]; }
  std::span<const SegmentBlock> blocks(const SumSegment& segment) const {
    return std::span(blocks_).subspan(segment.blocks_at, segment.num_blocks);
  }
  std::span<const int32_t> lengths(const SumSegment& segment) const {
    return std::span(lengths_).subspan(segment.lengths_at, segment.num_lengths);
  }

  // 4-bit masks: bit i of mask c is 1 if cell c + i may be empty. There is a mask for each cell c
  // of the segment, and for kMargin cells before and after it. Cells outside of the segment may be
  // empty.
  static constexpr int kMargin = 4;
  const uint8_t* may_be_empty(const SumSegment& segment) const {
    return &sets_[segment.sets_at + kMargin];
  }
  // 4-bit masks for every fourth cell: bit i of mask k is 1 if cell 4 k + i may be filled. Cells
  // outside of the segment must not be filled.
  const uint8_t* may_be_filled(const SumSegment& segment) const {
    return &sets_[segment.sets_at + segment.num_cells + 2 * kMargin];
  }

 private:
  void append(const Plan& plan, std::span<const Window> windows, size_t first, size_t end);
  void append_sets(const SumSegment& segment, const Word* empty, const Word* filled);

  std::vector<SumSegment> segments_;
  std::vector<SegmentBlock> blocks_;
  std::vector<int32_t> lengths_;
  std::vector<uint8_t> sets_;
};

}  // namespace nonosat
