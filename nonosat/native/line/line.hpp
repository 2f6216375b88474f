// Complete propagation of one line: which values of its cells, and which positions of its blocks,
// are used by some placement of all blocks.
//
// The dynamic program over blocks handles all positions of the line at once as bits of words.
// A position p in 0..n is the gap in front of cell p. Going forward, `gap[b]` holds the positions
// before which blocks 0..b-1 stand and every cell is explained; going backward, `back` holds those
// behind which the blocks from b on fit. A flood extends a set of positions through cells that may
// be empty. Blocks of one colour are kept apart by a separating empty cell, blocks of different
// colours may touch, and a block of unknown length floods through the cells that may have its
// colour. Cost O(b log n) operations on n-bit words for b blocks.
#pragma once

#include <cstdint>
#include <memory>
#include <new>
#include <string>
#include <vector>

#include "line/plan.hpp"
#include "watch.hpp"

namespace nonosat {

// Thrown instead of asking for more memory than a line or a board is given.
class TooLarge : public std::bad_alloc {
 public:
  // `what` takes `num_words` words; it is given `most`.
  TooLarge(const std::string& what, int64_t num_words, int64_t most);
  const char* what() const noexcept override { return message_.c_str(); }

 private:
  std::string message_;
};

// Memory of long lines, kept between calls and never copied. Its words hold anything.
class Scratch {
 public:
  Scratch() = default;
  Scratch(const Scratch&) {}
  Scratch& operator=(const Scratch&) { return *this; }

  enum Use { kSets, kPlanes, kChanges };

  // Throws TooLarge where the words asked for on behalf of `plan` are too many. Those of one use
  // are gone when more are asked for.
  Word* words(Use use, const Plan& plan, int64_t num_words);

 private:
  struct Words {
    std::unique_ptr<Word[]> data;
    int64_t num = 0;
  };
  Words words_[3];
};

// Solves one line exactly: which values its cells have in some placement of all blocks.
//
// Needs `may`: plane v holds the cells that may have value v (0 empty, else a colour); planes of
// words_for(length) words, one after another, without bits behind the line's last cell. `kept` has
// room for as many and does not overlap `may`. `windows`: those of this line where it is long and
// some are kept; without them the solve starts from `plan.open`.
// Leaves in `kept` the cells that have each value in some placement, and returns true; returns
// false, with `kept` undefined, when there is no placement.
// `lasting` says that what is known now will not be taken back and that what is kept will be known
// from now on: then `windows` shrink for good, else they are only read. Where the cells lose or get
// back values in another way, `windows->unsettle()` has to be called. A solve that the watch stops
// can be repeated.
// Throws Stopped, and TooLarge where a long line needs more than a gibibyte of scratch memory.
// O(b log n) operations on n-bit integers for b blocks; for long lines see line_window.hpp.
bool propagate_line(const Plan& plan, const Word* may, Word* kept, bool lasting, Scratch& scratch,
                    Watch& watch, Windows* windows = nullptr);

// The positions of each block that some placement uses: bit p of plane b of `starts` is set where
// block b can start at cell p, of `ends` where cell p can be its last. Planes of
// words_for(length) words; both vectors are made as long as they need to be. `may` and `windows` as
// for propagate_line, and only read. Returns false when there is no placement; `starts` and `ends`
// are undefined then. Throws as propagate_line does. O(b n) words of memory and, for long lines,
// O(b n log n / 64) operations at most.
bool block_domains(const Plan& plan, const Word* may, std::vector<Word>& starts,
                   std::vector<Word>& ends, Scratch& scratch, Watch& watch,
                   const Windows* windows = nullptr);

}  // namespace nonosat
