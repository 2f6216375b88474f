#include "strategy/strategy.hpp"

#include <algorithm>
#include <utility>

#include "board/dive.hpp"
#include "search/search.hpp"
#include "strategy/neighbours.hpp"

namespace nonosat::strategy {
namespace {

constexpr int64_t kPiece = 5'000'000;  // units of a decimation: it does not bear to be stopped
constexpr int64_t kPause = 100'000;    // after which the watch looks at the clock
constexpr int64_t kForEver = int64_t{1} << 60;

bool is_complete(const Cells& cells) {
  return std::find(cells.begin(), cells.end(), Board::kOpen) == cells.end();
}

}  // namespace

const Strategy::Stage Strategy::kStages[] = {
    {"neighbours", &Strategy::look_close, When::kAlways},
    {"propagate", &Strategy::propagate, When::kAlways},
    {"probe", &Strategy::probe, When::kAlways},
    {"search", &Strategy::search, When::kWithoutFirst},
    {"dive", &Strategy::dive, When::kWithoutFirst},
    {"neighbours", &Strategy::look_close, When::kWithoutPicture},
    {"prices", &Strategy::price, When::kAlways},
    {"decimate", &Strategy::decimate, When::kManyLikely},
    {"solve", &Strategy::solve, When::kAlways},
};

Strategy::Strategy(const Board& board, Known known, const Budgets& budgets)
    : budgets_(budgets),
      edited_(std::move(known.edited)),
      board_(board),
      has_picture_(!known.picture.empty() && is_solution(board, known.picture)),
      probing_left_(budgets.probing),
      next_pause_(budgets.pause) {
  if (!has_picture_) {
    edited_.reset();
    stage_ = 1;
    return;
  }
  first_ = std::move(known.picture);
  close_left_ = budgets.near_picture;
  const int64_t num_cells = std::max<int64_t>(budgets.probed_cells, board.num_cells());
  probing_left_ = budgets.probing_beside * num_cells;
}

const char* Strategy::stage() const { return pricing_ ? "prices" : kStages[stage_].name; }

void Strategy::step(Watch& watch) {
  if (verdict_ != Verdict::kOpen) return;
  watch.work(kPause);
  if (pricing_) {
    run_prices(watch);
  } else if (work(watch)) {
    ++stage_;
  }
  if (verdict_ == Verdict::kOpen && !pricing_) skip();
}

// Goes on to the next stage that there is a reason for.
void Strategy::skip() {
  const auto is_wanted = [&](When when) {
    switch (when) {
      case When::kAlways:
        return true;
      case When::kWithoutPicture:
        return !has_picture_;
      case When::kWithoutFirst:
        return first_.empty();
      case When::kManyLikely:
        break;
    }
    // With a picture only if most of the board is open: such a board has many solutions, and
    // decimation reaches another one sooner than the engine does from the picture (60x60 at 40 %:
    // 0.02 to 0.2 s in place of 2.4).
    const auto num_open = static_cast<int>(board_.open_cells().size());
    return first_.empty() || (has_picture_ && !edited_ && 2 * num_open > board_.num_cells());
  };
  while (!is_wanted(kStages[stage_].when)) ++stage_;
}

void Strategy::presolve(Watch& watch) {
  for (; stage_ <= kProbe; ++stage_) work(watch);
}

// Works on the stage. True: it is over.
bool Strategy::work(Watch& watch) {
  const auto work = kStages[stage_].work;  // apart: GCC 12 checks the index wrongly in the call
  return (this->*work)(watch);
}

// Takes a solution. True: it is another one than the first, and the verdict is known.
bool Strategy::take(const Cells& cells) {
  if (first_.empty()) {
    first_ = cells;
    has_turn_ = false;
  }
  if (cells == first_) return false;
  second_ = cells;
  verdict_ = Verdict::kMultiple;
  return true;
}

// Takes the first solution, then looks for another one by what costs less than the engine.
void Strategy::take_first(const Cells& cells, int64_t num_close) {
  take(cells);
  close_left_ = num_close;
  Watch free;
  look_close(free);
  // The marginals of this board have led to no solution before.
  if (verdict_ == Verdict::kOpen) begin_prices(false, budgets_.prices, false);
}

// There are no solutions but the one that is known, if one is.
void Strategy::end_without_others() {
  verdict_ = first_.empty() ? Verdict::kUnsolvable : Verdict::kUnique;
}

// Draws the conclusions from a board of which values were ruled out.
void Strategy::note_board() {
  if (verdict_ != Verdict::kOpen) return;
  if (board_.is_complete()) {
    take(board_.cells());
    end_without_others();
  } else if (edited_ && ends().empty()) {
    end_without_others();
  }
}

bool Strategy::look_close(Watch& watch) {
  if (first_.empty()) return true;
  const auto found = whole_(watch, [&](Watch& used) {
    return neighbours(board_, first_, static_cast<size_t>(budgets_.neighbours), used);
  });
  if (!found.empty()) take(found.front());
  return true;
}

bool Strategy::propagate(Watch& watch) {
  if (board_.propagate(watch)) {
    note_board();
  } else {
    end_without_others();
  }
  return true;
}

bool Strategy::probe(Watch& watch) {
  if (!prober_) prober_.emplace(board_);
  const int64_t before = watch.done();
  Progress progress;
  try {
    progress = prober_->run(watch, before + probing_left_);
  } catch (const Stopped&) {
    probing_left_ -= watch.done() - before;
    throw;
  }
  if (progress == Progress::kContradiction) {
    end_without_others();
  } else {
    note_board();
  }
  return true;
}

bool Strategy::search(Watch& watch) {
  if (!first_.empty()) return true;
  return whole_(watch, [&](Watch& used) {
    Board board = board_;
    Search search(board, *prober_);
    const int64_t end = used.done() + budgets_.search * board.num_values();
    while (verdict_ == Verdict::kOpen && used.done() < end) {
      const auto outcome = search.next(used, end - used.done());
      if (outcome == Search::Outcome::kSolution) take(board.cells());
      if (outcome == Search::Outcome::kExhausted) end_without_others();
    }
    return true;
  });
}

bool Strategy::dive(Watch& watch) {
  if (!first_.empty()) return true;
  return whole_(watch, [&](Watch& used) {
    Dives dives(board_);
    const auto num_open = static_cast<int64_t>(board_.open_cells().size());
    if (dives.run(used, budgets_.dive * num_open)) take(dives.cells());
    return true;
  });
}

bool Strategy::price(Watch&) {
  begin_prices(true, has_picture_ ? budgets_.prices_beside : budgets_.prices, false);
  return true;
}

void Strategy::begin_prices(bool with_marginals, int64_t work, bool is_patient) {
  const Pricing::How how{work, budgets_.telling_sweeps, is_patient, with_marginals};
  pricing_ = std::make_unique<Pricing>(board_, first_, how);
}

void Strategy::run_prices(Watch& watch) {
  auto outcome = Pricing::Outcome::kSolution;
  while (verdict_ == Verdict::kOpen && outcome == Pricing::Outcome::kSolution) {
    outcome = pricing_->run(watch);
    if (outcome == Pricing::Outcome::kRefuted) end_without_others();
    if (outcome == Pricing::Outcome::kSolution && !take(pricing_->solution())) look_close(watch);
  }
  num_sweeps_ = std::max(num_sweeps_, pricing_->num_sweeps());
  pricing_.reset();
  note_board();
}

// The result of a decimation; empty if it refutes the board, which has no solution then.
Cells Strategy::decimated(const Attempt& attempt, Watch& watch) {
  if (!decimation_) {
    decimation_ = std::make_unique<Decimation>(board_, attempt.settings);
    decimating_ = 0;
  }
  const int64_t most = attempt.effort * board_.num_cells() * board_.num_lines();
  auto outcome = Decimation::Outcome::kBudget;
  while (outcome == Decimation::Outcome::kBudget && decimating_ < most) {
    Watch free;
    outcome = decimation_->run(free, std::min(kPiece, most - decimating_), attempt.dead_ends);
    decimating_ += free.done();
    if (outcome == Decimation::Outcome::kBudget && free.done() < kPiece) break;  // dead ends
    watch.work(kPause);
  }
  Cells cells = decimation_->cells();
  decimation_.reset();
  if (outcome == Decimation::Outcome::kContradiction) cells.clear();
  return cells;
}

// Decimates from one start after another.
bool Strategy::decimate(Watch& watch) {
  if (!attempts_) {
    const auto num_open = static_cast<int64_t>(board_.open_cells().size());
    attempts_ = attempts_for(num_open, budgets_);
    is_large_ = num_open >= budgets_.large_open;
  }
  for (; num_attempted_ < attempts_->size() && verdict_ == Verdict::kOpen; ++num_attempted_) {
    reached_ = decimated((*attempts_)[num_attempted_], watch);
    if (reached_.empty()) {
      end_without_others();
    } else if (is_complete(reached_) && first_.empty()) {
      take_first(reached_, budgets_.close);
      return true;
    } else if (is_complete(reached_)) {
      take(reached_);
    }
  }
  return true;
}

// A turn of the engine, or what is left of it; pauses for prices come in between.
bool Strategy::solve(Watch& watch) {
  if (!engine_) {
    engine_ = whole_(watch, [&](Watch& used) { return std::make_unique<Engine>(board_, 0, used); });
  }
  engine_->narrow(board_);
  if (!has_turn_) begin_turn(watch);
  const int64_t end = std::min(turn_end_, next_pause_);
  const auto answer = engine_->solve(watch, end - engine_->num_conflicts());
  if (answer == learn::Answer::kUnsat) end_without_others();
  if (answer == learn::Answer::kSat) {
    has_turn_ = false;
    if (first_.empty()) {
      take_first(engine_->found(), budgets_.near);
    } else {
      take(engine_->found());
    }
  }
  if (verdict_ != Verdict::kOpen || pricing_) return false;
  const int64_t num_conflicts = engine_->num_conflicts();
  if (num_conflicts >= turn_end_) has_turn_ = false;
  if (num_conflicts >= next_pause_) {
    if (num_sweeps_ >= budgets_.promising_sweeps) {
      begin_prices(true, budgets_.patient_prices * next_pause_, true);
    }
    next_pause_ = 2 * std::max<int64_t>(num_conflicts, 1);
  }
  return false;
}

void Strategy::begin_turn(Watch& watch) {
  if (first_.empty()) {
    begin_led_turn(watch);
  } else {
    begin_turn_for_second();
  }
  has_turn_ = true;
}

// The engine looks for a first solution, in turns that grow. It follows decimations from other
// starts again and again, or decides on its own; in the last turn it does.
void Strategy::begin_led_turn(Watch& watch) {
  const bool is_last = turn_ >= budgets_.led_turns;
  const int64_t num_conflicts = budgets_.turn * (turn_ + 1);
  turn_end_ = is_last ? kForEver : engine_->num_conflicts() + num_conflicts;
  if (is_last || is_alone_) {
    engine_->set_phases(Cells());
    is_alone_ = false;
    ++turn_;
    return;
  }
  const Attempt start = is_large_ ? attempts_->back() : further_attempt();
  const bool is_reached = is_large_ && turn_ == 0;
  const Cells phases = is_reached ? reached_ : decimated(restarted(start, turn_), watch);
  if (phases.empty()) return end_without_others();
  engine_->set_phases(phases);
  is_alone_ = turn_ + 1 >= budgets_.alone_from;
  if (!is_alone_) ++turn_;
}

void Strategy::begin_turn_for_second() {
  engine_->ask_unlike(first_, ends());
  engine_->set_phases(close_left_ > 0 ? first_ : Cells());
  turn_end_ = close_left_ > 0 ? engine_->num_conflicts() + close_left_ : kForEver;
  close_left_ = 0;
}

// Where a second solution differs from the first one: the open cells; near a cell that was edited,
// at or before the cell that comes next in its row or column, and at or behind the one before it.
std::vector<Ends> Strategy::ends() const {
  if (!edited_) {
    const std::vector<int> open = board_.open_cells();
    return {{open, open}};
  }
  std::vector<Ends> found;
  const Cells cells = board_.cells();
  const auto consider = [&](int first, int step, int length, int place) {
    Ends pair;
    for (int at = 0; at < length; ++at) {
      const int cell = first + at * step;
      if (cells[cell] != Board::kOpen) continue;
      if (at <= place + 1) pair.first.push_back(cell);
      if (at >= place - 1) pair.second.push_back(cell);
    }
    if (!pair.first.empty() && !pair.second.empty()) found.push_back(std::move(pair));
  };
  const int height = board_.height(), width = board_.width();
  for (const int cell : *edited_) {
    const int row = cell / width, column = cell % width;
    consider(row * width, 1, width, column);
    consider(column, width, height, row);
  }
  return found;
}

}  // namespace nonosat::strategy
