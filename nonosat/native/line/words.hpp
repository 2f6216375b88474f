// Sets of cells or positions as bits of machine words, and the operations that all line solvers
// share. Bit i of a set represents cell (or position) i; a set of more than 64 is a plane: several
// consecutive words, the first cells first.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <vector>

namespace nonosat {

using Word = uint64_t;
using DoubleWord = unsigned __int128;
inline constexpr int kWordBits = 64;

// Number of words for the cells of a line, at least one. Positions 0..n need n + 1 bits, but only
// inside the solvers.
constexpr int words_for(int length) { return length ? (length - 1) / kWordBits + 1 : 1; }

inline bool has_bit(const Word* plane, int64_t at) {
  return plane[at / kWordBits] >> (at % kWordBits) & 1;
}

// First and last bit of a non-empty set.
inline int first_bit(const Word* plane) {
  int i = 0;
  while (!plane[i]) ++i;
  return i * kWordBits + std::countr_zero(plane[i]);
}
inline int last_bit(const Word* plane, int num_words) {
  int i = num_words - 1;
  while (!plane[i]) --i;
  return i * kWordBits + kWordBits - 1 - std::countl_zero(plane[i]);
}

// Returns all bits of a set, ascending.
inline std::vector<int32_t> bits_of(const Word* plane, int num_words) {
  std::vector<int32_t> bits;
  for (int i = 0; i < num_words; ++i) {
    for (Word left = plane[i]; left; left &= left - 1)
      bits.push_back(i * kWordBits + std::countr_zero(left));
  }
  return bits;
}

// Returns the first position from `from` on that is not in the plane, at most `to`.
inline int64_t run_end(const Word* plane, int64_t from, int64_t to) {
  for (int64_t at = from; at < to;) {
    const int run = std::countr_one(plane[at / kWordBits] >> (at % kWordBits));
    at += run;
    if (run == 0 || at % kWordBits) return std::min(at, to);
  }
  return to;
}

// Masks over the 64 cells of word `i` of a line's planes (`num_words` words for each value): cells
// with at least one value left, and cells with more than one.
struct ValuesLeft {
  Word any = 0, several = 0;
};
inline ValuesLeft values_left(const Word* planes, int num_values, int num_words, int i) {
  ValuesLeft left;
  for (int value = 0; value < num_values; ++value) {
    const Word cells = planes[static_cast<int64_t>(value) * num_words + i];
    left.several |= left.any & cells;
    left.any |= cells;
  }
  return left;
}

// Funnel shifts: a word out of two, `low` followed by `high`, moved by 0 to 63 bits. Shifting in
// two steps avoids a special case for 0, for which a shift by 64 would be undefined.
inline Word funnel_down(Word low, Word high, int by) {
  return low >> by | high << 1 << (kWordBits - 1 - by);
}
inline Word funnel_up(Word low, Word high, int by) {
  return high << by | low >> 1 >> (kWordBits - 1 - by);
}

// Returns a + b + carry; `carry` becomes the carry out of the top bit.
inline Word add_with_carry(Word a, Word b, bool& carry) {
  const bool over = __builtin_add_overflow(a, b, &a);
  const bool over_carry = __builtin_add_overflow(a, Word{carry}, &a);
  carry = over || over_carry;
  return a;
}

// Returns `from` and all positions reached from it to the right through cells of `through`;
// position p lies in front of cell p. The carry of one addition runs through each stretch of ones
// and one bit further. B is any unsigned integer.
template <class B>
inline B flood_right(const B& from, const B& through) {
  return from | (((from & through) + through) ^ through);
}

// flood_right for a `from` that is a subset of `through`, with one operation less.
template <class B>
inline B flood_past(const B& from, const B& through) {
  return from | ((from + through) ^ through);
}

// Calls `step(by)` so that a window of `known` cells, widened by `by` each time, reaches `length`.
// No step is wider than the window before it, so one shift by `by` suffices; there are about
// log2(length / known) steps.
template <class Step>
inline void grow(int known, int length, Step step) {
  for (; 2 * known <= length; known *= 2) step(known);
  if (known < length) step(length - known);
}

// Moves bit p to bit 63 - p (127 - p).
inline Word reversed(Word bits) {
  const auto swap = [&](int by, Word low) { bits = (bits >> by & low) | (bits & low) << by; };
  swap(1, 0x5555555555555555);
  swap(2, 0x3333333333333333);
  swap(4, 0x0f0f0f0f0f0f0f0f);
  return __builtin_bswap64(bits);
}
inline DoubleWord reversed(DoubleWord bits) {
  return DoubleWord(reversed(static_cast<Word>(bits))) << 64 |
         reversed(static_cast<Word>(bits >> 64));
}

}  // namespace nonosat
