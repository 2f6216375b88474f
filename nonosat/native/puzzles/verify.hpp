// Does a picture satisfy the clues? Written for nothing else: no solver, encoding or reader of
// files uses it, and it uses nothing of theirs. `nonosat/puzzles/nonogram/verify.py` reads lines a
// second time and says in words what is wrong.
#pragma once

#include <cstddef>
#include <cstdint>

namespace nonosat::verify {

// The cells of a line, `step` apart: a byte each, 0 is empty, k the k-th colour.
struct Cells {
  const uint8_t* first;
  size_t count;
  size_t step;

  uint8_t at(size_t place) const { return first[place * step]; }
};

// Walks along a line, from each maximal run of one colour to the next.
class Runs {
 public:
  explicit Runs(Cells cells) : cells_(cells) {}

  // Whether there is another run; `length` and `colour` are its own then.
  bool next() {
    while (place_ < cells_.count && cells_.at(place_) == 0) ++place_;
    if (place_ == cells_.count) return false;
    const size_t start = place_;
    colour_ = cells_.at(start);
    while (place_ < cells_.count && cells_.at(place_) == colour_) ++place_;
    length_ = place_ - start;
    return true;
  }

  size_t length() const { return length_; }
  uint8_t colour() const { return colour_; }

 private:
  Cells cells_;
  size_t place_ = 0;
  size_t length_ = 0;
  uint8_t colour_ = 0;
};

}  // namespace nonosat::verify
