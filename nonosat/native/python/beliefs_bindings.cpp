// Python bindings of beliefs: conversion of arguments and results, no logic.
#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "beliefs/beliefs.hpp"
#include "python/python_board.hpp"
#include "python/python_exclusive.hpp"
#include "python/python_line.hpp"
#include "python/python_watch.hpp"
#include "python/rooms.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace nonosat {
namespace {

void make_beliefs(Exclusive<Beliefs>* self, Exclusive<Board>& on, double damping, double clamp,
                  double sigma, uint64_t seed) {
  const bool fits = damping >= 0 && damping < 1 && clamp > 0 && clamp <= 100 && sigma >= 0;
  if (!fits || sigma > 100) {
    throw nb::value_error("damping is in [0, 1), clamp in (0, 100], sigma in [0, 100]");
  }
  const Use board(on);
  check_whole(*board);
  const Beliefs::Settings settings{damping, clamp, sigma, seed};
  unlocked([&] { new (self) Exclusive<Beliefs>(board.busy(), *board, settings); });
}

std::optional<bool> run(Exclusive<Beliefs>& self, int num_rounds, std::optional<double> remaining_s,
                        const Poll& poll) {
  const Use beliefs(self);
  return watched(remaining_s, poll, [&](Watch& watch) { return beliefs->run(watch, num_rounds); });
}

std::optional<nb::bytes> probabilities_of(Exclusive<Beliefs>& self, int value,
                                          std::optional<double> remaining_s, const Poll& poll) {
  const Use beliefs(self);
  if (value < 0 || value >= beliefs->num_values()) throw nb::index_error("no such value");
  auto found = watched(remaining_s, poll,
                       [&](Watch& watch) { return beliefs->probabilities(value, watch); });
  if (!found) return {};
  return to_bytes(std::move(*found));
}

using PyNumbers = nb::typed<nb::list, double>;
using PyShares = nb::typed<nb::tuple, PyPositions, PyNumbers>;
using PyBlockBelief = nb::typed<nb::tuple, PyShares, PyShares>;

std::optional<nb::typed<nb::list, PyBlockBelief>> blocks_of(Exclusive<Beliefs>& self, int line,
                                                            const Poll& poll) {
  const Use beliefs(self);
  if (line < 0 || line >= beliefs->num_lines()) throw nb::index_error("no such line");
  Watch watch = make_watch({}, poll);
  const auto blocks = unlocked([&] { return beliefs->blocks(line, watch); });
  if (!blocks) return {};
  nb::list converted;
  for (const auto& [starts, ends, started, ended] : *blocks) {
    converted.append(nb::make_tuple(nb::make_tuple(to_list(starts, watch), to_list(started, watch)),
                                    nb::make_tuple(to_list(ends, watch), to_list(ended, watch))));
  }
  return nb::borrow<nb::typed<nb::list, PyBlockBelief>>(converted);
}

std::optional<nb::bytes> likely_bounds_of(Exclusive<Beliefs>& self, int line, const Poll& poll) {
  const Use beliefs(self);
  if (line < 0 || line >= beliefs->num_lines()) throw nb::index_error("no such line");
  auto likely = polled(poll, [&](Watch& watch) { return beliefs->likely_bounds(line, watch); });
  if (!likely) return {};
  return to_bytes(std::move(*likely));
}

using PyLogs = nb::typed<nb::sequence, nb::typed<nb::sequence, double>>;
using PyBlockShares =  // first start, shares of starts, first end, shares of ends
    nb::typed<nb::tuple, int, PyNumbers, int, PyNumbers>;
using PyMarginals =
    nb::typed<nb::tuple, nb::typed<nb::list, PyNumbers>, nb::typed<nb::list, PyBlockShares>>;

std::vector<std::vector<double>> to_logs(const PyLogs& given, size_t num_values, int length,
                                         Watch& watch) {
  std::vector<std::vector<double>> logs;
  each_item(given, watch,
            [&](const nb::object& plane) { logs.push_back(to_vector<double>(plane, watch)); });
  const auto fits = [&](const std::vector<double>& plane) {
    return plane.size() == static_cast<size_t>(length) &&
           std::all_of(plane.begin(), plane.end(), [](double log) { return std::abs(log) <= 100; });
  };
  if (length < 1 || logs.size() != num_values || !std::all_of(logs.begin(), logs.end(), fits)) {
    throw nb::value_error("one log-weight from -100 to 100 is expected for each cell and value");
  }
  return logs;
}

std::optional<PyMarginals> line_marginals(int length, const PyClue& clue, const PyMay& may,
                                          const PyLogs& given, const Poll& poll) {
  Watch watch = make_watch({}, poll);
  PyLine line(length, clue, may, watch);
  const auto logs = to_logs(given, line.num_values(), length, watch);
  const auto shares =
      unlocked([&] { return line_shares(line.plan, line.planes.data(), logs, watch); });
  if (!shares) return {};
  nb::list values, blocks;
  for (const auto& plane : shares->values) values.append(to_list(plane, watch));
  for (size_t b = 0; b < shares->blocks.size(); ++b) {
    const auto& [starts, ends] = shares->blocks[b];
    const Window window = shares->windows[b];
    blocks.append(nb::make_tuple(window.first, to_list(starts, watch), window.first_end,
                                 to_list(ends, watch)));
  }
  return nb::borrow<PyMarginals>(nb::make_tuple(values, blocks));
}

}  // namespace

void bind_beliefs(nb::module_& module) {
  module.def("line_marginals", &line_marginals, "length"_a, "clue"_a, "may"_a, "logs"_a,
             "poll"_a = nb::none(),
             "Marginals of one line.\n\n"
             "Returns (by value the probability of each cell, by block (its first possible start,\n"
             "shares of the starts, its first possible end, shares of the ends)), or None if the\n"
             "line has no filling. `poll` may raise.");
  nb::class_<Exclusive<Beliefs>>(module, "Beliefs", "Belief propagation over the lines of a board.")
      .def("__init__", &make_beliefs, "board"_a, nb::kw_only(), "damping"_a, "clamp"_a, "sigma"_a,
           "seed"_a, nb::keep_alive<1, 2>())
      .def("run", &run, "num_rounds"_a, "remaining_s"_a = nb::none(), "poll"_a = nb::none(),
           "Run rounds of belief propagation; False if a line has no filling, None when stopped.")
      .def("probabilities", &probabilities_of, "value"_a, "remaining_s"_a = nb::none(),
           "poll"_a = nb::none(),
           "Probabilities of a value, one double per cell; None when stopped.")
      .def("blocks", &blocks_of, "line"_a, "poll"_a = nb::none(),
           "By block ((starts, their probabilities), (ends, their probabilities)); None if the\n"
           "line has no filling. `poll` may raise.")
      .def("likely_bounds", &likely_bounds_of, "line"_a, "poll"_a = nb::none(),
           "Bytes, block by block: for each start but the last, 1 if the block starts there or\n"
           "earlier with a probability above 1/2; then the same for its ends. None if the line\n"
           "has no filling. `poll` may raise.")
      .def_prop_ro("num_rounds", &getter<&Beliefs::num_rounds>)
      .def_prop_ro("change", &getter<&Beliefs::change>,
                   "Largest change of a message in the last round.");
}

}  // namespace nonosat
