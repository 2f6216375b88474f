#include "knight/repair.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <span>
#include <utility>

#include "cost.hpp"

namespace nonosat::knight {

using learn::Answer;
using learn::Lit;
using learn::negated;
using learn::positive;
using learn::Solver;
using learn::Var;

namespace {

// Numbers of opened steps and of conflicts. With 60 to 110 steps one attempt in ten succeeds,
// within 10 ms; with 180 almost none ends within the conflicts (KNIGHT.md).
constexpr int kLeastOpened = 60, kMostOpened = 110;
constexpr int64_t kConflicts = 1500;
// Conflicts for the whole walk, once: most boards without a tour need fewer, some none (KNIGHT.md).
constexpr int64_t kConflictsOfWhole = 1000;
constexpr size_t kMostASquare = 50;  // average number of variables for each step: 30 KB
// Number of literals up to which at-most-one is encoded pairwise.
constexpr size_t kPairwise = 6;

}  // namespace

bool Repair::attempt(Watch& watch) {
  open_gaps();
  return solve(kConflicts, std::numeric_limits<size_t>::max(), watch) == Answer::kSat;
}

Answer Repair::attempt_whole(Watch& watch) {
  if (walk_.board().num_free() > kMostWhole) return Answer::kUnknown;
  steps_.clear();
  for (int step = 0; step < walk_.num_steps(); ++step) {
    if (!walk_.is_given(step)) steps_.push_back(step);
  }
  number_steps();
  return solve(kConflictsOfWhole, kMostASquare * steps_.size(), watch);
}

// Finds squares for the opened steps; kUnsat if there are none, kUnknown also for too many
// variables.
Answer Repair::solve(int64_t num_conflicts, size_t most_vars, Watch& watch) {
  num_vars_ = 0;
  if (!number_squares(watch)) return Answer::kUnsat;
  if (num_vars_ > most_vars) return Answer::kUnknown;
  Solver solver;
  if (!write(solver)) return Answer::kUnsat;
  for (size_t i = 0; i < steps_.size(); ++i) {
    const Var var = rows_[i][walk_.at(steps_[i])];
    if (var != 0) solver.set_phase(positive(var));
  }
  const Answer answer = solver.solve({}, watch, num_conflicts);
  if (answer == Answer::kSat) apply_model(solver);
  return answer;
}

// Chooses a missed square and, in three of four cases, the nearest square of its colour that is
// visited twice.
void Repair::open_gaps() {
  std::vector<Square> missed, doubled;
  for (const Square square : walk_.wrong()) {
    (walk_.num_visits(square) == 0 ? missed : doubled).push_back(square);
  }
  const auto& board = walk_.board();
  const auto place = [&](Square square) {
    const Place at = board.place(square);
    return std::pair(at / board.columns(), at % board.columns());
  };
  const Square from = missed[random_.below(static_cast<uint32_t>(missed.size()))];
  const auto [row, column] = place(from);
  const bool is_any = random_.below(4) == 0;
  Square to = doubled[0];
  int64_t least = std::numeric_limits<int64_t>::max();
  for (const Square square : doubled) {
    const int64_t down = place(square).first - row, right = place(square).second - column;
    if ((down + right) % 2 != 0) continue;
    const int64_t cost = is_any ? random_.below(1 << 16) : down * down + right * right;
    if (cost < least) least = cost, to = square;
  }
  open_around(from, to);
}

// Opens gaps in the order of their distance to both squares, with some noise.
void Repair::open_around(Square missed, Square doubled) {
  const auto& board = walk_.board();
  std::vector<int64_t> near(board.num_squares());  // distances in sixteenths of a square
  const auto squared = [&](Square one, Square other) {
    const int64_t a = board.place(one), b = board.place(other), columns = board.columns();
    const int64_t down = a / columns - b / columns, right = a % columns - b % columns;
    return down * down + right * right;
  };
  const auto distance = [&](Square one, Square other) {
    int64_t root = 0;  // an integer root, equal on all platforms
    const int64_t square = 256 * squared(one, other);
    for (int64_t bit = 1 << 20; bit > 0; bit >>= 1) {
      if ((root + bit) * (root + bit) <= square) root += bit;
    }
    return root;
  };
  for (const Square square : walk_.open()) {
    near[square] = distance(square, missed) + distance(square, doubled);
  }
  std::vector<std::pair<int64_t, size_t>> order;
  for (size_t i = 0; i < walk_.gaps().size(); ++i) {
    const Walk::Gap& gap = walk_.gaps()[i];
    int64_t least = std::numeric_limits<int64_t>::max();
    for (int step = gap.before + 1; step < gap.after; ++step) {
      least = std::min(least, near[walk_.at(step)]);
    }
    order.emplace_back(least + random_.below(24), i);
  }
  std::ranges::sort(order);
  const size_t target = kLeastOpened + random_.below(kMostOpened - kLeastOpened + 1);
  steps_.clear();
  for (const auto& [cost, i] : order) {
    if (steps_.size() >= target) break;
    const Walk::Gap& gap = walk_.gaps()[i];
    for (int step = gap.before + 1; step < gap.after; ++step) steps_.push_back(step);
  }
  std::ranges::sort(steps_);
  number_steps();
}

void Repair::number_steps() {
  index_.assign(walk_.num_steps(), -1);
  for (size_t i = 0; i < steps_.size(); ++i) index_[steps_[i]] = static_cast<int32_t>(i);
}

// Makes a variable for each possible square of a step, given the possible squares of the preceding
// steps and, in a second pass, of the following ones. False if some step has none.
bool Repair::number_squares(Watch& watch) {
  is_left_.assign(walk_.board().num_squares(), 0);
  for (const Square square : walk_.open()) is_left_[square] = 1;
  for (int step = 0; step < walk_.num_steps(); ++step) {
    if (index_[step] < 0) is_left_[walk_.at(step)] = 0;
  }
  rows_.assign(steps_.size(), Row());
  for (size_t i = 0; i < steps_.size(); ++i) {
    rows_[i].assign(is_left_.size(), 0);
    for (const Square square : walk_.open()) {
      rows_[i][square] = is_left_[square] && may_come(steps_[i], square, -1);
    }
    watch.work(cost::kSquareOfRow * static_cast<int64_t>(is_left_.size()));
  }
  for (size_t i = steps_.size(); i-- > 0;) {
    const Var before = num_vars_;
    for (const Square square : walk_.open()) {
      if (rows_[i][square] == 0) continue;
      rows_[i][square] = may_come(steps_[i], square, 1) ? ++num_vars_ : 0;
    }
    if (num_vars_ == before) return false;
  }
  return true;
}

// Returns true if the walk may be a move away from the square one step before (-1) or after (1).
bool Repair::may_come(int step, Square square, int from) const {
  const int other = step + from;
  if (other < 0 || other >= walk_.num_steps()) return true;
  const int at = index(other);
  if (at < 0) return walk_.board().is_move(square, walk_.at(other));
  return std::ranges::any_of(walk_.board().moves(),
                             [&](Square move) { return rows_[at][square + move] != 0; });
}

// Writes clauses: each step has one square, and each square at most one step, exactly one if there
// are as many squares as steps. False if there are fewer squares than steps.
bool Repair::write(Solver& solver) {
  std::vector<std::vector<Lit>> groups;
  for (const Square square : walk_.open()) {
    std::vector<Lit> lits;
    for (const Row& row : rows_) {
      if (row[square] != 0) lits.push_back(positive(row[square]));
    }
    if (!lits.empty()) groups.push_back(std::move(lits));
  }
  const size_t num_squares = groups.size();
  if (num_squares < steps_.size()) return false;
  for (const Row& row : rows_) {
    std::vector<Lit> lits;
    for (const Square square : walk_.open()) {
      if (row[square] != 0) lits.push_back(positive(row[square]));
    }
    groups.push_back(std::move(lits));
  }
  solver.new_vars(num_vars_);
  for (size_t i = 0; i < groups.size(); ++i) {
    at_most_one(solver, groups[i]);
    if (i >= num_squares || num_squares == steps_.size()) solver.add(groups[i]);
  }
  for (size_t i = 0; i < steps_.size(); ++i) {
    require_neighbour(solver, i, -1);
    require_neighbour(solver, i, 1);
  }
  return true;
}

// Encodes at-most-one pairwise, or by a sequential counter (Sinz 2005).
void Repair::at_most_one(Solver& solver, const std::vector<Lit>& lits) {
  if (lits.size() <= kPairwise) {
    for (size_t i = 0; i < lits.size(); ++i) {
      for (size_t j = 0; j < i; ++j) {
        solver.add(std::array{negated(lits[i]), negated(lits[j])});
      }
    }
    return;
  }
  Var before = 0;  // true if one of the literals so far is
  for (size_t i = 0; i < lits.size(); ++i) {
    const Lit no = negated(lits[i]);
    if (before != 0) solver.add(std::array{no, negated(positive(before))});
    if (i + 1 == lits.size()) break;
    solver.new_vars(1);
    const Var so_far = ++num_vars_;
    solver.add(std::array{no, positive(so_far)});
    if (before != 0) solver.add(std::array{negated(positive(before)), positive(so_far)});
    before = so_far;
  }
}

// Writes clauses: each square of a step implies a square of the step before or after, a move away.
void Repair::require_neighbour(Solver& solver, size_t index, int direction) {
  const int other = this->index(steps_[index] + direction);
  if (other < 0) return;  // a given step: only squares a move away have variables
  std::vector<Lit> lits;
  for (const Square square : walk_.open()) {
    if (rows_[index][square] == 0) continue;
    lits.assign(1, negated(positive(rows_[index][square])));
    for (const Square move : walk_.board().moves()) {
      if (const Var var = rows_[other][square + move]; var != 0) lits.push_back(positive(var));
    }
    solver.add(lits);
  }
}

void Repair::apply_model(const Solver& solver) {
  for (size_t i = 0; i < steps_.size(); ++i) {
    for (const Square square : walk_.open()) {
      const Var var = rows_[i][square];
      if (var == 0 || !solver.is_true(var)) continue;
      if (walk_.at(steps_[i]) != square) walk_.put(steps_[i], square);
      break;
    }
  }
}

}  // namespace nonosat::knight
