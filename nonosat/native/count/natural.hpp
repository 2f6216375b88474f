// Natural numbers of any size, with the sums and products that counting needs.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "line/words.hpp"

namespace nonosat {

// Adds `more` to `sum` in place. The sum must fit; words of `more` beyond those of `sum` must be 0.
inline void add_to(std::span<uint64_t> sum, std::span<const uint64_t> more) {
  bool carry = false;
  for (size_t i = 0; i < sum.size(); ++i) {
    sum[i] = add_with_carry(sum[i], i < more.size() ? more[i] : 0, carry);
  }
}

class Natural {
 public:
  Natural() = default;
  explicit Natural(uint64_t value) {
    if (value) words_.push_back(value);
  }
  explicit Natural(std::span<const uint64_t> words) : words_(words.begin(), words.end()) { trim(); }

  bool is_zero() const { return words_.empty(); }
  std::span<const uint64_t> words() const { return words_; }  // least significant first

  Natural& operator+=(const Natural& other) {
    if (words_.size() < other.words_.size()) words_.resize(other.words_.size(), 0);
    bool carry = false;
    for (size_t i = 0; i < words_.size() && (carry || i < other.words_.size()); ++i) {
      const uint64_t more = i < other.words_.size() ? other.words_[i] : 0;
      words_[i] = add_with_carry(words_[i], more, carry);
    }
    if (carry) words_.push_back(1);
    return *this;
  }

  // Schoolbook multiplication: factors of thousands of words are rare.
  Natural operator*(const Natural& other) const {
    Natural product;
    product.words_.assign(words_.size() + other.words_.size(), 0);
    for (size_t i = 0; i < words_.size(); ++i) {
      uint64_t carry = 0;
      for (size_t j = 0; j < other.words_.size(); ++j) {
        const auto sum = static_cast<unsigned __int128>(words_[i]) * other.words_[j] +
                         product.words_[i + j] + carry;
        product.words_[i + j] = static_cast<uint64_t>(sum);
        carry = static_cast<uint64_t>(sum >> 64);
      }
      product.words_[i + other.words_.size()] = carry;
    }
    product.trim();
    return product;
  }

  bool operator==(const Natural&) const = default;
  bool operator<(const Natural& other) const {
    if (words_.size() != other.words_.size()) return words_.size() < other.words_.size();
    for (size_t i = words_.size(); i-- > 0;) {
      if (words_[i] != other.words_[i]) return words_[i] < other.words_[i];
    }
    return false;
  }

 private:
  void trim() {
    while (!words_.empty() && !words_.back()) words_.pop_back();
  }

  std::vector<uint64_t> words_;
};

inline size_t owned_bytes(const Natural& number) {
  return number.words().size() * sizeof(uint64_t);
}

}  // namespace nonosat
