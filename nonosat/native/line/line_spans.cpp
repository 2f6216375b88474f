#include "line/line_spans.hpp"

#include <algorithm>
#include <bit>
#include <vector>

namespace nonosat {
namespace {

// One solve of a segment: the two passes of line.hpp over spans.
//
// Invariant: after `lay_out`, gap_[b], start_[b] and end_[b] lie in the words of block b's window.
// `forward` fills them with the positions that the preceding blocks allow. `backward` goes from the
// last block to the first and removes the positions of start_[b] and end_[b] that the following
// blocks exclude.
class SpanSolver {
 public:
  SpanSolver(const LongLine& line, const Word* may, Word* kept, const Segment& segment,
             Scratch& scratch, Watch& watch)
      : plan_(line.plan),
        windows_(line.windows),
        kept_(kept),
        segment_(segment),
        scratch_(scratch),
        watch_(watch),
        num_words_(words_for(plan_.length)) {
    planes_.reserve(plan_.num_colours + 1);
    for (int value = 0; value <= plan_.num_colours; ++value) {
      Word* plane = const_cast<Word*>(may) + value * num_words_;  // never written
      planes_.push_back({plane, 0, num_words_ - 1});
    }
  }

  bool solve() {
    lay_out();
    if (!forward()) return false;
    visit_words(segment_, [&](int64_t i, Word own) {
      for (int value = 0; value <= plan_.num_colours; ++value) {
        kept_[value * num_words_ + i] &= ~own;
      }
    });
    backward();
    return true;
  }

  // Narrows the windows to the starts found, which bound every later solve. Call it after `solve`
  // has returned true.
  void narrow(Windows& windows) const {
    for (size_t b = segment_.first_block; b < segment_.end_block; ++b) {
      const Span& start = start_[b];
      const int64_t base = start.first * kWordBits, num_words = start.last - start.first + 1;
      windows.first[b] = static_cast<int32_t>(base + first_bit(start.data));
      windows.last[b] =
          static_cast<int32_t>(base + last_bit(start.data, static_cast<int>(num_words)));
    }
  }

  // Writes the positions of the blocks, after `solve` has returned true for a whole line.
  void export_domains(DomainPlanes domains) const {
    for (size_t b = 0; b < plan_.blocks.size(); ++b) {
      const int length = plan_.blocks[b].length;
      for (int64_t i = 0; i < num_words_; ++i) {
        domains.starts[b * num_words_ + i] = start_[b].word(i);
        domains.ends[b * num_words_ + i] =
            length ? start_[b].at(i * kWordBits - (length - 1)) : end_[b].at(i * kWordBits + 1);
      }
      watch_.work(num_words_);
    }
  }

 private:
  // First position at which the gap before block b can begin.
  int64_t gap_first(size_t b) const {
    if (b == segment_.first_block) return segment_.from;
    return windows_.first[b - 1] + std::max(plan_.blocks[b - 1].length, 1) + plan_.separated[b - 1];
  }

  // Last position at which block b can start; the end of the segment after its last block.
  int64_t gap_last(size_t b) const {
    return b < segment_.end_block ? windows_.last[b] : segment_.to;
  }

  // Assigns scratch memory to the sets of the segment's blocks, one after another, followed by
  // `back_` and one temporary set. The words are uninitialised.
  void lay_out() {
    const size_t num_blocks = plan_.blocks.size();
    gap_.resize(num_blocks + 1);
    start_.resize(num_blocks);
    end_.resize(num_blocks);
    int64_t total = 0, widest = 0;
    const auto reserve = [&](Span& span, int64_t from, int64_t to) {
      span.first = from / kWordBits;
      span.last = to / kWordBits;
      total += span.last - span.first + 1;
      widest = std::max(widest, span.last - span.first + 1);
    };
    for (size_t b = segment_.first_block; b < segment_.end_block; ++b) {
      watch_.work(10);
      reserve(gap_[b], gap_first(b), gap_last(b));
      reserve(start_[b], windows_.first[b], windows_.last[b]);
      if (!plan_.blocks[b].length) {
        reserve(end_[b], windows_.first[b], gap_last(b + 1) - plan_.separated[b]);
      }
    }
    const size_t end = segment_.end_block;
    reserve(gap_[end], gap_first(end) - (end && plan_.separated[end - 1]), segment_.to);
    const int64_t spare = 2 * widest + num_words_ + 4;  // `back` and one temporary set
    Word* next = scratch_.words(Scratch::kSets, plan_, total + spare);
    const auto place = [&](Span& span) {
      span.data = next;
      next += std::max<int64_t>(0, span.last - span.first + 1);
    };
    for (size_t b = segment_.first_block; b < end; ++b) {
      for (auto* spans : {&gap_, &start_, &end_}) place((*spans)[b]);
    }
    place(gap_[end]);
    back_.data = next;
    temporary_ = next + widest + 1;
  }

  // Computes the starts of a block of known length: positions of the gap from which `length` cells
  // may all have its colour. Log2 of the length passes over the words of the block's window.
  void place_starts(size_t b) {
    const Block block = plan_.blocks[b];
    const Span& ink = planes_[block.colour];
    Span& start = start_[b];
    Span fit{temporary_, start.first,
             std::min<int64_t>(start.last + block.length / kWordBits + 1, num_words_ - 1)};
    for (int64_t i = fit.first; i <= fit.last; ++i) fit[i] = ink.word(i);
    const int64_t num_fit = fit.last - fit.first + 1;
    fit.data[num_fit] = 0;  // read after the last word
    const auto shrink = [&](int by) {
      const int64_t words = std::min<int64_t>(by / kWordBits, num_fit);
      const int shift = by % kWordBits;
      for (int64_t i = 0; i + words < num_fit; ++i) {
        const Word* from = fit.data + i + words;
        fit.data[i] &= funnel_down(from[0], from[1], shift);
      }
      std::fill_n(fit.data + num_fit - words, words, 0);
      watch_.work(num_fit);
    };
    grow(1, block.length, shrink);
    const Span& gap = gap_[b];
    for (int64_t i = start.first; i <= start.last; ++i) start[i] = gap.word(i) & fit.word(i);
  }

  // Computes the starts of a block of unknown length, and its ends: all positions that can be
  // reached from a start through cells that may have its colour.
  void place_unknown(size_t b) {
    const Span& ink = planes_[plan_.blocks[b].colour];
    Span& start = start_[b];
    Span& end = end_[b];
    const Span& gap = gap_[b];
    for (int64_t i = start.first; i <= start.last; ++i) start[i] = gap.word(i) & ink.word(i);
    for (int64_t i = end.first; i <= end.last; ++i) end[i] = start.at(i * kWordBits - 1);
    flood_right(end, ink);
  }

  // Fills gap_, start_ and end_ from left to right; false if the segment's end is not reached.
  bool forward() {
    const Span& empty = planes_[0];
    Span& gap = gap_[segment_.first_block];
    std::fill_n(gap.data, gap.last - gap.first + 1, 0);
    gap[segment_.from / kWordBits] = Word{1} << (segment_.from % kWordBits);
    flood_right(gap, empty);
    for (size_t b = segment_.first_block; b < segment_.end_block; ++b) {
      const int length = plan_.blocks[b].length;
      length ? place_starts(b) : place_unknown(b);
      const Span& stops = length ? start_[b] : end_[b];
      const bool separated = is_separated(b);
      Span& next = gap_[b + 1];
      for (int64_t i = next.first; i <= next.last; ++i) {
        const int64_t position = i * kWordBits - length;
        next[i] =
            separated ? stops.at(position - 1) & empty.at(i * kWordBits - 1) : stops.at(position);
      }
      flood_right(next, empty);
      watch_.work(8 * (next.last - next.first + 1));
    }
    const Span& last_gap = gap_[segment_.end_block];
    return last_gap.word(segment_.to / kWordBits) >> (segment_.to % kWordBits) & 1;
  }

  // Returns true if an empty cell of the segment must follow block b. The cell after its last block
  // is outside of the segment.
  bool is_separated(size_t b) const { return plan_.separated[b] && b + 1 < segment_.end_block; }

  void keep(int value, int64_t index, Word cells) {
    if (index >= 0 && index < num_words_) kept_[value * num_words_ + index] |= cells;
  }

  // Keeps the cells that are empty because they can lie in the gap before block b (for the number
  // of blocks: in the last gap).
  void keep_gap(size_t b) {
    Span& gap = gap_[b];
    for (int64_t i = gap.first; i <= gap.last; ++i) {
      keep(0, i, gap[i] & back_.at(i * kWordBits + 1) & planes_[0].word(i));
    }
  }

  // Past-the-end positions of block b after which the following blocks fit.
  Word after(bool separated, int64_t position) const {
    return separated ? planes_[0].at(position) & back_.at(position + 1) : back_.at(position);
  }

  // Removes the starts of a block of known length after which the following blocks do not fit, and
  // keeps the cells that the block covers from the others. `back_` is that of block b + 1.
  void filter_block(size_t b, bool separated) {
    const Block block = plan_.blocks[b];
    Span& start = start_[b];
    for (int64_t i = start.first; i <= start.last; ++i) {
      start[i] &= after(separated, i * kWordBits + block.length);
    }
    Span cover{temporary_, start.first,
               std::min<int64_t>(start.last + block.length / kWordBits + 1, num_words_ - 1)};
    for (int64_t i = cover.first; i <= cover.last; ++i) {
      cover[i] = start.word(i);
      if (separated) keep(0, i, start.at(i * kWordBits - block.length));
    }
    Word* const low = cover.data;
    const int64_t num_cover = cover.last - cover.first + 1;
    const auto widen = [&](int by) {
      const int64_t words = by / kWordBits;
      const int shift = by % kWordBits;
      for (int64_t i = num_cover - 1; i > words; --i) {
        const Word* from = low + i - words;
        low[i] |= funnel_up(from[-1], from[0], shift);
      }
      // Not zero, since there is a start: the whole block has cells here.
      low[words] |= low[0] << shift;
      watch_.work(num_cover);
    };
    grow(1, block.length, widen);
    for (int64_t i = cover.first; i <= cover.last; ++i) keep(block.colour, i, cover[i]);
  }

  // The counterpart for a block of unknown length: filters its starts and ends, and keeps the cells
  // from a start to an end.
  void filter_unknown(size_t b, bool separated) {
    const Span& ink = planes_[plan_.blocks[b].colour];
    Span& start = start_[b];
    Span& end = end_[b];
    Span inside{temporary_, end.first, end.last};
    for (int64_t i = end.first; i <= end.last; ++i) {
      inside[i] = end[i] &= after(separated, i * kWordBits);
      if (separated) keep(0, i, end[i]);
    }
    flood_left(inside, ink);
    for (int64_t i = inside.first; i <= inside.last; ++i) inside[i] = inside.at(i * kWordBits + 1);
    for (int64_t i = start.first; i <= start.last; ++i) start[i] &= inside.word(i);
    // The block's cells extend from its leftmost start through cells from which an end can be
    // reached.
    Word carry = 0;
    for (int64_t i = inside.first; i <= inside.last; ++i) {
      const Word open = inside[i] & ink.word(i);
      const Word from = (start.word(i) | carry) & open;
      Word sum;
      const bool over = __builtin_add_overflow(from, open, &sum);
      keep(plan_.blocks[b].colour, i, (from | (sum ^ open)) & open);
      carry = over;
    }
  }

  // Goes from right to left and filters starts, ends and cells. It cannot fail: every set that
  // `forward` found to reach the end has a position that `backward` reaches.
  void backward() {
    const Span& last_gap = gap_[segment_.end_block];
    back_.first = last_gap.first;
    back_.last = last_gap.last;
    std::fill_n(back_.data, back_.last - back_.first + 1, 0);
    back_[segment_.to / kWordBits] = Word{1} << (segment_.to % kWordBits);
    flood_left(back_, planes_[0]);
    for (size_t b = segment_.end_block; b-- > segment_.first_block;) {
      keep_gap(b + 1);
      const bool separated = is_separated(b);
      plan_.blocks[b].length ? filter_block(b, separated) : filter_unknown(b, separated);
      back_.first = gap_[b].first;
      back_.last = gap_[b].last;
      for (int64_t i = back_.first; i <= back_.last; ++i) back_[i] = start_[b].word(i);
      flood_left(back_, planes_[0]);
      watch_.work(16 * (back_.last - back_.first + 1));
    }
    keep_gap(segment_.first_block);
  }

  const Plan& plan_;
  const Windows& windows_;
  Word* kept_;
  const Segment segment_;
  Scratch& scratch_;
  Watch& watch_;
  const int64_t num_words_;
  std::vector<Span> planes_;
  std::vector<Span> gap_, start_, end_;
  Span back_;
  Word* temporary_ = nullptr;
};

}  // namespace

bool solve_spans(const LongLine& line, const Word* may, Word* kept, const Segment& segment,
                 Scratch& scratch, Watch& watch, DomainPlanes domains) {
  SpanSolver solver(line, may, kept, segment, scratch, watch);
  if (!solver.solve()) return false;
  if (line.permanent) solver.narrow(*line.permanent);
  if (domains.starts) solver.export_domains(domains);
  return true;
}

}  // namespace nonosat
