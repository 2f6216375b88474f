#include "queens/completion.hpp"

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "cost.hpp"

namespace nonosat::queens {
namespace {

constexpr size_t kMaxWeighed = 32;       // candidates of a line with known costs
constexpr int64_t kFirstDeadEnds = 400;  // of the first attempt
constexpr int64_t kGrowth = 32;          // the limit grows by a 32nd per attempt
constexpr int64_t kUnit = 1 << 20;

}  // namespace

Completion::Completion(int size, const std::vector<uint8_t>& allowed, uint64_t seed)
    : size_(size), random_(seed), most_dead_ends_(kFirstDeadEnds) {
  if (size < 0 || size > kMostCompleted || allowed.size() != static_cast<size_t>(size) * size) {
    throw std::invalid_argument("expected a byte for each square of at most 2000 rows");
  }
  closed_.resize(allowed.size());
  num_free_.resize(2 * size);
  is_taken_.resize(2 * size);
  columns_.resize(size);
  weights_.resize(size + 1);
  for (int number = 1; number <= size; ++number) weights_[number] = kUnit / number;
  for (int row = 0; row < size; ++row) {
    for (int column = 0; column < size; ++column) {
      const size_t at = static_cast<size_t>(row) * size + column;
      closed_[at] = !allowed[at];
      num_free_[row] += !closed_[at];
      num_free_[size + column] += !closed_[at];
    }
  }
  num_dead_ = static_cast<int>(std::count(num_free_.begin(), num_free_.end(), 0));
}

bool Completion::is_free(Square square) const {
  return !closed_[static_cast<size_t>(square.row) * size_ + square.column] &&
         !is_taken_[square.row] && !is_taken_[size_ + square.column];
}

// Calls `visit` for the squares that a queen attacks in rows and columns without a queen.
template <class Visit>
void Completion::each_attacked(Square square, Visit visit) const {
  for (int row = 0; row < size_; ++row) {
    if (is_taken_[row] || row == square.row) continue;
    const int away = row - square.row;
    for (const int column : {square.column, square.column + away, square.column - away}) {
      if (column < 0 || column >= size_) continue;
      if (column == square.column || !is_taken_[size_ + column]) visit(row, column);
    }
  }
  for (int column = 0; column < size_; ++column) {
    if (column != square.column && !is_taken_[size_ + column]) visit(square.row, column);
  }
}

void Completion::place_queen(Square square) {
  is_taken_[square.row] = is_taken_[size_ + square.column] = true;
  each_attacked(square, [&](int row, int column) {
    if (closed_[static_cast<size_t>(row) * size_ + column]++) return;
    for (const int line : {row, size_ + column}) {
      num_dead_ += --num_free_[line] == 0 && !is_taken_[line];
    }
  });
}

void Completion::remove_queen(Square square) {
  each_attacked(square, [&](int row, int column) {
    if (--closed_[static_cast<size_t>(row) * size_ + column]) return;
    for (const int line : {row, size_ + column}) {
      num_dead_ -= num_free_[line]++ == 0 && !is_taken_[line];
    }
  });
  is_taken_[square.row] = is_taken_[size_ + square.column] = false;
}

// Returns the row or column without a queen that has the fewest free squares; ties are broken at
// random.
int Completion::next_line() {
  int best = -1;
  uint64_t num_equal = 0;
  for (int line = 0; line < 2 * size_; ++line) {
    if (is_taken_[line] || (best >= 0 && num_free_[line] > num_free_[best])) continue;
    if (best < 0 || num_free_[line] < num_free_[best]) num_equal = 0;
    if (random_() % ++num_equal == 0) best = line;
  }
  return best;
}

int64_t Completion::cost_of(Square square) const {
  int64_t cost = 0;
  each_attacked(square, [&](int row, int column) {
    if (closed_[static_cast<size_t>(row) * size_ + column]) return;
    cost += weights_[num_free_[row]] + weights_[num_free_[size_ + column]];
  });
  return cost;
}

// Appends the free squares of a line to the candidates, the cheapest first.
void Completion::collect(int line) {
  const size_t first = candidates_.size();
  for (int place = 0; place < size_; ++place) {
    const Square square = line < size_ ? Square{line, place} : Square{place, line - size_};
    if (is_free(square)) candidates_.push_back({0, square});
  }
  const size_t number = candidates_.size() - first, weighed = std::min(number, kMaxWeighed);
  for (size_t i = 0; i + 1 < number; ++i) {
    std::swap(candidates_[first + i], candidates_[first + i + random_() % (number - i)]);
  }
  const auto begin = candidates_.begin() + static_cast<std::ptrdiff_t>(first);
  const auto end = begin + static_cast<std::ptrdiff_t>(weighed);
  cost_ += cost::kQueenSquare * 4 * size_ * static_cast<int64_t>(weighed);
  if (number > 1) {
    std::for_each(begin, end, [&](Candidate& each) { each.cost = cost_of(each.square); });
  }
  std::stable_sort(begin, end, [](auto& one, auto& other) { return one.cost < other.cost; });
}

// Backtracks to the last queen that has an untried alternative, and places it there; false if there
// is none.
bool Completion::backtrack() {
  while (!levels_.empty()) {
    Level& level = levels_.back();
    remove_queen(level.square);
    if (++level.taken < candidates_.size()) {
      level.square = candidates_[level.taken].square;
      place_queen(level.square);
      ++num_placed_;
      return true;
    }
    candidates_.resize(level.first);
    levels_.pop_back();
  }
  return false;
}

void Completion::restart() {
  for (; !levels_.empty(); levels_.pop_back()) remove_queen(levels_.back().square);
  candidates_.clear();
  num_dead_ends_ = 0;
}

// Places one more queen: on the next line or, after a dead end, on an alternative square. Returns
// false if all squares have been tried.
bool Completion::step() {
  if (num_dead_ > 0) {
    if (++num_dead_ends_ <= most_dead_ends_) return backtrack();
    most_dead_ends_ += most_dead_ends_ / kGrowth;
    restart();
    return true;
  }
  const size_t first = candidates_.size();
  collect(next_line());
  levels_.push_back({candidates_[first].square, first, first});
  place_queen(candidates_[first].square);
  ++num_placed_;
  return true;
}

Completion::Outcome Completion::next(Watch& watch, int64_t budget) {
  const int64_t most_placed = num_placed_ + budget;
  if (static_cast<int>(levels_.size()) == size_) restart();
  while (num_dead_ > 0 || static_cast<int>(levels_.size()) < size_) {
    watch.work(std::exchange(cost_, 0));  // first, because it may throw
    if (num_placed_ >= most_placed) return Outcome::kBudget;
    if (!step()) return Outcome::kExhausted;
    cost_ += cost::kQueenPut + cost::kQueenSquare * 4 * size_;
  }
  for (const Level& level : levels_) columns_[level.square.row] = level.square.column;
  return Outcome::kSolution;
}

}  // namespace nonosat::queens
