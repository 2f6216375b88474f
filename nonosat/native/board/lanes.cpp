#include "board/lanes.hpp"

#include <algorithm>
#include <bit>
#include <cassert>
#include <utility>

#include "cost.hpp"

namespace nonosat {
namespace {

constexpr int kMaxZones = 256;

// Returns the words of the longest lane's cells, for one value.
int longest_words(const std::vector<LaneBoard::Cells>& lanes) {
  size_t longest = 0;
  for (const LaneBoard::Cells& lane : lanes) longest = std::max(longest, lane.size());
  return words_for(static_cast<int>(longest));
}

}  // namespace

LaneBoard::LaneBoard(int num_colours, int num_cells, std::vector<Cells> lanes,
                     std::vector<Clue> clues, Watch& watch)
    : num_cells_(num_cells),
      num_values_(num_colours + 1),
      cell_words_(words_for(num_cells)),
      words_(num_row_words()),
      kept_(static_cast<size_t>(num_values_) * longest_words(lanes)),
      cache_(static_cast<size_t>(num_values_) * std::min(longest_words(lanes), Plan::kShortWords)),
      num_pairs_(int64_t{num_cells} * num_values_),
      is_queued_(lanes.size(), 0),
      versions_(std::min(static_cast<int>(lanes.size()), kMaxZones), 0) {
  assert(lanes.size() == clues.size());
  const auto parts = std::make_shared<Parts>();
  parts_ = parts;
  parts->lanes = std::move(lanes);
  parts->plans.reserve(clues.size());
  parts->first_place.assign(static_cast<size_t>(num_cells) + 1, 0);
  for (int value = 0; value < num_values_; ++value) {
    for (int cell = 0; cell < num_cells; ++cell) {
      words_[row_word(value, cell)] |= Word{1} << (cell % kWordBits);
    }
  }
  for (size_t lane = 0; lane < clues.size(); ++lane) {
    watch.work(cost::kLineMade);
    const int length = static_cast<int>(parts->lanes[lane].size());
    parts->plans.emplace_back(length, num_colours, std::move(clues[lane]));
    const size_t num_words = static_cast<size_t>(num_values_) * words_for(length);
    parts->first_word.push_back(words_.size());
    words_.resize(words_.size() + num_words, 0);
    parts->lane_of.resize(parts->lane_of.size() + num_words, static_cast<int32_t>(lane));
    for (const int32_t cell : parts->lanes[lane]) ++parts->first_place[cell + 1];
    for (int value = 0; value < num_values_; ++value) {
      for (int at = 0; at < length; ++at) {
        words_[lane_word(static_cast<int>(lane), value, at)] |= Word{1} << (at % kWordBits);
      }
    }
    enqueue(static_cast<int>(lane));
  }
  std::vector<int32_t>& first = parts->first_place;
  for (int cell = 0; cell < num_cells; ++cell) first[cell + 1] += first[cell];
  parts->places.resize(static_cast<size_t>(first.back()));
  std::vector<int32_t> next(first.begin(), first.end() - 1);
  for (int32_t lane = 0; lane < num_lines(); ++lane) {
    for (int32_t at = 0; at < plan(lane).length; ++at) {
      parts->places[next[parts->lanes[lane][at]]++] = {lane, at};
    }
  }
}

int LaneBoard::num_left(int cell) const {
  int left = 0;
  for (int value = 0; value < num_values_; ++value) left += may(cell, value);
  return left;
}

std::vector<uint8_t> LaneBoard::cells() const {
  std::vector<uint8_t> cells(num_cells_, Board::kOpen);
  for (int i = 0; i < cell_words_; ++i) {
    const Word open = values_left(words_.data(), num_values_, cell_words_, i).several;
    for (int value = 0; value < num_values_; ++value) {
      for (Word known = words_[row_word(value, 0) + i] & ~open; known; known &= known - 1) {
        cells[i * kWordBits + std::countr_zero(known)] = static_cast<uint8_t>(value);
      }
    }
  }
  return cells;
}

std::vector<uint8_t> LaneBoard::plane(int value) const {
  std::vector<uint8_t> plane(num_cells_);
  for (int cell = 0; cell < num_cells_; ++cell) plane[cell] = may(cell, value);
  return plane;
}

std::vector<int> LaneBoard::open_cells() const {
  std::vector<int> cells;
  for (int i = 0; i < cell_words_; ++i) {
    for (Word open = values_left(words_.data(), num_values_, cell_words_, i).several; open;
         open &= open - 1) {
      cells.push_back(i * kWordBits + std::countr_zero(open));
    }
  }
  return cells;
}

void LaneBoard::enqueue(int lane) {
  if (std::exchange(is_queued_[lane], 1)) return;
  queue_.push_back(lane);
}

void LaneBoard::remove(int cell, int value) {
  if (may(cell, value)) remove_from_cell(cell, value, -1);
}

void LaneBoard::assign(int cell, int value) {
  for (int other = 0; other < num_values_; ++other) {
    if (other != value) remove(cell, other);
  }
}

// Removes a value from a cell and from its lanes except `solved`, and queues these.
void LaneBoard::remove_from_cell(int cell, int value, int solved) {
  const size_t by_cell = row_word(value, cell);
  write(by_cell, words_[by_cell] & ~(Word{1} << (cell % kWordBits)));
  --num_pairs_;
  for (const auto [lane, at] : places_of(cell)) {
    if (lane == solved) continue;
    const size_t by_lane = lane_word(lane, value, at);
    write(by_lane, words_[by_lane] & ~(Word{1} << (at % kWordBits)));
    touch(lane);
    enqueue(lane);
  }
}

bool LaneBoard::propagate(Watch& watch) {
  while (next_ < queue_.size()) {
    const int lane = queue_[next_];
    if (!filter_line(lane, watch)) {
      broken_line_ = lane;
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
bool LaneBoard::filter_line(int lane, Watch& watch) {
  if (traced_) {
    const int zone = zone_of(lane);
    traced_[zone / kWordBits] |= Word{1} << (zone % kWordBits);
  }
  if (!solve(lane, watch)) return false;
  const int num_words = words_for(plan(lane).length);
  bool any = false;
  for (int value = 0; value < num_values_; ++value) {
    for (int i = 0; i < num_words; ++i) {
      const size_t place = static_cast<size_t>(value) * num_words + i;
      const size_t index = parts_->first_word[lane] + place;
      Word removed = words_[index] & ~kept_[place];
      if (!removed) continue;
      any = true;
      write(index, words_[index] & kept_[place]);
      for (; removed; removed &= removed - 1) {
        remove_from_cell(cell_in(lane, i * kWordBits + std::countr_zero(removed)), value, lane);
      }
    }
  }
  if (any) touch(lane);
  return true;
}

// Computes the supported values of the lane's cells, into `kept_`; false if it has no placement.
// Results under assumptions are cached, as those of Board.
bool LaneBoard::solve(int lane, Watch& watch) {
  const Plan& its_plan = plan(lane);
  const Word* may = planes(lane);
  if (marks_.empty() || !Plan::is_short(its_plan.length)) {
    return propagate_line(its_plan, may, kept_.data(), false, scratch_, watch);
  }
  const size_t num_words = static_cast<size_t>(num_values_) * words_for(its_plan.length);
  const auto answer = cache_.find(lane, may, num_words, kept_.data());
  watch.work(cost::kLineLookUp);
  if (answer != LineCache::Answer::kUnknown) return answer == LineCache::Answer::kKept;
  const bool any = propagate_line(its_plan, may, kept_.data(), false, scratch_, watch);
  cache_.store(any, may, num_words, kept_.data());
  return any;
}

size_t LaneBoard::mark() {
  marks_.push_back({trail_.size(), num_pairs_});
  return trail_.size();
}

void LaneBoard::undo(size_t mark) {
  assert(!marks_.empty() && mark <= trail_.size());
  const size_t first = num_row_words();
  for (size_t i = trail_.size(); i-- > mark;) {
    const auto [index, before] = trail_[i];
    words_[index] = before;
    if (index >= first) touch(parts_->lane_of[index - first]);
  }
  trail_.resize(mark);
  while (marks_.back().num_changes > mark) marks_.pop_back();
  num_pairs_ = marks_.back().num_pairs;
  marks_.pop_back();
  for (; next_ < queue_.size(); ++next_) is_queued_[queue_[next_]] = 0;
  queue_.clear();
  next_ = 0;
}

}  // namespace nonosat
