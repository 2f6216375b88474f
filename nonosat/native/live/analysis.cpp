#include "live/analysis.hpp"

#include "strategy/neighbours.hpp"

namespace nonosat::live {
namespace {

constexpr int64_t kForEver = int64_t{1} << 60;
constexpr size_t kMostNeighbours = 256;

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

Analysis::Analysis(const Puzzle& puzzle, size_t max_bytes, Watch& watch)
    : strategy_(board_of(puzzle, watch), {puzzle.picture, {}}),
      max_bytes_(max_bytes),
      differing_(puzzle.rows.size() * puzzle.columns.size()) {}

void Analysis::judge(Watch& watch) {
  while (verdict() == Verdict::kOpen) strategy_.step(watch);
  if (verdict() == Verdict::kMultiple) note(second());
}

// Adds the cells in which another solution differs from the first one.
void Analysis::note(const Cells& other) {
  for (size_t cell = 0; cell < other.size(); ++cell) {
    differing_[cell] |= other[cell] != first()[cell];
  }
}

void Analysis::compare(Watch& watch) {
  if (verdict() != Verdict::kMultiple || is_compared_) return;
  strategy_.presolve(watch);
  const Board& board = strategy_.board();
  std::unique_ptr<strategy::Engine>& engine = strategy_.engine();
  if (!is_begun_) {
    Watch free;
    for (const Cells& other : strategy::neighbours(board, first(), kMostNeighbours, free)) {
      note(other);
    }
    if (!engine) engine = std::make_unique<strategy::Engine>(board, 0, free);
    is_begun_ = true;
  }
  for (;;) {
    if (!is_engine_ready_) {
      std::vector<int> candidates;
      for (const int cell : board.open_cells()) {
        if (!differing_[cell]) candidates.push_back(cell);
      }
      engine->require_unlike(first(), std::vector<strategy::Ends>{{candidates, candidates}});
      engine->set_phases_unlike(first(), candidates);
      is_engine_ready_ = true;
    }
    const learn::Answer answer = engine->solve(watch, kForEver);
    is_engine_ready_ = answer == learn::Answer::kUnknown;
    if (answer == learn::Answer::kUnsat) break;
    if (answer == learn::Answer::kSat) note(engine->found());
  }
  is_compared_ = true;
}

void Analysis::count(Watch& watch) {
  if (is_counted_ || verdict() != Verdict::kMultiple) {
    is_counted_ = verdict() != Verdict::kOpen;
    return;
  }
  if (!counter_) {
    strategy_.presolve(watch);
    counted_ = strategy_.board();
    counter_ = std::make_unique<Counter<Board>>(*counted_, max_bytes_);
  }
  is_counted_ = counter_->run(watch, kForEver);
}

Natural Analysis::total() const {
  if (verdict() != Verdict::kMultiple) return Natural(verdict() == Verdict::kUnique);
  const Natural found = counter_ ? counter_->total() : Natural();
  return found < Natural(2) ? Natural(2) : found;
}

}  // namespace nonosat::live
