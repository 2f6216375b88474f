// Python bindings of boards, probing and deductions: conversion of arguments and results, no logic.
#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/unique_ptr.h>

#include <algorithm>
#include <cstring>
#include <memory>
#include <utility>
#include <vector>

#include "board/board.hpp"
#include "board/deduction.hpp"
#include "board/lanes.hpp"
#include "board/lemmas.hpp"
#include "board/outlook.hpp"
#include "board/probe.hpp"
#include "cost.hpp"
#include "python/python_board.hpp"
#include "python/python_clue.hpp"
#include "python/python_exclusive.hpp"
#include "python/python_watch.hpp"
#include "python/rooms.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace nonosat {
namespace {

// Throws IndexError for a cell or value outside the board.
template <class AnyBoard>
void check_place(const AnyBoard& board, int cell, int value) {
  if (cell < 0 || cell >= board.num_cells() || value < 0 || value >= board.num_values()) {
    throw nb::index_error("no such cell or value on the board");
  }
}

template <class AnyBoard>
void check_line(const AnyBoard& board, int line) {
  if (line < 0 || line >= board.num_lines()) throw nb::index_error("no such line on the board");
}

using PyClues = nb::typed<nb::sequence, PyClue>;

std::vector<Clue> to_clues(const PyClues& clues, int num_colours, Watch& watch) {
  std::vector<Clue> converted;
  converted.reserve(nb::len(clues));
  each_item(clues, watch, [&](const nb::object& clue) {
    converted.push_back(to_clue(clue, num_colours, watch));
  });
  return converted;
}

void check_size(int num_colours, const PyClues& rows, const PyClues& columns) {
  const auto num_cells =
      static_cast<int64_t>(nb::len(rows)) * static_cast<int64_t>(nb::len(columns));
  if (num_colours < 1 || num_colours > 255 || num_cells < 1 || num_cells > INT32_MAX) {
    throw nb::value_error("a board has 1 to 255 colours and 1 to 2^31 - 1 cells");
  }
}

void make_board(Exclusive<Board>* self, int num_colours, const PyClues& rows,
                const PyClues& columns, const Poll& poll) {
  check_size(num_colours, rows, columns);
  Watch watch = make_watch({}, poll);
  std::vector<Clue> row_clues = to_clues(rows, num_colours, watch);
  std::vector<Clue> column_clues = to_clues(columns, num_colours, watch);
  unlocked([&] {
    new (self) Exclusive<Board>(nullptr, num_colours, std::move(row_clues), std::move(column_clues),
                                watch);
  });
}

// Makes a board, propagates it, and returns its cells if all are decided. This is one call because
// on a small board each call costs more than the work itself.
std::optional<nb::bytes> forced_cells(int num_colours, const PyClues& rows,
                                      const PyClues& columns) {
  check_size(num_colours, rows, columns);
  Watch watch = make_watch({}, {});
  std::vector<Clue> row_clues = to_clues(rows, num_colours, watch);
  std::vector<Clue> column_clues = to_clues(columns, num_colours, watch);
  const auto cells = unlocked([&]() -> std::optional<std::vector<uint8_t>> {
    Board board(num_colours, std::move(row_clues), std::move(column_clues), watch);
    if (!board.propagate(watch) || !board.is_complete()) return {};
    return board.cells();
  });
  if (!cells) return {};
  return to_bytes(*cells);
}

template <class AnyBoard>
std::unique_ptr<Exclusive<AnyBoard>> copied(Exclusive<AnyBoard>& self) {
  const Use board(self);
  return unlocked(
      [&] { return std::make_unique<Exclusive<AnyBoard>>(nullptr, std::as_const(*board)); });
}

template <class AnyBoard>
nb::bytes cells_of(Exclusive<AnyBoard>& self) {
  const Use board(self);
  return to_bytes(unlocked([&] { return board->cells(); }));
}

template <class AnyBoard>
nb::bytes plane_of(Exclusive<AnyBoard>& self, int value) {
  const Use board(self);
  check_place(*board, 0, value);
  return to_bytes(unlocked([&] { return board->plane(value); }));
}

template <class AnyBoard>
bool may(Exclusive<AnyBoard>& self, int cell, int value) {
  const Use board(self);
  check_place(*board, cell, value);
  return board->may(cell, value);
}

template <class AnyBoard>
nb::typed<nb::list, nb::bytes> line_planes(Exclusive<AnyBoard>& self, int line) {
  const Use board(self);
  check_line(*board, line);
  const Word* planes = board->planes(line);
  const int length = board->plan(line).length;
  nb::list found;
  for (int value = 0; value < board->num_values(); ++value, planes += words_for(length)) {
    std::vector<uint8_t> plane(length);
    for (int at = 0; at < length; ++at) plane[at] = has_bit(planes, at);
    found.append(to_bytes(std::move(plane)));
  }
  return nb::borrow<nb::typed<nb::list, nb::bytes>>(found);
}

template <class AnyBoard>
void assign(Exclusive<AnyBoard>& self, int cell, int value) {
  const Use board(self);
  check_place(*board, cell, value);
  board.change();
  board->assign(cell, value);
}

template <class AnyBoard>
void remove(Exclusive<AnyBoard>& self, int cell, int value) {
  const Use board(self);
  check_place(*board, cell, value);
  board.change();
  board->remove(cell, value);
}

template <class AnyBoard>
void assign_cells(Exclusive<AnyBoard>& self, const nb::bytes& values, const Poll& poll) {
  const Use board(self);
  const auto* data = reinterpret_cast<const uint8_t*>(values.c_str());
  if (static_cast<int64_t>(values.size()) != board->num_cells()) {
    throw nb::value_error("one byte a cell is expected");
  }
  board.change();
  polled(poll, [&](Watch& watch) {
    for (int cell = 0; cell < board->num_cells(); ++cell) {
      if (data[cell] == Board::kOpen) continue;
      check_place(*board, cell, data[cell]);
      board->assign(cell, data[cell]);
      watch.work(cost::kAssignment);
    }
  });
}

void leave_out(Exclusive<Board>& self, int line) {
  const Use board(self);
  check_line(*board, line);
  board.change();
  board->leave_out(line);
}

template <class AnyBoard>
std::optional<int> broken_line_of(Exclusive<AnyBoard>& self) {
  const Use board(self);
  if (board->broken_line() < 0) return {};
  return board->broken_line();
}

template <class AnyBoard>
std::optional<bool> propagate(Exclusive<AnyBoard>& self, std::optional<double> remaining_s,
                              const Poll& poll) {
  const Use board(self);
  if (!board->is_at_fixpoint()) board.change();
  return watched(remaining_s, poll, [&](Watch& watch) { return board->propagate(watch); });
}

// Binds what all boards have in common.
template <class AnyBoard>
void bind_cells(nb::class_<Exclusive<AnyBoard>>& made) {
  made.def("copy", &copied<AnyBoard>, "Return an independent copy.")
      .def("assign", &assign<AnyBoard>, "cell"_a, "value"_a)
      .def("remove", &remove<AnyBoard>, "cell"_a, "value"_a)
      .def("assign_cells", &assign_cells<AnyBoard>, "values"_a, "poll"_a = nb::none(),
           "Assign one byte per cell; 255 leaves a cell unchanged. If `poll` raises, some are\n"
           "assigned.")
      .def("propagate", &propagate<AnyBoard>, "remaining_s"_a = nb::none(), "poll"_a = nb::none(),
           "Propagate to a fixpoint; False at a contradiction, None when stopped.")
      .def_prop_ro(
          "broken_line", &broken_line_of<AnyBoard>,
          "Line without a placement at which the last `propagate` failed, rows first; None if\n"
          "no line failed.")
      .def("cells", &cells_of<AnyBoard>,
           "Values of the cells, one byte each; 255 for an open cell.")
      .def("plane", &plane_of<AnyBoard>, "value"_a,
           "One byte per cell: 1 if it may have the value.")
      .def("may", &may<AnyBoard>, "cell"_a, "value"_a, "True if the cell may have the value.")
      .def("line_planes", &line_planes<AnyBoard>, "line"_a,
           "For each value one byte a cell of a line, rows first: 1 if it may have the value.")
      .def_prop_ro("is_complete", &getter<&AnyBoard::is_complete>);
}

void bind_boards(nb::module_& module) {
  nb::class_<Exclusive<Board>> made(module, "Board",
                                    "A rectangular board under exact line propagation.");
  made.def("__init__", &make_board, "num_colours"_a, "rows"_a, "columns"_a, "poll"_a = nb::none(),
           "Create a board. For very many lines this takes seconds; `poll` may raise to end it.")
      .def("leave_out", &leave_out, "line"_a,
           "Ignore the clue of a line, rows first. Only before the first `propagate`.");
  bind_cells(made);
  module.def("forced_cells", &forced_cells, "num_colours"_a, "rows"_a, "columns"_a,
             "Return the only solution, one byte per cell, if propagation of lines decides all\n"
             "cells; None otherwise.");
}

template <class AnyBoard>
void make_prober(Exclusive<Prober<AnyBoard>>* self, Exclusive<AnyBoard>& on) {
  const Use board(on);
  unlocked([&] { new (self) Exclusive<Prober<AnyBoard>>(board.busy(), *board); });
}

template <class AnyBoard>
std::optional<Progress> run(Exclusive<Prober<AnyBoard>>& self, int64_t budget,
                            std::optional<double> remaining_s, const Poll& poll) {
  const Use prober(self);
  prober.change_other();
  return watched(remaining_s, poll, [&](Watch& watch) { return prober->run(watch, budget); });
}

template <class AnyBoard>
nb::typed<nb::list, int> lessons_of(Exclusive<Prober<AnyBoard>>& self) {
  const Use prober(self);
  Watch watch = make_watch({}, {});
  return to_list(prober->productive_cells(), watch);
}

template <class AnyBoard>
std::optional<std::pair<int, int>> best_of(Exclusive<Prober<AnyBoard>>& self) {
  const Use prober(self);
  if (!prober->can_branch()) return {};
  return std::pair{prober->best_cell(), prober->best_value()};
}

template <class AnyBoard>
void bind_prober(nb::module_& module, const char* name) {
  using Own = Prober<AnyBoard>;
  nb::class_<Exclusive<Own>>(module, name, "Failed literal probing on a board.")
      .def("__init__", &make_prober<AnyBoard>, "board"_a, nb::keep_alive<1, 2>())
      .def("run", &run<AnyBoard>, "budget"_a, "remaining_s"_a = nb::none(), "poll"_a = nb::none(),
           "Probe until a fixpoint, contradiction or limit; None when stopped.")
      .def_prop_ro("num_probes", &getter<&Own::num_probes>)
      .def_prop_ro("lessons", &lessons_of<AnyBoard>, "Cells whose probes removed values, in order.")
      .def_prop_ro("best", &best_of<AnyBoard>,
                   "Cell to branch on and its value that removes fewest others, after FIXPOINT or\n"
                   "BUDGET; None if no cell is open.");
}

void bind_probers(nb::module_& module) {
  nb::enum_<Progress>(module, "Progress")
      .value("FIXPOINT", Progress::kFixpoint)
      .value("CONTRADICTION", Progress::kContradiction)
      .value("BUDGET", Progress::kBudget);
  bind_prober<Board>(module, "Prober");
  bind_prober<LaneBoard>(module, "LaneProber");
}

using PyPair = nb::typed<nb::tuple, int, int>;
using PyPairs = nb::typed<nb::list, PyPair>;
using PyOpen = nb::typed<nb::tuple, int, int, int64_t>;

PyPairs to_pairs(const std::vector<Assumption>& assumptions, Watch& watch) {
  nb::list pairs;
  for (const auto& [cell, value] : assumptions) {
    pairs.append(nb::make_tuple(cell, value));
    watch.work(cost::kItem);
  }
  return nb::borrow<PyPairs>(pairs);
}

PyPairs refuted_of(const Outlook& self) {
  Watch watch = make_watch({}, {});
  return to_pairs(self.refuted, watch);
}

std::optional<nb::typed<nb::tuple, int, PyPairs>> either_of(const Outlook& self) {
  if (self.either < 0) return {};
  Watch watch = make_watch({}, {});
  return nb::borrow<nb::typed<nb::tuple, int, PyPairs>>(
      nb::make_tuple(self.either, to_pairs(self.agreed, watch)));
}

nb::typed<nb::list, PyOpen> open_of(const Outlook& self) {
  Watch watch = make_watch({}, {});
  nb::list found;
  for (size_t i = 0; i < self.open.size(); ++i) {
    found.append(nb::make_tuple(self.open[i].cell, self.open[i].value, self.ruled_out[i]));
    watch.work(cost::kItem);
  }
  return nb::borrow<nb::typed<nb::list, PyOpen>>(found);
}

std::optional<Outlook> look(Exclusive<Board>& self, int most, std::optional<double> remaining_s,
                            const Poll& poll) {
  const Use board(self);
  check_settled(*board);
  return watched(remaining_s, poll, [&](Watch& watch) { return look_ahead(*board, most, watch); });
}

void bind_outlook(nb::module_& module) {
  nb::class_<Outlook>(module, "Outlook", "Consequences of each assumption about an open cell.")
      .def_prop_ro("refuted", &refuted_of, "Refuted (cell, value) pairs.")
      .def_prop_ro(
          "either", &either_of,
          "(cell, pairs) of the first cell whose values all imply the same (cell, value) pairs;\n"
          "None if there is none, or if any assumption is refuted.")
      .def_prop_ro("open", &open_of,
                   "(cell, value, number of pairs that it removes) for the other assumptions.");
  module.def("look_ahead", &look, "board"_a, "most"_a, "remaining_s"_a = nb::none(),
             "poll"_a = nb::none(),
             "Probe each assumption on a board at its fixpoint, which stays unchanged; end with\n"
             "the cell at which `most` assumptions are refuted. None when stopped.");
}

void make_deduction(Exclusive<Deduction>* self, Exclusive<Board>& on) {
  const Use board(on);
  unlocked([&] { new (self) Exclusive<Deduction>(board.busy(), *board); });
}

std::optional<bool> deduce(Exclusive<Deduction>& self, std::optional<double> remaining_s,
                           const Poll& poll) {
  const Use deduction(self);
  deduction.change_other();
  return watched(remaining_s, poll, [&](Watch& watch) { return deduction->propagate(watch); });
}

std::optional<Progress> probe(Exclusive<Deduction>& self, int64_t budget,
                              std::optional<double> remaining_s, const Poll& poll) {
  const Use deduction(self);
  deduction.change_other();
  return watched(remaining_s, poll, [&](Watch& watch) { return deduction->probe(watch, budget); });
}

nb::bytes take_steps(Exclusive<Deduction>& self) {
  const Use deduction(self);
  return to_bytes(unlocked([&] { return deduction->take_steps(); }));
}

std::vector<Deduction::Step> to_steps(const Board& board, const nb::bytes& steps) {
  std::vector<Deduction::Step> given(steps.size() / sizeof(Deduction::Step));
  std::memcpy(given.data(), steps.c_str(), given.size() * sizeof(Deduction::Step));
  const auto is_inside = [&](int32_t cell, int32_t value) {
    return cell >= 0 && cell < board.num_cells() && value >= 0 && value < board.num_values();
  };
  for (const auto& [cell, value, if_cell, if_value] : given) {
    if (!is_inside(cell, value) || (if_cell != -1 && !is_inside(if_cell, if_value))) {
      throw nb::value_error("steps of cells and values of the board are expected");
    }
  }
  return given;
}

std::optional<std::tuple<nb::bytes, nb::bytes>> lemmas(Exclusive<Board>& self,
                                                       const nb::bytes& steps,
                                                       std::optional<double> remaining_s,
                                                       const Poll& poll) {
  const Use board(self);
  auto found = watched(remaining_s, poll, [&](Watch& watch) {
    return lemmas_of(*board, to_steps(*board, steps), watch);
  });
  if (!found) return {};
  return std::make_tuple(to_bytes(std::move(found->clauses)), to_bytes(std::move(found->facts)));
}

void bind_deduction(nb::module_& module) {
  nb::class_<Exclusive<Deduction>>(module, "Deduction",
                                   "Propagation and probing that record their steps.")
      .def("__init__", &make_deduction, "board"_a, nb::keep_alive<1, 2>())
      .def("propagate", &deduce, "remaining_s"_a = nb::none(), "poll"_a = nb::none(),
           "Propagate to a fixpoint; False at a contradiction, None when stopped.")
      .def("probe", &probe, "budget"_a, "remaining_s"_a = nb::none(), "poll"_a = nb::none(),
           "Probe until a fixpoint, contradiction or limit; None when stopped.")
      .def("take_steps", &take_steps,
           "Return the steps since the last call, each as four 32-bit integers.\n\n"
           "A cell, a value that it cannot have, a cell or -1, and the value of that cell under\n"
           "which this holds.");
  module.def("lemmas", &lemmas, "board"_a, "steps"_a, "remaining_s"_a = nb::none(),
             "poll"_a = nb::none(),
             "Convert steps of a Deduction to clauses over the variables of the open board's\n"
             "encoding.\n\n"
             "Returns (all clauses, those that hold without an assumption) as 32-bit integers,\n"
             "each clause terminated by 0; None when stopped.");
}

using PyCells = nb::typed<nb::sequence, int32_t>;
using PyLanes = nb::typed<nb::sequence, PyCells>;

std::vector<LaneBoard::Cells> to_lanes(const PyLanes& lanes, int num_cells, Watch& watch) {
  std::vector<LaneBoard::Cells> converted;
  converted.reserve(nb::len(lanes));
  std::vector<size_t> last(std::max(num_cells, 0), 0);  // by cell: number of its last lane, from 1
  each_item(lanes, watch, [&](const nb::object& lane) {
    auto& mine = converted.emplace_back();
    each_item(lane, watch, [&](const nb::object& item) {
      const auto cell = to_value<int32_t>(item);
      if (cell < 0 || cell >= num_cells || last[cell] == converted.size()) {
        throw nb::value_error("different cells of the board are expected in a lane");
      }
      last[cell] = converted.size();
      mine.push_back(cell);
    });
  });
  if (std::find(last.begin(), last.end(), size_t{0}) != last.end()) {
    throw nb::value_error("each cell of the board is expected in a lane");
  }
  return converted;
}

void make_lane_board(Exclusive<LaneBoard>* self, int num_colours, int num_cells,
                     const PyLanes& lanes, const PyClues& clues, const Poll& poll) {
  if (num_colours < 1 || num_colours > 255 || num_cells < 1 || nb::len(lanes) != nb::len(clues)) {
    throw nb::value_error("a board of lanes has 1 to 255 colours, cells, and a clue a lane");
  }
  Watch watch = make_watch({}, poll);
  std::vector<LaneBoard::Cells> cells = to_lanes(lanes, num_cells, watch);
  std::vector<Clue> converted = to_clues(clues, num_colours, watch);
  unlocked([&] {
    new (self) Exclusive<LaneBoard>(nullptr, num_colours, num_cells, std::move(cells),
                                    std::move(converted), watch);
  });
}

void bind_lane_boards(nb::module_& module) {
  nb::class_<Exclusive<LaneBoard>> made(
      module, "LaneBoard",
      "A board whose lanes, its lines, are any sequences of cells, under exact line propagation.");
  made.def("__init__", &make_lane_board, "num_colours"_a, "num_cells"_a, "lanes"_a, "clues"_a,
           "poll"_a = nb::none());
  bind_cells(made);
}

}  // namespace

void bind_board(nb::module_& module) {
  bind_boards(module);
  bind_lane_boards(module);
  bind_probers(module);
  bind_outlook(module);
  bind_deduction(module);
}

}  // namespace nonosat
