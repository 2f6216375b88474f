// Cache of the results of a board's short lines, since a probe often finds a line in the state in
// which an earlier probe left it. The cache is a hash table; a new entry replaces an old one at the
// same place.
//
// Invariant: an entry contains everything that its result depends on, the plan and the domains of
// the cells, so that it never becomes invalid. The entries depend only on the sequence of calls, so
// runs are reproducible. A look-up costs a few operations for each word of a line. Source:
// meros/hugi has such a cache; benchmarks/native/LOG.md has its measurements here.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <vector>

#include "line/line.hpp"

namespace nonosat {

class LineCache {
 public:
  enum class Answer { kUnknown, kContradiction, kKept };

  // Lines have up to `num_words` words for all their values together.
  explicit LineCache(size_t num_words) : stride_(1 + 2 * num_words) {}
  // A copy of a board starts without entries: copying them would take longer than copying the
  // board.
  LineCache(const LineCache& other) : stride_(other.stride_) {}
  LineCache& operator=(const LineCache& other) {
    stride_ = other.stride_;
    entries_.clear();
    return *this;
  }

  // Finds the result of a line by the number of its plan and the `num_words` words of its cells'
  // domains; writes `kept` for kKept. After kUnknown, `store` may add the result.
  Answer find(int plan, const Word* may, size_t num_words, Word* kept) {
    if (entries_.empty())
      clear(std::min(kFewest, kMost - static_cast<int>(std::bit_width(stride_))));
    key_ = static_cast<Word>(plan + 1) << 1;
    Word hash = 0;
    for (size_t i = 0; i < num_words; ++i) hash = mixed(hash, may[i]);
    entry_ = (mixed(hash, key_) >> (kWordBits - size_)) * stride_;
    const Word* entry = &entries_[entry_];
    if ((entry[0] & ~Word{1}) != key_ || !std::equal(may, may + num_words, entry + 1))
      return Answer::kUnknown;
    if (!(entry[0] & 1)) return Answer::kContradiction;
    std::copy_n(entry + 1 + num_words, num_words, kept);
    return Answer::kKept;
  }

  // Stores the result for the line of the last `find`; the parameters are the same. The table is
  // cleared and doubled after `kFill` stores for each entry.
  void store(bool any, const Word* may, size_t num_words, const Word* kept) {
    Word* entry = &entries_[entry_];
    entry[0] = key_ | Word{any};
    std::copy_n(may, num_words, entry + 1);
    if (any) std::copy_n(kept, num_words, entry + 1 + num_words);
    if (++num_stored_ >> size_ > kFill && stride_ << size_ < size_t{1} << (kMost - 1))
      clear(size_ + 1);
  }

 private:
  // Numbers of entries and of words as powers of two. Many boards need few probes, and allocating
  // 2^14 entries from the start cost ten puzzles of taai2011 2.7 instead of 2.3 ms; with twice and
  // half as many words the searches of LOG.md took the same time.
  static constexpr int kFewest = 10, kMost = 16;
  static constexpr int64_t kFill = 2;  // stores for each entry before the table is doubled

  static Word mixed(Word hash, Word word) {
    return (std::rotl(hash, 32) ^ word) * 0x9e3779b97f4a7c15;
  }
  void clear(int size) {
    size_ = size;
    num_stored_ = 0;
    entries_.assign(stride_ << size, 0);
  }

  size_t stride_;  // words of an entry: the key, the domains, the result
  int size_ = 0;   // number of entries as a power of two
  int64_t num_stored_ = 0;
  std::vector<Word> entries_;
  Word key_ = 0;      // of the last `find`; bit 0 of an entry's key is 1 if there is a placement
  size_t entry_ = 0;  // its offset in the table
};

}  // namespace nonosat
