// Complete propagation (GAC) of one line: computes which values of its cells, and which positions
// of its blocks, occur in some placement of all blocks.
//
// The dynamic program over blocks processes all positions of the line at once, as bits of words.
// Position p in 0..n is the gap in front of cell p. The forward pass computes `gap[b]`, the
// positions p such that blocks 0..b-1 and empty cells can fill cells 0..p-1. The backward pass
// computes `back`, the positions p such that the remaining blocks and empty cells can fill the
// cells from p on. A flood extends a set of positions through cells that may be empty. Consecutive
// blocks of one colour are separated by an empty cell, blocks of different colours may touch, and a
// block of unknown length floods through the cells that may have its colour. O(b log n) operations
// on n-bit words for b blocks.
#pragma once

#include <cstdint>
#include <memory>
#include <new>
#include <string>
#include <vector>

#include "line/plan.hpp"
#include "watch.hpp"

namespace nonosat {

// Thrown when a line or a board needs more memory than its limit.
class TooLarge : public std::bad_alloc {
 public:
  // `what` needs `num_words` words; the limit is `most`.
  TooLarge(const std::string& what, int64_t num_words, int64_t most);
  const char* what() const noexcept override { return message_.c_str(); }

 private:
  std::string message_;
};

// Scratch memory of long lines, reused between calls and never copied. Its words are uninitialised.
class Scratch {
 public:
  Scratch() = default;
  Scratch(const Scratch&) {}
  Scratch& operator=(const Scratch&) { return *this; }

  enum Use { kSets, kPlanes, kChanges };

  // Returns memory for `num_words` words; throws TooLarge, naming the line of `plan`, beyond the
  // limit. Invalidates the earlier memory of the same use.
  Word* words(Use use, const Plan& plan, int64_t num_words);

 private:
  struct Words {
    std::unique_ptr<Word[]> data;
    int64_t num = 0;
  };
  Words words_[3];
};

// Solves one line exactly: computes the values that its cells have in some placement of all blocks.
//
// `may`: the domains. Plane v holds the cells that may have value v (0 empty, else a colour);
// planes of words_for(length) words one after another, without bits beyond the line's last cell.
// `kept` has room for as many words and must not overlap `may`. `windows`: those of this line if it
// is long and its windows are stored; without them the solve begins with `plan.open`. Writes to
// `kept` the cells that have each value in some placement, and returns true; returns false, with
// `kept` undefined, if there is no placement. `permanent` means that the domains will not grow
// again, and that the caller will apply `kept`: then `windows` are narrowed for good, else they are
// only read. If cells lose or regain values in another way, call `windows->invalidate()`. A solve
// that the watch stops can be repeated. Throws Stopped, and TooLarge if a long line needs more than
// a gibibyte of scratch memory. O(b log n) operations on n-bit integers for b blocks; for long
// lines see line_window.hpp.
bool propagate_line(const Plan& plan, const Word* may, Word* kept, bool permanent, Scratch& scratch,
                    Watch& watch, Windows* windows = nullptr);

// Computes the domains of the blocks: bit p of plane b of `starts` is set if block b starts at cell
// p in some placement, of `ends` if p is its last cell in some placement. Planes of
// words_for(length) words; both vectors are resized. `may` and `windows` as for propagate_line, and
// only read. Returns false if there is no placement; `starts` and `ends` are undefined then. Throws
// as propagate_line does. O(b n) words of memory and, for long lines, at most O(b n log n / 64)
// operations.
bool block_domains(const Plan& plan, const Word* may, std::vector<Word>& starts,
                   std::vector<Word>& ends, Scratch& scratch, Watch& watch,
                   const Windows* windows = nullptr);

}  // namespace nonosat
