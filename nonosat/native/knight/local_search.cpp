#include "knight/local_search.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>

namespace nonosat::knight {

namespace {

// Cost of a further missed square, in units of penalties: exp(-5), slightly more than one step in
// 150.
constexpr int kMissed = 5 * Beliefs::kUnits;
constexpr int kLeastRejected =
    20 * Beliefs::kUnits;  // steps of at least this cost are never accepted

}  // namespace

Detours::Detours(const Board& board) {
  const auto& moves = board.moves();
  const Square longest = *std::ranges::max_element(moves);
  for (int num = 1; num <= kMost; ++num) {
    Table& table = tables_[num];
    table.farthest = num * longest;
    table.starts.assign(2 * table.farthest + 2, 0);
    // A sequence is a number with a digit of three bits for each move.
    const uint32_t end = 1u << (3 * num);
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

LocalSearch::LocalSearch(Walk& walk, const Beliefs& beliefs, Random& random)
    : walk_(walk),
      beliefs_(beliefs),
      random_(random),
      detours_(walk.board()),
      acceptance_(kLeastRejected) {
  for (int cost = 0; cost < kLeastRejected; ++cost) {
    const double probability = std::exp(-static_cast<double>(cost) / Beliefs::kUnits);
    acceptance_[cost] = static_cast<uint32_t>(probability * 0xffffffff);
  }
}

void LocalSearch::step() {
  const auto& wrong = walk_.wrong();
  const Square square = wrong[random_.below(static_cast<uint32_t>(wrong.size()))];
  if (walk_.num_visits(square) == 0) {
    visit(square);
  } else {
    leave(square);
  }
}

// Changes the walk so that it visits a missed square: some moves lead from there back to a square
// of the walk, the remaining ones forward to a later or an earlier square.
void LocalSearch::visit(Square missed) {
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
  try_replacing(first, {squares.data(), static_cast<size_t>(number)});
}

// Changes the walk around a square that it visits too often.
void LocalSearch::leave(Square square) {
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
  if (draw_between(first, drawn)) try_replacing(first, drawn);
}

// Draws squares between those of the walk around them; at its ends only after or before one of
// them.
bool LocalSearch::draw_between(int first, std::span<Square> squares) {
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

bool LocalSearch::draw_moves(Square from, std::span<Square> squares) {
  for (Square& square : squares) {
    square = from += board_move();
    if (!walk_.is_open(square)) return false;
  }
  return true;
}

void LocalSearch::try_replacing(int first, std::span<const Square> squares) {
  const auto old = std::span(walk_.squares()).subspan(first, squares.size());
  if (std::ranges::equal(squares, old)) return;
  const int cost = kMissed * walk_.change(first, squares) + beliefs_.penalty(first, squares) -
                   beliefs_.penalty(first, old);
  if (cost > 0 && (cost >= kLeastRejected || (random_.next() >> 32) >= acceptance_[cost])) return;
  for (size_t i = 0; i < squares.size(); ++i) {
    const int step = first + static_cast<int>(i);
    if (walk_.at(step) != squares[i]) walk_.put(step, squares[i]);
  }
}

}  // namespace nonosat::knight
