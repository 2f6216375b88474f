// WebAssembly bindings of live queries: conversion of arguments and results, no logic. calls.hpp
// has the rules of the calls.
#include <algorithm>
#include <cstdint>
#include <memory>
#include <new>
#include <utility>
#include <vector>

#include "beliefs/beliefs.hpp"
#include "live/analysis.hpp"
#include "live/clash.hpp"
#include "wasm/calls.hpp"

namespace {

using namespace nonosat;
using strategy::Cells;

constexpr size_t kMaxCounting = size_t{1} << 27;  // cache of the counter, in bytes

// Queries on a puzzle; the numbers are those of answers/core.js.
enum Query { kVerdict = 0, kDiffering = 1, kCount = 2, kClash = 3 };

struct Session {
  live::Puzzle puzzle;
  std::unique_ptr<live::Analysis> analysis;
  std::unique_ptr<live::Clash> clash;
  std::vector<int32_t> numbers;
  std::vector<uint32_t> words;
  std::vector<double> doubles;
};

Cells cells_at(const uint8_t* cells, size_t count) {
  return cells ? Cells(cells, cells + count) : Cells();
}

const uint8_t* data_of(const Cells& cells) { return cells.empty() ? nullptr : cells.data(); }

const int32_t* listed(Session& session, const std::vector<int>& items) {
  session.numbers.assign(1, static_cast<int32_t>(items.size()));
  session.numbers.insert(session.numbers.end(), items.begin(), items.end());
  return session.numbers.data();
}

}  // namespace

// Opens a puzzle with sides of at least 1 and colours from 1; unknown cells are 255. `given` and
// `picture` may be null. Returns null if memory runs out.
NONOSAT_EXPORT Session* nonosat_open(int32_t num_colours, int32_t height, int32_t width,
                                     const int32_t* clues, const uint8_t* given,
                                     const uint8_t* picture) {
  try {
    auto session = std::make_unique<Session>();
    const auto num_cells = static_cast<size_t>(height) * static_cast<size_t>(width);
    std::vector<Clue> rows = clues_at(clues, height), columns = clues_at(clues, width);
    session->puzzle = {num_colours, std::move(rows), std::move(columns), cells_at(given, num_cells),
                       cells_at(picture, num_cells)};
    return session.release();
  } catch (const std::bad_alloc&) {
    return nullptr;
  }
}
NONOSAT_EXPORT void nonosat_close(Session* session) { delete session; }

// Works on a query for at most `milliseconds`.
NONOSAT_EXPORT int32_t nonosat_run(Session* session, int32_t query, double milliseconds) {
  return watched(milliseconds, [&](Watch& watch) {
    Watch free;  // creating a board is too short for a limit
    if (query == kClash) {
      if (!session->clash) session->clash = std::make_unique<live::Clash>(session->puzzle, free);
      session->clash->run(watch);
      return;
    }
    if (!session->analysis) {
      session->analysis = std::make_unique<live::Analysis>(session->puzzle, kMaxCounting, free);
    }
    if (query == kVerdict) session->analysis->judge(watch);
    if (query == kDiffering) session->analysis->compare(watch);
    if (query == kCount) session->analysis->count(watch);
  });
}

// 0 open, 1 unique, 2 multiple, 3 unsolvable. This and the following functions require a call of
// `nonosat_run`.
NONOSAT_EXPORT int32_t nonosat_verdict(const Session* session) {
  return session->analysis ? static_cast<int32_t>(session->analysis->verdict()) : 0;
}

// Solutions, one byte per cell; null while none is known.
NONOSAT_EXPORT const uint8_t* nonosat_first(const Session* session) {
  return data_of(session->analysis->first());
}
NONOSAT_EXPORT const uint8_t* nonosat_second(const Session* session) {
  return data_of(session->analysis->second());
}

// One byte per cell: 1 if two known solutions differ in it.
NONOSAT_EXPORT const uint8_t* nonosat_differing(const Session* session) {
  return session->analysis->differing().data();
}

// The number of solutions, or a lower bound: the number of 32-bit words, then the words, least
// significant first.
NONOSAT_EXPORT const uint32_t* nonosat_total(Session* session) {
  const Natural total = session->analysis->total();
  session->words.assign(1, static_cast<uint32_t>(2 * total.words().size()));
  for (const uint64_t word : total.words()) {
    session->words.push_back(static_cast<uint32_t>(word));
    session->words.push_back(static_cast<uint32_t>(word >> 32));
  }
  return session->words.data();
}

// Clues that contradict each other: their number, and the numbers of their lines, rows first.
NONOSAT_EXPORT const int32_t* nonosat_clash(Session* session) {
  return listed(*session, session->clash->lines());
}

// Probability of each colour of each cell after `num_rounds` rounds of belief propagation, colour
// by colour; null if a line has no filling or memory runs out.
NONOSAT_EXPORT const double* nonosat_beliefs(Session* session, int32_t num_rounds, double damping,
                                             double clamp) {
  bool is_consistent = false;
  const int32_t done = watched(1e12, [&](Watch& watch) {
    Board board = live::board_of(session->puzzle, watch);
    if (!board.propagate(watch)) return;
    Beliefs beliefs(board, {damping, clamp, 0, 0});
    if (!beliefs.run(watch, num_rounds)) return;
    session->doubles.clear();
    for (int value = 1; value < board.num_values(); ++value) {
      const std::vector<double> plane = beliefs.probabilities(value, watch);
      session->doubles.insert(session->doubles.end(), plane.begin(), plane.end());
    }
    is_consistent = true;
  });
  return done == 1 && is_consistent ? session->doubles.data() : nullptr;
}
