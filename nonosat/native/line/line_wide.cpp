#include "line/line_wide.hpp"

#include <algorithm>
#include <bit>

#include "line/line_mono.hpp"
#include "line/span.hpp"

namespace nonosat {
namespace {

using FourWords = Bits<4>;

// One solve: the sets of all blocks, in scratch memory. A block with one start left cuts the line
// into segments that know nothing of each other.
class WideLine {
 public:
  // `whole`: look at every block again, also at those that are fixed for good.
  WideLine(Plan& plan, const Word* may, Word* kept, bool whole, Scratch& scratch, Watch& watch)
      : plan_(plan),
        kept_(kept),
        whole_(whole || plan.settled.empty()),
        scratch_(scratch),
        watch_(watch),
        num_words_(words_for(plan.length)) {
    planes_.reserve(plan.num_colours + 1);
    for (int value = 0; value <= plan.num_colours; ++value) {
      Word* plane = const_cast<Word*>(may) + value * num_words_;  // only ever read
      planes_.push_back({plane, 0, num_words_ - 1});
    }
    cut();
  }

  bool solve(bool lasting, DomainPlanes domains) {
    const int64_t num_plane_words = (plan_.num_colours + 1) * num_words_;
    const Word* may = planes_[0].data;
    std::copy_n(may, num_plane_words, kept_);
    for (const Segment& segment : segments_) {
      watch_.work((segment.to - segment.from) / kWordBits * (plan_.num_colours + 1));
      if (is_settled(segment)) continue;
      const int num_steps = domains.starts ? 0 : mono_steps(segment);
      const auto is_within = [&](int cells) { return segment.to - segment.from <= cells; };
      const bool is_consistent = num_steps == 0 ? solve_words(segment, lasting)
                                 : is_within(kMaxMonoCells<Word>)
                                     ? solve_short<Word>(segment, num_steps, lasting)
                                 : is_within(kMaxMonoCells<DoubleWord>)
                                     ? solve_short<DoubleWord>(segment, num_steps, lasting)
                                     : solve_short<FourWords>(segment, num_steps, lasting);
      if (!is_consistent) return false;
    }
    if (lasting) {
      plan_.settled.assign(kept_, kept_ + num_plane_words);
      for (const auto& [block, first, last] : narrowed_) {
        plan_.first[block] = first;
        plan_.last[block] = last;
      }
    }
    if (domains.starts) export_domains(domains);
    return true;
  }

 private:
  // The first position at which the blocks before b can be done with.
  int64_t gap_first(size_t b) const {
    if (b == 0) return 0;
    return plan_.first[b - 1] + std::max(plan_.blocks[b - 1].length, 1) + plan_.separated[b - 1];
  }

  // The last position at which block b can start; for all blocks together the end of the line.
  int64_t gap_last(size_t b) const {
    return b < plan_.blocks.size() ? plan_.last[b] : plan_.length;
  }

  // A block of known length that has one start left; its cells and its separators are known.
  bool is_fixed(size_t b) const {
    return !whole_ && plan_.blocks[b].length && plan_.first[b] == plan_.last[b];
  }

  void cut() {
    const size_t num_blocks = plan_.blocks.size();
    if (num_blocks == 0) segments_.push_back({0, 0, 0, plan_.length});
    for (size_t b = 0; b < num_blocks; ++b) {
      if (is_fixed(b)) continue;
      const size_t first_block = b;
      while (b < num_blocks && !is_fixed(b)) ++b;
      const int64_t gap = b < num_blocks ? plan_.separated[b - 1] : 0;
      segments_.push_back({first_block, b, gap_first(first_block), gap_last(b) - gap});
    }
  }

  // Nothing has changed in the segment since a solve that lasts.
  bool is_settled(const Segment& segment) const {
    if (whole_) return false;
    Word changed = 0;
    visit_words(segment, [&](int64_t i, Word own) {
      for (int value = 0; value <= plan_.num_colours; ++value) {
        changed |= (planes_[value].word(i) ^ plan_.settled[value * num_words_ + i]) & own;
      }
    });
    return !changed;
  }

  void clear(const Segment& segment) {
    visit_words(segment, [&](int64_t i, Word own) {
      for (int value = 0; value <= plan_.num_colours; ++value) {
        kept_[value * num_words_ + i] &= ~own;
      }
    });
  }

  // How many steps the solver for one word or few takes for a segment; 0 where it does not apply.
  int mono_steps(const Segment& segment) const {
    if (!plan_.is_mono || segment.from >= segment.to ||
        segment.to - segment.from > kMaxMonoCells<FourWords>)
      return 0;
    int num_steps = 1;
    for (size_t b = segment.first_block; b < segment.end_block; ++b) {
      if (plan_.blocks[b].length > segment.to - segment.from) return 0;  // it fits nowhere
      num_steps = std::max(num_steps, plan_.mono.step_of()[b] + 1);
    }
    watch_.work(20 + 5 * static_cast<int64_t>(segment.end_block - segment.first_block));
    return num_steps <= std::min(kMaxMonoSteps, plan_.mono.num_steps) ? num_steps : 0;
  }

  template <class B>
  bool solve_short(const Segment& segment, int num_steps, bool lasting) {
    const int length = static_cast<int>(segment.to - segment.from);
    const auto note = [&](int b, B behind) {
      if (!lasting || !behind) return;
      const size_t block = segment.first_block + b;
      const auto base = static_cast<int32_t>(segment.from - 1 - plan_.blocks[block].length);
      narrowed_.push_back({block, base + lowest(behind), base + highest(behind)});
    };
    B kept_empty, kept_filled;
    if (!solve_mono_line<B>(plan_.mono, static_cast<int>(segment.first_block),
                            static_cast<int>(segment.end_block - segment.first_block), num_steps,
                            length, cells_of<B>(planes_[0], segment),
                            cells_of<B>(planes_[1], segment), kept_empty, kept_filled, note))
      return false;
    clear(segment);
    put(0, segment.from, kept_empty);
    put(1, segment.from, kept_filled);
    return true;
  }

  // Keeps cells from a position on.
  template <class B>
  void put(int value, int64_t from, B cells) {
    for (int64_t i = from / kWordBits, shift = from % kWordBits; cells; ++i, shift = 0) {
      keep(value, i, static_cast<Word>(cells) << shift);
      const int taken = kWordBits - static_cast<int>(shift);
      cells = taken < static_cast<int>(sizeof(B)) * 8 ? B(cells >> taken) : B(0);
    }
  }

  bool solve_words(const Segment& segment, bool lasting) {
    lay_out(segment);
    if (!forward(segment)) return false;
    clear(segment);
    if (!backward(segment)) return false;
    if (lasting) narrow_windows(segment);
    return true;
  }

  // Memory for the sets of a segment's blocks; those of other segments are done with.
  void lay_out(const Segment& segment) {
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
    for (size_t b = segment.first_block; b < segment.end_block; ++b) {
      watch_.work(10);
      reserve(gap_[b], gap_first(b), gap_last(b));
      reserve(start_[b], plan_.first[b], plan_.last[b]);
      if (!plan_.blocks[b].length) {
        reserve(end_[b], plan_.first[b], gap_last(b + 1) - plan_.separated[b]);
      }
    }
    const size_t end = segment.end_block;
    reserve(gap_[end], gap_first(end) - (end && plan_.separated[end - 1]), segment.to);
    const int64_t spare = 2 * widest + num_words_ + 4;  // `back` and one temporary set
    Word* next = scratch_.words(plan_, total + spare);
    const auto place = [&](Span& span) {
      span.data = next;
      next += std::max<int64_t>(0, span.last - span.first + 1);
    };
    for (size_t b = segment.first_block; b < end; ++b) {
      for (auto* spans : {&gap_, &start_, &end_}) place((*spans)[b]);
    }
    place(gap_[end]);
    back_.data = next;
    temporary_ = next + widest + 1;
  }

  // start = gap & "length cells of ink from here on", on the words of the block's window.
  void place_starts(size_t b) {
    const Block block = plan_.blocks[b];
    const Span& ink = planes_[block.colour];
    Span& start = start_[b];
    Span fit{temporary_, start.first,
             std::min<int64_t>(start.last + block.length / kWordBits + 1, num_words_ - 1)};
    for (int64_t i = fit.first; i <= fit.last; ++i) fit[i] = ink.word(i);
    const auto narrow = [&](int by) {
      for (int64_t i = fit.first; i <= fit.last; ++i) fit[i] &= fit.at(i * kWordBits + by);
      watch_.work(fit.last - fit.first + 1);
    };
    int known = 1;
    for (; 2 * known <= block.length; known *= 2) narrow(known);
    if (known < block.length) narrow(block.length - known);
    const Span& gap = gap_[b];
    for (int64_t i = start.first; i <= start.last; ++i) start[i] = gap.word(i) & fit.word(i);
  }

  // The ends of a block of unknown length: everything its starts reach through its ink.
  void place_unknown(size_t b) {
    const Span& ink = planes_[plan_.blocks[b].colour];
    Span& start = start_[b];
    Span& end = end_[b];
    const Span& gap = gap_[b];
    for (int64_t i = start.first; i <= start.last; ++i) start[i] = gap.word(i) & ink.word(i);
    for (int64_t i = end.first; i <= end.last; ++i) end[i] = start.at(i * kWordBits - 1);
    flood_right(end, ink);
  }

  bool forward(const Segment& segment) {
    const Span& empty = planes_[0];
    Span& gap = gap_[segment.first_block];
    std::fill_n(gap.data, gap.last - gap.first + 1, 0);
    gap[segment.from / kWordBits] = Word{1} << (segment.from % kWordBits);
    flood_right(gap, empty);
    for (size_t b = segment.first_block; b < segment.end_block; ++b) {
      const int length = plan_.blocks[b].length;
      length ? place_starts(b) : place_unknown(b);
      const Span& stops = length ? start_[b] : end_[b];
      const bool separated = is_separated(b, segment);
      Span& next = gap_[b + 1];
      for (int64_t i = next.first; i <= next.last; ++i) {
        const int64_t position = i * kWordBits - length;
        next[i] =
            separated ? stops.at(position - 1) & empty.at(i * kWordBits - 1) : stops.at(position);
      }
      flood_right(next, empty);
      watch_.work(8 * (next.last - next.first + 1));
    }
    const Span& last_gap = gap_[segment.end_block];
    return last_gap.word(segment.to / kWordBits) >> (segment.to % kWordBits) & 1;
  }

  // Whether an empty cell of the segment follows block b. The cell behind its last block is no
  // longer in question.
  bool is_separated(size_t b, const Segment& segment) const {
    return plan_.separated[b] && b + 1 < segment.end_block;
  }

  void keep(int value, int64_t index, Word cells) {
    if (index >= 0 && index < num_words_) kept_[value * num_words_ + index] |= cells;
  }

  // Cells that are empty because they lie in the gap before block b (all blocks: the last gap).
  void keep_gap(size_t b) {
    Span& gap = gap_[b];
    for (int64_t i = gap.first; i <= gap.last; ++i) {
      keep(0, i, gap[i] & back_.at(i * kWordBits + 1) & planes_[0].word(i));
    }
  }

  // Past-the-end positions of block b behind which the rest fits.
  Word after(bool separated, int64_t position) const {
    return separated ? planes_[0].at(position) & back_.at(position + 1) : back_.at(position);
  }

  bool settle_block(size_t b, bool separated) {
    const Block block = plan_.blocks[b];
    Span& start = start_[b];
    Word any = 0;
    for (int64_t i = start.first; i <= start.last; ++i) {
      any |= start[i] &= after(separated, i * kWordBits + block.length);
    }
    if (!any) return false;
    Span cover{temporary_, start.first,
               std::min<int64_t>(start.last + block.length / kWordBits + 1, num_words_ - 1)};
    for (int64_t i = cover.first; i <= cover.last; ++i) {
      cover[i] = start.word(i);
      if (separated) keep(0, i, start.at(i * kWordBits - block.length));
    }
    const auto widen = [&](int by) {
      for (int64_t i = cover.last; i >= cover.first; --i) cover[i] |= cover.at(i * kWordBits - by);
      watch_.work(cover.last - cover.first + 1);
    };
    int known = 1;
    for (; 2 * known <= block.length; known *= 2) widen(known);
    if (known < block.length) widen(block.length - known);
    for (int64_t i = cover.first; i <= cover.last; ++i) keep(block.colour, i, cover[i]);
    return true;
  }

  bool settle_unknown(size_t b, bool separated) {
    const Span& ink = planes_[plan_.blocks[b].colour];
    Span& start = start_[b];
    Span& end = end_[b];
    Span inside{temporary_, end.first, end.last};
    for (int64_t i = end.first; i <= end.last; ++i) {
      inside[i] = end[i] &= after(separated, i * kWordBits);
      if (separated) keep(0, i, end[i]);
    }
    flood_left(inside, ink);
    Word any = 0;
    for (int64_t i = inside.first; i <= inside.last; ++i) inside[i] = inside.at(i * kWordBits + 1);
    for (int64_t i = start.first; i <= start.last; ++i) any |= start[i] &= inside.word(i);
    // From the leftmost start the block's cells run on through ink that still reaches an end.
    Word carry = 0;
    for (int64_t i = inside.first; i <= inside.last; ++i) {
      const Word open = inside[i] & ink.word(i);
      Word from = (start.word(i) | carry) & open;
      Word sum;
      const bool over = __builtin_add_overflow(from, open, &sum);
      keep(plan_.blocks[b].colour, i, (from | (sum ^ open)) & open);
      carry = over;
    }
    return any;
  }

  bool backward(const Segment& segment) {
    const Span& last_gap = gap_[segment.end_block];
    back_.first = last_gap.first;
    back_.last = last_gap.last;
    std::fill_n(back_.data, back_.last - back_.first + 1, 0);
    back_[segment.to / kWordBits] = Word{1} << (segment.to % kWordBits);
    flood_left(back_, planes_[0]);
    for (size_t b = segment.end_block; b-- > segment.first_block;) {
      keep_gap(b + 1);
      const bool separated = is_separated(b, segment);
      const bool feasible =
          plan_.blocks[b].length ? settle_block(b, separated) : settle_unknown(b, separated);
      if (!feasible) return false;
      back_.first = gap_[b].first;
      back_.last = gap_[b].last;
      for (int64_t i = back_.first; i <= back_.last; ++i) back_[i] = start_[b].word(i);
      flood_left(back_, planes_[0]);
      watch_.work(16 * (back_.last - back_.first + 1));
    }
    keep_gap(segment.first_block);
    return true;
  }

  // The starts that are left bound every later solve.
  void narrow_windows(const Segment& segment) {
    for (size_t b = segment.first_block; b < segment.end_block; ++b) {
      const Span& start = start_[b];
      int64_t low = start.first, high = start.last;
      while (!start.word(low)) ++low;
      while (!start.word(high)) --high;
      narrowed_.push_back({b, static_cast<int32_t>(low * kWordBits + lowest(start.word(low))),
                           static_cast<int32_t>(high * kWordBits + highest(start.word(high)))});
    }
  }

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

  Plan& plan_;
  Word* kept_;
  const bool whole_;  // nothing is settled, or nobody wants to know
  Scratch& scratch_;
  Watch& watch_;
  const int64_t num_words_;
  std::vector<Segment> segments_;
  std::vector<Narrowed> narrowed_;
  std::vector<Span> planes_;
  std::vector<Span> gap_, start_, end_;
  Span back_;
  Word* temporary_ = nullptr;
};

}  // namespace

bool solve_wide_line(Plan& plan, const Word* may, Word* kept, bool lasting, Scratch& scratch,
                     Watch& watch, DomainPlanes domains) {
  if (plan.slack < 0) return false;
  return WideLine(plan, may, kept, domains.starts, scratch, watch).solve(lasting, domains);
}

}  // namespace nonosat
