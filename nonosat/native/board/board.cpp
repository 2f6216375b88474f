#include "board/board.hpp"

#include <algorithm>
#include <bit>
#include <cassert>
#include <set>
#include <string>
#include <utility>

#include "cost.hpp"

namespace nonosat {
namespace {

constexpr int kMaxZones = 256;
constexpr size_t kMaxWords = size_t{1} << 28;
constexpr int kReserved = 128;  // plans; boards of very many lines often have few different clues
constexpr int kRemovalsPerPoll = 4096;  // removals from one line between two calls of Watch::work

Word low_bits(int count) { return count >= kWordBits ? ~Word{0} : (Word{1} << count) - 1; }

// Sets the bits of all cells of a line.
void fill_plane(Word* words, int length) {
  for (int at = 0; at < length; at += kWordBits) *words++ = low_bits(length - at);
}

// Orders numbers of plans by their blocks, and finds a clue among them.
struct ByBlocks {
  using is_transparent = void;
  const std::vector<Plan>& plans;

  bool operator()(int a, int b) const { return plans[a].blocks < plans[b].blocks; }
  bool operator()(int a, const Clue& clue) const { return plans[a].blocks < clue; }
  bool operator()(const Clue& clue, int b) const { return clue < plans[b].blocks; }
};

}  // namespace

Board::Board(int num_colours, std::vector<Clue> rows, std::vector<Clue> columns, Watch& watch)
    : height_(static_cast<int>(rows.size())),
      width_(static_cast<int>(columns.size())),
      num_values_(num_colours + 1),
      row_words_(words_for(width_)),
      column_words_(words_for(height_)),
      columns_at_(static_cast<size_t>(height_) * num_values_ * row_words_),
      cache_(static_cast<size_t>(num_values_) *
             std::min(std::max(row_words_, column_words_), Plan::kShortWords)),
      num_pairs_(static_cast<int64_t>(height_) * width_ * num_values_),
      queue_{std::vector<Word>(column_words_), std::vector<Word>(row_words_)},
      versions_(std::min(num_lines(), kMaxZones), 0) {
  const size_t num_words = columns_at_ + static_cast<size_t>(width_) * num_values_ * column_words_;
  if (num_words > kMaxWords) {
    throw TooLarge("a board of " + std::to_string(height_) + " rows x " + std::to_string(width_) +
                       " columns with " + std::to_string(num_colours) + " colours",
                   static_cast<int64_t>(num_words), kMaxWords);
  }
  words_.resize(num_words);
  kept_.resize(static_cast<size_t>(num_values_) * std::max(row_words_, column_words_));
  plan_of_.reserve(num_lines());
  const auto plans = std::make_shared<std::vector<Plan>>();
  plans->reserve(std::min(num_lines(), kReserved));
  add_plans(width_, std::move(rows), *plans, watch);
  add_plans(height_, std::move(columns), *plans, watch);
  plans_ = std::shared_ptr<const Plan[]>(plans, plans->data());
  for (int row = 0; row < height_; ++row) {
    watch.work(cost::kLineMade);
    for (int v = 0; v < num_values_; ++v) fill_plane(&words_[row_word(row, v, 0)], width_);
  }
  for (int column = 0; column < width_; ++column) {
    watch.work(cost::kLineMade);
    for (int v = 0; v < num_values_; ++v) fill_plane(&words_[column_word(column, v, 0)], height_);
  }
  fill_plane(queue_[0].data(), height_);
  fill_plane(queue_[1].data(), width_);
  zone_of_.reserve(num_lines());
  for (int64_t line = 0; line < num_lines(); ++line) {
    zone_of_.push_back(static_cast<uint8_t>(line * num_zones() / num_lines()));
  }
}

// Appends the plans of the lines of one side, rows first. Short lines of equal clues share a plan,
// which saves 4 GiB on a board of 16 million lines of one cell. Long clues of one board are hardly
// ever equal, so they are not compared.
void Board::add_plans(int length, std::vector<Clue> clues, std::vector<Plan>& plans, Watch& watch) {
  std::vector<Windows>& windows = windows_[!plan_of_.empty()];
  std::set<int, ByBlocks> known{ByBlocks{plans}};  // of short lines
  for (Clue& clue : clues) {
    watch.work(cost::kLineMade);
    const auto place = Plan::is_short(length) ? known.lower_bound(clue) : known.end();
    if (place != known.end() && plans[*place].blocks == clue) {
      plan_of_.push_back(*place);
      continue;
    }
    const int plan = static_cast<int>(plans.size());
    plan_of_.push_back(plan);
    plans.emplace_back(length, num_values_ - 1, std::move(clue));
    if (Plan::is_short(length)) {
      known.insert(place, plan);
    } else {
      windows.push_back(plans[plan].open);
    }
  }
}

bool Board::may(int cell, int value) const {
  assert(cell >= 0 && cell < num_cells() && value >= 0 && value < num_values_);
  const int column = cell % width_;
  return words_[row_word(cell / width_, value, column)] >> (column % kWordBits) & 1;
}

int Board::num_left(int cell) const {
  int left = 0;
  for (int value = 0; value < num_values_; ++value) left += may(cell, value);
  return left;
}

std::vector<uint8_t> Board::cells() const {
  std::vector<uint8_t> cells(num_cells(), kOpen);
  for (int row = 0; row < height_; ++row) {
    for (int i = 0; i < row_words_; ++i) {
      uint8_t* mine = &cells[static_cast<size_t>(row) * width_ + i * kWordBits];
      const Word open = values_left(planes(row), num_values_, row_words_, i).several;
      for (int value = 0; value < num_values_; ++value) {
        Word known = words_[row_word(row, value, 0) + i] & ~open;
        for (; known; known &= known - 1)
          mine[std::countr_zero(known)] = static_cast<uint8_t>(value);
      }
    }
  }
  return cells;
}

std::vector<uint8_t> Board::plane(int value) const {
  std::vector<uint8_t> plane;
  plane.reserve(num_cells());
  for (int row = 0; row < height_; ++row) {
    const Word* words = &words_[row_word(row, value, 0)];
    for (int column = 0; column < width_; ++column) plane.push_back(has_bit(words, column));
  }
  return plane;
}

std::vector<int> Board::open_cells() const {
  std::vector<int> cells;
  for (int row = 0; row < height_; ++row) {
    for (int i = 0; i < row_words_; ++i) {
      for (Word open = values_left(planes(row), num_values_, row_words_, i).several; open;
           open &= open - 1) {
        cells.push_back(row * width_ + i * kWordBits + std::countr_zero(open));
      }
    }
  }
  return cells;
}

int Board::cell_at(size_t row_word, int bit) const {
  assert(row_word < columns_at_);
  const size_t row = row_word / (static_cast<size_t>(num_values_) * row_words_);
  const size_t column = row_word % row_words_ * kWordBits + bit;
  return static_cast<int>(row * width_ + column);
}

int Board::value_at(size_t row_word) const {
  return static_cast<int>(row_word / row_words_ % num_values_);
}

void Board::remove(int cell, int value) {
  if (!may(cell, value)) return;
  const int row = cell / width_, column = cell % width_;
  const size_t by_row = row_word(row, value, column);
  const size_t by_column = column_word(column, value, row);
  write(by_row, words_[by_row] & ~(Word{1} << (column % kWordBits)));
  --num_pairs_;
  write(by_column, words_[by_column] & ~(Word{1} << (row % kWordBits)));
  for (const int line : {row, height_ + column}) {
    // Solvers of long lines skip fixed blocks; only here can a fixed block be refuted.
    Windows* const its_windows = own_windows(line);
    if (its_windows && !its_windows->settled.empty() && !num_left(cell)) its_windows->invalidate();
    if (!traced_) touch(line);
    enqueue(line);
  }
}

void Board::assign(int cell, int value) {
  for (int other = 0; other < num_values_; ++other) {
    if (other != value) remove(cell, other);
  }
}

void Board::enqueue(int line) {
  const int place = line < height_ ? line : line - height_;
  queue_[line >= height_][place / kWordBits] |= Word{1} << (place % kWordBits);
}

void Board::leave_out(int line) {
  const bool side = line >= height_;
  const int place = side ? line - height_ : line;
  if (included_[0].empty()) {
    included_[0].assign(queue_[0].size(), ~Word{0});
    included_[1].assign(queue_[1].size(), ~Word{0});
  }
  included_[side][place / kWordBits] &= ~(Word{1} << (place % kWordBits));
}

bool Board::is_left_out(int line) const {
  const bool side = line >= height_;
  return !included_[side].empty() && !has_bit(included_[side].data(), side ? line - height_ : line);
}

bool Board::propagate(Watch& watch) {
  // Rows and columns alternate, so that a line is solved once for all changes of its crossing
  // lines. The side of the shorter lines is first: its results make the long lines cheaper.
  int side = width_ > height_;
  for (int num_idle = 0; num_idle < 2; side = 1 - side) {
    ++num_idle;
    const int first_line = side ? height_ : 0;
    for (size_t i = 0; i < queue_[side].size(); ++i) {
      Word& queue = queue_[side][i];
      if (!included_[side].empty()) queue &= included_[side][i];
      for (; queue; queue &= queue - 1) {  // a line leaves the queue after it has been solved
        num_idle = 0;
        const int place = static_cast<int>(i) * kWordBits + std::countr_zero(queue);
        if (!filter_line(first_line + place, watch)) {
          broken_line_ = first_line + place;
          return false;
        }
      }
    }
  }
  return true;
}

bool Board::is_at_fixpoint() const {
  const auto is_idle = [](Word queued) { return queued == 0; };
  const auto is_done = [&](const std::vector<Word>& queue) {
    return std::all_of(queue.begin(), queue.end(), is_idle);
  };
  return is_done(queue_[0]) && is_done(queue_[1]);
}

// Solves a line and removes the values without support. False if it has no placement. If the watch
// stops this half way, only some of the values have been removed, but the line remains queued, and
// its windows are invalidated, so that it is solved again as a whole.
bool Board::filter_line(int line, Watch& watch) {
  if (traced_) traced_[zone_of_[line] / kWordBits] |= Word{1} << (zone_of_[line] % kWordBits);
  if (!solve(line, watch)) return false;
  try {
    line < height_ ? remove_unsupported<true>(line, watch)
                   : remove_unsupported<false>(line - height_, watch);
  } catch (...) {
    if (Windows* const its_windows = own_windows(line)) its_windows->invalidate();
    throw;
  }
  return true;
}

// Computes the supported values of the line's cells, into `kept_`; false if it has no placement. A
// probe often finds a line in the state in which an earlier probe left it, so results of short
// lines are cached while something is assumed: 57 % hits when probing random 30x30
// (benchmarks/native/LOG.md). Without assumptions hits are rare, and allocating the cache costs
// more than it saves.
bool Board::solve(int line, Watch& watch) {
  const Plan& its_plan = plan(line);
  const Word* may = planes(line);
  if (!Plan::is_short(its_plan.length)) {
    return propagate_line(its_plan, may, kept_.data(), !is_assumed(), scratch_, watch,
                          own_windows(line));
  }
  if (!is_assumed()) return propagate_line(its_plan, may, kept_.data(), false, scratch_, watch);
  const size_t num_words =
      static_cast<size_t>(num_values_) * (line < height_ ? row_words_ : column_words_);
  const auto answer = cache_.find(plan_of_[line], may, num_words, kept_.data());
  watch.work(cost::kLineLookUp);
  if (answer != LineCache::Answer::kUnknown) return answer == LineCache::Answer::kKept;
  const bool any = propagate_line(its_plan, may, kept_.data(), false, scratch_, watch);
  cache_.store(any, may, num_words, kept_.data());
  return any;
}

// Removes the values that are not in `kept_` from a line and from the lines that cross it, and
// queues the latter. Works word by word and counts pairs at once, so that rows and columns agree
// whenever the watch may stop.
template <bool kIsRow>
void Board::remove_unsupported(int place, Watch& watch) {
  const size_t base = kIsRow ? row_word(place, 0, 0) : column_word(place, 0, 0);
  const int num_words = kIsRow ? row_words_ : column_words_;
  bool any = false;
  int unreported = 0;  // removals not yet reported to the watch
  for (int value = 0; value < num_values_; ++value) {
    for (int i = 0; i < num_words; ++i) {
      const size_t index = base + static_cast<size_t>(value) * num_words + i;
      const Word kept = kept_[static_cast<size_t>(value) * num_words + i];
      const Word removed = words_[index] & ~kept;
      if (!removed) continue;
      any = true;
      write(index, words_[index] & kept);
      queue_[kIsRow][i] |= removed;
      const int num_removed = remove_from_crossing<kIsRow>(place, value, i * kWordBits, removed);
      num_pairs_ -= num_removed;
      if ((unreported += num_removed) >= kRemovalsPerPoll) watch.work(std::exchange(unreported, 0));
    }
  }
  if (any && !traced_) touch(kIsRow ? place : height_ + place);
  watch.work(unreported);
}

// Removes the value from the crossing lines of the cells in one word of a line; returns their
// number.
template <bool kIsRow>
int Board::remove_from_crossing(int place, int value, int first_cell, Word removed) {
  const size_t base =
      kIsRow ? column_word(first_cell, value, place) : row_word(first_cell, value, place);
  const size_t stride = static_cast<size_t>(num_values_) * (kIsRow ? column_words_ : row_words_);
  const Word others = ~(Word{1} << (place % kWordBits));
  int num_removed = 0;
  for (; removed; removed &= removed - 1, ++num_removed) {
    const int other = std::countr_zero(removed);
    const size_t index = base + other * stride;
    write(index, words_[index] & others);
    if (!traced_) touch((kIsRow ? height_ : 0) + first_cell + other);
  }
  return num_removed;
}

size_t Board::mark() {
  marks_.push_back({trail_.size(), num_pairs_});
  return trail_.size();
}

int Board::line_of(size_t index) const {
  if (index < columns_at_) {
    return static_cast<int>(index / (static_cast<size_t>(num_values_) * row_words_));
  }
  const size_t words_per_column = static_cast<size_t>(num_values_) * column_words_;
  return height_ + static_cast<int>((index - columns_at_) / words_per_column);
}

void Board::undo(size_t mark) {
  assert(!marks_.empty() && mark <= trail_.size());
  for (size_t i = trail_.size(); i-- > mark;) {
    words_[trail_[i].index] = trail_[i].before;
    if (!traced_) touch(line_of(trail_[i].index));
  }
  trail_.resize(mark);
  while (marks_.back().num_changes > mark) marks_.pop_back();
  num_pairs_ = marks_.back().num_pairs;
  marks_.pop_back();
  for (auto& queue : queue_) std::fill(queue.begin(), queue.end(), 0);
}

}  // namespace nonosat
