// An integer of N words, with the operations that line_window.hpp needs. As for built-in integers,
// shifts must be by less than the number of bits.
#pragma once

#include <array>

#include "line/words.hpp"

namespace nonosat {

template <int N>
class Bits {
 public:
  Bits() = default;
  Bits(Word low) : words_{low} {}  // implicit, like the conversion of a smaller integer

  explicit operator bool() const {
    Word any = 0;
    for (const Word word : words_) any |= word;
    return any;
  }
  explicit operator Word() const { return words_[0]; }
  Word& operator[](int i) { return words_[i]; }
  Word operator[](int i) const { return words_[i]; }

  friend Bits operator&(Bits a, const Bits& b) {
    for (int i = 0; i < N; ++i) a.words_[i] &= b.words_[i];
    return a;
  }
  friend Bits operator|(Bits a, const Bits& b) {
    for (int i = 0; i < N; ++i) a.words_[i] |= b.words_[i];
    return a;
  }
  friend Bits operator^(Bits a, const Bits& b) {
    for (int i = 0; i < N; ++i) a.words_[i] ^= b.words_[i];
    return a;
  }
  friend Bits operator~(Bits a) {
    for (int i = 0; i < N; ++i) a.words_[i] = ~a.words_[i];
    return a;
  }
  friend Bits operator+(Bits a, const Bits& b) {
    bool carry = false;
    for (int i = 0; i < N; ++i) a.words_[i] = add_with_carry(a.words_[i], b.words_[i], carry);
    return a;
  }
  friend Bits operator<<(const Bits& a, int by) {
    std::array<Word, 2 * N + 1> wide{};  // zeros below the integer
    for (int i = 0; i < N; ++i) wide[N + 1 + i] = a.words_[i];
    const Word* from = &wide[N + 1 - by / kWordBits];
    const int shift = by % kWordBits;
    Bits out;
    for (int i = 0; i < N; ++i) out.words_[i] = funnel_up(from[i - 1], from[i], shift);
    return out;
  }
  friend Bits operator>>(const Bits& a, int by) {
    std::array<Word, 2 * N + 1> wide{};  // zeros above the integer
    for (int i = 0; i < N; ++i) wide[i] = a.words_[i];
    const Word* from = &wide[by / kWordBits];
    const int shift = by % kWordBits;
    Bits out;
    for (int i = 0; i < N; ++i) out.words_[i] = funnel_down(from[i], from[i + 1], shift);
    return out;
  }
  Bits& operator&=(const Bits& b) { return *this = *this & b; }
  Bits& operator|=(const Bits& b) { return *this = *this | b; }

 private:
  std::array<Word, N> words_;
};

// Bit p becomes bit 64 N - 1 - p.
template <int N>
Bits<N> reversed(const Bits<N>& bits) {
  Bits<N> mirrored;
  for (int i = 0; i < N; ++i) mirrored[N - 1 - i] = reversed(bits[i]);
  return mirrored;
}

}  // namespace nonosat
