// Budgets of the attempts that decide a board: the one table of `auto`, for every caller.
//
// Work is in units of `Watch::work`, about a nanosecond each where the core is native and several
// in WebAssembly; the rest counts conflicts of the learning search, cells, or sweeps. Nothing is
// in seconds, so that every machine reaches a verdict in the same way. The measurements are
// in benchmarks/native/SEARCH.md, PRICES.md and DECIMATION.md.
#pragma once

#include <cstdint>

namespace nonosat::strategy {

struct Budgets {
  // Work of probing; if a solution is known, work for each cell, of boards of 1000 cells and more:
  // a drawing of 200x200 that 0.1 s of probing settles was still open after 40 s of the engine.
  int64_t probing = 500'000'000;
  int64_t probing_beside = 20'000;
  int64_t probed_cells = 1'000;

  // Maximum number of solutions taken from the cheap candidates close to the first one. One of them
  // mostly completes the search (a random 100x100 at 50 %: 1 ms instead of 5 s).
  int64_t neighbours = 4'096;

  // Work of the native search, multiplied by the number of values of a cell, because with several
  // colours each node of the search takes longer, as each step of all later attempts does. The
  // search decides most small puzzles.
  int64_t search = 150'000;

  // Work of dives, for each open cell: 0.3 ms for a 30x30 of noise.
  int64_t dive = 2'000;

  // Work of the price search, which lowers the price bound (prices/priced_board.hpp) by sweeps over
  // all lines. A staircase of 100 dominoes (a structured test puzzle) takes 4e9 to 8e9, so a budget
  // of 1e9 left it open; on random pictures the search ends after at most 7 sweeps. If a solution
  // is known before, a short search with the work `prices_beside` comes first, and longer ones
  // between the turns of the engine.
  int64_t prices = 10'000'000'000;
  int64_t prices_beside = 5'000'000;
  // Work of the price search between two turns of the engine, for each conflict so far; none if the
  // first price search gave up at once, as it does on random pictures.
  int64_t patient_prices = 10'000;
  int64_t promising_sweeps = 14;  // twice the number on random pictures
  int64_t cell_sweeps = 12;       // number of sweeps before prices rule out values of single cells

  // Open cells of a large board, on which short decimations are followed by longer ones, and of one
  // so large that only patient ones are tried and an engine hardly helps.
  int64_t large_open = 2'000;
  int64_t largest_open = 6'000;

  // The engine's k-th turn has `turn` times k conflicts. `led_turns` turns have phases from
  // decimations; from turn `alone_from` on, each is followed by one without phases, because on some
  // puzzles all phases mislead.
  int64_t turn = 500;
  int64_t led_turns = 14;
  int64_t alone_from = 3;

  // Conflicts spent close to the first solution: to one that decimation has found, to one of the
  // engine, and to a picture of the caller. A second one is often close, but what is learnt there
  // helps little with the proof that there is none. With 200 near a picture, 8 unique ones of 30x30
  // to 60x60 took 2,200 to 20,500 conflicts in place of 2,800 to 35,500; but of the survey's
  // "Knotty" the second solution, which all of them near find after 22,700, was not found in
  // 50,000.
  int64_t close = 30;
  int64_t near = 200;
  int64_t near_picture = 50'000;

  // Conflicts before the first pause, in which prices are tried; further pauses come whenever the
  // number of conflicts has doubled (turns.hpp).
  int64_t pause = 4'000;
};

}  // namespace nonosat::strategy
