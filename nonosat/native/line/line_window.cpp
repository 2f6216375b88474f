#include "line/line_window.hpp"

#include <algorithm>
#include <cassert>
#include <cstring>

#include "line/bits.hpp"
#include "line/vectors.hpp"

// The method is that of line.hpp, but every set of starts is one integer whose bit 0 is the first
// start of its block's window, however long the line is. After block b - 1 a gap begins, in one of
// as many positions as that block has starts, and it ends at one of the starts of block b: a flood
// in the integer of the former and, if the two windows begin at different positions, another one in
// the integer of the latter. The backward pass does the same on the mirrored line, in which bit 0
// is the last start, so that both floods are carries of an addition; it begins with the starts that
// the forward pass has found.
namespace nonosat {
namespace {

template <class B>
inline constexpr int kWindowBits = static_cast<int>(sizeof(B)) * 8;

// Returns the bits of a plane from a position on. Reads up to a word after them.
template <class B>
inline B bits_at(const Word* plane, uint64_t position) {
  constexpr int kWords = sizeof(B) / sizeof(Word);
  const Word* from = plane + position / kWordBits;
  const int shift = static_cast<int>(position % kWordBits);
  Word words[kWords];
  for (int i = 0; i < kWords; ++i) words[i] = funnel_down(from[i], from[i + 1], shift);
  B bits;
  std::memcpy(&bits, words, sizeof bits);
  return bits;
}

// Adds bits to a plane from a position on. Writes up to a word after them.
template <class B>
inline void add_bits(Word* plane, uint64_t position, const B& bits) {
  constexpr int kWords = sizeof(B) / sizeof(Word);
  Word* to = plane + position / kWordBits;
  const int shift = static_cast<int>(position % kWordBits);
  Word words[kWords + 2] = {};
  std::memcpy(words + 1, &bits, sizeof bits);
  for (int i = 0; i <= kWords; ++i) to[i] |= funnel_up(words[i], words[i + 1], shift);
}

// Adds the positions from_..to_ - 1 to a plane.
inline void add_range(Word* plane, int64_t from_, int64_t to_) {
  if (from_ >= to_) return;
  const auto from = static_cast<uint64_t>(from_), to = static_cast<uint64_t>(to_);
  const uint64_t first = from / kWordBits, last = (to - 1) / kWordBits;
  const Word low = ~Word{0} << (from % kWordBits), high = ~Word{0} >> (63 - (to - 1) % kWordBits);
  if (first == last) {
    plane[first] |= low & high;
    return;
  }
  plane[first] |= low;
  std::fill(plane + first + 1, plane + last, ~Word{0});
  plane[last] |= high;
}

// One solve of a segment.
//
// Invariant: on_[i] and back_[i] are sets of starts of windows_[i]; `forward` fills on_, `backward`
// fills back_ with subsets of it, mirrored, and `keep` combines both. The caller provides the
// memory, so that a solve allocates nothing: vectors for each solve cost Cauldron 58 instead of 53
// million instructions (LOG.md).
template <class B>
class WindowSolver {
 public:
  // A block, or the end of the segment, represented as a block with a single start.
  struct Window {
    int32_t first, last;  // first and last start
    int32_t length;
    int32_t colour;
    int32_t advance;  // `length`, plus one if an empty cell of the segment must follow
    int32_t unused;   // bits of the integer that represent no start

    bool is_separated() const { return advance > length; }
  };
  // Result of a pass for a block's starts and the gap before it; bit 0 of each set is the first
  // position of its window. `gap_begin`: positions reached in the gap, counted from the first
  // position at which it can begin; `gap_end`: positions reached, counted from the block's first
  // start.
  struct Reach {
    B start, gap_begin, gap_end;
  };

  // Words of memory for a segment of num_blocks - 1 blocks.
  static constexpr int64_t words(int64_t num_blocks) {
    return num_blocks * (sizeof(Window) + 2 * sizeof(Reach)) / sizeof(Word);
  }

  WindowSolver(const LongLine& line, const Segment& segment, const PaddedLine& cells, Word* memory)
      : line_(line),
        segment_(segment),
        cells_(cells),
        num_blocks_(static_cast<int64_t>(segment.end_block - segment.first_block)),
        on_(reinterpret_cast<Reach*>(memory)),
        back_(on_ + num_blocks_ + 1),
        windows_(reinterpret_cast<Window*>(back_ + num_blocks_ + 1)) {}

  bool solve(Watch& watch) {
    open_windows();
    if (!forward(watch)) return false;
    backward();
    keep();
    return true;
  }

 private:
  static constexpr int kBits = kWindowBits<B>;

  void open_windows() {
    const size_t base = segment_.first_block;
    for (int64_t i = 0; i < num_blocks_; ++i) {
      const int32_t first = line_.windows.first[base + i], last = line_.windows.last[base + i];
      const Block block = line_.plan.blocks[base + i];
      const bool separated = line_.plan.separated[base + i] && i + 1 < num_blocks_;
      windows_[i] = {first,
                     last,
                     block.length,
                     block.colour,
                     block.length + separated,
                     kBits - 1 - (last - first)};
    }
    windows_[num_blocks_] = at(segment_.to);
  }
  static Window at(int64_t position) {
    const auto only = static_cast<int32_t>(position);
    return {only, only, 0, 0, 0, kBits - 1};
  }

  // Returns the starts of a window from which the block's cells may all have its colour. A cell
  // inside the integer that cannot have the colour excludes the starts that would cover it; of the
  // cells after the integer, the first such cell decides.
  B fitting(const Window& window) const {
    const Word* ink = cells_.may + window.colour * cells_.stride;
    B bad = ~bits_at<B>(ink, window.first);
    grow(1, std::min(window.length, kBits), [&](int by) { bad |= bad >> by; });
    B fit = ~bad & (~B(0) >> window.unused);
    const int64_t past = int64_t{window.first} + kBits;
    if (int64_t{window.last} + window.length > past) {
      const int64_t end = run_end(ink, past, int64_t{window.last} + window.length);
      const int64_t latest = end - window.length - window.first;
      if (latest < 0) return B(0);
      if (latest < kBits - 1) fit &= ~(~B(0) << static_cast<int>(latest) << 1);
    }
    return fit;
  }

  // Converts the positions reached at the beginning of a gap to those reached at its end, `apart`
  // positions later: bit 0 of the result is bit `apart` of `reach`. `through` are the empty cells
  // there. If the two integers do not overlap, all cells between them must be empty, which
  // `is_empty` tests.
  template <class Empty>
  B carried(const B& reach, int64_t apart, const B& through, Empty is_empty) const {
    if (apart < kBits) return flood_right(B(reach >> static_cast<int>(apart)), through);
    if (!(reach >> (kBits - 1)) || !is_empty()) return B(0);
    return flood_right(B(1), through);
  }

  // Returns the positions reached after a block from its starts, from the first beginning of the
  // gap on.
  B reach_after(const Window& block, const B& start) const {
    const B through = bits_at<B>(cells_.may, block.first + block.length);
    if (!block.is_separated()) return flood_right(start, through);
    return flood_past(B(start & through), through) &
           through;  // the separating cell is part of the flood
  }

  // Fills on_ from left to right with the starts and gaps that the preceding blocks allow. False if
  // a block has no start left, or the segment's end is not reached. Only this pass can be stopped
  // by the watch.
  bool forward(Watch& watch) {
    const Word* empty = cells_.may;
    const Window* before = nullptr;
    for (int64_t i = 0; i <= num_blocks_; ++i) {
      watch.work(kCost);
      const Window& block = windows_[i];
      Reach& on = on_[i];
      B reach =
          before ? reach_after(*before, on_[i - 1].start) : reach_after(at(segment_.from), B(1));
      on.gap_begin = reach;
      const int64_t begin = before ? before->first + before->advance : segment_.from;
      if (const int64_t apart = block.first - begin) {
        reach = carried(reach, apart, bits_at<B>(empty, block.first), [&] {
          return run_end(empty, begin + kBits - 1, block.first) == block.first;
        });
      }
      on.gap_end = reach;
      if (i == num_blocks_) break;
      on.start = reach & fitting(block);
      if (!on.start) return false;
      before = &block;
    }
    return static_cast<bool>(on_[num_blocks_].gap_end & B(1));
  }

  // Fills back_ from right to left, on the mirrored line, beginning with the starts of on_. It
  // cannot fail: every set that `forward` found to reach the end has a position that this pass
  // reaches.
  void backward() {
    const Word *empty = cells_.may, *mirrored = cells_.mirrored;
    for (int64_t i = 0; i < num_blocks_; ++i)
      back_[i].start = reversed(on_[i].start) >> windows_[i].unused;
    back_[num_blocks_].start = B(1);
    for (int64_t i = num_blocks_; i >= 0; --i) {
      const Window& block = windows_[i];
      const Window before = i ? windows_[i - 1] : at(segment_.from);
      const int64_t begin = before.last + before.advance, apart = block.last - begin;
      Reach& step = back_[i];
      const B through = bits_at<B>(mirrored, cells_.length - begin);
      B reach = flood_right(step.start,
                            apart ? bits_at<B>(mirrored, cells_.length - block.last) : through);
      step.gap_end = reach;
      if (apart) {
        reach = carried(reach, apart, through, [&] {
          const int64_t end = block.last - kBits + 1;
          return run_end(empty, begin, end) == end;
        });
      }
      step.gap_begin = reach;
      if (i) back_[i - 1].start &= before.is_separated() ? B(reach & through) : reach;
    }
  }

  // A start or an empty cell occurs in some placement exactly if both passes have reached it:
  // writes these cells and the cells that the blocks cover, block by block.
  void keep() {
    Word* white = cells_.kept;
    B* all = &back_[0].start;
    for (int64_t i = 0; i < 3 * (num_blocks_ + 1); ++i) all[i] = reversed(all[i]);
    Window before = at(segment_.from);
    B ends(0);  // the empty cells after the preceding block
    for (int64_t i = 0; i <= num_blocks_; ++i) {
      const Window& block = windows_[i];
      const Reach &on = on_[i], &back = back_[i];
      const int64_t begin = before.first + before.advance;
      B gap = on.gap_end & (back.gap_end >> block.unused >> 1);
      if (block.first != begin) {
        add_bits<B>(white, block.first, gap);
        add_range(white, before.last + before.advance, block.first);
        gap = on.gap_begin & (back.gap_begin >> before.unused >> 1);
      }
      if (before.is_separated()) {
        add_bits<B>(white, begin - 1, ends | gap << 1);
      } else {
        add_bits<B>(white, begin, gap);
      }
      if (i == num_blocks_) return;
      ends = back.start >> block.unused;
      keep_block(i, block, ends);
      before = block;
    }
  }

  // Writes the cells that block i covers from its remaining starts, and narrows its window.
  void keep_block(int64_t i, const Window& block, B start) {
    const int64_t low = block.first + lowest(start), high = block.first + highest(start);
    Word* ink = cells_.kept + block.colour * cells_.stride;
    if (block.length > high - low) {
      add_range(ink, low, high + block.length);
    } else {
      grow(1, std::min(block.length, kBits), [&](int by) { start |= start << by; });
      add_bits<B>(ink, block.first, start);
      add_range(ink, block.first + kBits, high + block.length);
    }
    if (!line_.permanent) return;
    line_.permanent->first[segment_.first_block + i] = static_cast<int32_t>(low);
    line_.permanent->last[segment_.first_block + i] = static_cast<int32_t>(high);
  }

  // Of a block, in units of work.
  static constexpr int64_t kCost = 16 + 14 * sizeof(B) / sizeof(Word);

  const LongLine line_;
  const Segment segment_;
  const PaddedLine cells_;
  const int64_t num_blocks_;
  Reach *on_, *back_;
  Window* windows_;
};

using Solve = bool (*)(const LongLine&, const Segment&, const PaddedLine&, Word*, Watch&);

template <class B>
bool solve_portably(const LongLine& line, const Segment& segment, const PaddedLine& cells,
                    Word* memory, Watch& watch) {
  return WindowSolver<B>(line, segment, cells, memory).solve(watch);
}

#if NONOSAT_HAS_AVX2

// WindowSolver, compiled for AVX2 with all functions that it calls.
template <class B>
NONOSAT_AVX2 __attribute__((flatten)) bool solve_with_vectors(const LongLine& line,
                                                              const Segment& segment,
                                                              const PaddedLine& cells, Word* memory,
                                                              Watch& watch) {
  return WindowSolver<B>(line, segment, cells, memory).solve(watch);
}

template <class B>
Solve vector_solver() {
  return has_vectors() ? solve_with_vectors<B> : solve_portably<B>;
}

#else

template <class B>
Solve vector_solver() {
  return solve_portably<B>;
}

#endif

struct Kind {
  int bits;
  int64_t (*words)(int64_t num_blocks);
  Solve solve, solve_portably;
};

template <class B>
Kind kind() {
  return {kWindowBits<B>, WindowSolver<B>::words, vector_solver<B>(), solve_portably<B>};
}

// Wider windows are left to line_spans.cpp: with integers of 512 and 1024 bits, pictures of fine
// discs took 1190 instead of 830 ms (LOG.md).
const Kind kinds[] = {kind<Word>(), kind<DoubleWord>(), kind<Bits<4>>()};

}  // namespace

WindowTask::WindowTask(const LongLine& line, const Segment& segment) : num_words(-1), size(0) {
  int widest = 0;
  for (size_t b = segment.first_block; b < segment.end_block; ++b) {
    if (!line.plan.blocks[b].length) return;
    widest = std::max(widest, line.windows.last[b] - line.windows.first[b]);
  }
  for (; size < static_cast<int>(std::size(kinds)); ++size) {
    if (widest >= kinds[size].bits) continue;
    num_words =
        kinds[size].words(static_cast<int64_t>(segment.end_block - segment.first_block + 1));
    return;
  }
}

bool solve_windows(const WindowTask& task, const LongLine& line, const Segment& segment,
                   const PaddedLine& cells, Word* memory, Watch& watch) {
  assert(task.num_words >= 0);
  const Kind& kind = kinds[task.size];
  const Solve solve = vectors_allowed ? kind.solve : kind.solve_portably;
  return solve(line, segment, cells, memory, watch);
}

}  // namespace nonosat
