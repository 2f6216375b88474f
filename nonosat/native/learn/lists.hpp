// Many short lists in one block of memory, found by number: the clauses that propagation goes
// through for each literal. With a vector for each list, `learn` takes an eighth more time on
// unique noise (SEARCH.md): what follows each other on the trail lies far apart then.
//
// A list that outgrows its place moves to the end of the block. `pack` lays all of them out in the
// order of their numbers again, once the block is half as large again as what is in it.
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

  // Spans of all lists are void afterwards. Where no memory is left, nothing has changed.
  void push_back(size_t list, const Item& item) {
    Head& head = heads_[list];
    if (head.size == head.capacity) move_to_end(head);
    items_[head.first + head.size++] = item;
    ++num_items_;
  }

  // Makes room for so many more items of each list, all lists in the order of their numbers, where
  // that is much beside what there is: else lists that grow one by one move several times. Spans of
  // all lists are void afterwards. Where no memory is left, nothing has changed.
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

  // Keeps the first items only.
  void truncate(size_t list, size_t size) {
    num_items_ -= heads_[list].size - size;
    heads_[list].size = static_cast<uint32_t>(size);
  }

  // Tells the processor that a list is wanted soon.
  void prefetch(size_t list) const { __builtin_prefetch(items_.data() + heads_[list].first); }

  // Bytes that `pack` takes until it has freed the block as it was.
  size_t packing_bytes() const {
    return 2 * items_.size() <= 3 * num_items_ ? 0 : num_items_ * sizeof(Item);
  }

  // Spans of all lists are void afterwards. Where no memory is left, nothing has changed.
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
