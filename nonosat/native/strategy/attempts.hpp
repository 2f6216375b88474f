// Settings of the decimations (decimation/decimation.hpp) that are tried one after another, each
// from the same board. Measurements: benchmarks/native/DECIMATION.md.
#pragma once

#include <cstdint>
#include <vector>

#include "decimation/decimation.hpp"
#include "strategy/budgets.hpp"

namespace nonosat::strategy {

struct Attempt {
  Decimation::Settings settings;
  int64_t effort;  // units of work, to be multiplied by the number of cells and of lines
  int64_t dead_ends = 1'000'000'000;
};

// Decimations with long steps, which solve most boards with many solutions, with few dead ends.
std::vector<Attempt> quick_attempts();

// Decimations with shorter steps, for a large board that the quick ones leave open.
std::vector<Attempt> slower_attempts();

// Decimations for the largest boards: messages decide nearly all cells before one is fixed.
std::vector<Attempt> patient_attempts();

// The decimation that sets the engine's phases on a board that is not large.
Attempt further_attempt();

// Decimations for a board with this number of open cells.
std::vector<Attempt> attempts_for(int64_t num_open, const Budgets& budgets);

// Returns the settings of a decimation for the engine's turn with number `turn`, from 0: with other
// initial messages, and longer after every second turn. In every second turn messages change more
// slowly, because some boards are solved only by slow messages and others only by fast ones.
Attempt restarted(const Attempt& attempt, int turn);

}  // namespace nonosat::strategy
