// Keys of a fixed number of words, each with a number of a fixed number of words that grows by what
// is added to it: the states of a frontier and how many ways lead to each.
//
// Entries stand one behind the other in blocks, in the order in which they came, so that a table is
// gone through by index and never copied. An index finds them by their hash.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "line/words.hpp"

namespace nonosat {

class TallyTable {
 public:
  TallyTable() = default;
  TallyTable(size_t key_words, size_t count_words)
      : key_words_(key_words), entry_words_(key_words + count_words), index_(kFirst, kNone) {}

  size_t size() const { return size_; }
  size_t num_bytes() const {
    return index_.size() * sizeof(uint32_t) +
           (blocks_.size() - first_) * kBlock * entry_words_ * sizeof(uint64_t);
  }
  // Bytes that one more entry may add.
  size_t growth() const {
    return (is_due() ? 2 * index_.size() * sizeof(uint32_t) : 0) +
           kBlock * entry_words_ * sizeof(uint64_t);
  }
  // Whether there may be one entry more: an entry has a number of 32 bits.
  bool has_room() const { return size_ < kNone - 1; }

  std::span<const uint64_t> key(size_t at) const { return {entry(at), key_words_}; }
  std::span<const uint64_t> count(size_t at) const {
    return {entry(at) + key_words_, entry_words_ - key_words_};
  }

  // Adds to the number of a key; the sum must not need more words. `count` may have fewer, or
  // further ones that are 0. All or nothing where memory runs out.
  void add(std::span<const uint64_t> key, std::span<const uint64_t> count) {
    if (is_due()) rehash();
    size_t place = hash(key) & (index_.size() - 1);
    while (index_[place] != kNone && !equals(index_[place], key)) {
      place = (place + 1) & (index_.size() - 1);
    }
    if (index_[place] == kNone) {
      append(key);
      index_[place] = static_cast<uint32_t>(size_++);
    }
    uint64_t* const sum = entry(index_[place]) + key_words_;
    bool carry = false;
    for (size_t i = 0; i < entry_words_ - key_words_; ++i) {
      sum[i] = add_with_carry(sum[i], i < count.size() ? count[i] : 0, carry);
    }
  }

  // Frees what finds keys: nothing is added any more.
  void close() { index_ = {}; }

  // Frees the memory of the entries before `at`, which nobody asks for any more.
  void forget_before(size_t at) {
    for (; (first_ + 1) * kBlock <= at; ++first_) blocks_[first_].reset();
  }

 private:
  static constexpr size_t kBlock = 1 << 12;  // entries
  static constexpr size_t kFirst = 1 << 6;
  static constexpr uint32_t kNone = UINT32_MAX;

  bool is_due() const { return size_ + 1 > index_.size() / 4 * 3; }

  static uint64_t hash(std::span<const uint64_t> key) {
    uint64_t hash = 0x9e3779b97f4a7c15u;
    for (const uint64_t word : key) {
      hash = (hash ^ word) * 0xff51afd7ed558ccdu;
      hash ^= hash >> 32;
    }
    return hash ^ hash >> 29;
  }

  bool equals(uint32_t at, std::span<const uint64_t> key) const {
    return std::equal(key.begin(), key.end(), entry(at));
  }

  uint64_t* entry(size_t at) const {
    return blocks_[at / kBlock].get() + at % kBlock * entry_words_;
  }

  void append(std::span<const uint64_t> key) {
    if (size_ / kBlock == blocks_.size()) {
      blocks_.reserve(blocks_.size() + 1);
      blocks_.push_back(std::make_unique<uint64_t[]>(kBlock * entry_words_));
    }
    std::copy(key.begin(), key.end(), entry(size_));
  }

  void rehash() {
    std::vector<uint32_t> larger(2 * index_.size(), kNone);
    for (size_t at = 0; at < size_; ++at) {
      size_t place = hash(key(at)) & (larger.size() - 1);
      while (larger[place] != kNone) place = (place + 1) & (larger.size() - 1);
      larger[place] = static_cast<uint32_t>(at);
    }
    index_ = std::move(larger);
  }

  size_t key_words_ = 0, entry_words_ = 0;
  size_t size_ = 0;
  size_t first_ = 0;  // block that is not freed
  std::vector<std::unique_ptr<uint64_t[]>> blocks_;
  std::vector<uint32_t> index_;
};

}  // namespace nonosat
