// Line solver for lines whose positions fit into one machine integer B: uint64_t (up to 63 cells)
// or unsigned __int128 (up to 127). line.hpp describes the method.
#pragma once

#include <cassert>

#include "line/plan.hpp"

namespace nonosat {

template <class B>
inline constexpr int kMaxCells = static_cast<int>(sizeof(B)) * 8 - 1;

// Floods a set of positions to the left through cells of `through`, by parallel prefix: stretch_[j]
// holds the cells from which 2^j cells in a row are in `through`. The stretches are the same for
// all blocks, so they are computed once for a line. A flood takes log2(reach) steps.
template <class B>
class LeftFlood {
 public:
  // Floods of up to `reach` cells are complete; a gap is never longer than the line's slack.
  LeftFlood(B through, int reach) {
    stretch_[0] = through;
    while ((1 << num_steps_) <= reach) {
      const B last = stretch_[num_steps_];
      stretch_[num_steps_ + 1] = last & (last >> (1 << num_steps_));
      ++num_steps_;
    }
  }

  B operator()(B from) const {
    for (int step = 0; step < num_steps_; ++step) from |= (from >> (1 << step)) & stretch_[step];
    return from;
  }

 private:
  B stretch_[9];
  int num_steps_ = 0;
};

// Returns the positions from which `length` cells in a row are in `ink`. `ink` already holds those
// for `known` cells.
template <class B>
inline B fits(B ink, int known, int length) {
  grow(known, length, [&](int by) { ink &= ink >> by; });
  return ink;
}

// Returns the cells covered by blocks of `length` that start at `starts`.
template <class B>
inline B covered(B starts, int length) {
  grow(1, length, [&](int by) { starts |= starts << by; });
  return starts;
}

// Sets fit[i] to the positions where a block of plan.sizes[i] fits, and cover[i] to empty. Sizes
// are sorted, so that each size of a colour continues from the next shorter one.
template <class B>
inline void fit_sizes(const Plan& plan, const B* may, B* fit, B* cover) {
  int32_t colour = 0, known = 0;
  B ink = 0;
  for (size_t index = 0; index < plan.sizes.size(); ++index) {
    const Plan::Size size = plan.sizes[index];
    if (size.colour != colour) ink = may[colour = size.colour], known = 1;
    fit[index] = ink = fits(ink, known, size.length);
    known = size.length;
    cover[index] = 0;
  }
}

// Ignores the positions of blocks, for callers that need only the cells.
struct NoDomains {
  template <class B>
  void operator()(size_t, B, B) const {}
};

// Solves one line of at most kMaxCells<B> cells, of any colours and lengths. `may` and `kept` are
// planes as for propagate_line, one integer for each value. Returns false if there is no placement,
// with `kept` undefined. Calls `domains(b, starts, last_cells)` with the positions of each block,
// last block first, until a contradiction is found.
//
// Invariant: before block b of the forward pass `reach` is the set gap[b] of line.hpp; before block
// b of the backward pass `back` holds the positions from which empty cells and the blocks from b +
// 1 on can fill the rest of the line. O(log slack) operations for each block, for the flood to the
// left, and O(log length) for each distinct size.
template <class B, class Domains = NoDomains>
bool solve_word_line(const Plan& plan, const B* may, B* kept, Domains domains = {}) {
  assert(plan.length <= kMaxCells<B>);
  if (plan.slack < 0) return false;
  const int num_blocks = static_cast<int>(plan.blocks.size());
  const B empty = may[0];
  B gap[kMaxCells<B> + 2], start[kMaxCells<B> + 1];
  B end[kMaxCells<B> + 1];  // past-the-end positions, of blocks of unknown length only
  B fit[kMaxCells<B> + 1];
  B cover[kMaxCells<B> + 1];

  fit_sizes(plan, may, fit, cover);
  B reach = flood_right(B(1), empty);
  for (int b = 0; b < num_blocks; ++b) {
    const Block block = plan.blocks[b];
    gap[b] = reach;
    B ends;
    if (block.length) {
      start[b] = reach & fit[plan.size_of[b]];
      ends = start[b] << block.length;
    } else {
      start[b] = reach & may[block.colour];
      ends = end[b] = flood_right(B(start[b] << 1), may[block.colour]);
    }
    if (!start[b]) return false;
    reach = flood_right(plan.separated[b] ? B((ends & empty) << 1) : ends, empty);
  }
  gap[num_blocks] = reach;
  if (!(reach >> plan.length & 1)) return false;

  for (int value = 0; value <= plan.num_colours; ++value) kept[value] = 0;
  const LeftFlood<B> flood_left(empty, plan.slack);
  B back = flood_left(B(1) << plan.length);
  for (int b = num_blocks - 1; b >= 0; --b) {
    const Block block = plan.blocks[b];
    kept[0] |= gap[b + 1] & (back >> 1);
    const B after = plan.separated[b] ? B(empty & (back >> 1)) : back;
    B feasible, ends;
    if (block.length) {
      feasible = start[b] & (after >> block.length);
      ends = feasible << block.length;
      cover[plan.size_of[b]] |= feasible;
    } else {
      const B through = may[block.colour];
      ends = end[b] & after;
      const B inside = LeftFlood<B>(through, plan.length)(ends) >> 1;
      feasible = start[b] & inside;
      kept[block.colour] |= flood_right(feasible, through) & inside & through;
    }
    if (!feasible) return false;
    if (plan.separated[b]) kept[0] |= ends;
    domains(static_cast<size_t>(b), feasible, B(ends >> 1));
    back = flood_left(feasible);
  }
  kept[0] |= gap[0] & (back >> 1);
  kept[0] &= empty;
  for (size_t index = 0; index < plan.sizes.size(); ++index) {
    kept[plan.sizes[index].colour] |= covered(cover[index], plan.sizes[index].length);
  }
  return true;
}

}  // namespace nonosat
