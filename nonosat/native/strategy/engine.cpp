#include "strategy/engine.hpp"

#include <algorithm>
#include <cstdlib>

#include "cost.hpp"
#include "encoding/open_lines.hpp"

namespace nonosat::strategy {
namespace {

bool is_variable(int32_t lit) { return lit != kTrue && lit != kFalse; }

}  // namespace

Engine::Engine(const Board& board, uint64_t seed, Watch& watch)
    : num_colours_(board.num_values() - 1),
      num_pairs_(board.num_pairs()),
      known_(board.cells()),
      solver_(seed) {
  add_cells(board);
  add_lines(board, watch);
}

// Adds the variables of the open cells, and that each has at most, or exactly, one colour.
void Engine::add_cells(const Board& board) {
  const auto num_cells = static_cast<int>(known_.size());
  filled_.assign(known_.size(), 0);
  lits_.assign(known_.size() * static_cast<size_t>(num_colours_), kFalse);
  int32_t num_vars = 0;
  for (int colour = 1; colour <= num_colours_; ++colour) {
    int32_t* const plane = &lits_[static_cast<size_t>(colour - 1) * known_.size()];
    for (int cell = 0; cell < num_cells; ++cell) {
      if (known_[cell] == colour) plane[cell] = kTrue;
      if (known_[cell] == Board::kOpen && board.may(cell, colour)) plane[cell] = ++num_vars;
    }
  }
  solver_.new_vars(static_cast<size_t>(num_vars));
  for (int cell = 0; cell < num_cells; ++cell) {
    if (known_[cell] != Board::kOpen || num_colours_ == 1) continue;
    std::vector<learn::Lit> colours;
    for (int colour = 1; colour <= num_colours_; ++colour) {
      if (!is_variable(lit_of(cell, colour))) continue;
      const learn::Lit lit = learn::from_dimacs(lit_of(cell, colour));
      for (const learn::Lit other : colours) {
        solver_.add(std::vector<learn::Lit>{learn::negated(lit), learn::negated(other)});
      }
      colours.push_back(lit);
    }
    filled_[cell] = !board.may(cell, 0);
    if (filled_[cell]) solver_.add(colours);
  }
}

// Adds the clauses of all lines with open cells; the other lines are satisfied.
void Engine::add_lines(const Board& board, Watch& watch) {
  std::vector<int32_t> numbers;
  std::vector<uint8_t> is_open(static_cast<size_t>(board.num_lines()));
  for (const int cell : board.open_cells()) {
    is_open[cell / board.width()] = is_open[board.height() + cell % board.width()] = 1;
  }
  for (int line = 0; line < board.num_lines(); ++line) {
    if (is_open[line]) numbers.push_back(line);
  }
  OpenLines lines(board, {lits_, filled_}, numbers, watch);
  const auto first = static_cast<int32_t>(solver_.num_vars()) + 1;
  for (const int64_t count : lines.num_vars()) solver_.new_vars(static_cast<size_t>(count));
  add_clauses(lines.clauses(first, watch), watch);
}

// Adds clauses, each terminated by 0.
void Engine::add_clauses(std::span<const int32_t> lits, Watch& watch) {
  std::vector<learn::Lit> clause;
  for (const int32_t lit : lits) {
    if (lit) {
      clause.push_back(learn::from_dimacs(lit));
      continue;
    }
    solver_.add(clause);
    watch.work(cost::kAddedLit * static_cast<int64_t>(1 + clause.size()));
    clause.clear();
  }
}

void Engine::set_phases(const Cells& cells) {
  if (cells.empty()) solver_.clear_phases();
  for (size_t cell = 0; cell < cells.size(); ++cell) {
    if (cells[cell] == Board::kOpen || known_[cell] != Board::kOpen) continue;
    for (int colour = 1; colour <= num_colours_; ++colour) {
      const int32_t lit = lit_of(static_cast<int>(cell), colour);
      if (is_variable(lit))
        solver_.set_phase(learn::from_dimacs(cells[cell] == colour ? lit : -lit));
    }
  }
}

void Engine::set_phases_unlike(const Cells& cells, std::span<const int> where) {
  std::vector<learn::Lit> unlike;
  for (const int cell : where) append_unlike(cell, cells[cell], unlike);
  for (const learn::Lit lit : unlike) solver_.set_phase(lit);
}

// Appends literals, one of which is true if the open cell does not have the value.
void Engine::append_unlike(int cell, int value, std::vector<learn::Lit>& lits) const {
  for (int colour = 1; colour <= num_colours_; ++colour) {
    const int32_t lit = lit_of(cell, colour);
    if (!is_variable(lit) || (value != 0 && colour != value)) continue;
    lits.push_back(learn::from_dimacs(value == 0 ? lit : -lit));
  }
}

void Engine::require_unlike(const Cells& cells, std::span<const Ends> pairs) {
  const auto fresh = [&] {
    solver_.new_vars(1);
    return 2 * static_cast<learn::Lit>(solver_.num_vars());
  };
  if (selector_ != learn::kTrue) solver_.add(std::vector<learn::Lit>{learn::negated(selector_)});
  selector_ = fresh();
  std::vector<learn::Lit> choice{learn::negated(selector_)};
  for (const Ends& pair : pairs) {
    const learn::Lit chosen = pairs.size() == 1 ? selector_ : fresh();
    choice.push_back(chosen);
    for (const std::vector<int>* part : {&pair.first, &pair.second}) {
      std::vector<learn::Lit> clause{learn::negated(chosen)};
      for (const int cell : *part) append_unlike(cell, cells[cell], clause);
      solver_.add(clause);
      if (pair.first == pair.second) break;
    }
  }
  if (pairs.size() != 1) solver_.add(choice);
}

void Engine::narrow(const Board& board) {
  if (board.num_pairs() == num_pairs_) return;
  num_pairs_ = board.num_pairs();
  const Cells now = board.cells();
  for (size_t cell = 0; cell < known_.size(); ++cell) {
    if (known_[cell] != Board::kOpen) continue;
    for (int colour = 1; colour <= num_colours_; ++colour) {
      const int32_t lit = lit_of(static_cast<int>(cell), colour);
      if (!is_variable(lit)) continue;
      const bool is_it = now[cell] == colour;
      if (is_it || !board.may(static_cast<int>(cell), colour)) {
        solver_.add(std::vector<learn::Lit>{learn::from_dimacs(is_it ? lit : -lit)});
      }
    }
  }
}

learn::Answer Engine::solve(Watch& watch, int64_t num_conflicts) {
  if (selector_ == learn::kTrue) return solver_.solve({}, watch, num_conflicts);
  return solver_.solve(std::vector<learn::Lit>{selector_}, watch, num_conflicts);
}

Cells Engine::found() const {
  Cells cells = known_;
  for (size_t cell = 0; cell < cells.size(); ++cell) {
    if (cells[cell] != Board::kOpen) continue;
    cells[cell] = 0;
    for (int colour = 1; colour <= num_colours_; ++colour) {
      const int32_t lit = lit_of(static_cast<int>(cell), colour);
      const bool is_it = is_variable(lit) && solver_.is_true(static_cast<learn::Var>(lit));
      if (is_it) cells[cell] = static_cast<uint8_t>(colour);
    }
  }
  return cells;
}

}  // namespace nonosat::strategy
