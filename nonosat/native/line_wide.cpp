#include "line_wide.hpp"

#include <algorithm>
#include <stdexcept>
#include <string>

namespace nonosat {
namespace {

constexpr int64_t kMaxScratchWords = int64_t{1} << 27;

// Words first..last of a set of positions; everything outside is zero.
struct Span {
  Word* data = nullptr;
  int64_t first = 0;
  int64_t last = -1;

  Word word(int64_t index) const {
    return index < first || index > last ? 0 : data[index - first];
  }
  Word& operator[](int64_t index) { return data[index - first]; }

  // The 64 positions from `position` on, which may lie outside.
  Word at(int64_t position) const {
    const int64_t index = position >> 6;
    const int shift = static_cast<int>(position & 63);
    const Word low = word(index);
    return shift ? low >> shift | word(index + 1) << (kWordBits - shift) : low;
  }
};

// Extends the set to the right through the cells of `through`, inside its own words.
void flood_right(Span& set, const Span& through) {
  Word carry = 0;
  for (int64_t i = set.first; i <= set.last; ++i) {
    const Word open = through.word(i);
    Word sum;
    const bool over = __builtin_add_overflow(set[i] & open, open, &sum);
    const bool over_carry = __builtin_add_overflow(sum, carry, &sum);
    set[i] |= sum ^ open;
    carry = over || over_carry;
  }
}

// The same to the left.
void flood_left(Span& set, const Span& through) {
  Word carry = 0;  // the top bit, when the first position of the next word is in the set
  for (int64_t i = set.last; i >= set.first; --i) {
    Word open = through.word(i);
    Word from = set[i] | (carry & open);
    if (from && open) {
      for (int step = 1; step < kWordBits; step *= 2) {
        from |= (from >> step) & open;
        open &= open >> step;
      }
    }
    set[i] = from;
    carry = from << 63;
  }
}

// One solve: the sets of all blocks, in scratch memory.
class WideLine {
 public:
  WideLine(const Plan& plan, const Word* may, Word* kept, Scratch& scratch, Watch& watch)
      : plan_(plan), kept_(kept), watch_(watch), num_words_(words_for(plan.length)) {
    planes_.reserve(plan.num_colours + 1);
    for (int value = 0; value <= plan.num_colours; ++value) {
      Word* plane = const_cast<Word*>(may) + value * num_words_;  // only ever read
      planes_.push_back({plane, 0, num_words_ - 1});
    }
    lay_out(scratch);
  }

  bool solve(DomainPlanes domains) {
    if (!forward()) return false;
    std::fill_n(kept_, (plan_.num_colours + 1) * num_words_, 0);
    return backward(domains);
  }

 private:
  // Position up to which block b may reach, past its last cell.
  int64_t last_end(size_t b) const {
    const bool is_last = b + 1 == plan_.blocks.size();
    return is_last ? plan_.length : plan_.first[b + 1] + plan_.slack - plan_.separated[b];
  }

  void lay_out(Scratch& scratch) {
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
    for (size_t b = 0; b < num_blocks; ++b) {
      const int64_t first = plan_.first[b];
      reserve(gap_[b], first, first + plan_.slack);
      reserve(start_[b], first, first + plan_.slack);
      if (!plan_.blocks[b].length) reserve(end_[b], first, last_end(b));
    }
    reserve(gap_[num_blocks], plan_.length - plan_.slack, plan_.length);
    const int64_t spare = 2 * widest + num_words_ + 4;  // `back` and one temporary set
    if (total + spare > kMaxScratchWords) {
      throw std::length_error("a line of " + std::to_string(plan_.length) + " cells with " +
                              std::to_string(num_blocks) + " blocks needs " +
                              std::to_string((total + spare) >> 17) +
                              " MiB to propagate, at most 1024 MiB are given to it");
    }
    if (static_cast<int64_t>(scratch.words.size()) < total + spare) {
      scratch.words.resize(total + spare);
    }
    Word* next = scratch.words.data();
    const auto place = [&](Span& span) {
      span.data = next;
      next += std::max<int64_t>(0, span.last - span.first + 1);
    };
    for (auto* spans : {&gap_, &start_, &end_}) {
      for (Span& span : *spans) place(span);
    }
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
    };
    int known = 1;
    for (; 2 * known <= block.length; known *= 2) narrow(known);
    if (known < block.length) narrow(block.length - known);
    for (int64_t i = start.first; i <= start.last; ++i) start[i] = gap_[b][i] & fit.word(i);
  }

  // The ends of a block of unknown length: everything its starts reach through its ink.
  void place_unknown(size_t b) {
    const Span& ink = planes_[plan_.blocks[b].colour];
    Span& start = start_[b];
    Span& end = end_[b];
    for (int64_t i = start.first; i <= start.last; ++i) start[i] = gap_[b][i] & ink.word(i);
    for (int64_t i = end.first; i <= end.last; ++i) end[i] = start.at(i * kWordBits - 1);
    flood_right(end, ink);
  }

  bool forward() {
    const size_t num_blocks = plan_.blocks.size();
    const Span& empty = planes_[0];
    std::fill_n(gap_[0].data, gap_[0].last + 1, 0);
    gap_[0][0] = 1;
    flood_right(gap_[0], empty);
    for (size_t b = 0; b < num_blocks; ++b) {
      const int length = plan_.blocks[b].length;
      length ? place_starts(b) : place_unknown(b);
      const Span& stops = length ? start_[b] : end_[b];
      Span& next = gap_[b + 1];
      for (int64_t i = next.first; i <= next.last; ++i) {
        const int64_t position = i * kWordBits - length;
        next[i] = plan_.separated[b] ? stops.at(position - 1) & empty.at(i * kWordBits - 1)
                                     : stops.at(position);
      }
      flood_right(next, empty);
      watch_.work(8 * (next.last - next.first + 1) + length / 8);
    }
    return gap_[num_blocks].word(plan_.length / kWordBits) >> (plan_.length % kWordBits) & 1;
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
  Word after(size_t b, int64_t position) const {
    return plan_.separated[b] ? planes_[0].at(position) & back_.at(position + 1)
                              : back_.at(position);
  }

  bool settle_block(size_t b) {
    const Block block = plan_.blocks[b];
    Span& start = start_[b];
    Word any = 0;
    for (int64_t i = start.first; i <= start.last; ++i) {
      any |= start[i] &= after(b, i * kWordBits + block.length);
    }
    if (!any) return false;
    Span cover{temporary_, start.first,
               std::min<int64_t>(start.last + block.length / kWordBits + 1, num_words_ - 1)};
    for (int64_t i = cover.first; i <= cover.last; ++i) {
      cover[i] = start.word(i);
      if (plan_.separated[b]) keep(0, i, start.at(i * kWordBits - block.length));
    }
    const auto widen = [&](int by) {
      for (int64_t i = cover.last; i >= cover.first; --i) cover[i] |= cover.at(i * kWordBits - by);
    };
    int known = 1;
    for (; 2 * known <= block.length; known *= 2) widen(known);
    if (known < block.length) widen(block.length - known);
    for (int64_t i = cover.first; i <= cover.last; ++i) keep(block.colour, i, cover[i]);
    return true;
  }

  bool settle_unknown(size_t b) {
    const Span& ink = planes_[plan_.blocks[b].colour];
    Span& start = start_[b];
    Span& end = end_[b];
    Span inside{temporary_, end.first, end.last};
    for (int64_t i = end.first; i <= end.last; ++i) {
      inside[i] = end[i] &= after(b, i * kWordBits);
      if (plan_.separated[b]) keep(0, i, end[i]);
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

  bool backward(DomainPlanes domains) {
    const size_t num_blocks = plan_.blocks.size();
    const Span& last_gap = gap_[num_blocks];
    back_.first = last_gap.first;
    back_.last = last_gap.last;
    std::fill_n(back_.data, back_.last - back_.first + 1, 0);
    back_[plan_.length / kWordBits] = Word{1} << (plan_.length % kWordBits);
    flood_left(back_, planes_[0]);
    for (size_t b = num_blocks; b-- > 0;) {
      keep_gap(b + 1);
      if (!(plan_.blocks[b].length ? settle_block(b) : settle_unknown(b))) return false;
      const Span& start = start_[b];
      if (domains.starts) export_domain(b, domains);
      back_.first = start.first;
      back_.last = start.last;
      std::copy_n(start.data, start.last - start.first + 1, back_.data);
      flood_left(back_, planes_[0]);
      watch_.work(16 * (start.last - start.first + 1) + plan_.blocks[b].length / 8);
    }
    keep_gap(0);
    return true;
  }

  void export_domain(size_t b, DomainPlanes domains) const {
    const int length = plan_.blocks[b].length;
    for (int64_t i = 0; i < num_words_; ++i) {
      domains.starts[b * num_words_ + i] = start_[b].word(i);
      domains.ends[b * num_words_ + i] = length ? start_[b].at(i * kWordBits - (length - 1))
                                                : end_[b].at(i * kWordBits + 1);
    }
  }

  const Plan& plan_;
  Word* kept_;
  Watch& watch_;
  const int64_t num_words_;
  std::vector<Span> planes_;
  std::vector<Span> gap_, start_, end_;
  Span back_;
  Word* temporary_ = nullptr;
};

}  // namespace

bool solve_wide_line(const Plan& plan, const Word* may, Word* kept, Scratch& scratch, Watch& watch,
                     DomainPlanes domains) {
  if (plan.slack < 0) return false;
  return WideLine(plan, may, kept, scratch, watch).solve(domains);
}

}  // namespace nonosat
