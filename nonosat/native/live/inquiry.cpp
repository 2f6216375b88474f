#include "live/inquiry.hpp"

#include <algorithm>
#include <utility>

#include "board/dive.hpp"
#include "board/trial.hpp"
#include "puzzles/switches.hpp"
#include "search/search.hpp"

namespace nonosat::live {
namespace {

// Units of work, about a nanosecond each where the core is native, several in WebAssembly.
constexpr int64_t kProbing = 500'000'000;
constexpr int64_t kProbingBeside = 20'000;  // for each cell, of which a solution is known, and
constexpr int64_t kLeastBeside = 1'000 * kProbingBeside;
constexpr int64_t kSearching = 150'000;  // for each value of a cell
constexpr int64_t kDiving = 2'000;       // for each open cell
constexpr int64_t kPricing = 1'000'000'000;
constexpr int64_t kPricingBeside = 5'000'000;
constexpr int64_t kDecimating = 5'000'000;  // at a time: it does not bear to be stopped
constexpr int64_t kPause = 100'000;         // after which the watch looks at the clock
constexpr int64_t kForEver = int64_t{1} << 60;

constexpr int kQuick = 3;         // decimations before there is an engine
constexpr int kLedTurns = 14;     // of the engine, that follow a decimation
constexpr int kAloneFrom = 3;     // from this turn on, a turn of its own follows each of these
constexpr int kConflicts = 500;   // of the first turn; the k-th has k times as many
constexpr int kLeastSweeps = 12;  // before them prices tell nothing of single cells
constexpr size_t kMostSwitches = 256;

// Long steps, which lead straight to a solution of most boards that have many (board/decimation.py
// has the measurements).
struct Attempt {
  Decimation::Settings settings;
  int64_t effort, dead_ends;
};
Attempt attempt(int turn) {
  Decimation::Settings settings;
  settings.beliefs = {0.05, 15, 0.1, static_cast<uint64_t>(turn)};
  settings.first = 15;
  settings.rounds = 2;
  settings.pace = 0.2;
  settings.keep = 1;
  if (turn < kQuick) return {settings, 150, 30};
  const int times = 1 + (turn - kQuick) / 2;
  if ((turn - kQuick) % 2) settings.beliefs.damping += 0.25;
  return {settings, 200 * times, 60 * times};
}

}  // namespace

Board board_of(const Puzzle& puzzle, Watch& watch) {
  Board board(puzzle.num_colours, puzzle.rows, puzzle.columns, watch);
  for (size_t cell = 0; cell < puzzle.given.size(); ++cell) {
    if (puzzle.given[cell] != Board::kOpen) {
      board.assign(static_cast<int>(cell), puzzle.given[cell]);
    }
  }
  return board;
}

Inquiry::Inquiry(const Puzzle& puzzle, size_t max_bytes, Watch& watch)
    : puzzle_(puzzle),
      board_(board_of(puzzle, watch)),
      max_bytes_(max_bytes),
      probing_left_(puzzle.picture.empty()
                        ? kProbing
                        : std::max(kLeastBeside, kProbingBeside * board_.num_cells())),
      differing_(static_cast<size_t>(board_.num_cells())) {}

void Inquiry::judge(Watch& watch) {
  static constexpr Step kSteps[] = {
      &Inquiry::propagate,      &Inquiry::probe,  &Inquiry::look_at_picture, &Inquiry::search,
      &Inquiry::dive,           &Inquiry::price,  &Inquiry::decimate,        &Inquiry::lead,
      &Inquiry::switch_corners, &Inquiry::settle, &Inquiry::seek_rival,
  };
  while (verdict_ == Verdict::kOpen) {
    const Step step = kSteps[step_];  // apart: GCC 12 checks the index wrongly inside of the call
    if ((this->*step)(watch)) ++step_;
    watch.work(kPause);
  }
}

// A solution, another than the first one.
void Inquiry::take(const Cells& cells) {
  if (first_.empty()) {
    first_ = cells;
    return;
  }
  if (second_.empty()) second_ = cells;
  verdict_ = Verdict::kMultiple;
  for (size_t cell = 0; cell < cells.size(); ++cell)
    differing_[cell] |= cells[cell] != first_[cell];
}

// There are no solutions but the one that is known, if one is.
void Inquiry::end_without_others() {
  verdict_ = first_.empty() ? Verdict::kUnsolvable : Verdict::kUnique;
}

bool Inquiry::propagate(Watch& watch) {
  if (!board_.propagate(watch)) {
    verdict_ = Verdict::kUnsolvable;
  } else if (board_.is_complete()) {
    take(board_.cells());
    end_without_others();
  }
  return true;
}

bool Inquiry::probe(Watch& watch) {
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
    verdict_ = Verdict::kUnsolvable;
  } else if (board_.is_complete()) {
    take(board_.cells());
    end_without_others();
  }
  return true;
}

// Whether the lines bear the picture; a claim is not trusted.
bool Inquiry::is_solution(const Cells& cells, Watch& watch) {
  for (int cell = 0; cell < board_.num_cells(); ++cell) {
    if (!board_.may(cell, cells[cell])) return false;
  }
  const Trial trial(board_);
  for (const int cell : board_.open_cells()) board_.assign(cell, cells[cell]);
  return board_.propagate(watch);
}

bool Inquiry::look_at_picture(Watch&) {
  Watch free;  // a propagation of a board that is decided: it is over at once
  if (!puzzle_.picture.empty() && is_solution(puzzle_.picture, free)) take(puzzle_.picture);
  return true;
}

bool Inquiry::search(Watch&) {
  if (!first_.empty()) return true;
  Watch free;
  Board board = board_;
  Search search(board, *prober_);
  const int64_t end = kSearching * board.num_values();
  while (verdict_ == Verdict::kOpen && free.done() < end) {
    const auto outcome = search.next(free, end - free.done());
    if (outcome == Search::Outcome::kSolution) take(board.cells());
    if (outcome == Search::Outcome::kExhausted) end_without_others();
  }
  return true;
}

bool Inquiry::dive(Watch&) {
  if (!first_.empty()) return true;
  Watch free;
  Dives dives(board_);
  const auto num_open = static_cast<int64_t>(board_.open_cells().size());
  if (dives.run(free, kDiving * num_open)) take(dives.cells());
  return true;
}

bool Inquiry::price(Watch& watch) {
  if (!first_.empty()) return true;
  Watch free;
  if (!prices_) prices_ = std::make_unique<Prices>(board_, Cells(), free);
  const auto outcome = prices_->find(watch, kPricing, false);
  if (outcome == Prices::Outcome::kReached) {
    if (prices_->bound() < 0) {
      verdict_ = Verdict::kUnsolvable;
    } else {
      take(prices_->cells());
    }
  }
  prices_.reset();
  return true;
}

// What decimation comes to; empty where it refutes the board, which has no solution then.
Cells Inquiry::reached(Watch& watch) {
  const Attempt how = attempt(turn_);
  if (!decimation_) {
    decimation_ = std::make_unique<Decimation>(board_, how.settings);
    decimating_ = 0;
  }
  const int64_t most = how.effort * board_.num_cells() * board_.num_lines();
  auto outcome = Decimation::Outcome::kBudget;
  while (outcome == Decimation::Outcome::kBudget && decimating_ < most) {
    Watch free;
    outcome = decimation_->run(free, kDecimating, how.dead_ends);
    if (outcome == Decimation::Outcome::kBudget && free.done() < kDecimating) break;  // dead ends
    decimating_ += free.done();
    watch.work(kPause);
  }
  Cells cells = decimation_->cells();
  decimation_.reset();
  if (outcome == Decimation::Outcome::kContradiction) cells.clear();
  return cells;
}

bool Inquiry::decimate(Watch& watch) {
  for (; first_.empty() && turn_ < kQuick; ++turn_) {
    const Cells cells = reached(watch);
    if (cells.empty()) {
      end_without_others();
      return true;
    }
    const bool is_complete = std::find(cells.begin(), cells.end(), Board::kOpen) == cells.end();
    if (is_complete) take(cells);
  }
  return true;
}

// An engine looks for a first solution, in turns that grow. It follows what decimation comes to,
// from other starts again and again, or decides on its own; in the last turn it does.
bool Inquiry::lead(Watch& watch) {
  Watch free;
  if (first_.empty() && !engine_) engine_ = std::make_unique<Engine>(board_, 0, free);
  while (first_.empty() && verdict_ == Verdict::kOpen) {
    const int turn = turn_ - kQuick;
    const bool is_last = turn >= kLedTurns;
    if (!has_turn_) {
      const bool is_alone = is_last || (turn >= kAloneFrom && turn % 2);
      engine_->suggest(is_alone ? Cells() : reached(watch));
      turn_end_ = is_last ? kForEver : engine_->num_conflicts() + kConflicts * (turn + 1);
      has_turn_ = true;
    }
    const auto answer = engine_->solve(watch, turn_end_ - engine_->num_conflicts());
    if (answer == learn::Answer::kSat) take(engine_->found());
    if (answer == learn::Answer::kUnsat) end_without_others();
    has_turn_ = false;
    ++turn_;
  }
  return true;
}

// Solutions that a switch of two filled and two empty corners leads to.
void Inquiry::take_switches(size_t most) {
  if (!puzzle_.given.empty()) return;
  Watch free;
  const auto found = puzzles::Switches(first_, board_.height(), board_.width()).find(most, free);
  for (size_t at = 0; at + 3 < found.size(); at += 4) {
    Cells other = first_;
    for (const int row : {found[at], found[at + 1]}) {
      uint8_t* const cells = &other[row * board_.width()];
      std::swap(cells[found[at + 2]], cells[found[at + 3]]);
    }
    take(other);
  }
}

bool Inquiry::switch_corners(Watch&) {
  take_switches(1);
  return true;
}

// How many cells two solutions differ in at least: board/prices.py says why.
int Inquiry::least_distance() const {
  const auto is_known = [](const std::vector<Clue>& clues) {
    return std::all_of(clues.begin(), clues.end(), [](const Clue& clue) {
      return std::all_of(clue.begin(), clue.end(),
                         [](const Block& block) { return block.length > 0; });
    });
  };
  return (1 + is_known(puzzle_.rows)) * (1 + is_known(puzzle_.columns));
}

// Removes values that no solution has; whether that leaves the first one alone.
bool Inquiry::settle_by(const std::vector<std::pair<int, int>>& impossible, Watch& watch) {
  for (const auto& [cell, value] : impossible) board_.remove(cell, value);
  board_.propagate(watch);
  return board_.is_complete();
}

// Prices settle most of a board that is structured; on noise they are given up at once.
bool Inquiry::settle(Watch&) {
  Watch free;
  Prices any(board_, {}, free);
  any.find(free, kPricingBeside, false);
  if (any.num_sweeps() >= kLeastSweeps && settle_by(any.impossible(free), free)) {
    end_without_others();
    return true;
  }
  Prices others(board_, first_, free);
  const int goal = least_distance();
  const auto outcome = others.lower(free, goal, kPricingBeside, false);
  if (outcome == Prices::Outcome::kReached ||
      (others.num_sweeps() >= kLeastSweeps && settle_by(others.ruled_out(free, goal), free))) {
    end_without_others();
  }
  return true;
}

bool Inquiry::seek_rival(Watch& watch) {
  Watch free;
  if (!is_asked_) {
    engine_ = std::make_unique<Engine>(board_, 0, free);
    engine_->suggest(first_);
    engine_->ask_unlike(first_, board_.open_cells());
    is_asked_ = true;
  }
  const learn::Answer answer = engine_->solve(watch, kForEver);
  is_asked_ = answer == learn::Answer::kUnknown;
  if (answer == learn::Answer::kSat) take(engine_->found());
  if (answer == learn::Answer::kUnsat) end_without_others();
  return false;
}

void Inquiry::compare(Watch& watch) {
  if (verdict_ != Verdict::kMultiple || is_compared_) return;
  Watch free;
  if (!engine_) {
    take_switches(kMostSwitches);
    engine_ = std::make_unique<Engine>(board_, 0, free);
    is_asked_ = false;
  }
  for (;;) {
    if (!is_asked_) {
      std::vector<int> candidates;
      for (const int cell : board_.open_cells()) {
        if (!differing_[cell]) candidates.push_back(cell);
      }
      engine_->ask_unlike(first_, candidates);
      engine_->suggest_unlike(first_, candidates);
      is_asked_ = true;
    }
    const learn::Answer answer = engine_->solve(watch, kForEver);
    is_asked_ = answer == learn::Answer::kUnknown;
    if (answer == learn::Answer::kUnsat) break;
    if (answer == learn::Answer::kSat) take(engine_->found());
  }
  is_compared_ = true;
}

void Inquiry::count(Watch& watch) {
  if (is_counted_ || verdict_ != Verdict::kMultiple) {
    is_counted_ = verdict_ != Verdict::kOpen;
    return;
  }
  if (!counter_) {
    counted_ = board_;
    counter_ = std::make_unique<Counter>(*counted_, max_bytes_);
  }
  is_counted_ = counter_->run(watch, kForEver);
}

Natural Inquiry::total() const {
  if (verdict_ != Verdict::kMultiple) return Natural(verdict_ == Verdict::kUnique);
  const Natural found = counter_ ? counter_->total() : Natural();
  return found < Natural(2) ? Natural(2) : found;
}

}  // namespace nonosat::live
