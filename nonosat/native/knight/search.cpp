#include "knight/search.hpp"

#include <algorithm>
#include <cassert>

#include "cost.hpp"

namespace nonosat::knight {

Search::Search(const Board& board, Requirements required)
    : board_(board),
      required_(std::move(required)),
      is_open_(board_.free()),
      num_chances_(board_.num_squares(), 0),
      step_of_(board_.num_squares(), -1),
      fixed_at_(board_.num_free(), -1) {
  assert(board_.num_free() > 0);
  for (const auto& [square, step] : required_.fixed) {
    step_of_[square] = step;
    fixed_at_[step] = square;
  }
  path_.reserve(board_.num_free());
  levels_.resize(board_.num_free());
  for (const Square square : board_.squares()) {
    num_chances_[square] = static_cast<int8_t>(num_exits(square));
  }
  num_lasts_ = static_cast<int>(
      std::ranges::count_if(board_.squares(), [&](Square s) { return num_chances_[s] == 1; }));
}

Search::Outcome Search::next(Watch& watch, int64_t budget) {
  const int64_t end = num_calls_ + budget;
  if (static_cast<int>(path_.size()) == board_.num_free()) leave();
  while (true) {
    if (path_.empty()) {
      if (num_starts_tried_ == required_.starts.size()) return Outcome::kExhausted;
      const Square start = required_.starts[num_starts_tried_++];
      if (may_be_at(start, 0)) enter(start);
    } else if (Level& level = levels_[path_.size() - 1]; level.num_tried < level.num_moves) {
      enter(level.moves[level.num_tried++]);
    } else {
      leave();
      continue;
    }
    if (static_cast<int>(path_.size()) == board_.num_free()) {
      if (is_tour()) return Outcome::kSolution;
      leave();
    }
    watch.work(cost::kSquare);
    if (num_calls_ >= end) return Outcome::kBudget;
  }
}

bool Search::is_tour() const {
  if (!required_.is_closed) return true;
  if (!board_.is_move(path_.back(), path_.front()) || path_.size() < 3) return false;
  return !required_.is_halved || path_[1] < path_.back();
}

// Returns true if the fixed squares and steps allow the square at a step.
bool Search::may_be_at(Square square, int step) const {
  return step_of_[square] == -1 ? fixed_at_[step] == -1 : step_of_[square] == step;
}

// Extends the path by an open square, and lists the moves from there; none if a guided search finds
// an open square that can no longer be visited. `leave` undoes exactly this.
//
// Invariant of guided searches: num_chances_[s] of an open square s counts its neighbours that are
// open or the last square of the path, and for closed tours also the first square; num_lasts_
// counts the open squares with a single chance.
void Search::enter(Square square) {
  ++num_calls_;
  is_open_[square] = 0;
  num_lasts_ -= num_chances_[square] == 1;
  path_.push_back(square);
  const int step = static_cast<int>(path_.size()) - 1;
  Level& level = levels_[step];
  level.num_moves = level.num_tried = 0;
  bool is_consistent = true;
  if (required_.is_guided) {
    if (step > 0) {
      is_consistent = remove_chances(path_[step - 1]);
    } else if (required_.is_closed) {  // the first square counts twice
      for (const Square move : board_.moves()) ++num_chances_[square + move];
    }
  }
  if (is_consistent && step + 1 < board_.num_free()) collect_moves(square, level);
}

void Search::leave() {
  const Square square = path_.back();
  path_.pop_back();
  if (required_.is_guided) {
    if (!path_.empty()) {
      restore_chances(path_.back());
    } else if (required_.is_closed) {
      for (const Square move : board_.moves()) --num_chances_[square + move];
    }
  }
  num_lasts_ += num_chances_[square] == 1;
  is_open_[square] = 1;
}

// Updates the open neighbours of a square that the path has left: each loses a chance. False if one
// of them has too few left, none, or one in a closed tour; or if two squares of an open tour would
// have to be the last one.
bool Search::remove_chances(Square left) {
  bool is_consistent = true;
  for (const Square move : board_.moves()) {
    if (!is_open_[left + move]) continue;
    const int chances = --num_chances_[left + move];
    num_lasts_ += chances == 1;
    if (chances == 0) num_lasts_ -= 1;
    is_consistent &= chances > (required_.is_closed ? 1 : 0);
  }
  return is_consistent && (required_.is_closed || num_lasts_ <= 1);
}

void Search::restore_chances(Square left) {
  for (const Square move : board_.moves()) {
    if (!is_open_[left + move]) continue;
    const int chances = ++num_chances_[left + move];
    num_lasts_ += chances == 1;
    if (chances == 2) num_lasts_ -= 1;
  }
}

int Search::num_exits(Square square) const {
  int count = 0;
  for (const Square move : board_.moves()) count += is_open_[square + move];
  return count;
}

// Lists the moves from a square to open squares that are allowed at the next step: in the order of
// the table or, guided, by the number of exits, fewest first.
void Search::collect_moves(Square square, Level& level) const {
  const int step = static_cast<int>(path_.size());
  std::array<int, kNumMoves> exits;
  for (const Square move : board_.moves()) {
    const Square to = square + move;
    if (!is_open_[to] || !may_be_at(to, step)) continue;
    const int count = required_.is_guided ? num_exits(to) : 0;
    int at = level.num_moves++;
    for (; at > 0 && exits[at - 1] > count; --at) {  // stable insertion
      exits[at] = exits[at - 1];
      level.moves[at] = level.moves[at - 1];
    }
    exits[at] = count;
    level.moves[at] = to;
  }
}

}  // namespace nonosat::knight
