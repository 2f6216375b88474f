#include "line/plan.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cassert>
#include <tuple>
#include <utility>

#include "line/line_mono.hpp"
#include "line/line_word.hpp"

namespace nonosat {
namespace {

static_assert(Plan::is_short(kMaxCells<DoubleWord>) && !Plan::is_short(kMaxCells<DoubleWord> + 1));

// Returns the number of cells by which a window of `known` cells grows in one step: it is doubled,
// but does not exceed `length`.
int growth(int known, int length) { return std::min(known, length - known); }

// Computes the steps of a plan that satisfies `fits_mono`.
MonoPlan mono_plan(const Plan& plan) {
  MonoPlan mono;
  // On the stack, since boards of small puzzles are made in microseconds.
  std::array<uint8_t, kMaxMonoSteps> step, step_shift;
  std::array<uint8_t, kMaxMonoCells<DoubleWord> + 1> step_to;
  int known = 1;
  for (const Plan::Size& size : plan.sizes) {
    do {
      assert(mono.num_steps < kMaxMonoSteps);
      const int by = growth(known, size.length);
      known += by;
      step[mono.num_steps] = static_cast<uint8_t>(by);
      step_shift[mono.num_steps++] = static_cast<uint8_t>(known + 1);
    } while (known < size.length);
    step_to[size.length] = static_cast<uint8_t>(mono.num_steps - 1);
    mono.num_growths = std::bit_width(static_cast<unsigned>(size.length - 1));
  }
  mono.row = static_cast<int>(plan.blocks.size() + 3) / 4 * 4;
  mono.bytes.resize((2 + mono.num_growths) * mono.row + 2 * mono.num_steps);
  for (size_t b = 0; b < plan.blocks.size(); ++b) {
    const int length = plan.blocks[b].length;
    mono.bytes[b] = static_cast<uint8_t>(length + 1);
    mono.bytes[(1 + mono.num_growths) * mono.row + b] = step_to[length];
    for (int i = 0, grown = 1; grown < length; ++i) {
      const int by = growth(grown, length);
      mono.bytes[(1 + i) * mono.row + b] = static_cast<uint8_t>(by);
      grown += by;
    }
  }
  uint8_t* const tail = mono.bytes.data() + (2 + mono.num_growths) * mono.row;
  std::copy_n(step.begin(), mono.num_steps, tail);
  std::copy_n(step_shift.begin(), mono.num_steps, tail + mono.num_steps);
  return mono;
}

// Returns true if the solvers of line_mono.hpp can solve the line.
bool fits_mono(const Plan& plan) {
  const auto is_known = [](const Block& block) { return block.length > 0; };
  return plan.length > 0 && plan.length <= kMaxMonoCells<DoubleWord> && plan.num_colours == 1 &&
         plan.slack >= 0 && std::all_of(plan.blocks.begin(), plan.blocks.end(), is_known);
}

// The counterpart of `find_sizes` for one colour and lengths below 128: a bit for each length
// instead of sorting.
void find_mono_sizes(Plan& plan) {
  std::array<Word, 2> lengths{};
  for (const Block& block : plan.blocks) {
    lengths[block.length / kWordBits] |= Word{1} << block.length % kWordBits;
  }
  std::array<int32_t, 2 * kWordBits> place;
  for (int i = 0; i < 2; ++i) {
    for (Word left = lengths[i]; left; left &= left - 1) {
      const int length = i * kWordBits + std::countr_zero(left);
      place[length] = static_cast<int32_t>(plan.sizes.size());
      plan.sizes.push_back({1, length});
    }
  }
  for (const Block& block : plan.blocks) plan.size_of.push_back(place[block.length]);
}

// Computes the distinct sizes, and the index of each block's size.
void find_sizes(Plan& plan) {
  const auto key = [](const Plan::Size& size) { return std::tie(size.colour, size.length); };
  const auto before = [&](const auto& a, const auto& b) { return key(a) < key(b); };
  const auto same = [&](const auto& a, const auto& b) { return key(a) == key(b); };
  for (const Block& block : plan.blocks) {
    if (block.length) plan.sizes.push_back({block.colour, block.length});
  }
  std::sort(plan.sizes.begin(), plan.sizes.end(), before);
  plan.sizes.erase(std::unique(plan.sizes.begin(), plan.sizes.end(), same), plan.sizes.end());
  for (const Block& block : plan.blocks) {
    const auto at = std::lower_bound(plan.sizes.begin(), plan.sizes.end(),
                                     Plan::Size{block.colour, block.length}, before);
    plan.size_of.push_back(block.length ? static_cast<int32_t>(at - plan.sizes.begin()) : -1);
  }
}

// Computes the windows of a line without known cells: from the leftmost to the rightmost placement.
Windows open_windows(const Plan& plan) {
  Windows open;
  open.first.reserve(plan.blocks.size());
  open.last.reserve(plan.blocks.size());
  int64_t used = 0;
  for (size_t b = 0; b < plan.blocks.size(); ++b) {
    open.first.push_back(static_cast<int32_t>(std::min<int64_t>(used, plan.length)));
    open.last.push_back(open.first.back() + plan.slack);
    used += int64_t{std::max(plan.blocks[b].length, 1)} + plan.separated[b];
  }
  return open;
}

// Returns the cost of a solve, from the measurements of benchmarks/native/LOG.md ("units of work").
int64_t cost_of(const Plan& plan) {
  const auto num_blocks = static_cast<int64_t>(plan.blocks.size());
  const bool is_one_word = plan.length <= kMaxCells<Word>;
  if (!Plan::is_short(plan.length)) return 100;
  if (plan.is_mono) return is_one_word ? 22 + 6 * num_blocks : 30 + 12 * num_blocks;
  return is_one_word ? 30 + 10 * num_blocks : 40 + 18 * num_blocks;
}

}  // namespace

Plan::Plan(int length_, int num_colours_, std::vector<Block> blocks_)
    : length(length_), num_colours(num_colours_), blocks(std::move(blocks_)) {
  assert(length >= 0 && num_colours >= 0);
  separated.reserve(blocks.size());
  sizes.reserve(blocks.size());
  size_of.reserve(blocks.size());
  int64_t used = 0;
  for (size_t b = 0; b < blocks.size(); ++b) {
    assert(blocks[b].length >= 0 && blocks[b].colour >= 1 && blocks[b].colour <= num_colours);
    const bool is_separated = b + 1 < blocks.size() && blocks[b].colour == blocks[b + 1].colour;
    separated.push_back(is_separated);
    used += int64_t{std::max(blocks[b].length, 1)} + is_separated;
  }
  slack = static_cast<int>(std::max<int64_t>(length - used, -1));
  is_mono = fits_mono(*this);
  if (is_mono) {
    find_mono_sizes(*this);
    mono = mono_plan(*this);
  } else {
    find_sizes(*this);
  }
  if (!is_short(length)) open = open_windows(*this);
  cost = cost_of(*this);
}

}  // namespace nonosat
