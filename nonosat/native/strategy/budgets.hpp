// Budgets of the attempts that the backend `auto` makes on a board (strategy.hpp), for all callers.
//
// "Work" is counted in units of `Watch::work`: a unit takes about a nanosecond in the native core,
// and several in WebAssembly. Other budgets are numbers of conflicts of the learning search (the
// engine), of cells, or of sweeps of the price search over all lines. None is in seconds, so that
// every machine reaches a verdict in the same way. The measurements are in
// benchmarks/native/SEARCH.md, PRICES.md and DECIMATION.md.
#pragma once

#include <cstdint>

namespace nonosat::strategy {

struct Budgets {
  // Work of probing if no solution is known. If one is known, the work is `probing_beside` times
  // the number of cells, or times `probed_cells` on smaller boards: a drawing of 200x200 that 0.1 s
  // of probing decides was still open after 40 s of the engine.
  int64_t probing = 500'000'000;
  int64_t probing_beside = 20'000;
  int64_t probed_cells = 1'000;

  // Maximum number of solutions that come from cheap candidates close to the first solution
  // (neighbours.hpp). The first such solution mostly completes the search, as the second solution
  // of the board (a random 100x100 at 50 %: 1 ms instead of 5 s).
  int64_t neighbours = 4'096;

  // Work of the native search, multiplied by the number of values of a cell, because with several
  // colours each node of the search takes longer, as each step of all later attempts does. The
  // search decides most small puzzles.
  int64_t search = 150'000;

  // Work of the native search of a board of lanes, up to each solution; the learning search
  // follows. Ten times this work decides hardly more random triddlers, and doubles the time of
  // those that it leaves open (benchmarks/families/LANES.md).
  int64_t lane_search = 2'000'000;

  // Work of dives (board/dive.hpp), for each open cell: 0.3 ms for a random 30x30.
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

  // Numbers of open cells. From `large_open` on, short decimations are followed by longer ones.
  // From `largest_open` on, only the decimations of `patient_attempts` are tried, and an engine
  // hardly helps.
  int64_t large_open = 2'000;
  int64_t largest_open = 6'000;

  // The engine works in turns; its k-th turn has `turn` times k conflicts. The number of turns with
  // phases from decimations is `led_turns`. From turn `alone_from` on, each of them is followed by
  // a turn without phases, because on some puzzles all phases mislead.
  int64_t turn = 500;
  int64_t led_turns = 14;
  int64_t alone_from = 3;

  // Conflicts of the search for a second solution near the first one. Which budget applies depends
  // on the origin of the first solution: decimation (`close`), the engine (`near`), or a picture of
  // the caller (`near_picture`). A second solution is often near, but clauses learnt there help
  // little with a proof that there is none. With 200 instead of 50,000 near a picture, 8 unique
  // pictures of 30x30 to 60x60 took 2,200 to 20,500 conflicts in place of 2,800 to 35,500; but for
  // "Knotty" of the survey, whose second solution is found near the first one after 22,700
  // conflicts, none was then found in 50,000.
  int64_t close = 30;
  int64_t near = 200;
  int64_t near_picture = 50'000;

  // Conflicts of the engine before its first pause. In a pause the price search continues; a
  // further pause comes whenever the number of conflicts has doubled (turns.hpp).
  int64_t pause = 4'000;
};

}  // namespace nonosat::strategy
