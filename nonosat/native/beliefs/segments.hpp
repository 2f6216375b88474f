// Segments: the parts into which the blocks of a line fall, where those of one part are never in
// the way of another's. A line's fillings are the products of its segments' fillings, so sums over
// them can be made apart, over fewer cells and blocks, and known parts cost nothing.
//
// Blocks are placed by the slack of their segment: block b starts at offset(b) + i, where the
// offset is what the blocks before it take at least, and low(b) <= i <= high(b). Neither bound
// falls from one block to the next.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "beliefs/weighted_line.hpp"
#include "line/plan.hpp"

namespace nonosat {

struct SegmentBlock {
  int32_t length, offset, low, high;
  int32_t size;  // index of its length among the segment's distinct ones
};

struct SumSegment {
  int32_t from, num_cells;  // of the line
  int32_t slack;            // cells that its blocks leave over
  size_t blocks_at, num_blocks;
  size_t lengths_at, num_lengths;  // distinct, ascending
  size_t sets_at;
};

class Segments {
 public:
  // Whether lines of this plan can be cut: of one colour and known lengths.
  static bool fits(const Plan& plan);

  void clear();

  // Appends the segments of a line that have open cells, for a plan that fits. `may` and `windows`
  // as WindowFinder takes and gives them. False, with nothing appended, where open cells are left
  // outside, which happens only when the line is not at its fixpoint. O(cells + blocks).
  bool add(const Plan& plan, const Word* may, std::span<const Window> windows);

  size_t size() const { return segments_.size(); }
  const SumSegment& operator[](size_t index) const { return segments_[index]; }
  std::span<const SegmentBlock> blocks(const SumSegment& segment) const {
    return std::span(blocks_).subspan(segment.blocks_at, segment.num_blocks);
  }
  std::span<const int32_t> lengths(const SumSegment& segment) const {
    return std::span(lengths_).subspan(segment.lengths_at, segment.num_lengths);
  }

  // What the cells may be, four at a time: bit i of a set is about cell i of the four. By cell,
  // from kMargin before the segment to as many behind it, which of the four from it on may be
  // empty; cells outside may.
  static constexpr int kMargin = 4;
  const uint8_t* may_be_empty(const SumSegment& segment) const {
    return &sets_[segment.sets_at + kMargin];
  }
  // By every fourth cell, which of the four from it on may be filled; cells outside may not.
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
