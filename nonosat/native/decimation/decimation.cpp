#include "decimation/decimation.hpp"

#include <algorithm>
#include <cmath>

namespace nonosat {
namespace {

// kDecided: log-odds from which on a cell counts as decided. Cells between the other two bounds may
// be pushed: values of less certain cells are nearly random, more certain cells need no push.
constexpr double kDecided = 8, kLeastPushed = 1, kMostPushed = 5;
constexpr double kSettled = 0.95;  // share of decided cells above which no push is made
constexpr int kPushRounds = 15;    // rounds after each push
constexpr int kShares = 3;         // successive pushes take 30, 60 and 90 % of these cells in turn
constexpr double kLeastReach = 3;  // smallest distance from a dead end to the side of its box
constexpr int kWidenings = 20;     // dead ends after which the box is small again

}  // namespace

Decimation::Decimation(const Board& board, const Settings& settings)
    : board_(board),
      beliefs_(board_, settings.beliefs),
      settings_(settings),
      random_(settings.beliefs.seed) {}

// Propagates to the fixpoint to which releases return. False: the board has no solution.
bool Decimation::begin(Watch& watch) {
  if (!board_.propagate(watch)) return false;
  root_ = board_.mark();
  is_begun_ = true;
  rounds_left_ = settings_.first;
  return true;
}

// Runs the rounds that are left before the next step, up to the end of a budget. False: the board
// has no solution.
bool Decimation::run_rounds(Watch& watch, int64_t end) {
  const int64_t before = beliefs_.num_rounds();
  const bool is_consistent = beliefs_.run(watch, rounds_left_, end);
  rounds_left_ -= static_cast<int>(beliefs_.num_rounds() - before);
  return is_consistent;
}

auto Decimation::run(Watch& watch, int64_t budget, int64_t dead_ends) -> Outcome {
  const int64_t end = watch.done() + budget, last = num_released_ + dead_ends;
  if (!is_begun_ && !begin(watch)) return Outcome::kContradiction;
  while (!board_.is_complete()) {
    if (rounds_left_ > 0 && !run_rounds(watch, end)) return Outcome::kContradiction;
    if (watch.done() >= end || num_released_ >= last) return Outcome::kBudget;
    if (!step(watch)) return Outcome::kContradiction;
  }
  return Outcome::kComplete;
}

// Makes a push or fixes cells. Needs an incomplete board at its line fixpoint, and leaves it at
// one. False: the board has no solution.
bool Decimation::step(Watch& watch) {
  ++num_steps_;
  Choices open = beliefs_.choices(watch);
  const int64_t num_known = board_.num_cells() - std::ssize(open);
  if (num_known > most_known_) {
    most_known_ = num_known;
    num_dead_ends_ = 0;
  }
  if (!is_push_due(open)) return fix_some(open, watch);
  push(open);
  return true;
}

// Returns true if the next step is a push, because messages should decide more cells before any is
// fixed. The fewer cells are undecided, the fewer unsuccessful pushes are allowed: the remaining
// cells often have several solutions.
bool Decimation::is_push_due(const Choices& open) {
  if (!settings_.pushes) return false;
  const int64_t num_undecided = std::count_if(
      open.begin(), open.end(), [](const Choice& choice) { return choice.certainty <= kDecided; });
  const int64_t num_decided = board_.num_cells() - num_undecided;
  if (num_decided > most_decided_) {
    most_decided_ = num_decided;
    num_vain_ = 0;
  }
  const auto num_cells = static_cast<double>(board_.num_cells());
  if (static_cast<double>(num_decided) > kSettled * num_cells) return false;
  const double undecided = 1 - static_cast<double>(most_decided_) / num_cells;
  return static_cast<double>(num_vain_) < settings_.pushes * undecided * undecided;
}

// Makes messages treat some of the nearly decided cells as decided; rounds follow.
void Decimation::push(const Choices& open) {
  const uint64_t tenths = 3 * (1 + num_pushes_ % kShares);
  ++num_pushes_, ++num_vain_;
  for (const Choice& choice : open) {
    if (choice.certainty <= kLeastPushed || choice.certainty >= kMostPushed) continue;
    if (random_() % 10 < tenths) beliefs_.force(choice.cell, choice.value);
  }
  rounds_left_ = kPushRounds;
}

// Fixes the most certain share of the open cells, up to a dead end; the rounds of a step follow.
// False: the board has no solution, since a dead end occurred with nothing fixed.
bool Decimation::fix_some(Choices& open, Watch& watch) {
  const double share = settings_.pace * static_cast<double>(open.size());
  const auto last = open.begin() + std::clamp<int64_t>(std::llround(share), 1, std::ssize(open));
  std::partial_sort(open.begin(), last, open.end(), [](const Choice& one, const Choice& other) {
    return one.certainty != other.certainty ? one.certainty > other.certainty
                                            : one.cell < other.cell;
  });
  for (auto choice = open.begin(); choice != last; ++choice) {
    if (fix(*choice, watch)) continue;
    if (fixed_.empty()) return false;
    release(choice->cell, watch);
    break;
  }
  rounds_left_ = settings_.rounds;
  return true;
}

// Assigns a value to a cell, or removes the value if the lines refute it. False: they refute the
// removal too, so no value is left and the board is no longer at a fixpoint. True without a change
// if the cell has been decided meanwhile, or has lost the value.
bool Decimation::fix(const Choice& choice, Watch& watch) {
  if (board_.num_left(choice.cell) == 1 || !board_.may(choice.cell, choice.value)) return true;
  const size_t mark = board_.mark();
  board_.assign(choice.cell, choice.value);
  if (board_.propagate(watch)) {
    fixed_.push_back(choice);
    return true;
  }
  board_.undo(mark);
  ++num_refuted_;
  board_.remove(choice.cell, choice.value);
  return board_.propagate(watch);
}

// Releases the cells fixed near a dead end, at least the last one. Afterwards the board is at the
// line fixpoint of the cells that are still fixed, without the removals. Assigning all of them
// again and propagating once takes 0.1 ms (DECIMATION.md); keeping removals that depend on released
// cells would be unsound.
void Decimation::release(int cell, Watch& watch) {
  ++num_released_;
  ++num_dead_ends_;
  most_decided_ = num_vain_ = 0;
  const Cells near = settings_.pushes ? box_around(cell) : lines_near(cell);
  watch.work(board_.num_cells());
  fixed_.pop_back();
  std::erase_if(fixed_, [&](const Choice& choice) { return near[choice.cell]; });
  board_.undo(root_);
  root_ = board_.mark();
  for (const Choice& choice : fixed_) board_.assign(choice.cell, choice.value);
  board_.propagate(watch);  // always consistent: a subset of cells that were consistent
  for (int other = 0; other < board_.num_cells(); ++other) {
    if (near[other]) beliefs_.fade(other, settings_.keep);
  }
}

// Returns the cells of a box around a dead end. The box grows with each dead end since the record
// of known cells, and is small again after `kWidenings` of them.
auto Decimation::box_around(int cell) const -> Cells {
  const int width = board_.width(), row = cell / width, column = cell % width;
  const double widenings = static_cast<double>(num_dead_ends_ % kWidenings);
  const double further = kLeastReach + settings_.widen * widenings;
  const int reach = static_cast<int>(std::min<double>(further, board_.num_lines()));
  const int top = std::max(row - reach, 0), bottom = std::min(row + reach, board_.height() - 1);
  const int left = std::max(column - reach, 0), right = std::min(column + reach, width - 1);
  Cells near(board_.num_cells(), 0);
  for (int y = top; y <= bottom; ++y) {
    std::fill_n(near.begin() + y * width + left, right - left + 1, 1);
  }
  return near;
}

// Returns the cells of the two lines of a dead end, and of random lines near it: `widen` of them
// for each dead end since the record of known cells. On boards of 25x25 boxes are too similar to
// each other, and leave an engine four times as much work (DECIMATION.md).
auto Decimation::lines_near(int cell) -> Cells {
  const int height = board_.height(), width = board_.width();
  const int row = cell / width, column = cell % width;
  Cells near(board_.num_cells(), 0);
  const auto take_row = [&](int y) { std::fill_n(near.begin() + y * width, width, 1); };
  const auto take_column = [&](int x) {
    for (int y = 0; y < height; ++y) near[y * width + x] = 1;
  };
  take_row(row);
  take_column(column);
  const double more = settings_.widen * static_cast<double>(num_dead_ends_ - 1);
  const int count = static_cast<int>(std::min<double>(more, board_.num_lines()));
  for (int i = 0; i < count; ++i) {
    const int away = static_cast<int>(random_() % (2 * count + 5)) - count - 2;
    if (i % 2) {
      take_row(std::clamp(row + away, 0, height - 1));
    } else {
      take_column(std::clamp(column + away, 0, width - 1));
    }
  }
  return near;
}

}  // namespace nonosat
