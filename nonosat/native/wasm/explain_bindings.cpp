// WebAssembly bindings of explanations, a module of its own: conversion of arguments and results,
// no logic. calls.hpp has the rules of the calls.
#include <cstdint>
#include <memory>
#include <new>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "explain/solver.hpp"
#include "wasm/calls.hpp"

namespace {

using namespace nonosat;
using explain::Pair, explain::Step;

// Results of `nonosat_explain_next`; the numbers are those of answers/core_native.js.
enum Found {
  kNoMemory = -1,
  kStopped = 0,
  kStep = 1,
  kNothing = 2,
  kImpossible = 3,
  kStoppedLater = 4
};

struct Session {
  Session(Board on, explain::Words words) : board(std::move(on)), solver(board, std::move(words)) {}

  Board board;
  explain::Solver solver;
  std::vector<explain::Dependence> dependences;  // of the steps so far
  std::optional<Step> step;
  explain::Impossible impossible{-1, ""};
  std::string text;
  std::vector<int32_t> numbers;
};

void append(std::vector<int32_t>& numbers, const std::vector<Pair>& pairs) {
  numbers.push_back(static_cast<int32_t>(pairs.size()));
  for (const auto& [cell, value] : pairs) numbers.insert(numbers.end(), {cell, value});
}

// Returns the number of items, then the items.
template <class Items>
const int32_t* listed(Session& session, const Items& items) {
  session.numbers.assign(1, static_cast<int32_t>(items.size()));
  session.numbers.insert(session.numbers.end(), items.begin(), items.end());
  return session.numbers.data();
}

explain::Dependence dependence_of(const Step& step) {
  explain::Dependence found{step.lines, {}, step.technique == explain::kEitherWay};
  for (const auto& link : step.chain) found.lines.push_back(link.line);
  for (const auto& pairs : {step.settled, step.ruled_out}) {
    for (const Pair& pair : pairs) found.changed.push_back(pair.cell);
  }
  return found;
}

std::string table_of_techniques() {
  std::string text;
  for (const auto& [name, grade, summary] : explain::kTechniques) {
    text += std::string(name) + ":" + std::to_string(grade) + "\n";
  }
  return text;
}

}  // namespace

// The techniques in the order of their numbers, each a line "name:grade".
NONOSAT_EXPORT const char* nonosat_explain_techniques() {
  static const std::string table = table_of_techniques();
  return table.c_str();
}

// Opens a puzzle with sides of at least 1 and colours from 1. `known`: its known cells, 255 for
// others. `names`: the name of each value, "empty" first, each with a final 0. `is_short`: clues in
// colours are "2r 1b", else "2 red, 1 blue". Returns null if memory runs out.
NONOSAT_EXPORT Session* nonosat_explain_open(int32_t num_colours, int32_t height, int32_t width,
                                             const int32_t* clues, const uint8_t* known,
                                             const char* names, int32_t is_short) {
  try {
    std::vector<Clue> rows = clues_at(clues, height), columns = clues_at(clues, width);
    std::vector<std::string> inks;
    for (int32_t value = 0; value <= num_colours; ++value) {
      inks.emplace_back(names);
      names += inks.back().size() + 1;
    }
    std::vector<Clue> lines = rows;
    lines.insert(lines.end(), columns.begin(), columns.end());
    Watch free;  // creating a board is too short for a limit
    Board board(num_colours, std::move(rows), std::move(columns), free);
    for (int32_t cell = 0; cell < height * width; ++cell) {
      if (known[cell] != Board::kOpen) board.assign(cell, known[cell]);
    }
    explain::Words words(height, width, std::move(inks), is_short != 0, std::move(lines));
    return std::make_unique<Session>(std::move(board), std::move(words)).release();
  } catch (const std::bad_alloc&) {
    return nullptr;
  }
}
NONOSAT_EXPORT void nonosat_explain_close(Session* session) { delete session; }

// Searches for the next step for at most `milliseconds`; the next call continues. `kStopped`: no
// part was completed, so that the same time may never suffice; else `kStoppedLater`.
NONOSAT_EXPORT int32_t nonosat_explain_next(Session* session, double milliseconds) {
  session->step.reset();
  bool is_impossible = false;
  const size_t num_parts = session->solver.num_parts();
  const int32_t done = watched(milliseconds, [&](Watch& watch) {
    try {
      session->step = session->solver.next(watch);
    } catch (const explain::Impossible& impossible) {
      session->impossible = impossible;
      is_impossible = true;
    }
    if (session->step) session->dependences.push_back(dependence_of(*session->step));
  });
  if (done < 0) return kNoMemory;
  if (done == 0) return session->solver.num_parts() == num_parts ? kStopped : kStoppedLater;
  if (is_impossible) return kImpossible;
  return session->step ? kStep : kNothing;
}

// The step that was found: its technique; its lines, a list; the cells that it settles, a list of
// pairs of a cell and a value; those that it rules out, likewise; the assumed cell, or -1, and its
// value; the chain, a list of a line and a list of pairs each. A list begins with its length.
NONOSAT_EXPORT const int32_t* nonosat_explain_step(Session* session) {
  const Step& step = *session->step;
  std::vector<int32_t>& numbers = session->numbers;
  listed(*session, step.lines);
  numbers.insert(numbers.begin(), step.technique);
  append(numbers, step.settled);
  append(numbers, step.ruled_out);
  numbers.insert(numbers.end(), {step.assumed.cell, step.assumed.value});
  numbers.push_back(static_cast<int32_t>(step.chain.size()));
  for (const auto& [line, rules_out] : step.chain) {
    numbers.push_back(line);
    append(numbers, rules_out);
  }
  return numbers.data();
}

// The sentence of the step, or the reason why a line has no placement.
NONOSAT_EXPORT const char* nonosat_explain_sentence(const Session* session) {
  return session->step ? session->step->sentence.c_str() : session->impossible.reason.c_str();
}

// A sentence about wrong marks: `count` pairs of a cell and a value. Returns null if memory runs
// out.
NONOSAT_EXPORT const char* nonosat_explain_wrong(Session* session, const int32_t* pairs,
                                                 int32_t count) {
  try {
    std::vector<Pair> marks;
    for (int32_t i = 0; i < count; ++i) marks.push_back({pairs[2 * i], pairs[2 * i + 1]});
    session->text = session->solver.reasoner().words().wrong(marks);
    return session->text.c_str();
  } catch (const std::bad_alloc&) {
    return nullptr;
  }
}

// The line without placement.
NONOSAT_EXPORT int32_t nonosat_explain_broken_line(const Session* session) {
  return session->impossible.line;
}

// The numbers of the steps so far on which the cells that the last one settles depend.
NONOSAT_EXPORT const int32_t* nonosat_explain_needed(Session* session) {
  std::vector<int> cells;
  for (const Pair& pair : session->step->settled) cells.push_back(pair.cell);
  const Board& board = session->board;
  return listed(*session, needed(session->dependences, cells, board.height(), board.width()));
}
