#include "knight/wandering.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>

namespace nonosat::knight {

namespace {

// What a square missed more costs, in units of penalties: exp(-5), a bit more than a step in 150.
constexpr int kMissed = 5 * Beliefs::kUnits;
constexpr int kMostTaken = 20 * Beliefs::kUnits;  // no step that costs as much is taken

}  // namespace

Detours::Detours(const Board& board) {
  const auto& moves = board.moves();
  const Square longest = *std::ranges::max_element(moves);
  for (int num = 1; num <= kMost; ++num) {
    Table& table = tables_[num];
    table.farthest = num * longest;
    table.starts.assign(2 * table.farthest + 2, 0);
    const uint32_t end = 1u << (3 * num);  // a sequence is a number with a digit of three bits each
    const auto index = [&](uint32_t sequence) {
      Square sum = table.farthest;
      for (int i = 0; i < num; ++i) sum += moves[sequence >> (3 * i) & 7];
      return sum;
    };
    for (uint32_t sequence = 0; sequence < end; ++sequence) ++table.starts[index(sequence) + 1];
    for (size_t i = 1; i < table.starts.size(); ++i) table.starts[i] += table.starts[i - 1];
    std::vector<uint32_t> next = table.starts;
    table.moves.resize(static_cast<size_t>(end) * (num - 1));
    for (uint32_t sequence = 0; sequence < end; ++sequence) {
      const size_t at = next[index(sequence)]++;
      for (int i = 0; i + 1 < num; ++i) {
        table.moves[at * (num - 1) + i] = moves[sequence >> (3 * i) & 7];
      }
    }
  }
}

bool Detours::draw(const Walk& walk, Square from, Square to, int num_moves, Random& random,
                   std::span<Square> between) const {
  const Table& table = tables_[num_moves];
  const Square difference = to - from;
  if (difference < -table.farthest || difference > table.farthest) return false;
  const uint32_t first = table.starts[difference + table.farthest];
  const uint32_t number = table.starts[difference + table.farthest + 1] - first;
  if (number == 0) return false;
  const size_t at = static_cast<size_t>(first + random.below(number)) * (num_moves - 1);
  for (int i = 0; i + 1 < num_moves; ++i) {
    from += table.moves[at + i];
    if (!walk.is_open(from)) return false;
    between[i] = from;
  }
  return true;
}

Wandering::Wandering(Walk& walk, const Beliefs& beliefs, Random& random)
    : walk_(walk), beliefs_(beliefs), random_(random), detours_(walk.board()), taken_(kMostTaken) {
  for (int cost = 0; cost < kMostTaken; ++cost) {
    const double probability = std::exp(-static_cast<double>(cost) / Beliefs::kUnits);
    taken_[cost] = static_cast<uint32_t>(probability * 0xffffffff);
  }
}

void Wandering::step() {
  const auto& wrong = walk_.wrong();
  const Square square = wrong[random_.below(static_cast<uint32_t>(wrong.size()))];
  if (walk_.num_visits(square) == 0) {
    visit(square);
  } else {
    leave(square);
  }
}

// Leads the walk over a missed square: from there some moves back to a square of the walk, and as
// many as are left on to a later or an earlier one.
void Wandering::visit(Square missed) {
  const int num_back = 1 + static_cast<int>(random_.below(kMostToMissed));
  const int num_on = 1 + static_cast<int>(random_.below(kMostToMissed));
  const int number = num_back + num_on - 1;
  if (number > kMostReplaced) return;
  std::array<Square, kMostReplaced> squares;
  if (!draw_moves(missed, {squares.data(), static_cast<size_t>(num_back - 1)})) return;
  std::reverse(squares.begin(), squares.begin() + num_back - 1);
  squares[num_back - 1] = missed;
  const Square anchor = squares[0] + board_move();
  int step = walk_.first_visit(anchor);
  if (step == Walk::kNone) return;
  if (const int next = walk_.next_visit(step); next != Walk::kNone && random_.below(2)) step = next;
  const bool is_later = random_.below(2);
  const int first = is_later ? step + 1 : step - number;
  for (int i = 0; i < number; ++i) {
    if (walk_.is_given(first + i)) return;
  }
  const int end = is_later ? first + number : first - 1;
  const std::span<Square> on(squares.data() + num_back, static_cast<size_t>(num_on - 1));
  if (end < 0 || end >= walk_.num_steps()) {
    if (!draw_moves(missed, on)) return;
  } else if (!detours_.draw(walk_, missed, walk_.at(end), num_on, random_, on)) {
    return;
  }
  if (!is_later) std::reverse(squares.begin(), squares.begin() + number);
  take(first, {squares.data(), static_cast<size_t>(number)});
}

// Leads the walk otherwise where it comes to a square that it visits too often.
void Wandering::leave(Square square) {
  int step = walk_.first_visit(square);
  for (uint32_t i = random_.below(walk_.num_visits(square)); i > 0; --i) {
    step = walk_.next_visit(step);
  }
  const int number = 1 + static_cast<int>(random_.below(kMostReplaced));
  const int first = step - static_cast<int>(random_.below(number));
  const Walk::Gap& gap = walk_.gap_of(step);
  if (first <= gap.before || first + number > gap.after) return;
  std::array<Square, kMostReplaced> squares;
  const std::span<Square> drawn(squares.data(), static_cast<size_t>(number));
  if (draw_between(first, drawn)) take(first, drawn);
}

// Squares between those of the walk around them; only behind or ahead of them at its ends.
bool Wandering::draw_between(int first, std::span<Square> squares) {
  const int end = first + static_cast<int>(squares.size());
  if (first > 0 && end < walk_.num_steps()) {
    return detours_.draw(walk_, walk_.at(first - 1), walk_.at(end), end - first + 1, random_,
                         squares);
  }
  if (first > 0) return draw_moves(walk_.at(first - 1), squares);
  if (!draw_moves(walk_.at(end), squares)) return false;
  std::ranges::reverse(squares);
  return true;
}

bool Wandering::draw_moves(Square from, std::span<Square> squares) {
  for (Square& square : squares) {
    square = from += board_move();
    if (!walk_.is_open(square)) return false;
  }
  return true;
}

void Wandering::take(int first, std::span<const Square> squares) {
  const auto old = std::span(walk_.squares()).subspan(first, squares.size());
  if (std::ranges::equal(squares, old)) return;
  const int cost = kMissed * walk_.change(first, squares) + beliefs_.penalty(first, squares) -
                   beliefs_.penalty(first, old);
  if (cost > 0 && (cost >= kMostTaken || (random_.next() >> 32) >= taken_[cost])) return;
  for (size_t i = 0; i < squares.size(); ++i) {
    const int step = first + static_cast<int>(i);
    if (walk_.at(step) != squares[i]) walk_.put(step, squares[i]);
  }
}

}  // namespace nonosat::knight
