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

#include <compare>
#include <cstdint>
#include <memory>
#include <new>
#include <string>
#include <vector>

#include "watch.hpp"

namespace nonosat {

using Word = uint64_t;
using DoubleWord = unsigned __int128;
inline constexpr int kWordBits = 64;

struct Block {
  int32_t length;  // 0: unknown, at least 1
  int32_t colour;  // 1 .. number of colours

  auto operator<=>(const Block&) const = default;
};

// Words for the cells of a line, at least one. Positions 0..n need n + 1 bits, but only inside the
// solver.
constexpr int words_for(int length) { return length ? (length - 1) / kWordBits + 1 : 1; }

// What the solvers of line_mono.hpp want to know of blocks of one colour and of known lengths, in
// one piece of memory. Steps: growing a window of cells by `step` after `step` it takes each
// distinct length in turn. Growths: the same block by block, for several blocks at a time.
struct MonoPlan {
  std::vector<uint8_t> bytes;
  int row = 0;  // bytes of a row: one a block, rounded up to fours
  int num_growths = 0;
  int num_steps = 0;

  const uint8_t* shift() const { return bytes.data(); }  // by block: its length plus 1
  const uint8_t* growth(int i) const { return shift() + (1 + i) * row; }
  const uint8_t* step_of() const { return growth(num_growths); }  // that reaches its length
  const uint8_t* step() const { return step_of() + row; }
  const uint8_t* step_shift() const { return step() + num_steps; }  // the length reached, plus 1
};

// A line's clue, worked out once. Only the windows of long lines change later.
struct Plan {
  Plan(int length, int num_colours, std::vector<Block> blocks);

  struct Size {  // a distinct (colour, length) among the blocks, ordered by colour, then length
    int32_t colour;
    int32_t length;
  };

  // Nothing of a short line's plan ever changes, so lines of one clue can share it.
  static bool is_short(int length);
  static constexpr int kShortWords = 2;  // of its cells, at most

  int length;
  int num_colours;
  std::vector<Block> blocks;
  std::vector<uint8_t> separated;  // block b and block b + 1 are of one colour
  std::vector<Size> sizes;
  std::vector<int32_t> size_of;  // index into `sizes`; -1 for a block of unknown length
  std::vector<int32_t> first;    // each block starts from here ...
  std::vector<int32_t> last;     // ... to here
  std::vector<Word> settled;     // the cells at the last solve of a long line that lasts
  int slack;                     // cells left over by the tightest placement; negative: none fits
  bool is_mono;                  // short, one colour, known lengths, and room for all blocks
  MonoPlan mono;                 // then
  int64_t cost;                  // of a solve, in the watch's units; long lines account for more
};

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

// `may[v]` holds the cells that may have value v (0 empty, else a colour), `kept[v]` receives those
// that do in some placement; both are planes of `words_for(length)` words, one after another.
// Returns false, with `kept` undefined, when there is no placement. `lasting` says that what is
// known now will not be taken back and that what is kept will be known from now on, so that the
// windows of a long line's blocks may shrink for good; where that does not come about after all, or
// a cell loses its last value, `settled` has to be cleared. A solve that the watch stops can be
// repeated.
bool propagate_line(Plan& plan, const Word* may, Word* kept, bool lasting, Scratch& scratch,
                    Watch& watch);

// The positions of each block that some placement uses: bit p of plane b of `starts` is set where
// block b can start at cell p, of `ends` where cell p can be its last. Planes of
// `words_for(length)` words. Returns false when there is no placement. Throws TooLarge.
bool block_domains(Plan& plan, const Word* may, std::vector<Word>& starts, std::vector<Word>& ends,
                   Scratch& scratch, Watch& watch);

}  // namespace nonosat
