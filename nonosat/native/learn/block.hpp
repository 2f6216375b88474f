// A growing block of trivially copyable items. It grows by realloc, which on Linux remaps the pages
// of large blocks instead of copying them; a std::vector needs half as much memory again while it
// copies.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <new>
#include <type_traits>
#include <utility>

namespace nonosat::learn {

template <class Item>
class Block {
  static_assert(std::is_trivially_copyable_v<Item>);

 public:
  Block() = default;
  Block(const Block& other) {
    resize(other.size_);
    std::copy_n(other.data(), size_, data());
  }
  Block(Block&& other) noexcept { swap(other); }
  Block& operator=(Block other) noexcept {
    swap(other);
    return *this;
  }

  size_t size() const { return size_; }
  Item* data() { return items_.get(); }
  const Item* data() const { return items_.get(); }
  Item& operator[](size_t at) { return items_.get()[at]; }

  // Changes the size; new items are uninitialised. Throws std::bad_alloc, with nothing changed, if
  // no memory is left.
  void resize(size_t size) {
    if (size > capacity_) reserve(std::max(size, 2 * capacity_));
    size_ = size;
  }

  // Reserves memory for `capacity` items.
  void reserve(size_t capacity) {
    if (capacity <= capacity_) return;
    if (capacity > SIZE_MAX / sizeof(Item)) throw std::bad_alloc();
    void* grown = std::realloc(items_.get(), capacity * sizeof(Item));
    if (!grown) throw std::bad_alloc();
    (void)items_.release();  // realloc has freed it
    items_.reset(static_cast<Item*>(grown));
    capacity_ = capacity;
  }

 private:
  void swap(Block& other) {
    std::swap(items_, other.items_);
    std::swap(size_, other.size_);
    std::swap(capacity_, other.capacity_);
  }

  struct Free {
    void operator()(Item* items) const { std::free(items); }
  };

  std::unique_ptr<Item[], Free> items_;
  size_t size_ = 0, capacity_ = 0;
};

}  // namespace nonosat::learn
