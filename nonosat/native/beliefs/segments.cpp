#include "beliefs/segments.hpp"

#include <algorithm>

namespace nonosat {

bool Segments::fits(const Plan& plan) {
  if (plan.num_colours != 1) return false;
  return std::all_of(plan.blocks.begin(), plan.blocks.end(),
                     [](const Block& block) { return block.length > 0; });
}

void Segments::clear() {
  segments_.clear();
  blocks_.clear();
  lengths_.clear();
  sets_.clear();
}

bool Segments::add(const Plan& plan, const Word* may, std::span<const Window> windows) {
  const Word *empty = may, *filled = may + words_for(plan.length);
  const auto is_open = [&](int cell) { return has_bit(empty, cell) && has_bit(filled, cell); };
  const size_t before = segments_.size();
  int next = 0;  // cell
  for (size_t first = 0, end = 0; first < windows.size(); first = end) {
    end = first + 1;
    while (end < windows.size() && windows[end].first <= windows[end - 1].last_end + 1) ++end;
    const int from = windows[first].first, to = windows[end - 1].last_end + 1;
    int num_open = 0;
    for (int cell = from; cell < to; ++cell) num_open += is_open(cell);
    for (; next < from && !is_open(next); ++next) {
    }
    if (next < from) break;
    next = to;
    if (num_open == 0) continue;
    append(plan, windows, first, end);
    append_sets(segments_.back(), empty, filled);
  }
  while (next < plan.length && !is_open(next)) ++next;
  if (next == plan.length) return true;
  if (segments_.size() > before) {
    blocks_.resize(segments_[before].blocks_at);
    lengths_.resize(segments_[before].lengths_at);
    sets_.resize(segments_[before].sets_at);
    segments_.resize(before);
  }
  return false;
}

// Appends the segment of blocks first..end - 1, without the sets of its cells.
void Segments::append(const Plan& plan, std::span<const Window> windows, size_t first, size_t end) {
  SumSegment segment{};
  segment.from = windows[first].first;
  segment.num_cells = windows[end - 1].last_end + 1 - segment.from;
  segment.blocks_at = blocks_.size();
  segment.num_blocks = end - first;
  segment.lengths_at = lengths_.size();
  segment.sets_at = sets_.size();
  for (size_t b = first; b < end; ++b) lengths_.push_back(plan.blocks[b].length);
  const auto lengths = lengths_.begin() + static_cast<std::ptrdiff_t>(segment.lengths_at);
  std::sort(lengths, lengths_.end());
  lengths_.erase(std::unique(lengths, lengths_.end()), lengths_.end());
  segment.num_lengths = lengths_.size() - segment.lengths_at;
  int32_t offset = 0;
  for (size_t b = first; b < end; ++b) {
    const int32_t length = plan.blocks[b].length, origin = segment.from + offset;
    const auto size = std::lower_bound(lengths, lengths_.end(), length) - lengths;
    blocks_.push_back({length, offset, windows[b].first - origin, windows[b].last - origin,
                       static_cast<int32_t>(size)});
    offset += length + 1;
  }
  segment.slack = segment.num_cells + 1 - offset;
  segments_.push_back(segment);
}

void Segments::append_sets(const SumSegment& segment, const Word* empty, const Word* filled) {
  const int num_cells = segment.num_cells;
  const auto may = [&](const Word* plane, int cell, bool outside) -> unsigned {
    return cell < 0 || cell >= num_cells ? outside : has_bit(plane, segment.from + cell);
  };
  unsigned set = 0b1111;
  for (int cell = -kMargin; cell < num_cells + kMargin; ++cell) {
    set = set >> 1 | may(empty, cell + 3, true) << 3;
    sets_.push_back(static_cast<uint8_t>(set));
  }
  for (int cell = 0; cell < num_cells; cell += 4) {
    set = 0;
    for (int i = 0; i < 4; ++i) set |= may(filled, cell + i, false) << i;
    sets_.push_back(static_cast<uint8_t>(set));
  }
}

}  // namespace nonosat
