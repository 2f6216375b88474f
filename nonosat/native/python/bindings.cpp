// The Python face of the native core: conversion of arguments and results, no logic.
#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <bit>
#include <cmath>

#include "beliefs/beliefs.hpp"
#include "board/board.hpp"
#include "board/probe.hpp"
#include "line/line.hpp"
#include "python/lifeline.hpp"
#include "python/python_clue.hpp"
#include "python/python_watch.hpp"
#include "search/search.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace nonosat {

void bind_check(nb::module_& module);       // in check_bindings.cpp
void bind_clauses(nb::module_& module);     // in clause_bindings.cpp
void bind_count(nb::module_& module);       // in count_bindings.cpp
void bind_queens(nb::module_& module);      // in queens_bindings.cpp
void bind_decimation(nb::module_& module);  // in decimation_bindings.cpp
void bind_knight(nb::module_& module);      // in knight_bindings.cpp
void bind_learn(nb::module_& module);       // in learn_bindings.cpp
void bind_loops(nb::module_& module);       // in loops_bindings.cpp
void bind_outlook(nb::module_& module);     // in outlook_bindings.cpp

namespace {

// A cell and a value as they come from Python.
void check_place(const Board& board, int cell, int value) {
  if (cell < 0 || cell >= board.num_cells() || value < 0 || value >= board.num_values()) {
    throw nb::index_error("no such cell or value on the board");
  }
}

using PyClues = nb::typed<nb::sequence, PyClue>;

std::vector<Clue> to_clues(const PyClues& clues, int num_colours, Watch& watch) {
  std::vector<Clue> converted;
  converted.reserve(nb::len(clues));
  for (nb::handle clue : clues) {
    converted.push_back(to_clue(nb::cast<PyClue>(clue), num_colours));
    watch.work(100);
  }
  return converted;
}

void make_board(Board* self, int num_colours, const PyClues& rows, const PyClues& columns,
                const Poll& poll) {
  const auto num_cells =
      static_cast<int64_t>(nb::len(rows)) * static_cast<int64_t>(nb::len(columns));
  if (num_colours < 1 || num_colours > 255 || num_cells < 1 || num_cells > INT32_MAX) {
    throw nb::value_error("a board has 1 to 255 colours and 1 to 2^31 - 1 cells");
  }
  Watch watch = make_watch({}, poll);
  std::vector<Clue> row_clues = to_clues(rows, num_colours, watch);
  std::vector<Clue> column_clues = to_clues(columns, num_colours, watch);
  nb::gil_scoped_release unlock;
  new (self) Board(num_colours, std::move(row_clues), std::move(column_clues), watch);
}

nb::bytes to_bytes(const std::vector<uint8_t>& cells) {
  return nb::bytes(cells.data(), cells.size());
}

nb::bytes cells_of(const Board& board) {
  return to_bytes(unlocked([&] { return board.cells(); }));
}

nb::bytes plane_of(const Board& board, int value) {
  check_place(board, 0, value);
  return to_bytes(unlocked([&] { return board.plane(value); }));
}

void assign_cells(Board& board, nb::bytes values) {
  const auto* data = reinterpret_cast<const uint8_t*>(values.c_str());
  if (static_cast<int>(values.size()) != board.num_cells()) {
    throw nb::value_error("one byte a cell is expected");
  }
  nb::gil_scoped_release unlock;
  for (int cell = 0; cell < board.num_cells(); ++cell) {
    if (data[cell] != Board::kOpen) board.assign(cell, data[cell]);
  }
}

std::vector<int> set_bits(const Word* words, int length) {
  std::vector<int> positions;
  for (int i = 0; i < words_for(length); ++i) {
    for (Word left = words[i]; left; left &= left - 1) {
      positions.push_back(i * kWordBits + std::countr_zero(left));
    }
  }
  return positions;
}

// Words of the planes of a line's values, from one byte string a value.
std::vector<Word> to_planes(int length, const std::vector<nb::bytes>& may) {
  const auto is_short = [&](const nb::bytes& plane) {
    return plane.size() < static_cast<size_t>(length);
  };
  if (length < 0 || may.empty() || may.size() > 256 ||
      std::any_of(may.begin(), may.end(), is_short)) {
    throw nb::value_error("one byte a cell is expected for each of 1 to 256 values");
  }
  const int num_words = words_for(length);
  std::vector<Word> planes(may.size() * num_words, 0);
  for (size_t value = 0; value < may.size(); ++value) {
    for (int i = 0; i < length; ++i) {
      const Word bit = may[value].c_str()[i] ? 1 : 0;
      planes[value * num_words + i / kWordBits] |= bit << (i % kWordBits);
    }
  }
  return planes;
}

std::optional<std::vector<std::vector<int>>> line_values(int length, const PyClue& clue,
                                                         const std::vector<nb::bytes>& may) {
  const std::vector<Word> planes = to_planes(length, may);
  const int num_colours = static_cast<int>(may.size()) - 1;
  Plan plan(length, num_colours, to_clue(clue, num_colours));
  std::vector<Word> kept(planes.size());
  Scratch scratch;
  Watch watch;
  if (!unlocked([&] {
        return propagate_line(plan, planes.data(), kept.data(), false, scratch, watch);
      })) {
    return {};
  }
  std::vector<std::vector<int>> values;
  for (int value = 0; value <= num_colours; ++value) {
    values.push_back(set_bits(&kept[value * words_for(length)], length));
  }
  return values;
}

using PyDomain = std::pair<std::vector<int>, std::vector<int>>;

std::optional<std::vector<PyDomain>> line_domains(int length, const PyClue& clue,
                                                  const std::vector<nb::bytes>& may) {
  const std::vector<Word> planes = to_planes(length, may);
  const int num_colours = static_cast<int>(may.size()) - 1;
  Plan plan(length, num_colours, to_clue(clue, num_colours));
  std::vector<Word> starts, ends;
  Scratch scratch;
  Watch watch;
  if (!unlocked([&] { return block_domains(plan, planes.data(), starts, ends, scratch, watch); })) {
    return {};
  }
  std::vector<PyDomain> domains;
  for (size_t b = 0; b < clue.size(); ++b) {
    const size_t at = b * words_for(length);
    domains.emplace_back(set_bits(&starts[at], length), set_bits(&ends[at], length));
  }
  return domains;
}

void make_beliefs(Beliefs* self, Board& board, double damping, double clamp, double sigma,
                  uint64_t seed) {
  const bool fits = damping >= 0 && damping < 1 && clamp > 0 && clamp <= 100 && sigma >= 0;
  if (!fits || sigma > 100) {
    throw nb::value_error("damping is in [0, 1), clamp in (0, 100], sigma in [0, 100]");
  }
  nb::gil_scoped_release unlock;
  new (self) Beliefs(board, {damping, clamp, sigma, seed});
}

std::optional<nb::bytes> probabilities_of(const Beliefs& beliefs, int value,
                                          std::optional<double> remaining_s, const Poll& poll) {
  if (value < 0 || value >= beliefs.num_values()) throw nb::index_error("no such value");
  const auto found =
      watched(remaining_s, poll, [&](Watch& watch) { return beliefs.probabilities(value, watch); });
  if (!found) return {};
  return nb::bytes(found->data(), found->size() * sizeof(double));
}

using PyShares = std::pair<std::vector<int>, std::vector<double>>;
using PyBlockBelief = std::pair<PyShares, PyShares>;

std::optional<std::vector<PyBlockBelief>> blocks_of(Beliefs& beliefs, int line) {
  if (line < 0 || line >= beliefs.num_lines()) throw nb::index_error("no such line");
  const auto blocks = unlocked([&] {
    Watch watch;
    return beliefs.blocks(line, watch);
  });
  if (!blocks) return {};
  std::vector<PyBlockBelief> converted;
  for (const auto& [starts, ends, started, ended] : *blocks) {
    converted.push_back({{starts, started}, {ends, ended}});
  }
  return converted;
}

using PyBlockShares =
    std::tuple<int, std::vector<double>, int, std::vector<double>>;  // first start, first end

std::optional<std::pair<std::vector<std::vector<double>>, std::vector<PyBlockShares>>>
line_marginals(int length, const PyClue& clue, const std::vector<nb::bytes>& may,
               const std::vector<std::vector<double>>& logs) {
  const std::vector<Word> planes = to_planes(length, may);
  const auto fits = [&](const std::vector<double>& plane) {
    return plane.size() == static_cast<size_t>(length) &&
           std::all_of(plane.begin(), plane.end(), [](double log) { return std::abs(log) <= 100; });
  };
  if (length < 1 || logs.size() != may.size() || !std::all_of(logs.begin(), logs.end(), fits)) {
    throw nb::value_error("one log-weight from -100 to 100 is expected for each cell and value");
  }
  const int num_colours = static_cast<int>(may.size()) - 1;
  Plan plan(length, num_colours, to_clue(clue, num_colours));
  Watch watch;
  auto shares = unlocked([&] { return line_shares(plan, planes.data(), logs, watch); });
  if (!shares) return {};
  std::vector<PyBlockShares> blocks;
  for (size_t b = 0; b < shares->blocks.size(); ++b) {
    auto& [starts, ends] = shares->blocks[b];
    const Window window = shares->windows[b];
    blocks.emplace_back(window.first, std::move(starts), window.first_end, std::move(ends));
  }
  return std::pair{std::move(shares->values), std::move(blocks)};
}

}  // namespace
}  // namespace nonosat

NB_MODULE(_core, module) {
  using namespace nonosat;
  module.doc() = "Native core: line propagation, boards, probing, search, beliefs.";

  module.def("exit_when_closed", &exit_when_closed, "fd"_a,
             "End this process as soon as the other end of the pipe `fd` is closed.");
  module.def("line_values", &line_values, "length"_a, "clue"_a, "may"_a,
             "Cells that may have each value in some placement, or None where there is none.");
  module.def("line_domains", &line_domains, "length"_a, "clue"_a, "may"_a,
             "(starts, last cells) of each block in some placement, or None where there is none.");

  module.def("line_marginals", &line_marginals, "length"_a, "clue"_a, "may"_a, "logs"_a,
             "How likely each cell has each value; by block its first start, shares, first end.");

  bind_clauses(module);
  bind_learn(module);
  bind_loops(module);

  nb::enum_<Progress>(module, "Progress")
      .value("FIXPOINT", Progress::kFixpoint)
      .value("CONTRADICTION", Progress::kContradiction)
      .value("BUDGET", Progress::kBudget);
  nb::enum_<Search::Outcome>(module, "Outcome")
      .value("SOLUTION", Search::Outcome::kSolution)
      .value("EXHAUSTED", Search::Outcome::kExhausted)
      .value("BUDGET", Search::Outcome::kBudget);

  nb::class_<Board>(module, "Board", "A rectangular board under exact line propagation.")
      .def("__init__", &make_board, "num_colours"_a, "rows"_a, "columns"_a, "poll"_a = nb::none(),
           "Very many lines take seconds; `poll` may raise to end that, and returns False.")
      .def(
          "copy", [](const Board& self) { return unlocked([&] { return Board(self); }); },
          "A board of its own.")
      .def(
          "assign",
          [](Board& self, int cell, int value) {
            check_place(self, cell, value);
            self.assign(cell, value);
          },
          "cell"_a, "value"_a)
      .def(
          "remove",
          [](Board& self, int cell, int value) {
            check_place(self, cell, value);
            self.remove(cell, value);
          },
          "cell"_a, "value"_a)
      .def("assign_cells", &assign_cells, "values"_a, "One byte a cell, 255 leaves it as it is.")
      .def(
          "propagate",
          [](Board& self, std::optional<double> remaining_s, const Poll& poll) {
            return watched(remaining_s, poll, [&](Watch& watch) { return self.propagate(watch); });
          },
          "remaining_s"_a = nb::none(), "poll"_a = nb::none(),
          "True at a fixpoint, False at a contradiction, None when stopped.")
      .def("cells", &cells_of, "One byte a cell: its value, or 255 while it is open.")
      .def("plane", &plane_of, "value"_a, "One byte a cell: whether it may have the value.")
      .def_prop_ro("is_complete", &Board::is_complete);

  nb::class_<Prober>(module, "Prober", "Failed literal probing on a board.")
      .def(
          "__init__",
          [](Prober* self, Board& board) {
            nb::gil_scoped_release unlock;
            new (self) Prober(board);
          },
          "board"_a, nb::keep_alive<1, 2>())
      .def(
          "run",
          [](Prober& self, int64_t budget, std::optional<double> remaining_s, const Poll& poll) {
            return watched(remaining_s, poll,
                           [&](Watch& watch) { return self.run(watch, budget); });
          },
          "budget"_a, "remaining_s"_a = nb::none(), "poll"_a = nb::none(),
          "A Progress, or None when stopped.")
      .def_prop_ro("num_probes", &Prober::num_probes)
      .def_prop_ro("lessons", &Prober::lessons,
                   "The cells whose probes ruled something out, in order.")
      .def_prop_ro(
          "best",
          [](const Prober& self) -> std::optional<std::pair<int, int>> {
            if (!self.can_branch()) return {};
            return std::pair{self.best_cell(), self.best_value()};
          },
          "The cell to branch on, and the value of it that rules out least; after a FIXPOINT or a\n"
          "BUDGET, and None where no cell is open.");

  bind_outlook(module);

  nb::class_<Search>(module, "Search", "Depth-first search over a board.")
      .def(
          "__init__",
          [](Search* self, Board& board) {
            nb::gil_scoped_release unlock;
            new (self) Search(board);
          },
          "board"_a, nb::keep_alive<1, 2>())
      .def(
          "next",
          [](Search& self, int64_t budget, std::optional<double> remaining_s, const Poll& poll) {
            return watched(remaining_s, poll,
                           [&](Watch& watch) { return self.next(watch, budget); });
          },
          "budget"_a, "remaining_s"_a = nb::none(), "poll"_a = nb::none(),
          "An Outcome, or None when stopped.")
      .def_prop_ro("num_nodes", &Search::num_nodes);

  nb::class_<Beliefs>(module, "Beliefs", "Belief propagation over the lines of a board.")
      .def("__init__", &make_beliefs, "board"_a, nb::kw_only(), "damping"_a, "clamp"_a, "sigma"_a,
           "seed"_a, nb::keep_alive<1, 2>())
      .def(
          "run",
          [](Beliefs& self, int num_rounds, std::optional<double> remaining_s, const Poll& poll) {
            return watched(remaining_s, poll,
                           [&](Watch& watch) { return self.run(watch, num_rounds); });
          },
          "num_rounds"_a, "remaining_s"_a = nb::none(), "poll"_a = nb::none(),
          "False where a line has no filling, None when stopped.")
      .def("probabilities", &probabilities_of, "value"_a, "remaining_s"_a = nb::none(),
           "poll"_a = nb::none(), "One double a cell; None when stopped.")
      .def("blocks", &blocks_of, "line"_a,
           "By block (starts, how likely it started by each), and its ends; None without filling.")
      .def_prop_ro("num_rounds", &Beliefs::num_rounds)
      .def_prop_ro("change", &Beliefs::change, "The largest one of a message in the last round.");

  bind_check(module);
  bind_decimation(module);
  bind_count(module);
  bind_queens(module);
  bind_knight(module);
}
