// A rectangular board under exact line propagation: the domains of the cells, stored both by rows
// and by columns, with a trail for undoing assumptions.
//
// Invariant: bit c of row r and bit r of column c are equal, for each value. After `propagate` has
// returned true, every value left in a line occurs in some placement of the line's blocks.
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
  // most 255. Initially every cell may have every value, and all lines are queued. Linear in cells
  // x colours and blocks. Throws Stopped, and TooLarge above 2 GiB, which only boards of very many
  // lines and colours need.
  Board(int num_colours, std::vector<Clue> rows, std::vector<Clue> columns, Watch& watch);

  int height() const { return height_; }
  int width() const { return width_; }
  int num_cells() const { return height_ * width_; }
  int num_values() const { return num_values_; }  // 0 is empty, followed by the colours
  int num_lines() const { return height_ + width_; }

  bool may(int cell, int value) const;
  int num_left(int cell) const;                     // number of values the cell may have
  int64_t num_pairs() const { return num_pairs_; }  // (cell, value) pairs left
  int cell_of(int line, int at) const {             // cell of a position in a line
    return line < height_ ? line * width_ + at : at * width_ + line - height_;
  }
  bool is_complete() const { return num_pairs_ == num_cells(); }

  // Returns true if one board was copied from the other, and neither has changed since. Linear in
  // the board.
  bool is_copy_of(const Board& other) const {
    return plans_ == other.plans_ && clock_ == other.clock_ && versions_ == other.versions_ &&
           words_ == other.words_;
  }

  // Views of the whole board, valid after a successful `propagate`: `cells` is the only value left
  // of each cell, or `kOpen`; `plane` is 1 for each cell that may have `value`; `open_cells` are
  // the cells with more than one value left, ascending. Linear in the board.
  static constexpr uint8_t kOpen = 255;
  std::vector<uint8_t> cells() const;
  std::vector<uint8_t> plane(int value) const;
  std::vector<int> open_cells() const;

  // Removes one value of a cell, or assigns a value by removing all others, in its row and its
  // column, and queues both. Other cells are updated by the next `propagate`. If a cell loses its
  // last value, the next `propagate` returns false.
  void remove(int cell, int value);
  void assign(int cell, int value);

  // Ignores the clue of a line from now on; must be called before the first `propagate`. All other
  // methods then refer to the remaining clues.
  void leave_out(int line);
  bool is_left_out(int line) const;

  // Solves queued lines until none is left; each line at least once in a board's life. True: the
  // board is at its line fixpoint, which does not depend on the order of the lines. False: some
  // line has no placement; the values left are meaningless then, and further calls return false,
  // until `undo` removes the cause. Throws Stopped; the current line remains queued, so that the
  // next call continues. The number of solves is at most the number of lines plus (cell, value)
  // pairs removed, since a solve queues only lines that have lost a pair.
  bool propagate(Watch& watch);

  // Returns true if the board is at its line fixpoint: no line is queued. O(lines / 64).
  bool is_at_fixpoint() const;

  // The line without a placement that made the last `propagate` return false; rows first. -1 if
  // there is none. If there are several such lines, the choice depends only on their order.
  int broken_line() const { return broken_line_; }

  // `undo(mark())` undoes all changes in between. Marks nest: undoing an outer one undoes the inner
  // ones. Set a mark that will be undone only at a line fixpoint, since `undo` empties the queue. A
  // mark must not be undone twice. O(words changed since); see trial.hpp for scopes.
  size_t mark();
  void undo(size_t mark);

  // A changed word of the board, with its previous contents. A word occurs once for each of its
  // changes, oldest first.
  struct Change {
    size_t index;
    Word before;
  };
  std::span<const Change> changes_since(size_t mark) const {
    return std::span(trail_).subspan(mark);
  }

  // Words of the rows come first, in each row those of one value after another, then those of the
  // columns.
  size_t num_row_words() const { return columns_at_; }
  Word word(size_t index) const { return words_[index]; }
  int cell_at(size_t row_word, int bit) const;
  int value_at(size_t row_word) const;

  // `cell_in`: a cell of a line, by its position there. `for_lines_of`: calls `visit` with each
  // line that contains a cell, rows first.
  static constexpr bool kIsRectangle = true;
  int cell_in(int line, int at) const {
    return line < height_ ? line * width_ + at : at * width_ + line - height_;
  }
  template <class Visit>
  void for_lines_of(int cell, Visit visit) const {
    visit(cell / width_);
    visit(height_ + cell % width_);
  }

  // `plan`: a line's clue. `windows`: those of its blocks, null for a short line. `planes`: the
  // domains of its cells, words_for(its length) words for each value.
  const Plan& plan(int line) const { return plans_[plan_of_[line]]; }
  const Windows* windows(int line) const {
    const bool is_row = line < height_;
    const std::vector<Windows>& side = windows_[!is_row];
    return side.empty() ? nullptr : &side[is_row ? line : line - height_];
  }
  const Word* planes(int line) const {
    return &words_[line < height_ ? row_word(line, 0, 0) : column_word(line - height_, 0, 0)];
  }

  // Change tracking for probes. Lines are grouped into at most 256 zones, so that the set of zones
  // that a probe has read takes a few words on any board. A zone's version is the
  // clock of its last change, also by `undo`. While a trace is set, versions do not change, and the
  // zones read are added to it.
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
  // The trail grows only under a mark; other changes are never undone.
  void write(size_t index, Word word) {
    if (is_assumed()) trail_.push_back({index, words_[index]});
    words_[index] = word;
  }
  bool is_assumed() const { return !marks_.empty(); }
  Windows* own_windows(int line) { return const_cast<Windows*>(windows(line)); }
  void touch(int line) { versions_[zone_of_[line]] = ++clock_; }
  void add_plans(int length, std::vector<Clue> clues, std::vector<Plan>& plans, Watch& watch);
  void enqueue(int line);
  bool filter_line(int line, Watch& watch);
  bool solve(int line, Watch& watch);
  template <bool kIsRow>
  void remove_unsupported(int place, Watch& watch);
  template <bool kIsRow>
  int remove_from_crossing(int place, int value, int first_cell, Word removed);
  int line_of(size_t index) const;  // line of a word

  int height_, width_, num_values_;
  int row_words_, column_words_;
  size_t columns_at_;
  std::shared_ptr<const Plan[]> plans_;  // shared with the copies of this board
  std::vector<int> plan_of_;             // by line, rows first
  std::vector<Windows> windows_[2];      // of the rows, of the columns; empty if these are short
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
  std::vector<Word> queue_[2];     // rows and columns to be solved, a bit for each
  std::vector<Word> included_[2];  // lines that are not left out; empty if all are included
  std::vector<uint8_t> zone_of_;   // by line
  Word* traced_ = nullptr;
  std::vector<uint64_t> versions_;  // by zone
  uint64_t clock_ = 0;
};

}  // namespace nonosat
