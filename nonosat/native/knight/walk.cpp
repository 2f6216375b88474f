#include "knight/walk.hpp"

#include <algorithm>
#include <cassert>
#include <utility>

namespace nonosat::knight {

Walk::Walk(const Board& board, std::vector<Square> given)
    : board_(board),
      squares_(std::move(given)),
      gap_of_(squares_.size(), kNone),
      is_open_(board.free()),
      num_visits_(board.num_squares(), 0),
      first_visit_(board.num_squares(), kNone),
      next_visit_(squares_.size(), kNone),
      previous_visit_(squares_.size(), kNone),
      index_of_wrong_(board.num_squares(), kNone) {
  add_gaps();
  for (int step = 0; step < num_steps(); ++step) {
    if (!is_given(step)) continue;
    is_open_[squares_[step]] = 0;
    link(step, squares_[step]);  // both ends of a closed walk have the same square
  }
  for (const Square square : board.squares()) {
    if (is_open(square)) open_.push_back(square);
  }
}

void Walk::add_gaps() {
  int before = -1;
  for (int step = 0; step <= num_steps(); ++step) {
    if (step < num_steps() && squares_[step] == kNoSquare) continue;
    if (step - before > 1) {
      std::fill(gap_of_.begin() + (before + 1), gap_of_.begin() + step,
                static_cast<int32_t>(gaps_.size()));
      gaps_.push_back({before, step});
    }
    before = step;
  }
  assert(gaps_.empty() || gaps_[0].length() < num_steps());
}

bool Walk::start(Random& random, Watch& watch) {
  for (int step = 1; step < num_steps(); ++step) {
    if (is_given(step - 1) && is_given(step) && !board_.is_move(at(step - 1), at(step))) {
      return false;
    }
  }
  num_missed_ = static_cast<int>(open_.size());
  for (const Square square : open_) update(square);
  return std::ranges::all_of(gaps_, [&](const Gap& gap) { return route(gap, random, watch); });
}

// Draws a walk through open squares between the ends of a gap, preferring squares that are visited
// least.
bool Walk::route(const Gap& gap, Random& random, Watch& watch) {
  watch.work(static_cast<int64_t>(gap.length() + 1) * board_.num_squares());
  // From a given end to the other one, or to anywhere.
  const bool is_forward = gap.before >= 0;
  const int from = is_forward ? gap.before : gap.after;
  const int direction = is_forward ? 1 : -1;
  const size_t num_squares = board_.num_squares();
  const auto leads_on = reached(gap, !is_forward);
  Square last = at(from);
  for (int i = 1; i <= gap.length(); ++i) {
    const int step = from + direction * i;
    const uint8_t* const may_be = &leads_on[(step - gap.before - 1) * num_squares];
    Square best = kNoSquare;
    uint32_t least = ~0u;
    for (const Square move : board_.moves()) {
      const Square square = last + move;
      if (!is_open(square) || !may_be[square]) continue;
      const uint32_t cost = 2 * num_visits(square) * 256 + random.below(256);
      if (cost < least) least = cost, best = square;
    }
    if (best == kNoSquare) return false;
    last = best;
    put(step, best);
  }
  return true;
}

std::vector<uint8_t> Walk::reached(const Gap& gap, bool from_beginning) const {
  const auto& moves = board_.moves();
  const size_t num_squares = board_.num_squares();
  std::vector<uint8_t> reached(gap.length() * num_squares);
  const int end = from_beginning ? gap.before : gap.after, direction = from_beginning ? 1 : -1;
  const bool is_anywhere = end < 0 || end >= num_steps();
  for (int step = end + direction; step > gap.before && step < gap.after; step += direction) {
    uint8_t* const here = &reached[(step - gap.before - 1) * num_squares];
    for (const Square square : open_) {
      if (step == end + direction) {
        here[square] = is_anywhere || board_.is_move(at(end), square);
      } else {
        const uint8_t* const there = here - direction * static_cast<ptrdiff_t>(num_squares);
        here[square] =
            std::ranges::any_of(moves, [&](Square move) { return there[square + move]; });
      }
    }
  }
  return reached;
}

void Walk::link(int step, Square square) {
  const int next = first_visit_[square];
  next_visit_[step] = next;
  previous_visit_[step] = kNone;
  if (next != kNone) previous_visit_[next] = step;
  first_visit_[square] = step;
}

void Walk::unlink(int step) {
  const int previous = previous_visit_[step], next = next_visit_[step];
  (previous == kNone ? first_visit_[squares_[step]] : next_visit_[previous]) = next;
  if (next != kNone) previous_visit_[next] = previous;
}

int Walk::change(int first, std::span<const Square> squares) {
  int more = 0;
  const Square* old = &squares_[first];
  for (size_t i = 0; i < squares.size(); ++i) more += --num_visits_[old[i]] == 0;
  for (const Square square : squares) more -= num_visits_[square]++ == 0;
  for (const Square square : squares) --num_visits_[square];
  for (size_t i = 0; i < squares.size(); ++i) ++num_visits_[old[i]];
  return more;
}

void Walk::put(int step, Square square) {
  if (const Square old = at(step); old != kNoSquare) {
    unlink(step);
    num_missed_ += --num_visits_[old] == 0;
    update(old);
  }
  squares_[step] = square;
  link(step, square);
  num_missed_ -= num_visits_[square]++ == 0;
  update(square);
}

void Walk::update(Square square) {
  int32_t& place = index_of_wrong_[square];
  const bool is_wrong = num_visits_[square] != 1;
  if (is_wrong && place == kNone) {
    place = static_cast<int32_t>(wrong_.size());
    wrong_.push_back(square);
  } else if (!is_wrong && place != kNone) {
    index_of_wrong_[wrong_.back()] = place;
    wrong_[place] = wrong_.back();
    wrong_.pop_back();
    place = kNone;  // last, since the square may be the one that was moved
  }
}

}  // namespace nonosat::knight
