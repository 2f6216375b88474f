// A global allocator that fails on request, and calls of work under it. It replaces the program's
// own allocator, so that only one source file of a program may include this.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <new>
#include <string>

#include "fuzzing.hpp"

namespace failing {

inline int64_t num_left = -1;    // allocations until one fails; negative: none fails
inline bool is_lasting = false;  // if true, all later ones fail, too
inline int64_t num_made = 0;

inline void* allocated(size_t size) {
  ++num_made;
  if (num_left == 0) {
    if (!is_lasting) num_left = -1;
    throw std::bad_alloc();
  }
  if (num_left > 0) --num_left;
  if (void* found = std::malloc(size ? size : 1)) return found;
  throw std::bad_alloc();
}

}  // namespace failing

void* operator new(size_t size) { return failing::allocated(size); }
void* operator new[](size_t size) { return failing::allocated(size); }
void* operator new(size_t size, const std::nothrow_t&) noexcept {
  try {
    return failing::allocated(size);
  } catch (const std::bad_alloc&) {
    return nullptr;
  }
}
void operator delete(void* held) noexcept { std::free(held); }
void operator delete[](void* held) noexcept { std::free(held); }
void operator delete(void* held, const std::nothrow_t&) noexcept { std::free(held); }
void operator delete(void* held, size_t) noexcept { std::free(held); }
void operator delete[](void* held, size_t) noexcept { std::free(held); }

namespace failing {

// A piece of work under an allocator that fails.
class Attempt {
 public:
  Attempt(int64_t fails_at, bool lasts) : fails_at_(fails_at), lasts_(lasts) {}

  // Calls `part`; false if it failed for lack of memory. Work after the failure has enough memory.
  template <class Part>
  bool operator()(Part part) {
    if (has_failed_) return false;
    const int64_t before = num_made;
    num_left = fails_at_, is_lasting = lasts_;
    try {
      part();
    } catch (const std::bad_alloc&) {
      has_failed_ = true;
    }
    num_left = -1;
    fails_at_ -= num_made - before;
    return !has_failed_;
  }

  bool has_failed() const { return has_failed_; }

 private:
  int64_t fails_at_;
  bool lasts_;
  bool has_failed_ = false;
};

inline int most_failures = 0;
inline int64_t num_failures = 0;

// Repeats some work with a failure at each of its allocations; if there are very many, at the first
// ones and then at increasing distances.
template <class Work>
void repeat_with_failures(const std::string& name, Work work) {
  for (const bool lasts : {false, true}) {
    for (int64_t fails_at = 0, count = 0;; ++count) {
      fuzzing::place = name + ", allocation " + std::to_string(fails_at) + (lasts ? " on" : "");
      Attempt attempt(fails_at, lasts);
      work(attempt);
      if (!attempt.has_failed()) break;
      ++num_failures;
      fails_at += 1 + (count > most_failures ? fails_at / 40 : 0);
    }
  }
}

}  // namespace failing
