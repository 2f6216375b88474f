#include "line/line_wide.hpp"

#include <algorithm>
#include <cassert>

#include "line/line_window.hpp"
#include "line/span.hpp"

namespace nonosat {
namespace {

// One solve of a line, segment by segment.
class WideLine {
 public:
  WideLine(const LongLine& line, const Word* may, Word* kept, Scratch& scratch, Watch& watch)
      : line_(line),
        plan_(line.plan),
        windows_(line.windows),
        may_(may),
        kept_(kept),
        scratch_(scratch),
        watch_(watch),
        num_words_(words_for(plan_.length)),
        num_values_(plan_.num_colours + 1) {}

  bool solve() {
    watch_.work(num_words_ * num_values_);
    std::copy_n(may_, num_values_ * num_words_, kept_);
    if (windows_.settled.empty()) {
      if (!solve({0, plan_.blocks.size(), 0, plan_.length})) return false;
    } else if (!solve_changed()) {
      return false;
    }
    if (line_.permanent) line_.permanent->settled.assign(kept_, kept_ + num_values_ * num_words_);
    return true;
  }

 private:
  static constexpr int64_t kSegmentCost = 3;

  // Solves the segments with a changed cell. Blocks with a single start and a known length are left
  // out: they remain fixed unless a cell loses its last value, which invalidates the windows.
  bool solve_changed() {
    find_changes();
    for (size_t b = 0; b < plan_.blocks.size();) {
      if (is_fixed(b)) {
        ++b;
        continue;
      }
      const Segment segment = segment_from(b);
      b = segment.end_block;
      watch_.work(kSegmentCost);
      if (!is_unchanged(segment) && !solve(segment)) return false;
    }
    return true;
  }

  bool is_fixed(size_t b) const {
    return windows_.first[b] == windows_.last[b] && plan_.blocks[b].length;
  }

  // Returns the longest segment from block b on whose blocks can interact. The cells between this
  // segment and the next are empty in every placement.
  Segment segment_from(size_t b) const {
    Segment segment{b, b, windows_.first[b], 0};
    do {
      const int32_t length = plan_.blocks[b].length;
      segment.to = length ? int64_t{windows_.last[b]} + length : plan_.length;
      ++b;
    } while (b < plan_.blocks.size() && segment.to + plan_.separated[b - 1] > windows_.first[b]);
    segment.end_block = b;
    return segment;
  }

  // Marks the cells that have changed since the last permanent solve.
  void find_changes() {
    changes_ = scratch_.words(Scratch::kChanges, plan_, num_words_);
    std::fill_n(changes_, num_words_, 0);
    for (int64_t value = 0; value < num_values_; ++value) {
      const Word* settled = windows_.settled.data() + value * num_words_;
      for (int64_t i = 0; i < num_words_; ++i)
        changes_[i] |= may_[value * num_words_ + i] ^ settled[i];
    }
  }

  bool is_unchanged(const Segment& segment) const {
    Word changed = 0;
    visit_words(segment, [&](int64_t i, Word own) { changed |= changes_[i] & own; });
    return !changed;
  }

  // Solves one segment by the appropriate solver, and keeps its cells; same contract as
  // solve_spans.
  bool solve(const Segment& segment) {
    const WindowTask task(line_, segment);
    if (task.num_words < 0) return solve_spans(line_, may_, kept_, segment, scratch_, watch_);
    if (!padded_.may) pad();
    Word* memory = scratch_.words(Scratch::kSets, plan_, task.num_words);
    if (!solve_windows(task, line_, segment, padded_, memory, watch_)) return false;
    visit_words(segment, [&](int64_t i, Word own) {
      for (int64_t value = 0; value < num_values_; ++value)
        kept_[value * num_words_ + i] &= padded_.kept[value * padded_.stride + i] | ~own;
    });
    return true;
  }

  // Copies the line into the layout of solve_windows, once per solve.
  void pad() {
    const int64_t stride = num_words_ + PaddedLine::kPadding;
    padded_.stride = stride;
    padded_.length = plan_.length;
    padded_.may = scratch_.words(Scratch::kPlanes, plan_, stride * (2 * num_values_ + 1));
    padded_.mirrored = padded_.may + num_values_ * stride;
    padded_.kept = padded_.mirrored + stride;
    for (int64_t value = 0; value < num_values_; ++value) {
      Word* plane =
          std::copy_n(may_ + value * num_words_, num_words_, padded_.may + value * stride);
      std::fill_n(plane, PaddedLine::kPadding, 0);
    }
    Word* mirrored = padded_.mirrored;
    for (int64_t i = 0; i < num_words_; ++i) mirrored[i] = reversed(may_[num_words_ - 1 - i]);
    std::fill_n(mirrored + num_words_, PaddedLine::kPadding + num_values_ * stride, 0);
    const int unused = static_cast<int>(num_words_ * kWordBits - plan_.length);
    for (int64_t i = 0; i < num_words_; ++i)
      mirrored[i] = funnel_down(mirrored[i], mirrored[i + 1], unused);
  }

  const LongLine line_;
  const Plan& plan_;
  const Windows& windows_;
  const Word* may_;
  Word* kept_;
  Scratch& scratch_;
  Watch& watch_;
  const int64_t num_words_, num_values_;
  Word* changes_ = nullptr;
  PaddedLine padded_{};
};

}  // namespace

bool solve_wide_line(const LongLine& line, const Word* may, Word* kept, Scratch& scratch,
                     Watch& watch) {
  assert(!line.permanent || line.permanent == &line.windows);
  if (line.plan.slack < 0) return false;
  // Windows are narrowed segment by segment. The windows narrowed by an unfinished solve remain
  // valid, but its cells were not returned, so the line must be solved as a whole next time.
  try {
    if (WideLine(line, may, kept, scratch, watch).solve()) return true;
  } catch (...) {
    if (line.permanent) line.permanent->invalidate();
    throw;
  }
  if (line.permanent) line.permanent->invalidate();
  return false;
}

bool solve_wide_domains(const LongLine& line, const Word* may, Word* kept, Scratch& scratch,
                        Watch& watch, DomainPlanes domains) {
  assert(!line.permanent);
  if (line.plan.slack < 0) return false;
  const Segment whole{0, line.plan.blocks.size(), 0, line.plan.length};
  return solve_spans(line, may, kept, whole, scratch, watch, domains);
}

}  // namespace nonosat
