// Line solver for lines of one colour whose blocks all have known lengths, in one or two words.
//
// The method is that of line.hpp, arranged so that the two passes are independent of each other. A
// virtual empty cell is added at either end, cells are bits 1..n, and the position of a block is
// that of the empty cell after it: `after[b]` is the set of such cells, and `gap[b + 1]` adds the
// cells that can be reached from them through empty cells. The backward pass is the same program on
// the mirrored line, so that both floods are carries of an addition. Block b can end in front of
// cell i, and i can be empty between b and b + 1, exactly if both passes reach i; one pass is
// mirrored for this test.
#pragma once

#include <cassert>

#include "line/plan.hpp"

namespace nonosat {

template <class B>
inline constexpr int kMaxMonoCells = static_cast<int>(sizeof(B)) * 8 - 2;
// A line of two words has up to 14 distinct lengths, which take 7 more steps.
inline constexpr int kMaxMonoSteps = 21;

// Sets room[i] to the empty cells that can follow a block of the length of step i, with another
// empty cell in front of it. `empty` and `filled` as inside solve_mono_line; `room` has space for
// plan.num_steps sets.
template <class B>
inline void find_room(const MonoPlan& plan, B empty, B filled, B* room) {
  const uint8_t *step = plan.step(), *shift = plan.step_shift();
  B fit = filled << 1;
  for (int i = 0; i < plan.num_steps; ++i) {
    fit &= fit << step[i];
    room[i] = fit & empty & (empty << shift[i]);
  }
}

// Solves a line of 1 to kMaxMonoCells<B> cells with `is_mono`. `empty`, `filled`: the cells that
// may be empty or filled, from bit 0, without bits beyond the line. Returns false if there is no
// placement, with `kept_empty` and `kept_filled` unchanged; else these are set to the cells that
// are empty or filled in some placement. A contradiction is detected only when the forward pass
// does not reach the end. About ten operations for each block and direction, and four for each
// distinct length.
template <class B>
bool solve_mono_line(const Plan& line, B empty, B filled, B& kept_empty, B& kept_filled) {
  constexpr int kMaxBlocks = kMaxMonoCells<B> / 2 + 1;
  B room[kMaxMonoSteps], mirrored_room[kMaxMonoSteps], cover[kMaxMonoSteps];
  B after[kMaxBlocks], gap[kMaxBlocks + 1], mirrored_gap[kMaxBlocks + 1];
  const MonoPlan& plan = line.mono;
  const uint8_t *shift = plan.shift(), *step_of = plan.step_of();
  const int num_blocks = static_cast<int>(line.blocks.size()), num_steps = plan.num_steps;
  assert(line.is_mono && line.length >= 1 && line.length <= kMaxMonoCells<B>);
  const int end = line.length + 1, unused = kMaxMonoCells<B> - line.length;
  empty = empty << 1 | 1 | B(1) << end;
  filled <<= 1;
  const B mirrored_empty = reversed(empty) >> unused;
  find_room(plan, empty, filled, room);
  find_room(plan, mirrored_empty, B(reversed(filled) >> unused), mirrored_room);

  B reach = gap[0] = flood_past(B(1), empty);
  B mirrored_reach = mirrored_gap[num_blocks] = flood_past(B(1), mirrored_empty);
  for (int b = 0, c = num_blocks - 1; c >= 0; ++b, --c) {
    after[b] = reach << shift[b] & room[step_of[b]];
    gap[b + 1] = reach = flood_past(after[b], empty);
    const B before = mirrored_reach << shift[c] & mirrored_room[step_of[c]];
    mirrored_gap[c] = mirrored_reach = flood_past(before, mirrored_empty);
  }
  if (!(reach >> end & B(1))) return false;

  for (int i = 0; i < num_steps; ++i) cover[i] = B(0);
  B white = gap[0] & reversed(mirrored_gap[0]) >> unused;
  for (int b = 0; b < num_blocks; ++b) {
    const B back = reversed(mirrored_gap[b + 1]) >> unused;
    white |= gap[b + 1] & back;
    cover[step_of[b]] |= after[b] & back;
  }
  B covered(0);
  for (int i = num_steps; i-- > 0;) {
    covered |= cover[i];
    covered |= covered >> plan.step()[i];
  }
  kept_empty = (white & empty & ~(B(1) << end)) >> 1;
  kept_filled = covered >> 2;
  return true;
}

// Returns true if there is a placement, by the forward pass alone; parameters as of
// solve_mono_line.
template <class B>
bool has_mono_placement(const Plan& line, B empty, B filled) {
  B room[kMaxMonoSteps];
  const MonoPlan& plan = line.mono;
  const uint8_t *shift = plan.shift(), *step_of = plan.step_of();
  const int num_blocks = static_cast<int>(line.blocks.size());
  assert(line.is_mono && line.length >= 1 && line.length <= kMaxMonoCells<B>);
  const int end = line.length + 1;
  empty = empty << 1 | 1 | B(1) << end;
  find_room(plan, empty, B(filled << 1), room);
  B reach = flood_past(B(1), empty);
  for (int b = 0; b < num_blocks; ++b) {
    reach = flood_past(B(reach << shift[b] & room[step_of[b]]), empty);
  }
  return static_cast<bool>(reach >> end & B(1));
}

// Solver for lines of one word with the blocks in the lanes of AVX2 registers, or null if the
// processor has none: 26 ns instead of 38 ns for a random line of 30 cells (LOG.md).
using MonoSolver = bool (*)(const Plan& plan, const Word* may, Word* kept);
MonoSolver vector_mono_solver();

}  // namespace nonosat
