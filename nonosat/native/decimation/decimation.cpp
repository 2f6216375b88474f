#include "decimation/decimation.hpp"

#include <algorithm>
#include <cmath>

namespace nonosat {

Decimation::Decimation(const Board& board, const Settings& settings)
    : board_(board),
      beliefs_(board_, settings.beliefs),
      settings_(settings),
      random_(settings.beliefs.seed) {}

// Makes the fixpoint to which releases go back, and does the first rounds. False: the board has no
// solution.
bool Decimation::begin(Watch& watch) {
  if (!board_.propagate(watch)) return false;
  root_ = board_.mark();
  is_begun_ = true;
  return beliefs_.run(watch, settings_.first);
}

auto Decimation::run(Watch& watch, int64_t budget, int64_t dead_ends) -> Outcome {
  const int64_t end = watch.done() + budget, last = num_released_ + dead_ends;
  if (!is_begun_ && !begin(watch)) return Outcome::kContradiction;
  while (!board_.is_complete()) {
    if (watch.done() >= end || num_released_ >= last) return Outcome::kBudget;
    if (!step(watch)) return Outcome::kContradiction;
  }
  return Outcome::kComplete;
}

// Fixes the most certain share of the open cells, up to a dead end, and does the rounds after.
// Needs an incomplete board at its line fixpoint, and leaves it at one. False: the board has no
// solution, for a dead end was met with nothing fixed.
bool Decimation::step(Watch& watch) {
  ++num_steps_;
  std::vector<Choice> open = beliefs_.choices(watch);
  const int64_t num_known = board_.num_cells() - std::ssize(open);
  if (num_known > most_known_) {
    most_known_ = num_known;
    num_dead_ends_ = 0;
  }
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
  return board_.is_complete() || beliefs_.run(watch, settings_.rounds);
}

// Gives a cell its value, or excludes the value where the lines refute it. False: they refute the
// exclusion too, so no value is left and the board is no longer at a fixpoint. True without a
// change where the cell has been settled meanwhile, or has lost the value.
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

// Takes back the cells fixed near a dead end, at least the last one; afterwards the board is at the
// line fixpoint of what is still fixed, without the exclusions. Putting it all in again and
// propagating once takes 0.1 ms (DECIMATION.md); keeping exclusions that depend on what was
// released would not be sound.
void Decimation::release(int cell, Watch& watch) {
  ++num_released_;
  const std::vector<uint8_t> near = lines_near(cell);
  ++num_dead_ends_;
  const int height = board_.height(), width = board_.width();
  fixed_.pop_back();
  std::erase_if(fixed_, [&](const Choice& choice) {
    return near[choice.cell / width] || near[height + choice.cell % width];
  });
  board_.undo(root_);
  root_ = board_.mark();
  for (const Choice& choice : fixed_) board_.assign(choice.cell, choice.value);
  board_.propagate(watch);  // a part of what was consistent is so
  beliefs_.fade(settings_.keep);
}

// By line, rows first: whether it is one of the cell's two lines, or one of those drawn at random
// near it, `widen` for each dead end since more cells were known than ever.
std::vector<uint8_t> Decimation::lines_near(int cell) {
  const int height = board_.height(), width = board_.width();
  const int row = cell / width, column = cell % width;
  std::vector<uint8_t> near(board_.num_lines(), 0);
  near[row] = near[height + column] = 1;
  const double more = settings_.widen * static_cast<double>(num_dead_ends_);
  const int count = static_cast<int>(std::min<double>(more, board_.num_lines()));
  for (int i = 0; i < count; ++i) {
    const int away = static_cast<int>(random_() % (2 * count + 5)) - count - 2;
    if (i % 2) {
      near[std::clamp(row + away, 0, height - 1)] = 1;
    } else {
      near[height + std::clamp(column + away, 0, width - 1)] = 1;
    }
  }
  return near;
}

}  // namespace nonosat
