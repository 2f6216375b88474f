#include "strategy/strategy.hpp"

#include <algorithm>
#include <cstddef>
#include <utility>

#include "board/dive.hpp"
#include "strategy/neighbours.hpp"

namespace nonosat::strategy {
namespace {

constexpr int64_t kPiece = 5'000'000;  // units of a decimation without poll: it cannot be stopped
constexpr int64_t kPause = 100'000;    // units of work after which the watch reads the clock

constexpr size_t kNeighbourBytes = size_t{1} << 28;  // memory of the pictures made in one step

bool is_complete(const Cells& cells) {
  return std::find(cells.begin(), cells.end(), Board::kOpen) == cells.end();
}

}  // namespace

const Strategy::Stage Strategy::kStages[] = {
    {"neighbours", &Strategy::try_neighbours, When::kAlways},
    {"propagate", &Strategy::propagate, When::kAlways},
    {"probe", &Strategy::probe, When::kAlways},
    {"search", &Strategy::search, When::kWithoutPicture},
    {"dive", &Strategy::dive, When::kSettled},
    {"neighbours", &Strategy::try_neighbours, When::kWithFirst},
    {"prices", &Strategy::price, When::kWithoutSecond},
    {"decimate", &Strategy::decimate, When::kManyLikely},
    {"solve", &Strategy::solve, When::kAlways},
};

Strategy::Strategy(const Board& board, Known known, const Budgets& budgets, Options options)
    : budgets_(budgets),
      options_(std::move(options)),
      edited_(std::move(known.edited)),
      board_(board),
      has_picture_(!known.picture.empty() && is_solution(board, known.picture)),
      probing_left_(budgets.probing),
      turns_(budgets, options_.is_led, true) {
  if (known.prober) prober_.emplace(*known.prober, board_);
  if (!has_picture_) {
    edited_.reset();
    stage_ = known.is_presolved ? kSearch : 1;
    return;
  }
  take(known.picture);
  turns_.stay_near(budgets.near_picture);
  const int64_t num_cells = std::max<int64_t>(budgets.probed_cells, board.num_cells());
  probing_left_ = budgets.probing_beside * num_cells;
}

const char* Strategy::stage() const {
  if (tries_neighbours_) return "neighbours";
  return pricing_ ? "prices" : kStages[stage_].name;
}

void Strategy::step(Watch& watch) {
  if (verdict_ != Verdict::kOpen) return;
  watch.work(kPause);
  if (tries_neighbours_) {
    tries_neighbours_ = !try_neighbours(watch);
  } else if (pricing_) {
    run_prices(watch);
  } else if (work(watch)) {
    ++stage_;
  }
  if (verdict_ == Verdict::kOpen && !tries_neighbours_ && !pricing_) skip();
}

// Skips stages whose condition does not hold.
void Strategy::skip() {
  const auto is_due = [&](When when) {
    switch (when) {
      case When::kAlways:
        return true;
      case When::kWithFirst:
        return !has_picture_ && !solutions_.empty();
      case When::kWithoutPicture:
        return !has_picture_;
      case When::kSettled:
        return solutions_.empty() && board_.is_at_fixpoint();
      case When::kWithoutSecond:
        return solutions_.size() < 2;
      case When::kManyLikely:
        break;
    }
    // With a picture, decimate only if most of the board is open: such a board has many solutions,
    // and decimation finds a second one sooner than the engine does from the picture (60x60 at
    // 40 %: 0.02 to 0.2 s instead of 2.4 s).
    const auto num_open = static_cast<int>(board_.open_cells().size());
    const bool is_likely = has_picture_ && !edited_ && 2 * num_open > board_.num_cells();
    return (solutions_.empty() || is_likely) && !decimations().empty();
  };
  while (!is_due(kStages[stage_].when)) ++stage_;
}

void Strategy::presolve(Watch& watch) {
  for (; stage_ <= kProbe; ++stage_) work(watch);
}

// Works on the current stage; returns true at its end.
bool Strategy::work(Watch& watch) {
  const auto work = kStages[stage_].work;  // a variable: GCC 12 misjudges the index in the call
  return (this->*work)(watch);
}

// Stores a solution; returns true if it is new.
bool Strategy::take(Cells cells) {
  if (!solutions_.add(std::move(cells))) return false;
  if (solutions_.size() == 1) {
    turn_.reset();
    return true;
  }
  pricing_.reset();  // prices can exclude only one solution
  if (solutions_.size() >= options_.num_solutions) verdict_ = Verdict::kMultiple;
  return true;
}

// Stores the first solution; the next steps search for a second one by means cheaper than the
// engine.
void Strategy::take_first(const Cells& cells, int64_t num_close) {
  take(cells);
  turns_.stay_near(num_close);
  tries_neighbours_ = true;
  // The marginals of this board did not lead to a solution, so they are not tried again.
  begin_prices(false, budgets_.prices, false);
}

void Strategy::take_found(const Cells& cells) {
  if (solutions_.empty()) {
    take_first(cells, 0);
  } else {
    take(cells);
  }
}

// Sets the verdict: no solutions exist besides the stored ones.
void Strategy::end_without_others() {
  constexpr Verdict kByNumber[] = {Verdict::kUnsolvable, Verdict::kUnique, Verdict::kMultiple};
  verdict_ = kByNumber[std::min<size_t>(2, solutions_.size())];
  is_exhausted_ = true;
}

// Sets the verdict if the values removed from the board determine it.
void Strategy::note_board() {
  if (verdict_ != Verdict::kOpen) return;
  if (board_.is_complete()) {
    take(board_.cells());
    end_without_others();
  } else if (edited_ && ends().empty()) {
    end_without_others();
  }
}

// Stores one neighbour, which proves that there are several solutions, then the other neighbours.
bool Strategy::try_neighbours(Watch& watch) {
  const size_t num_fitting = kNeighbourBytes / std::max<size_t>(1, solutions_.first().size());
  const size_t all = std::min({options_.num_solutions - 1, static_cast<size_t>(budgets_.neighbours),
                               std::max<size_t>(1, num_fitting)});
  const bool is_first = solutions_.size() == 1 && all > 1;
  auto found = whole_(watch, [&](Watch& used) {
    return neighbours(board_, solutions_.first(), is_first ? 1 : all, used);
  });
  const size_t before = solutions_.size();
  for (Cells& cells : found) take(std::move(cells));
  counts_.neighbours += static_cast<int64_t>(solutions_.size() - before);
  return !is_first || found.empty();
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
  return whole_(watch, [&](Watch& used) {
    try {
      return go_on_searching(used);
    } catch (const Stopped&) {
      searching_.reset();  // it restarts; solutions that it finds again are not new
      throw;
    }
  });
}

// Continues the native search up to its next solution, which ends the step.
bool Strategy::go_on_searching(Watch& watch) {
  if (!searching_) {
    searching_ = std::make_unique<Searching>(board_);
    Board& board = searching_->board;
    if (prober_) {
      searching_->search.emplace(board, *prober_);
    } else if (board.propagate(watch)) {
      searching_->search.emplace(board);
    } else {
      end_without_others();
      return true;
    }
  }
  const int64_t budget = budgets_.search * board_.num_values();
  const auto outcome = searching_->search->next(watch, budget);
  counts_.nodes = searching_->search->num_nodes();
  if (outcome == SearchOutcome::kSolution) take(searching_->board.cells());
  if (outcome == SearchOutcome::kExhausted) end_without_others();
  if (outcome == SearchOutcome::kBudget) searching_.reset();
  return outcome != SearchOutcome::kSolution;
}

bool Strategy::dive(Watch& watch) {
  return whole_(watch, [&](Watch& used) {
    Dives dives(board_);
    const auto num_open = static_cast<int64_t>(board_.open_cells().size());
    if (dives.run(used, budgets_.dive * num_open)) take(dives.cells());
    counts_.decisions = dives.num_decisions();
    return true;
  });
}

bool Strategy::price(Watch& watch) {
  if (board_.propagate(watch)) {
    begin_prices(true, has_picture_ ? budgets_.prices_beside : budgets_.prices, false);
  } else {
    end_without_others();
  }
  return true;
}

void Strategy::begin_prices(bool with_marginals, int64_t work, bool is_patient) {
  const Pricing::How how{work, budgets_.cell_sweeps, is_patient, with_marginals};
  pricing_ = std::make_unique<Pricing>(board_, solutions_.first(), how);
}

void Strategy::run_prices(Watch& watch) {
  auto outcome = Pricing::Outcome::kOpen;
  try {
    outcome = pricing_->run(watch);
  } catch (const std::bad_alloc&) {  // later attempts may need less
  }
  counts_.sweeps = pricing_->num_sweeps();
  counts_.bound = pricing_->bound();
  num_sweeps_ = std::max(num_sweeps_, counts_.sweeps);
  if (outcome == Pricing::Outcome::kSolution) {
    const bool is_first = solutions_.empty();
    take(Cells(pricing_->solution()));
    tries_neighbours_ = is_first;
    return;
  }
  if (outcome == Pricing::Outcome::kRefuted && solutions_.empty()) refuting_ = std::move(pricing_);
  pricing_.reset();
  if (outcome == Pricing::Outcome::kRefuted) end_without_others();
  note_board();
}

// Starts or continues a decimation. Returns false if it refutes the board, which then has no
// further solution.
bool Strategy::run_decimation(const Attempt& attempt, Watch& watch) {
  if (!is_decimating_) {
    decimation_ = std::make_unique<Decimation>(board_, attempt.settings);
    is_decimating_ = true;
    decimated_ = 0;
  }
  const int64_t most = attempt.effort * board_.num_cells() * board_.num_lines();
  auto outcome = Decimation::Outcome::kBudget;
  while (outcome == Decimation::Outcome::kBudget && decimated_ < most) {
    const int64_t dead_ends = attempt.dead_ends - decimation_->num_released();
    if (dead_ends <= 0) break;
    Watch free;
    outcome = decimation_->run(free, std::min(kPiece, most - decimated_), dead_ends);
    decimated_ += free.done();
    watch.work(kPause);
  }
  is_decimating_ = false;
  if (outcome == Decimation::Outcome::kContradiction) end_without_others();
  return outcome != Decimation::Outcome::kContradiction;
}

const std::vector<Attempt>& Strategy::decimations() {
  if (!options_.decimations) {
    const auto num_open = static_cast<int64_t>(board_.open_cells().size());
    options_.decimations = attempts_for(num_open, budgets_);
    is_large_ = num_open >= budgets_.large_open;
  }
  return *options_.decimations;
}

// Runs the decimations of the table, each from the board as it is.
bool Strategy::decimate(Watch& watch) {
  for (; num_attempted_ < decimations().size() && verdict_ == Verdict::kOpen; ++num_attempted_) {
    const Attempt& attempt = decimations()[num_attempted_];
    const bool is_consistent = run_decimation(attempt, watch);
    counts_.attempt = attempt;
    counts_.steps += decimation_->num_steps();
    counts_.pushes += decimation_->num_pushes();
    counts_.rounds += decimation_->num_rounds();
    counts_.refuted += decimation_->num_refuted();
    counts_.released += decimation_->num_released();
    ++counts_.times;
    if (!is_consistent) return true;
    const Cells cells = decimation_->cells();
    if (!is_complete(cells)) continue;
    ++counts_.complete;
    if (!solutions_.empty()) {
      take(cells);
      continue;
    }
    take_first(cells, budgets_.close);
    return true;
  }
  return true;
}

void Strategy::take_decimated(const Cells& cells) {
  ++stage_;
  if (cells.empty()) {
    end_without_others();
  } else if (is_complete(cells)) {
    take_first(cells, budgets_.close);
  } else {
    skip();
  }
}

// Runs a turn of the engine, or the rest of it.
bool Strategy::solve(Watch& watch) {
  if (!engine_) {
    engine_ = whole_(watch, [&](Watch& used) { return std::make_unique<Engine>(board_, 0, used); });
  }
  engine_->narrow(board_);
  if (!turn_) {
    turn_ = next_turn();
    has_begun_ = false;
  }
  if (!has_begun_) begin_turn(watch);
  if (verdict_ != Verdict::kOpen) return false;
  const auto answer = engine_->solve(watch, turn_end_ - engine_->num_conflicts());
  if (answer == learn::Answer::kUnsat) end_without_others();
  if (answer == learn::Answer::kSat && solutions_.empty()) {
    take_first(engine_->found(), budgets_.near);
  } else if (answer == learn::Answer::kSat) {
    take(engine_->found());
  } else if (answer == learn::Answer::kUnknown && engine_->num_conflicts() >= turn_end_) {
    if (turn_->pauses) pause();
    turn_.reset();
  }
  return false;
}

void Strategy::pause() {
  if (solutions_.size() > 1 || num_sweeps_ < budgets_.promising_sweeps) return;
  begin_prices(true, budgets_.patient_prices * (budgets_.pause << num_pauses_++), true);
}

// Prepares the engine for a turn. As long as no solution is known, its phases come from
// decimations, or it has none; afterwards it searches for a second solution.
void Strategy::begin_turn(Watch& watch) {
  if (!solutions_.empty()) {
    if (!std::exchange(seeks_second_, true)) engine_->require_unlike(solutions_.first(), ends());
    engine_->set_phases(turn_->is_near ? solutions_.first() : Cells());
  } else if (turn_->restart < 0) {
    engine_->set_phases(Cells());
  } else if (!follow(turn_->restart, watch)) {
    return;
  }
  turn_end_ = engine_->num_conflicts() + turn_->num_conflicts;
  has_begun_ = true;
}

// Sets phases from a decimation. Returns false if that refutes the board.
bool Strategy::follow(int restart, Watch& watch) {
  const Attempt start = is_large_ ? decimations().back() : further_attempt();
  const bool is_reached = is_large_ && restart == 0;
  if (!is_reached && !run_decimation(restarted(start, restart), watch)) return false;
  engine_->set_phases(decimation_->cells());
  return true;
}

// Cells in which a second solution differs from the first one: the open cells. If the picture was
// edited: for a row or column of an edited cell, some cell up to the one after it, and some cell
// from the one before it on.
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
