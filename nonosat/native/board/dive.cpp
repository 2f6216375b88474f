#include "board/dive.hpp"

#include "board/trial.hpp"
#include "cost.hpp"

namespace nonosat {
bool Dives::run(Watch& watch, int64_t budget) {
  const int64_t end = watch.done() + budget;
  for (const Within within : {Within::kForward, Within::kBackward, Within::kInward}) {
    for (const bool from_last : {false, true}) {
      for (const bool by_rows : {true, false}) {
        const Trial trial(board_);
        if (!dive({by_rows, from_last, within}, watch, end)) continue;
        found_ = board_.cells();
        return true;
      }
    }
  }
  return false;
}

// Makes one dive, in the given order. Returns true if it ends at a solution.
bool Dives::dive(const Order& order, Watch& watch, int64_t end) {
  const int num_lines = order.by_rows ? board_.height() : board_.width();
  const int length = order.by_rows ? board_.width() : board_.height();
  for (int line = 0; line < num_lines; ++line) {
    for (int place = 0; place < length; ++place) {
      if (board_.is_complete()) return true;
      watch.work(cost::kDiveCell);
      const int cell = cell_of(order, line, place);
      if (board_.num_left(cell) == 1) continue;
      if (watch.done() >= end || !decide(cell, watch)) return false;
    }
  }
  return board_.is_complete();
}

// Returns the cell at a place of a line in the given order.
int Dives::cell_of(const Order& order, int line, int place) const {
  const int height = board_.height(), width = board_.width();
  const int last_line = (order.by_rows ? height : width) - 1;
  const int last_place = (order.by_rows ? width : height) - 1;
  if (order.from_last) line = last_line - line;
  if (order.within == Within::kBackward) place = last_place - place;
  if (order.within == Within::kInward) {
    place = place % 2 ? last_place - place / 2 : place / 2;
  }
  return order.by_rows ? line * width + place : place * width + line;
}

// Assigns to an open cell the first colour that propagation does not refute, or leaves it empty.
// False if all values are refuted; the board is not at a fixpoint then.
bool Dives::decide(int cell, Watch& watch) {
  ++num_decisions_;
  for (int colour = 1; colour < board_.num_values() && board_.num_left(cell) > 1; ++colour) {
    if (!board_.may(cell, colour)) continue;
    const size_t mark = board_.mark();
    board_.assign(cell, colour);
    if (board_.propagate(watch)) return true;
    board_.undo(mark);
    board_.remove(cell, colour);
    if (!board_.propagate(watch)) return false;
  }
  return true;
}

}  // namespace nonosat
