// Segments: maximal groups of consecutive blocks of a line that can interact. The fillings of a
// line are the products of the fillings of its segments, so sums can be computed for each
// separately, over fewer cells and blocks, and known parts cost nothing.
//
// The start of a block is stored relative to its first possible place. offset(b) is the smallest
// number of cells that the blocks before b need, separators included; block b starts at offset(b) +
// i for some i with low(b) <= i <= high(b). Neither bound decreases from one block to the next.
//
// A segment has a plane for each colour of its blocks, in ascending order.
#pragma once

#include <compare>
#include <cstdint>
#include <span>
#include <vector>

#include "beliefs/weighted_line.hpp"
#include "line/plan.hpp"

namespace nonosat {

struct SegmentBlock {
  int32_t length, offset, low, high;
  int32_t size;    // index among the segment's sizes
  bool separated;  // true for the last block, and if the next block has the same colour
};

// A pair of plane and length that blocks of a segment have.
struct SegmentSize {
  int32_t plane, length;

  auto operator<=>(const SegmentSize&) const = default;
};

struct SumSegment {
  int32_t from, num_cells;  // range of cells of the line
  int32_t slack;            // num_cells - blocks - separators
  size_t blocks_at, num_blocks;
  size_t sizes_at, num_sizes;      // distinct sizes, ascending
  size_t colours_at, num_colours;  // the colour of each plane, ascending
  size_t sets_at;
};

class Segments {
 public:
  // Returns true if lines of this plan can be divided: all lengths are known.
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
  std::span<const SegmentSize> sizes(const SumSegment& segment) const {
    return std::span(sizes_).subspan(segment.sizes_at, segment.num_sizes);
  }
  std::span<const int32_t> colours(const SumSegment& segment) const {
    return std::span(colours_).subspan(segment.colours_at, segment.num_colours);
  }

  // 4-bit masks: bit i of mask c is 1 if cell c + i may be empty. There is a mask for each cell c
  // of the segment, and for kMargin cells before and after it. Cells outside of the segment may be
  // empty.
  static constexpr int kMargin = 4;
  const uint8_t* may_be_empty(const SumSegment& segment) const {
    return &sets_[segment.sets_at + kMargin];
  }
  // 4-bit masks for every fourth cell: bit i of mask k is 1 if cell 4 k + i may have the colour of
  // a plane. Cells outside of the segment must not.
  const uint8_t* may_be_filled(const SumSegment& segment, size_t plane = 0) const {
    const size_t quarters = (segment.num_cells + 3) / 4;
    return &sets_[segment.sets_at + segment.num_cells + 2 * kMargin + plane * quarters];
  }

 private:
  void append(const Plan& plan, std::span<const Window> windows, size_t first, size_t end);
  void append_planes(SumSegment& segment, std::span<const Block> blocks);
  void append_sets(const SumSegment& segment, const Plan& plan, const Word* may);

  std::vector<SumSegment> segments_;
  std::vector<SegmentBlock> blocks_;
  std::vector<SegmentSize> sizes_;
  std::vector<int32_t> colours_;
  std::vector<uint8_t> sets_;
};

}  // namespace nonosat
