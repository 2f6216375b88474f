// Operations on four doubles at once, for sums over a line.
//
// Written with the compiler's portable vectors, so that one source serves processors with and
// without AVX2. Vectors are passed by reference, since passing by value depends on the target
// processor of a function. No sum or product is contracted or reordered: results are equal on every
// processor.
#pragma once

#include <array>
#include <cstdint>
#include <cstring>

namespace nonosat::four {

using Doubles = double __attribute__((vector_size(32)));
using Integers = int64_t __attribute__((vector_size(32)));
using Words = uint64_t __attribute__((vector_size(32)));

inline constexpr int kLanes = 4;

#define NONOSAT_INLINE inline __attribute__((always_inline))

NONOSAT_INLINE void load(const double* from, Doubles& to) { std::memcpy(&to, from, sizeof to); }
NONOSAT_INLINE void store(const Doubles& from, double* to) { std::memcpy(to, &from, sizeof from); }

// Sets the lanes outside of the mask to zero.
NONOSAT_INLINE void keep(const int64_t* mask, Doubles& lanes) {
  Integers bits;
  std::memcpy(&bits, mask, sizeof bits);
  lanes = reinterpret_cast<Doubles>(reinterpret_cast<Integers>(lanes) & bits);
}

// Lane by lane maximum and minimum with a number.
NONOSAT_INLINE void at_least(double least, Doubles& lanes) {
  const Doubles bound = {least, least, least, least};
  lanes = lanes > bound ? lanes : bound;
}
NONOSAT_INLINE void at_most(double most, Doubles& lanes) {
  const Doubles bound = {most, most, most, most};
  lanes = lanes < bound ? lanes : bound;
}

// Lane masks for a set of cells among four. Lane i of a mask is all ones if cell i is in the set
// (`own`); if, in addition, the preceding or following cell is (`with_before`, `with_after`); or if
// all preceding or all following cells are (`all_before`, `all_after`). kMasks[bits] is for the set
// in which bit i stands for cell i.
struct Masks {
  alignas(32) int64_t own[4], with_before[4], with_after[4], all_before[4], all_after[4];
};
inline constexpr auto kMasks = [] {
  std::array<Masks, 16> masks{};
  for (unsigned set = 0; set < 16; ++set) {
    Masks& mask = masks[set];
    for (int i = 0; i < 4; ++i) mask.own[i] = set >> i & 1 ? -1 : 0;
    for (int i = 0, j = 3; i < 4; ++i, --j) {
      mask.with_before[i] = mask.own[i] & (i ? mask.own[i - 1] : -1);
      mask.with_after[j] = mask.own[j] & (i ? mask.own[j + 1] : -1);
      mask.all_before[i] = mask.own[i] & (i ? mask.all_before[i - 1] : -1);
      mask.all_after[j] = mask.own[j] & (i ? mask.all_after[j + 1] : -1);
    }
  }
  return masks;
}();

// Permutes lanes: lane i becomes lane order[i], or zero for 4. Only one kind of compiler has the
// builtin.
NONOSAT_INLINE void permute(const Doubles& lanes, const Integers& order, Doubles& picked) {
#ifdef __clang__
  for (int i = 0; i < kLanes; ++i) picked[i] = order[i] < kLanes ? lanes[order[i]] : 0;
#else
  const Doubles zero = {0, 0, 0, 0};
  picked = __builtin_shuffle(lanes, zero, order);
#endif
}

// One step of a sum: adds the permuted lanes, as far as the mask keeps them.
NONOSAT_INLINE void add_moved(const Integers& order, const int64_t* mask, Doubles& lanes) {
  Doubles moved;
  permute(lanes, order, moved);
  keep(mask, moved);
  lanes += moved;
}
// Last step of a sum: adds the carry to the lanes of the mask, and sets it to the lane `last`.
NONOSAT_INLINE void add_carry(const int64_t* mask, int last, Doubles& lanes, Doubles& carry) {
  keep(mask, carry);
  lanes += carry;
  permute(lanes, Integers{last, last, last, last}, carry);
}

// Sums in the order of the cells: lanes[i] becomes lanes[i] plus, if the cell is in the set, the
// sum of the preceding cell. `carry` is the sum of the cell before the first, and becomes that of
// the last cell.
NONOSAT_INLINE void add_preceding(const Masks& set, Doubles& lanes, Doubles& carry) {
  add_moved(Integers{4, 0, 1, 2}, set.own, lanes);
  add_moved(Integers{4, 4, 0, 1}, set.with_before, lanes);
  add_carry(set.all_before, 3, lanes, carry);
}

// Like `add_preceding`, but the sum is 0 for a cell that is not in the set.
NONOSAT_INLINE void add_up(const Masks& set, Doubles& lanes, Doubles& carry) {
  keep(set.own, lanes);
  add_preceding(set, lanes, carry);
}

// Moves the lanes by one: lanes[i] becomes lanes[i - 1], and lanes[0] becomes first[0].
NONOSAT_INLINE void move_up(Doubles first, Doubles& lanes) {
  Doubles moved;
  permute(lanes, Integers{4, 0, 1, 2}, moved);
  keep(kMasks[1].own, first);
  lanes = moved + first;
}

// Sums in reverse order of the cells: lanes[i] becomes lanes[i] plus, if the cell is in the set,
// the sum of the following cell. `carry` is that of the cell after the last, and becomes that of
// the first cell.
NONOSAT_INLINE void add_down(const Masks& set, Doubles& lanes, Doubles& carry) {
  add_moved(Integers{1, 2, 3, 4}, set.own, lanes);
  add_moved(Integers{2, 3, 4, 4}, set.with_after, lanes);
  add_carry(set.all_after, 0, lanes, carry);
}

// e^x for |x| <= 700, with a relative error below 1e-15 (Taylor polynomial on |x| <= ln 2 / 2).
NONOSAT_INLINE void exponential(Doubles& x) {
  constexpr double kRound = 0x1.8p52;  // adding it rounds to the nearest integer, in the low bits
  const Doubles shifted = x * 0x1.71547652b82fep0 + kRound;
  const Doubles steps = shifted - kRound;
  const Doubles r = (x - steps * 0x1.62e42fefa0000p-1) - steps * 0x1.cf79abc9e3b3ap-40;
  const Doubles r2 = r * r, r4 = r2 * r2, r8 = r4 * r4;
  const Doubles p01 = 1 + r, p23 = 1.0 / 2 + r * (1.0 / 6);
  const Doubles p45 = 1.0 / 24 + r * (1.0 / 120), p67 = 1.0 / 720 + r * (1.0 / 5040);
  const Doubles p89 = 1.0 / 40320 + r * (1.0 / 362880);
  const Doubles pab = 1.0 / 3628800 + r * (1.0 / 39916800);
  const Doubles low = (p01 + r2 * p23) + r4 * (p45 + r2 * p67);
  const Doubles sum = low + r8 * (p89 + r2 * (pab + r2 * (1.0 / 479001600)));
  const Integers scale = (reinterpret_cast<Integers>(shifted) + 1023) << 52;
  x = sum * reinterpret_cast<Doubles>(scale);
}

// Natural logarithm of normal positive numbers, with an absolute error below 1e-13 (2 artanh((m -
// 1) / (m + 1)) of the mantissa).
NONOSAT_INLINE void logarithm(Doubles& x) {
  constexpr int64_t kBelowRoot =
      0x3fe6a09e667f3bcd;          // square root of 1/2: mantissas are in [this, 2 * this)
  constexpr int64_t kBias = 1024;  // keeps exponents positive: AVX2 has no arithmetic shift of them
  const Integers bits = reinterpret_cast<Integers>(x);
  const Words above = reinterpret_cast<Words>(bits - kBelowRoot + (kBias << 52)) >> 52;
  const Doubles m =
      reinterpret_cast<Doubles>(bits - ((reinterpret_cast<Integers>(above) - kBias) << 52));
  const Doubles e = reinterpret_cast<Doubles>(above | 0x4330000000000000) - (0x1p52 + kBias);
  const Doubles s = (m - 1) / (m + 1), s2 = s * s, s4 = s2 * s2;
  const Doubles even = (1 + s4 * (1.0 / 5 + s4 * (1.0 / 9 + s4 * (1.0 / 13))));
  const Doubles odd = (1.0 / 3 + s4 * (1.0 / 7 + s4 * (1.0 / 11 + s4 * (1.0 / 15))));
  x = e * 0x1.62e42fefa39efp-1 + 2 * s * (even + s2 * odd);
}

}  // namespace nonosat::four
