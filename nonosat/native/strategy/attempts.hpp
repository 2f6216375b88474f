// The decimations that are tried one after another, each from the beginning: the table of their
// settings (benchmarks/native/DECIMATION.md has the measurements).
#pragma once

#include <cstdint>
#include <vector>

#include "decimation/decimation.hpp"
#include "strategy/budgets.hpp"

namespace nonosat::strategy {

struct Attempt {
  Decimation::Settings settings;
  int64_t effort;  // units of work for each cell and line: cells times lines in all
  int64_t dead_ends = 1'000'000'000;
};

// Long steps, which lead straight to a solution of most boards that have many, with few dead ends
// before.
std::vector<Attempt> quick_attempts();

// Shorter steps, for a large board that quick ones leave open.
std::vector<Attempt> slower_attempts();

// For the largest boards: messages decide nearly all before a cell is fixed.
std::vector<Attempt> patient_attempts();

// Where nothing else has led to a solution: what the engine follows on a board that is not large.
Attempt further_attempt();

// Those for a board with so many open cells.
std::vector<Attempt> attempts_for(int64_t num_open, const Budgets& budgets);

// The same for the engine's k-th led turn, from 0: other first messages, and longer after every
// second turn. Messages of every second turn change more slowly, which leads to solutions where
// fast ones do not, and the other way round.
Attempt restarted(const Attempt& attempt, int turn);

}  // namespace nonosat::strategy
