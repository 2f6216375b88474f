#include "beliefs/weighted_line.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace nonosat {
bool WindowFinder::find(const Plan& plan, const Word* may, std::vector<Window>& windows,
                        Watch& watch, const Windows* bounds) {
  if (!block_domains(plan, may, starts_, ends_, scratch_, watch, bounds)) return false;
  num_words_ = words_for(plan.length);
  for (size_t at = 0; at < starts_.size(); at += num_words_) {
    const Word *starts = &starts_[at], *ends = &ends_[at];
    windows.push_back({first_bit(starts), last_bit(starts, num_words_), first_bit(ends),
                       last_bit(ends, num_words_)});
  }
  return true;
}

void WeightedLine::lay_out(const Plan& plan, const Word* may, std::span<const Window> windows) {
  const auto num_cells = static_cast<size_t>(plan.length);
  const size_t num_words = words_for(plan.length);
  plan_ = &plan;
  windows_ = windows;
  log_most_ = log_least_ = 0;
  num_planes_ = 0;
  plane_of_.assign(plan.num_colours + 1, -1);
  for (const Block& block : plan.blocks) {
    int& plane = plane_of_[block.colour];
    if (plane < 0) plane = num_planes_++;
  }
  const auto allows = [&](int value, size_t cell) {
    return has_bit(may + value * num_words, static_cast<int64_t>(cell));
  };
  may_be_empty_.resize(num_cells);
  for (size_t i = 0; i < num_cells; ++i) may_be_empty_[i] = allows(0, i);
  reach_.resize(num_planes_ * num_cells);
  logs_.assign(num_planes_ * num_cells, 0.0);
  for (int colour = 1; colour <= plan.num_colours; ++colour) {
    if (plane_of_[colour] < 0) continue;
    int32_t* reach = &reach_[plane_of_[colour] * num_cells];
    int32_t run = 0;
    for (size_t i = num_cells; i-- > 0;) reach[i] = run = allows(colour, i) ? run + 1 : 0;
  }
}

void WeightedLine::weigh(size_t cell, const double* logs) {
  double most = 0, least = 0;
  int num_left = 0;
  for (int value = 0; value <= plan_->num_colours; ++value) {
    if (logs[value] == kNever) continue;
    ++num_left;
    most = std::max(most, logs[value]);
    least = std::min(least, logs[value]);
    if (const int plane = plane_of_[value]; plane >= 0) {
      logs_[plane * length() + cell] = logs[value];
    }
  }
  log_most_ += most + (num_left == 2 ? std::numbers::ln2 : std::log(num_left));
  log_least_ += least;
}

void WeightedLine::weigh_mono(std::span<const int32_t> cells, const double* logs) {
  double most = 0, least = 0;  // local copies: the stored values may alias the members
  double* const weighed = num_planes_ ? logs_.data() : nullptr;
  for (const int32_t cell : cells) {
    const double log = *logs++;
    if (weighed) weighed[cell] = log;
    most += std::max(log, 0.0) + std::numbers::ln2;
    least += std::min(log, 0.0);
  }
  log_most_ += most;
  log_least_ += least;
}

}  // namespace nonosat
