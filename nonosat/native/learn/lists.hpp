// Many short lists in one block of memory, addressed by number: the short clauses that propagation
// visits for each literal. With a vector for each list, `learn` takes an eighth more time on unique
// noise (SEARCH.md), since lists of successive literals of the trail are far apart in memory.
//
// A list that outgrows its capacity moves to the end of the block. `pack` restores the order of the
// numbers once the block has grown to half as much again as its contents.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <span>
#include <utility>
#include <vector>

#include "learn/block.hpp"

namespace nonosat::learn {

template <class Item>
class Lists {
 public:
  size_t size() const { return heads_.size(); }
  void resize(size_t num_lists) { heads_.resize(num_lists); }

  std::span<Item> operator[](size_t list) {
    return {items_.data() + heads_[list].first, heads_[list].size};
  }

  // Appends an item. Invalidates the spans of all lists. If no memory is left, nothing has changed.
  void push_back(size_t list, const Item& item) {
    Head& head = heads_[list];
    if (head.size == head.capacity) move_to_end(head);
    items_[head.first + head.size++] = item;
    ++num_items_;
  }

  // Reserves capacity for `more[i]` further items in list i, all lists in the order of their
  // numbers, if their sum is at least the present number of items: lists that grow item by item
  // would move several times. Invalidates the spans of all lists. If no memory is left, nothing has
  // changed.
  void make_room(std::span<const uint32_t> more) {
    const size_t num_more = std::accumulate(more.begin(), more.end(), size_t{0});
    if (num_more < num_items_) return;
    Block<Item> roomy;
    roomy.resize(num_items_ + num_more);
    size_t first = 0;
    for (size_t list = 0; list < heads_.size(); ++list) {
      Head& head = heads_[list];
      std::copy_n(items_.data() + head.first, head.size, roomy.data() + first);
      head.first = first;
      head.capacity = head.size + (list < more.size() ? more[list] : 0);
      first += head.capacity;
    }
    items_ = std::move(roomy);
  }

  // Keeps only the first `size` items.
  void truncate(size_t list, size_t size) {
    num_items_ -= heads_[list].size - size;
    heads_[list].size = static_cast<uint32_t>(size);
  }

  // Prefetches a list into the cache.
  void prefetch(size_t list) const { __builtin_prefetch(items_.data() + heads_[list].first); }

  // Bytes that `pack` allocates before it frees the old block.
  size_t packing_bytes() const {
    return 2 * items_.size() <= 3 * num_items_ ? 0 : num_items_ * sizeof(Item);
  }

  // Removes unused capacity if it exceeds half of the contents. Invalidates the spans of all lists.
  // If no memory is left, nothing has changed.
  void pack() {
    if (!packing_bytes()) return;
    Block<Item> packed;
    packed.resize(num_items_);
    size_t end = 0;
    for (Head& head : heads_) {
      std::copy_n(items_.data() + head.first, head.size, packed.data() + end);
      head.first = end;
      head.capacity = head.size;
      end += head.size;
    }
    items_ = std::move(packed);
  }

 private:
  struct Head {
    size_t first = 0;
    uint32_t size = 0, capacity = 0;
  };

  void move_to_end(Head& head) {
    const uint32_t capacity = std::max<uint32_t>(2, 2 * head.capacity);
    const size_t first = items_.size();
    items_.resize(first + capacity);
    std::copy_n(items_.data() + head.first, head.size, items_.data() + first);
    head.first = first;
    head.capacity = capacity;
  }

  std::vector<Head> heads_;
  Block<Item> items_;
  size_t num_items_ = 0;
};

}  // namespace nonosat::learn
