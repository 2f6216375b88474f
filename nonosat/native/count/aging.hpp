// Component cache of all counting: a map of bounded memory that discards the least recently used
// half, by two generations. An entry that is found becomes young; when the young entries fill half
// of the memory, they become the old ones, and the previous old ones are discarded.
//
// Invariant: `young_` and `old_` hold at most half of `max_bytes` each, up to one entry, and no key
// is in both. Each operation is one or two look-ups in a hash table. `owned_bytes(value)` returns
// the memory that a value owns outside of itself.
#pragma once

#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <utility>
#include <vector>

namespace nonosat {

struct WordsHash {
  template <class T>
  size_t operator()(const std::vector<T>& words) const {
    uint64_t hash = 0x9e3779b97f4a7c15u ^ words.size();
    for (const T word : words) {
      hash = (hash ^ static_cast<uint64_t>(word)) * 0xff51afd7ed558ccdu;
      hash ^= hash >> 32;
    }
    return hash;
  }
};

inline size_t owned_bytes(uint64_t) { return 0; }

template <class T, class Value>
class Aging {
 public:
  using Key = std::vector<T>;

  explicit Aging(size_t max_bytes) : max_bytes_(max_bytes) {}

  // Returns the value, or null. It is valid until the next call of `find` or `put`.
  const Value* find(const Key& key) {
    if (const auto found = young_.find(key); found != young_.end()) return &found->second;
    const auto found = old_.find(key);
    if (found == old_.end()) return nullptr;
    Value value = std::move(found->second);
    old_.erase(found);
    return put(key, std::move(value));
  }

  // Adds an entry with a new key; the result is that of `find`.
  const Value* put(Key key, Value value) {
    bytes_ += key.size() * sizeof(T) + sizeof(Key) + sizeof(Value) + kEntryBytes;
    bytes_ += owned_bytes(value);
    if (bytes_ > max_bytes_ / 2) {
      old_ = std::move(young_);
      young_.clear();
      bytes_ = 0;
    }
    return &young_.insert_or_assign(std::move(key), std::move(value)).first->second;
  }

 private:
  static constexpr size_t kEntryBytes = 64;  // overhead of the map for an entry

  size_t max_bytes_;
  size_t bytes_ = 0;  // of `young_`
  std::unordered_map<Key, Value, WordsHash> young_, old_;
};

}  // namespace nonosat
