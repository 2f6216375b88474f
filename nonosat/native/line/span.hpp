// Sets of positions of a long line, stored only in the words of their range.
#pragma once

#include <bit>
#include <cassert>
#include <cstddef>
#include <cstdint>

#include "line/plan.hpp"

namespace nonosat {

// Words first..last of a set of positions; all others are zero.
struct Span {
  Word* data = nullptr;
  int64_t first = 0;
  int64_t last = -1;

  Word word(int64_t index) const {
    const auto offset = static_cast<uint64_t>(index - first);  // huge when index < first
    return offset <= static_cast<uint64_t>(last - first) ? data[offset] : 0;
  }
  Word& operator[](int64_t index) { return data[index - first]; }

  // Returns the 64 positions from `position` on, which may lie outside of the range and below 0.
  Word at(int64_t position) const {
    const int64_t index = position >> 6;
    const int shift = static_cast<int>(position & 63);
    const Word low = word(index);
    return shift ? low >> shift | word(index + 1) << (kWordBits - shift) : low;
  }
};

// Extends the set to the right through the cells of `through`, inside its own words.
inline void flood_right(Span& set, const Span& through) {
  bool carry = false;
  for (int64_t i = set.first; i <= set.last; ++i) {
    const Word open = through.word(i);
    set[i] |= add_with_carry(set[i] & open, open, carry) ^ open;
  }
}

// Extends the set to the left. Carries do not propagate in this direction, so each word is flooded
// by parallel prefix.
inline void flood_left(Span& set, const Span& through) {
  Word carry = 0;  // the top bit, if the first position of the next word is in the set
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

// A long line with its windows.
struct LongLine {
  const Plan& plan;
  const Windows& windows;  // every block starts inside its window
  Windows* permanent;      // the same windows if the solve may narrow them for good, else null
};

// Consecutive blocks that do not interact with the preceding and following ones: in every
// placement, these blocks and empty cells fill the positions from..to.
struct Segment {
  size_t first_block, end_block;
  int64_t from, to;
};

// Calls `visit(i, own)` for each word i with cells of a segment; `own` masks these cells.
template <class Visit>
void visit_words(const Segment& segment, Visit visit) {
  if (segment.from >= segment.to) return;
  const int64_t last = (segment.to - 1) / kWordBits;
  for (int64_t i = segment.from / kWordBits; i <= last; ++i) {
    Word own = ~Word{0};
    if (i == segment.from / kWordBits) own &= ~Word{0} << (segment.from % kWordBits);
    if (i == last) own &= ~Word{0} >> (63 - (segment.to - 1) % kWordBits);
    visit(i, own);
  }
}

// First and last position of a non-empty set in one integer.
inline int lowest(Word bits) { return std::countr_zero(bits); }
inline int highest(Word bits) { return 63 - std::countl_zero(bits); }
template <class B>
int lowest(const B& bits) {
  const Word low = static_cast<Word>(bits);
  return low ? lowest(low) : kWordBits + lowest(B(bits >> kWordBits));
}
template <class B>
int highest(const B& bits) {
  const B high(bits >> kWordBits);
  return high ? kWordBits + highest(high) : highest(static_cast<Word>(bits));
}

}  // namespace nonosat
