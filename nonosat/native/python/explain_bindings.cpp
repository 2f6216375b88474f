// Python bindings of explanations: conversion of arguments and results, no logic.
#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <memory>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "explain/rules.hpp"
#include "explain/solver.hpp"
#include "explain/step.hpp"
#include "explain/words.hpp"
#include "python/python_board.hpp"
#include "python/python_clue.hpp"
#include "python/python_exclusive.hpp"
#include "python/python_line.hpp"
#include "python/python_values.hpp"
#include "python/python_watch.hpp"
#include "python/rooms.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace nonosat {
namespace {

using explain::Impossible, explain::Pair, explain::Solver, explain::Step, explain::Words;

using PyPlace = std::pair<int32_t, int32_t>;  // a place and a value
using PyNumbers = nb::typed<nb::sequence, int>;
using PyPairs = nb::typed<nb::list, nb::typed<nb::tuple, int, int>>;
using PyPairsGiven = nb::typed<nb::sequence, PyPlace>;
using PyCell = nb::typed<nb::tuple, int, int, int>;
using PyCells = nb::typed<nb::tuple, PyCell, nb::ellipsis>;
using PyLines = nb::typed<nb::tuple, int, nb::ellipsis>;
using PyLink = nb::typed<nb::tuple, int, PyCells>;
// technique, lines, settled, ruled out, sentence, assumed, chain
using PyStep = nb::typed<nb::tuple, nb::str, PyLines, PyCells, PyCells, nb::str,
                         std::optional<PyCell>, nb::typed<nb::tuple, PyLink, nb::ellipsis>>;
// a step, if any; the line without placement and the reason, if there is one
using PyFound =
    nb::typed<nb::tuple, std::optional<PyStep>, std::optional<nb::typed<nb::tuple, int, nb::str>>>;

// Throws IndexError for a number that is not below `end`.
int checked(int number, int end) {
  if (number < 0 || number >= end) throw nb::index_error("no such line, cell or value");
  return number;
}

template <class Items, class Convert>
nb::tuple to_tuple(const Items& items, Convert convert) {
  nb::list converted;
  for (const auto& item : items) converted.append(convert(item));
  return nb::tuple(converted);
}

nb::tuple to_cell(Pair pair, int width) {
  return nb::make_tuple(pair.cell / width, pair.cell % width, pair.value);
}

nb::tuple to_cells(const std::vector<Pair>& pairs, int width) {
  return to_tuple(pairs, [&](Pair pair) { return to_cell(pair, width); });
}

PyPairs to_pairs(const std::vector<Pair>& pairs) {
  nb::list converted;
  for (const auto& [place, value] : pairs) converted.append(nb::make_tuple(place, value));
  return nb::borrow<PyPairs>(converted);
}

nb::object to_step(const std::optional<Step>& step, int width) {
  if (!step) return nb::none();
  const nb::tuple lines = to_tuple(step->lines, [](int line) { return line; });
  const nb::tuple chain = to_tuple(step->chain, [&](const explain::Link& link) {
    return nb::make_tuple(link.line, to_cells(link.rules_out, width));
  });
  const nb::object assumed =
      step->assumed.cell < 0 ? nb::object(nb::none()) : to_cell(step->assumed, width);
  return nb::make_tuple(explain::kTechniques[step->technique].name, lines,
                        to_cells(step->settled, width), to_cells(step->ruled_out, width),
                        step->sentence, assumed, chain);
}

std::optional<PyPairs> implied_by(Exclusive<Board>& self, int line) {
  const Use board(self);
  checked(line, board->num_lines());
  const auto found =
      polled({}, [&](Watch& watch) { return explain::implied(*board, line, watch); });
  if (!found) return {};
  return to_pairs(*found);
}

// Checks pairs from Python against the size of the board.
std::vector<Pair> to_native(const PyPairsGiven& given, int num_places, int num_values) {
  std::vector<Pair> pairs;
  Watch watch = make_watch({}, {});
  each_item(given, watch, [&](const nb::object& item) {
    const auto [place, value] = to_value<PyPlace>(item);
    if (place < 0 || place >= num_places || value < 0 || value >= num_values) {
      throw nb::index_error("no such cell or value on the board");
    }
    pairs.push_back({place, value});
  });
  return pairs;
}

struct PyWords {
  Words words;
  int num_places, num_values, num_lines;
};

void make_words(PyWords* self, int height, int width, const nb::typed<nb::sequence, nb::str>& names,
                bool is_short, const nb::typed<nb::sequence, PyClue>& clues) {
  Watch watch = make_watch({}, {});
  auto inks = to_vector<std::string>(names, watch);
  const int num_values = static_cast<int>(inks.size());
  if (height < 1 || width < 1 || height > INT32_MAX / width || num_values < 2 ||
      nb::len(clues) != static_cast<size_t>(height) + static_cast<size_t>(width)) {
    throw nb::value_error("names of at least two values are expected, and a clue for each line");
  }
  std::vector<Clue> converted;
  each_item(clues, watch, [&](const nb::object& clue) {
    converted.push_back(to_clue(clue, num_values - 1, watch));
  });
  new (self) PyWords{Words(height, width, std::move(inks), is_short, std::move(converted)),
                     height * width, num_values, height + width};
}

std::string clue_of(const PyWords& self, const PyClue& clue) {
  Watch watch = make_watch({}, {});
  return self.words.clue(to_clue(clue, self.num_values - 1, watch));
}

std::string scattered(const PyWords& self, const PyPairsGiven& settled,
                      const PyPairsGiven& ruled_out) {
  return self.words.scattered(to_native(settled, self.num_places, self.num_values),
                              to_native(ruled_out, self.num_places, self.num_values));
}

std::string summary(const PyWords& self, const PyPairsGiven& settled,
                    const PyPairsGiven& ruled_out) {
  return self.words.summary(to_native(settled, self.num_places, self.num_values),
                            to_native(ruled_out, self.num_places, self.num_values));
}

void bind_words(nb::module_& module) {
  nb::class_<PyWords>(module, "Words", "English names of a puzzle's lines, cells and values.")
      .def("__init__", &make_words, "height"_a, "width"_a, "inks"_a, "is_short"_a, "clues"_a,
           "Create the names. `inks`: of each value; `is_short`: clues are \"2r 1b\".")
      .def(
          "place",
          [](const PyWords& self, int place) {
            return self.words.place(checked(place, self.num_places));
          },
          "place"_a)
      .def(
          "line",
          [](const PyWords& self, int line) {
            return self.words.line(checked(line, self.num_lines));
          },
          "line"_a)
      .def("clue", &clue_of, "clue"_a)
      .def("scattered", &scattered, "settled"_a, "ruled_out"_a)
      .def("summary", &summary, "settled"_a, "ruled_out"_a)
      .def(
          "wrong",
          [](const PyWords& self, const PyPairsGiven& marks) {
            return self.words.wrong(to_native(marks, self.num_places, self.num_values));
          },
          "marks"_a);
}

void make_solver(Exclusive<Solver>* self, Exclusive<Board>& on, const PyWords& words,
                 const PyNumbers& only, int hardest, bool is_brief) {
  const Use board(on);
  Watch watch = make_watch({}, {});
  const auto lines = to_vector<int32_t>(only, watch);
  if (words.num_lines != board->num_lines() || words.num_values != board->num_values() ||
      words.num_places != board->num_cells()) {
    throw nb::value_error("names of this board are expected");
  }
  check_whole(*board);
  for (const int line : lines) checked(line, board->num_lines());
  unlocked([&] {
    new (self) Exclusive<Solver>(board.busy(), *board, words.words, lines, hardest, is_brief);
  });
}

// Returns the step that `work(solver, watch)` finds; nothing if the watch stopped it.
template <class Work>
std::optional<PyFound> found_by(Exclusive<Solver>& self, std::optional<double> remaining_s,
                                const Poll& poll, Work work) {
  const Use solver(self);
  solver.change_own();
  std::optional<Step> step;
  std::optional<Impossible> impossible;
  const auto done = watched(remaining_s, poll, [&](Watch& watch) {
    try {
      step = work(*solver, watch);
    } catch (const Impossible& found) {
      impossible = found;
    }
    return true;
  });
  if (!done) return {};
  nb::object broken = nb::none();
  if (impossible) broken = nb::make_tuple(impossible->line, impossible->reason);
  const int width = solver->reasoner().board().width();
  return nb::borrow<PyFound>(nb::make_tuple(to_step(step, width), broken));
}

std::optional<PyFound> next_of(Exclusive<Solver>& self, std::optional<double> remaining_s,
                               const Poll& poll) {
  return found_by(self, remaining_s, poll,
                  [](Solver& solver, Watch& watch) { return solver.next(watch); });
}

std::optional<PyFound> line_step_of(Exclusive<Solver>& self, std::optional<double> remaining_s,
                                    const Poll& poll) {
  return found_by(self, remaining_s, poll,
                  [](Solver& solver, Watch& watch) { return solver.reasoner().line_step(watch); });
}

std::optional<PyFound> refute_by(Exclusive<Solver>& self, int cell,
                                 std::optional<double> remaining_s, const Poll& poll) {
  return found_by(self, remaining_s, poll, [cell](Solver& solver, Watch& watch) {
    return solver.reasoner().refute(checked(cell, solver.reasoner().board().num_cells()), watch);
  });
}

nb::typed<nb::tuple, PyPairs, PyPairs> take_by(Exclusive<Solver>& self,
                                               const PyPairsGiven& removals) {
  const Use solver(self);
  solver.change_own();
  const Board& board = solver->reasoner().board();
  const auto pairs = to_native(removals, board.num_cells(), board.num_values());
  const auto [settled, ruled_out] = solver->reasoner().take(pairs);
  return nb::borrow<nb::typed<nb::tuple, PyPairs, PyPairs>>(
      nb::make_tuple(to_pairs(settled), to_pairs(ruled_out)));
}

nb::typed<nb::list, nb::typed<nb::tuple, int, int, int>> assumptions_of(Exclusive<Solver>& self) {
  const Use solver(self);
  const Outlook& outlook = solver->outlook();
  nb::list found;
  for (size_t i = 0; i < outlook.open.size(); ++i) {
    const auto& [cell, value] = outlook.open[i];
    found.append(nb::make_tuple(cell, value, outlook.ruled_out[i]));
  }
  return nb::borrow<nb::typed<nb::list, nb::typed<nb::tuple, int, int, int>>>(found);
}

void bind_solver(nb::module_& module) {
  nb::class_<Exclusive<Solver>>(module, "Explainer", "Steps of an explanation of a board.")
      .def("__init__", &make_solver, "board"_a, "words"_a, "lines"_a, "hardest"_a, "is_brief"_a,
           nb::keep_alive<1, 2>(),
           "Create it on a board, which its steps change. `lines`: those of which the clues may\n"
           "be used; empty for all.")
      .def("next", &next_of, "remaining_s"_a = nb::none(), "poll"_a = nb::none(),
           "Return the next step, if there is one, and the line without a placement with the\n"
           "reason, if there is one; None when stopped.")
      .def("line_step", &line_step_of, "remaining_s"_a = nb::none(), "poll"_a = nb::none(),
           "Return the same as `next`, by the clue of one line.")
      .def("refute", &refute_by, "cell"_a, "remaining_s"_a = nb::none(), "poll"_a = nb::none(),
           "Return the same as `next`, by an assumption about a cell that is followed line by\n"
           "line; only after `line_step` has found nothing.")
      .def("take", &take_by, "removals"_a,
           "Remove (place, value) pairs; return those places with one value left, with it, and\n"
           "the removals from the others.")
      .def_prop_ro("assumptions", &assumptions_of,
                   "After `next` found nothing: (cell, value, number of pairs that it removes)\n"
                   "for the assumptions about all open cells.");
}

using PyRuleResult = std::tuple<std::vector<std::pair<int, int>>, std::string>;

std::optional<PyRuleResult> settled_by(const std::string& technique, int length, const PyClue& clue,
                                       const PyMay& may, const PyWords& words) {
  Watch watch = make_watch({}, {});
  const PyLine line(length, clue, may, watch);
  std::vector<Word> kept(line.planes.size());
  Scratch scratch;
  if (line.num_values() > static_cast<size_t>(words.num_values) ||
      !propagate_line(line.plan, line.planes.data(), kept.data(), false, scratch, watch)) {
    throw nb::value_error("a line with a placement is expected, and names of its values");
  }
  for (const explain::Rule& rule : explain::kRules) {
    if (explain::kTechniques[rule.technique].name != technique) continue;
    const explain::LineView view(line.plan, line.planes.data());
    const auto found = rule.find(view, words.words, watch);
    if (!found) return {};
    std::vector<std::pair<int, int>> values;
    for (const auto& [at, value] : found->values) values.push_back({at, value});
    return PyRuleResult{std::move(values), found->before + words.words.line(0) + found->after};
  }
  throw nb::value_error("the name of a rule for one line is expected");
}

nb::typed<nb::list, nb::typed<nb::tuple, nb::str, int, nb::str>> techniques() {
  nb::list found;
  for (const auto& [name, grade, summary] : explain::kTechniques) {
    found.append(nb::make_tuple(name, grade, summary));
  }
  return nb::borrow<nb::typed<nb::list, nb::typed<nb::tuple, nb::str, int, nb::str>>>(found);
}

nb::typed<nb::list, nb::str> rules() {
  nb::list found;
  for (const explain::Rule& rule : explain::kRules) {
    found.append(explain::kTechniques[rule.technique].name);
  }
  return nb::borrow<nb::typed<nb::list, nb::str>>(found);
}

using PyDependence = nb::typed<nb::tuple, PyNumbers, PyNumbers, bool>;

std::vector<size_t> needed(const nb::typed<nb::sequence, PyDependence>& steps,
                           const PyNumbers& cells, int height, int width) {
  Watch watch = make_watch({}, {});
  const auto numbers = [&](const nb::object& items, int end) {
    auto found = to_vector<int32_t>(items, watch);
    for (const int number : found) checked(number, end);
    return found;
  };
  std::vector<explain::Dependence> converted;
  each_item(steps, watch, [&](const nb::object& step) {
    converted.push_back({numbers(step[0], height + width), numbers(step[1], height * width),
                         nb::cast<bool>(step[2])});
  });
  return explain::needed(converted, numbers(cells, height * width), height, width);
}

}  // namespace

void bind_explain(nb::module_& module) {
  bind_words(module);
  bind_solver(module);
  module.def("implied", &implied_by, "board"_a, "line"_a,
             "Return all (cell, value) pairs that the clue of a line rules out; None if the line\n"
             "has no placement.");
  module.def("techniques", &techniques,
             "Return (name, grade, summary) of each technique of explanations, easiest first.");
  module.def("line_rules", &rules, "Return the names of the rules for one line, easiest first.");
  module.def("settled_by", &settled_by, "technique"_a, "length"_a, "clue"_a, "may"_a, "words"_a,
             "Return the cells of a line that a rule settles, with their values, and its\n"
             "description, which calls it the first row; None if it finds nothing. The line must\n"
             "have a placement.");
  module.def("needed_steps", &needed, "steps"_a, "cells"_a, "height"_a, "width"_a,
             "Return the indices of the steps on which the values of cells depend.\n\n"
             "A step is the lines that it uses, the cells that it changes, and True if it may\n"
             "use any line.");
}

}  // namespace nonosat
