// A map that forgets: what was not asked for during about half its memory's worth of new entries
// goes first.
//
// Invariant: `young_` and `old_` hold at most half of `max_bytes` each, up to one entry.
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

template <class T, class Value>
class Aging {
 public:
  using Key = std::vector<T>;

  explicit Aging(size_t max_bytes) : max_bytes_(max_bytes) {}

  const Value* find(const Key& key) {
    if (const auto found = young_.find(key); found != young_.end()) return &found->second;
    const auto found = old_.find(key);
    if (found == old_.end()) return nullptr;
    Value value = std::move(found->second);
    old_.erase(found);
    return put(key, std::move(value), 0);
  }

  // `num_bytes`: what the value takes beside itself.
  const Value* put(Key key, Value value, size_t num_bytes) {
    bytes_ += key.size() * sizeof(T) + sizeof(Key) + sizeof(Value) + num_bytes + kEntryBytes;
    if (bytes_ > max_bytes_ / 2) {
      old_ = std::move(young_);
      young_.clear();
      bytes_ = 0;
    }
    return &young_.insert_or_assign(std::move(key), std::move(value)).first->second;
  }

 private:
  static constexpr size_t kEntryBytes = 64;  // of the map's own

  size_t max_bytes_;
  size_t bytes_ = 0;  // of `young_`
  std::unordered_map<Key, Value, WordsHash> young_, old_;
};

}  // namespace nonosat
