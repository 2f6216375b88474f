// A rectangular board under exact line propagation: what each cell may still be, kept by rows and
// by columns at once, with a trail that takes assumptions back.
//
// Invariant: bit c of row r and bit r of column c always agree, value by value. After `propagate`
// has returned true, every value left in a line is used by some placement of the line's blocks.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "board/line_cache.hpp"
#include "line/line.hpp"
#include "watch.hpp"

namespace nonosat {

using Clue = std::vector<Block>;

class Board {
 public:
  // Needs sides of at least 1, at most 2^31 - 1 cells, and clues in 1 to `num_colours` colours, at
  // most 255. Every cell may have every value at first, and all lines are queued. Linear in cells x
  // colours and blocks. Throws Stopped, and TooLarge above 2 GiB, which only boards of very many
  // lines and colours need.
  Board(int num_colours, std::vector<Clue> rows, std::vector<Clue> columns, Watch& watch);

  int height() const { return height_; }
  int width() const { return width_; }
  int num_cells() const { return height_ * width_; }
  int num_values() const { return num_values_; }  // 0 is empty, then the colours
  int num_lines() const { return height_ + width_; }

  bool may(int cell, int value) const;
  int num_left(int cell) const;                     // values the cell may have
  int64_t num_pairs() const { return num_pairs_; }  // (cell, value) pairs left
  bool is_complete() const { return num_pairs_ == num_cells(); }

  // Whether one was copied from the other, and neither has changed since. Linear in the board.
  bool is_copy_of(const Board& other) const {
    return plans_ == other.plans_ && clock_ == other.clock_ && versions_ == other.versions_ &&
           words_ == other.words_;
  }

  // Of the whole board at once, after a successful `propagate`: the only value left of each cell,
  // or `kOpen`; whether each cell may have `value`; the cells that have more than one value left,
  // ascending. Linear in the board.
  static constexpr uint8_t kOpen = 255;
  std::vector<uint8_t> cells() const;
  std::vector<uint8_t> plane(int value) const;
  std::vector<int> open_cells() const;

  // Rules out one value of a cell, or all others, in its row and its column alike, and queues both.
  // Other cells follow at the next `propagate`. A cell may lose its last value this way; the next
  // `propagate` then returns false.
  void remove(int cell, int value);
  void assign(int cell, int value);

  // Leaves the clue of a line out from now on, before the first `propagate`: its cells may hold
  // anything that the lines across allow. All other methods say then what the other clues say.
  void leave_out(int line);
  bool is_left_out(int line) const;

  // Solves queued lines until none is left; each line at least once in a board's life. True: the
  // board is at its line fixpoint, the same whatever the order of the lines. False: some line has
  // no placement left; the values left mean nothing then, and another call says so again, until
  // `undo` takes back what led there. Throws Stopped; the line under way stays queued, so the next
  // call goes on. At most as many solves as (cell, value) pairs go, and each solve queues only
  // lines that lost one.
  bool propagate(Watch& watch);

  // Whether the board is at its line fixpoint: no line is queued. O(lines / 64).
  bool is_settled() const;

  // The line without a placement that ended the last `propagate` to return false; rows come first.
  // -1 where none has. Which of several such lines it is depends on their order alone.
  int broken_line() const { return broken_line_; }

  // `undo` takes back everything since the `mark` that returned its argument, which must not have
  // been undone yet. Marks nest: undoing an outer one takes back the inner ones. A mark that will
  // be undone is set at a line fixpoint, for `undo` leaves nothing queued. O(words changed since);
  // see trial.hpp for scopes.
  size_t mark();
  void undo(size_t mark);

  // A word of the board that changed, with what it held before. A word stands once for each time
  // that it changed, oldest first.
  struct Change {
    size_t index;
    Word before;
  };
  std::span<const Change> changes_since(size_t mark) const {
    return std::span(trail_).subspan(mark);
  }

  // The words of the rows, a value of a row after another; those of the columns come behind.
  size_t num_row_words() const { return columns_at_; }
  Word word(size_t index) const { return words_[index]; }
  int cell_at(size_t row_word, int bit) const;
  int value_at(size_t row_word) const;

  // A line's clue; the windows of its blocks, null for a short line; and what its cells may be: a
  // plane of words_for(its length) words a value.
  const Plan& plan(int line) const { return plans_[plan_of_[line]]; }
  const Windows* windows(int line) const {
    const bool is_row = line < height_;
    const std::vector<Windows>& side = windows_[!is_row];
    return side.empty() ? nullptr : &side[is_row ? line : line - height_];
  }
  const Word* planes(int line) const {
    return &words_[line < height_ ? row_word(line, 0, 0) : column_word(line - height_, 0, 0)];
  }

  // Change tracking for probes: lines are grouped into at most 256 zones, so that what a probe
  // looked at fits a few words whatever the board's size. A zone's version is the clock of its last
  // change, also by `undo`. While a trace is set, versions stand still and it collects the zones
  // looked at.
  int num_zones() const { return static_cast<int>(versions_.size()); }
  uint64_t version(int zone) const { return versions_[zone]; }
  uint64_t clock() const { return clock_; }
  void trace(Word* zones) { traced_ = zones; }

 private:
  size_t row_word(int row, int value, int column) const {
    return (static_cast<size_t>(row) * num_values_ + value) * row_words_ + column / kWordBits;
  }
  size_t column_word(int column, int value, int row) const {
    return columns_at_ + (static_cast<size_t>(column) * num_values_ + value) * column_words_ +
           row / kWordBits;
  }
  // The trail grows only while something is assumed: otherwise nothing will be taken back.
  void write(size_t index, Word word) {
    if (is_assumed()) trail_.push_back({index, words_[index]});
    words_[index] = word;
  }
  bool is_assumed() const { return !marks_.empty(); }
  Windows* own_windows(int line) { return const_cast<Windows*>(windows(line)); }
  void changed(int line) { versions_[zone_of_[line]] = ++clock_; }
  void add_plans(int length, std::vector<Clue> clues, std::vector<Plan>& plans, Watch& watch);
  void enqueue(int line);
  bool settle(int line, Watch& watch);
  bool solve(int line, Watch& watch);
  template <bool kIsRow>
  void drop(int place, Watch& watch);
  template <bool kIsRow>
  int cross(int place, int value, int first_cell, Word removed);
  int line_of(size_t index) const;  // whose word it is

  int height_, width_, num_values_;
  int row_words_, column_words_;
  size_t columns_at_;
  std::shared_ptr<const Plan[]> plans_;  // also of the copies of this board
  std::vector<int> plan_of_;             // by line, rows first
  std::vector<Windows> windows_[2];      // of the rows, of the columns; none where these are short
  std::vector<Word> words_;
  std::vector<Word> kept_;
  LineCache cache_;
  Scratch scratch_;
  int64_t num_pairs_;
  std::vector<Change> trail_;
  struct Mark {
    size_t num_changes;
    int64_t num_pairs;
  };
  std::vector<Mark> marks_;
  int broken_line_ = -1;
  std::vector<Word> queue_[2];    // rows and columns to be solved, a bit each
  std::vector<Word> spoken_[2];   // those that are not left out; empty where none is
  std::vector<uint8_t> zone_of_;  // by line
  Word* traced_ = nullptr;
  std::vector<uint64_t> versions_;  // by zone
  uint64_t clock_ = 0;
};

}  // namespace nonosat
