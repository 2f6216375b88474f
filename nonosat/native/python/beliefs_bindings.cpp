// Python bindings of beliefs: conversion of arguments and results, no logic.
#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>

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

}  // namespace

void bind_beliefs(nb::module_& module) {
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
