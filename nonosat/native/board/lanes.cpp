#include "board/lanes.hpp"

#include <algorithm>
#include <bit>
#include <cassert>
#include <utility>

#include "board/trial.hpp"
#include "cost.hpp"

namespace nonosat {

LaneBoard::LaneBoard(int num_colours, int num_cells, std::vector<Cells> lanes,
                     std::vector<Clue> clues, Watch& watch)
    : num_values_(num_colours + 1),
      lanes_(std::move(lanes)),
      first_place_(num_cells + 1, 0),
      left_(num_cells, num_colours + 1),
      is_queued_(lanes_.size(), 0),
      num_pairs_(int64_t{num_cells} * (num_colours + 1)),
      stamp_(static_cast<size_t>(num_cells) * num_values_, 0) {
  assert(lanes_.size() == clues.size());
  plans_.reserve(lanes_.size());
  size_t longest = 0;
  for (size_t lane = 0; lane < lanes_.size(); ++lane) {
    watch.work(cost::kLineMade);
    const int length = static_cast<int>(lanes_[lane].size());
    plans_.emplace_back(length, num_colours, std::move(clues[lane]));
    const size_t num_words = static_cast<size_t>(num_values_) * words_for(length);
    first_word_.push_back(words_.size());
    words_.resize(words_.size() + num_words, 0);
    longest = std::max(longest, num_words);
    for (const int32_t cell : lanes_[lane]) ++first_place_[cell + 1];
    for (int value = 0; value < num_values_; ++value) {
      for (int at = 0; at < length; ++at) {
        words_[word(static_cast<int>(lane), value, at)] |= Word{1} << (at % kWordBits);
      }
    }
    enqueue(static_cast<int>(lane));
  }
  kept_.resize(longest);
  for (int cell = 0; cell < num_cells; ++cell) first_place_[cell + 1] += first_place_[cell];
  places_.resize(first_place_.back());
  std::vector<int32_t> next(first_place_.begin(), first_place_.end() - 1);
  for (int32_t lane = 0; lane < num_lanes(); ++lane) {
    for (int32_t at = 0; at < plans_[lane].length; ++at) {
      places_[next[lanes_[lane][at]]++] = {lane, at};
    }
  }
}

bool LaneBoard::may(int cell, int value) const {
  const Place& place = places_[first_place_[cell]];
  return words_[word(place.lane, value, place.at)] >> (place.at % kWordBits) & 1;
}

std::vector<uint8_t> LaneBoard::cells() const {
  std::vector<uint8_t> cells(num_cells(), Board::kOpen);
  for (int cell = 0; cell < num_cells(); ++cell) {
    if (left_[cell] != 1) continue;
    for (int value = 0; value < num_values_; ++value) {
      if (may(cell, value)) cells[cell] = static_cast<uint8_t>(value);
    }
  }
  return cells;
}

std::vector<uint8_t> LaneBoard::plane(int value) const {
  std::vector<uint8_t> plane(num_cells());
  for (int cell = 0; cell < num_cells(); ++cell) plane[cell] = may(cell, value);
  return plane;
}

std::vector<int> LaneBoard::open_cells() const {
  std::vector<int> cells;
  for (int cell = 0; cell < num_cells(); ++cell) {
    if (left_[cell] > 1) cells.push_back(cell);
  }
  return cells;
}

void LaneBoard::enqueue(int lane) {
  if (std::exchange(is_queued_[lane], 1)) return;
  queue_.push_back(lane);
}

void LaneBoard::remove(int cell, int value) {
  if (may(cell, value)) remove_but(cell, value, -1);
}

void LaneBoard::assign(int cell, int value) {
  for (int other = 0; other < num_values_; ++other) {
    if (other != value) remove(cell, other);
  }
}

void LaneBoard::remove_but(int cell, int value, int solved) {
  for (int32_t i = first_place_[cell]; i < first_place_[cell + 1]; ++i) {
    const auto [lane, at] = places_[i];
    words_[word(lane, value, at)] &= ~(Word{1} << (at % kWordBits));
    if (lane != solved) enqueue(lane);
  }
  --left_[cell], --num_pairs_;
  if (num_marks_) trail_.push_back(cell * num_values_ + value);
}

bool LaneBoard::propagate(Watch& watch) {
  while (next_ < queue_.size()) {
    const int lane = queue_[next_];
    if (!solve(lane, watch)) {
      broken_lane_ = lane;
      return false;
    }
    is_queued_[lane] = 0;  // after the solve, so that a stopped one is repeated
    ++next_;
  }
  queue_.clear();
  next_ = 0;
  return true;
}

// Solves a lane and removes the values without support; false if it has no placement.
bool LaneBoard::solve(int lane, Watch& watch) {
  const Plan& plan = plans_[lane];
  const int num_words = words_for(plan.length);
  if (!propagate_line(plan, &words_[first_word_[lane]], kept_.data(), false, scratch_, watch)) {
    return false;
  }
  for (int value = 0; value < num_values_; ++value) {
    for (int i = 0; i < num_words; ++i) {
      const size_t index = static_cast<size_t>(value) * num_words + i;
      Word removed = words_[first_word_[lane] + index] & ~kept_[index];
      for (; removed; removed &= removed - 1) {
        const int at = i * kWordBits + std::countr_zero(removed);
        remove_but(lanes_[lane][at], value, lane);
      }
    }
  }
  return true;
}

size_t LaneBoard::mark() {
  ++num_marks_;
  return trail_.size();
}

// Restores the pairs removed since the mark, and empties the queue.
void LaneBoard::undo(size_t mark) {
  --num_marks_;
  num_pairs_ += static_cast<int64_t>(trail_.size() - mark);
  while (trail_.size() > mark) {
    const int cell = trail_.back() / num_values_, value = trail_.back() % num_values_;
    trail_.pop_back();
    for (int32_t i = first_place_[cell]; i < first_place_[cell + 1]; ++i) {
      const auto [lane, at] = places_[i];
      words_[word(lane, value, at)] |= Word{1} << (at % kWordBits);
    }
    ++left_[cell];
  }
  for (; next_ < queue_.size(); ++next_) is_queued_[queue_[next_]] = 0;
  queue_.clear();
  next_ = 0;
}

Progress LaneBoard::probe(Watch& watch, int64_t budget_end) {
  if (!propagate(watch)) return Progress::kContradiction;
  for (bool is_changed = true; is_changed;) {
    is_changed = false;
    for (int cell = 0; cell < num_cells(); ++cell) {
      if (left_[cell] == 1) continue;
      watch.work(cost::kPassCell);
      if (watch.done() >= budget_end) return Progress::kBudget;
      if (!probe_cell(cell, watch, is_changed)) return Progress::kContradiction;
    }
  }
  return Progress::kFixpoint;
}

// Probes a cell, removes what that excludes, and propagates; false at a contradiction.
bool LaneBoard::probe_cell(int cell, Watch& watch, bool& is_changed) {
  std::vector<int> refuted;
  common_.clear();
  bool is_first = true;
  for (int value = 0; value < num_values_; ++value) {
    if (!may(cell, value)) continue;
    ++num_probes_;
    try_value(*this, cell, value, watch, [&](bool is_consistent, size_t mark) {
      if (!is_consistent) {
        refuted.push_back(value);
      } else if (std::exchange(is_first, false)) {
        common_.assign(trail_.begin() + static_cast<ptrdiff_t>(mark), trail_.end());
      } else {
        intersect(mark);
      }
    });
  }
  for (const int value : refuted) remove(cell, value);
  for (const int32_t pair : common_) remove(pair / num_values_, pair % num_values_);
  if (refuted.empty() && common_.empty()) return true;
  is_changed = true;
  return propagate(watch);
}

// Keeps the common pairs that the current assumption has removed, too.
void LaneBoard::intersect(size_t mark) {
  ++time_;
  for (size_t i = mark; i < trail_.size(); ++i) stamp_[trail_[i]] = time_;
  std::erase_if(common_, [&](int32_t pair) { return stamp_[pair] != time_; });
}

}  // namespace nonosat
