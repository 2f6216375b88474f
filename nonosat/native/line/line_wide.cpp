#include "line/line_wide.hpp"

#include <algorithm>

#include "line/line_mono.hpp"
#include "line/line_window.hpp"
#include "line/span.hpp"

namespace nonosat {
namespace {

// One solve of a line, segment by segment.
class WideLine {
 public:
  WideLine(Plan& plan, const Word* may, Word* kept, bool lasting, Scratch& scratch, Watch& watch)
      : plan_(plan),
        may_(may),
        kept_(kept),
        lasting_(lasting),
        scratch_(scratch),
        watch_(watch),
        num_words_(words_for(plan.length)),
        num_values_(plan.num_colours + 1) {}

  bool solve() {
    watch_.work(num_words_ * num_values_);
    std::copy_n(may_, num_values_ * num_words_, kept_);
    if (plan_.settled.empty()) {
      if (!solve({0, plan_.blocks.size(), 0, plan_.length})) return false;
    } else {
      find_changes();
      for (size_t b = 0; b < plan_.blocks.size();) {
        if (is_fixed(b)) {
          ++b;
          continue;
        }
        const Segment segment = segment_from(b);
        b = segment.end_block;
        watch_.work(kSegmentCost);
        if (!is_settled(segment) && !solve(segment)) return false;
      }
    }
    if (lasting_) plan_.settled.assign(kept_, kept_ + num_values_ * num_words_);
    return true;
  }

 private:
  static constexpr int64_t kSegmentCost = 3;

  bool is_fixed(size_t b) const {
    return plan_.first[b] == plan_.last[b] && plan_.blocks[b].length;
  }

  // The longest segment whose blocks can be in each other's way. Between this one and the next are
  // cells that are empty in every placement.
  Segment segment_from(size_t b) const {
    Segment segment{b, b, plan_.first[b], 0};
    do {
      const int32_t length = plan_.blocks[b].length;
      segment.to = length ? int64_t{plan_.last[b]} + length : plan_.length;
      ++b;
    } while (b < plan_.blocks.size() && segment.to + plan_.separated[b - 1] > plan_.first[b]);
    segment.end_block = b;
    return segment;
  }

  // The cells that have changed since a solve that lasts.
  void find_changes() {
    changes_ = scratch_.words(Scratch::kChanges, plan_, num_words_);
    std::fill_n(changes_, num_words_, 0);
    for (int64_t value = 0; value < num_values_; ++value) {
      const Word* settled = plan_.settled.data() + value * num_words_;
      for (int64_t i = 0; i < num_words_; ++i)
        changes_[i] |= may_[value * num_words_ + i] ^ settled[i];
    }
  }

  bool is_settled(const Segment& segment) const {
    Word changed = 0;
    visit_words(segment, [&](int64_t i, Word own) { changed |= changes_[i] & own; });
    return !changed;
  }

  bool solve(const Segment& segment) {
    const WindowTask task(plan_, segment);
    if (task.num_words < 0)
      return solve_spans(plan_, may_, kept_, segment, lasting_, scratch_, watch_);
    if (!padded_.may) pad();
    Word* memory = scratch_.words(Scratch::kSets, plan_, task.num_words);
    if (!solve_windows(task, plan_, segment, padded_, memory, lasting_, watch_)) return false;
    visit_words(segment, [&](int64_t i, Word own) {
      for (int64_t value = 0; value < num_values_; ++value)
        kept_[value * num_words_ + i] &= padded_.kept[value * padded_.stride + i] | ~own;
    });
    return true;
  }

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
      mirrored[i] = mirrored[i] >> unused | mirrored[i + 1] << 1 << (kWordBits - 1 - unused);
  }

  Plan& plan_;
  const Word* may_;
  Word* kept_;
  const bool lasting_;
  Scratch& scratch_;
  Watch& watch_;
  const int64_t num_words_, num_values_;
  Word* changes_ = nullptr;
  PaddedLine padded_{};
};

}  // namespace

bool solve_wide_line(Plan& plan, const Word* may, Word* kept, bool lasting, Scratch& scratch,
                     Watch& watch) {
  if (plan.slack < 0) return false;
  // Windows are narrowed segment by segment. What a solve that came to no end has narrowed stays
  // true, but the cells were not told; so nothing may be settled.
  try {
    if (WideLine(plan, may, kept, lasting, scratch, watch).solve()) return true;
  } catch (...) {
    if (lasting) plan.settled.clear();
    throw;
  }
  if (lasting) plan.settled.clear();
  return false;
}

bool solve_wide_domains(Plan& plan, const Word* may, Word* kept, Scratch& scratch, Watch& watch,
                        DomainPlanes domains) {
  if (plan.slack < 0) return false;
  const Segment whole{0, plan.blocks.size(), 0, plan.length};
  return solve_spans(plan, may, kept, whole, false, scratch, watch, domains);
}

}  // namespace nonosat
