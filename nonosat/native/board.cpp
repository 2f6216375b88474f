#include "board.hpp"

#include <algorithm>
#include <bit>

namespace nonosat {
namespace {

constexpr int kMaxZones = 256;

Word low_bits(int count) { return count >= kWordBits ? ~Word{0} : (Word{1} << count) - 1; }

// All cells of a line may have the value.
void fill_plane(Word* words, int length) {
  for (int at = 0; at < length; at += kWordBits) *words++ = low_bits(length - at);
}

}  // namespace

Board::Board(int num_colours, const std::vector<Clue>& rows, const std::vector<Clue>& columns)
    : height_(static_cast<int>(rows.size())),
      width_(static_cast<int>(columns.size())),
      num_values_(num_colours + 1),
      row_words_(words_for(width_)),
      column_words_(words_for(height_)),
      columns_at_(static_cast<size_t>(height_) * num_values_ * row_words_),
      num_pairs_(static_cast<int64_t>(height_) * width_ * num_values_),
      queued_(num_lines(), 0),
      versions_(std::min(num_lines(), kMaxZones), 0) {
  words_.resize(columns_at_ + static_cast<size_t>(width_) * num_values_ * column_words_);
  kept_.resize(static_cast<size_t>(num_values_) * std::max(row_words_, column_words_));
  plans_.reserve(num_lines());
  for (int row = 0; row < height_; ++row) {
    plans_.emplace_back(width_, num_colours, rows[row]);
    for (int v = 0; v < num_values_; ++v) fill_plane(&words_[row_word(row, v, 0)], width_);
    enqueue(row);
  }
  for (int column = 0; column < width_; ++column) {
    plans_.emplace_back(height_, num_colours, columns[column]);
    for (int v = 0; v < num_values_; ++v) fill_plane(&words_[column_word(column, v, 0)], height_);
    enqueue(height_ + column);
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

int Board::value_of(int cell) const {
  int found = -1;
  for (int value = 0; value < num_values_; ++value) {
    if (!may(cell, value)) continue;
    if (found >= 0) return -1;
    found = value;
  }
  return found;
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
  write(by_column, words_[by_column] & ~(Word{1} << (row % kWordBits)));
  --num_pairs_;
  for (const int line : {row, height_ + column}) {
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
  for (int side = 0; !queue_[0].empty() || !queue_[1].empty(); side = 1 - side) {
    auto& queue = queue_[side];
    for (size_t next = 0; next < queue.size(); ++next) {
      const int line = queue[next];
      queued_[line] = 0;
      if (!settle(line, watch)) {
        forget_queue();
        return false;
      }
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
  const bool lasting = depth_ == 0;
  if (!propagate_line(plans_[line], &words_[base], kept_.data(), lasting, scratch_, watch)) {
    return false;
  }
  bool any = false;
  for (int value = 0; value < num_values_; ++value) {
    for (int i = 0; i < num_words; ++i) {
      const size_t index = base + value * num_words + i;
      const Word removed = words_[index] & ~kept_[value * num_words + i];
      if (!removed) continue;
      any = true;
      write(index, words_[index] & ~removed);
      num_pairs_ -= std::popcount(removed);
      cross(line, value, i * kWordBits, removed);
    }
  }
  if (any) changed(line);
  return true;
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
