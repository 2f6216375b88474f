// The line solver for lines of one colour whose blocks all have known lengths, in one word or two.
//
// The method is that of line.hpp, arranged so that its two passes do not wait for each other. A
// virtual empty cell stands at either end, cells are bits 1..n, and a block is told by the empty
// cell behind it: `behind[b]` are the cells that may be that one, `gap[b + 1]` those and the ones
// reached from there through empty cells. The backward pass is the same program on the line read
// from right to left, so both floods are carries of an addition. A block can end before cell i, and
// i can be empty between b and b + 1, just where both passes meet in i; one pass is reversed for
// it.
#pragma once

#include <cassert>

#include "line/plan.hpp"

namespace nonosat {

template <class B>
inline constexpr int kMaxMonoCells = static_cast<int>(sizeof(B)) * 8 - 2;
// A line of two words has up to 14 distinct lengths, and takes 7 more steps to them.
inline constexpr int kMaxMonoSteps = 21;

// The empty cells behind which a block of each length fits, with an empty cell in front of it too:
// room[i] for the length of step i. `empty` and `filled` as inside solve_mono_line; `room` has
// space for plan.num_steps sets.
template <class B>
inline void find_room(const MonoPlan& plan, B empty, B filled, B* room) {
  const uint8_t *step = plan.step(), *shift = plan.step_shift();
  B fit = filled << 1;
  for (int i = 0; i < plan.num_steps; ++i) {
    fit &= fit << step[i];
    room[i] = fit & empty & (empty << shift[i]);
  }
}

// Solves a line of 1 to kMaxMonoCells<B> cells whose plan `is_mono`. `empty`, `filled`: the cells
// that may be so, from bit 0, and none behind the line. Returns false when there is no placement,
// with `kept_empty` and `kept_filled` untouched; else they receive the cells that are so in some
// placement. Both passes only tell whether block by block a way leads on, so that a contradiction
// shows once, where the forward pass does not reach the end. About ten operations a block and
// direction, and four a distinct length.
template <class B>
bool solve_mono_line(const Plan& line, B empty, B filled, B& kept_empty, B& kept_filled) {
  constexpr int kMaxBlocks = kMaxMonoCells<B> / 2 + 1;
  B room[kMaxMonoSteps], mirrored_room[kMaxMonoSteps], cover[kMaxMonoSteps];
  B behind[kMaxBlocks], gap[kMaxBlocks + 1], mirrored_gap[kMaxBlocks + 1];
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
    behind[b] = reach << shift[b] & room[step_of[b]];
    gap[b + 1] = reach = flood_past(behind[b], empty);
    const B before = mirrored_reach << shift[c] & mirrored_room[step_of[c]];
    mirrored_gap[c] = mirrored_reach = flood_past(before, mirrored_empty);
  }
  if (!(reach >> end & B(1))) return false;

  for (int i = 0; i < num_steps; ++i) cover[i] = B(0);
  B white = gap[0] & reversed(mirrored_gap[0]) >> unused;
  for (int b = 0; b < num_blocks; ++b) {
    const B back = reversed(mirrored_gap[b + 1]) >> unused;
    white |= gap[b + 1] & back;
    cover[step_of[b]] |= behind[b] & back;
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

// Whether there is a placement at all, by the forward pass alone; the contract of solve_mono_line.
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

// The same for whole lines of one word with the blocks in the lanes of AVX2 registers, or null
// where the processor has none: 26 ns instead of 38 ns for a random line of 30 cells (LOG.md).
using MonoSolver = bool (*)(const Plan& plan, const Word* may, Word* kept);
MonoSolver vector_mono_solver();

}  // namespace nonosat
