// Independent check that a picture satisfies the clues: it shares no code with solvers, encodings
// or readers of files. `nonosat/puzzles/nonogram/verify.py` reads wrong lines again and describes
// the error.
#pragma once

#include <cstddef>
#include <cstdint>

namespace nonosat::verify {

// Cells of a line, `step` bytes apart: 0 is empty, k is the k-th colour.
struct Cells {
  const uint8_t* first;
  size_t count;
  size_t step;

  uint8_t at(size_t place) const { return first[place * step]; }
};

// Iterates over the maximal runs of one colour in a line.
class Runs {
 public:
  explicit Runs(Cells cells) : cells_(cells) {}

  // Advances to the next run and sets `length` and `colour`; false if there is none.
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
