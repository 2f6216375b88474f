#include "board/board.hpp"

#include <algorithm>
#include <bit>
#include <map>
#include <string>
#include <utility>

namespace nonosat {
namespace {

constexpr int kMaxZones = 256;
constexpr size_t kMaxWords = size_t{1} << 28;
constexpr int kLookAfter = 4096;      // removals from one line
constexpr int64_t kRemovalCost = 20;  // units of work
constexpr int64_t kLineCost = 100;    // the same, for making a line

Word low_bits(int count) { return count >= kWordBits ? ~Word{0} : (Word{1} << count) - 1; }

// All cells of a line may have the value.
void fill_plane(Word* words, int length) {
  for (int at = 0; at < length; at += kWordBits) *words++ = low_bits(length - at);
}

}  // namespace

Board::Board(int num_colours, std::vector<Clue> rows, std::vector<Clue> columns, Watch& watch)
    : height_(static_cast<int>(rows.size())),
      width_(static_cast<int>(columns.size())),
      num_values_(num_colours + 1),
      row_words_(words_for(width_)),
      column_words_(words_for(height_)),
      columns_at_(static_cast<size_t>(height_) * num_values_ * row_words_),
      num_pairs_(static_cast<int64_t>(height_) * width_ * num_values_),
      queued_(num_lines(), 0),
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
  add_plans(width_, std::move(rows), watch);
  add_plans(height_, std::move(columns), watch);
  for (int row = 0; row < height_; ++row) {
    watch.work(kLineCost);
    for (int v = 0; v < num_values_; ++v) fill_plane(&words_[row_word(row, v, 0)], width_);
  }
  for (int column = 0; column < width_; ++column) {
    watch.work(kLineCost);
    for (int v = 0; v < num_values_; ++v) fill_plane(&words_[column_word(column, v, 0)], height_);
  }
  for (int line = 0; line < num_lines(); ++line) enqueue(line);
}

// On a board of 16 million lines, each of one cell, sharing saves 4 GiB.
void Board::add_plans(int length, std::vector<Clue> clues, Watch& watch) {
  std::map<Clue, int> known;
  for (Clue& clue : clues) {
    watch.work(kLineCost);
    int plan = static_cast<int>(plans_.size());
    if (Plan::is_short(length)) plan = known.try_emplace(clue, plan).first->second;
    plan_of_.push_back(plan);
    if (plan == static_cast<int>(plans_.size())) {
      plans_.emplace_back(length, num_values_ - 1, std::move(clue));
    }
  }
}

bool Board::may(int cell, int value) const {
  const int column = cell % width_;
  return words_[row_word(cell / width_, value, column)] >> (column % kWordBits) & 1;
}

int Board::num_left(int cell) const {
  int left = 0;
  for (int value = 0; value < num_values_; ++value) left += may(cell, value);
  return left;
}

// The cells of a word of the row that have more than one value left.
Word Board::several(int row, int index) const {
  Word any = 0, found = 0;
  for (int value = 0; value < num_values_; ++value) {
    const Word plane = words_[row_word(row, value, 0) + index];
    found |= any & plane;
    any |= plane;
  }
  return found;
}

std::vector<uint8_t> Board::cells() const {
  std::vector<uint8_t> cells(num_cells(), kOpen);
  for (int row = 0; row < height_; ++row) {
    for (int i = 0; i < row_words_; ++i) {
      uint8_t* mine = &cells[static_cast<size_t>(row) * width_ + i * kWordBits];
      const Word open = several(row, i);
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
    for (int column = 0; column < width_; ++column) {
      plane.push_back(words[column / kWordBits] >> (column % kWordBits) & 1);
    }
  }
  return plane;
}

std::vector<int> Board::open_cells() const {
  std::vector<int> cells;
  for (int row = 0; row < height_; ++row) {
    for (int i = 0; i < row_words_; ++i) {
      for (Word open = several(row, i); open; open &= open - 1) {
        cells.push_back(row * width_ + i * kWordBits + std::countr_zero(open));
      }
    }
  }
  return cells;
}

int Board::cell_at(size_t row_word, int bit) const {
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
    // Long lines do not look again at blocks that are fixed; only here can such a block be lost.
    auto& settled = plan(line).settled;
    if (!settled.empty() && !num_left(cell)) settled.clear();
    changed(line);
    enqueue(line);
  }
}

void Board::assign(int cell, int value) {
  for (int other = 0; other < num_values_; ++other) {
    if (other != value) remove(cell, other);
  }
}

void Board::enqueue(int line) {
  if (queued_[line]) return;
  queued_[line] = 1;
  queue_[line >= height_].push_back(line);
}

void Board::forget_queue() {
  for (auto& queue : queue_) {
    for (const int line : queue) queued_[line] = 0;
    queue.clear();
  }
}

bool Board::propagate(Watch& watch) {
  // Rows and columns take turns: a line is solved once for all that its crossing lines changed.
  // The side of the shorter lines begins: what it settles makes the long ones cheap.
  for (int side = width_ > height_; !queue_[0].empty() || !queue_[1].empty(); side = 1 - side) {
    auto& queue = queue_[side];
    for (size_t next = 0; next < queue.size(); ++next) {
      const int line = queue[next];
      queued_[line] = 0;
      if (!settle(line, watch)) return false;  // the queue stays: only `undo` mends this
    }
    queue.clear();
  }
  return true;
}

bool Board::settle(int line, Watch& watch) {
  if (traced_) traced_[zone(line) / kWordBits] |= Word{1} << (zone(line) % kWordBits);
  const bool is_row = line < height_;
  const size_t base = is_row ? row_word(line, 0, 0) : column_word(line - height_, 0, 0);
  const int num_words = is_row ? row_words_ : column_words_;
  Plan& its_plan = plan(line);
  if (!propagate_line(its_plan, &words_[base], kept_.data(), depth_ == 0, scratch_, watch))
    return false;
  try {
    drop(line, base, num_words, watch);
  } catch (...) {
    its_plan.settled.clear();
    throw;
  }
  return true;
}

// Takes what a solve did not keep from a line and from those that cross it.
void Board::drop(int line, size_t base, int num_words, Watch& watch) {
  bool any = false;
  int unseen = 0;  // removals that the watch has not been told of
  for (int value = 0; value < num_values_; ++value) {
    for (int i = 0; i < num_words; ++i) {
      const size_t index = base + static_cast<size_t>(value) * num_words + i;
      const Word removed = words_[index] & ~kept_[static_cast<size_t>(value) * num_words + i];
      if (!removed) continue;
      if (!any) changed(line);
      any = true;
      write(index, words_[index] & ~removed);
      const int num_removed = std::popcount(removed);
      num_pairs_ -= num_removed;
      cross(line, value, i * kWordBits, removed);
      if ((unseen += num_removed) >= kLookAfter)
        watch.work(kRemovalCost * std::exchange(unseen, 0));
    }
  }
}

// Carries what a line lost to the lines that cross it.
void Board::cross(int line, int value, int first_cell, Word removed) {
  for (; removed; removed &= removed - 1) {
    const int other = first_cell + std::countr_zero(removed);
    const bool is_row = line < height_;
    const int place = is_row ? line : line - height_;
    const size_t index = is_row ? column_word(other, value, place) : row_word(other, value, place);
    write(index, words_[index] & ~(Word{1} << (place % kWordBits)));
    const int crossing = is_row ? height_ + other : other;
    changed(crossing);
    enqueue(crossing);
  }
}

size_t Board::mark() {
  ++depth_;
  return trail_.size();
}

void Board::undo(size_t mark) {
  for (size_t i = trail_.size(); i-- > mark;) {
    const auto [index, before] = trail_[i];
    if (index < columns_at_) {
      num_pairs_ += std::popcount(before & ~words_[index]);
      changed(static_cast<int>(index / (static_cast<size_t>(num_values_) * row_words_)));
    } else {
      changed(height_ + static_cast<int>((index - columns_at_) /
                                         (static_cast<size_t>(num_values_) * column_words_)));
    }
    words_[index] = before;
  }
  trail_.resize(mark);
  forget_queue();
  --depth_;
}

}  // namespace nonosat
