// Python bindings of decimation: conversion of arguments and results, no logic.
#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>

#include "decimation/decimation.hpp"
#include "python/python_board.hpp"
#include "python/python_exclusive.hpp"
#include "python/python_values.hpp"
#include "python/python_watch.hpp"
#include "python/rooms.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace nonosat {
namespace {

void make_decimation(Exclusive<Decimation>* self, Exclusive<Board>& given, int first, int rounds,
                     double pace, double widen, double keep, int pushes, double damping,
                     double clamp, double sigma, uint64_t seed) {
  const bool fits = damping >= 0 && damping < 1 && clamp > 0 && clamp <= 100 && sigma >= 0 &&
                    sigma <= 100 && first >= 0 && rounds >= 0 && pace >= 0 && pace <= 1 &&
                    widen >= 0 && widen <= 100 && keep >= 0 && keep <= 1 && pushes >= 0;
  if (!fits) {
    throw nb::value_error(
        "damping is in [0, 1), pace and keep in [0, 1], clamp in (0, 100], sigma and widen in "
        "[0, 100], no number of rounds or pushes negative");
  }
  const Decimation::Settings settings{
      {damping, clamp, sigma, seed}, first, rounds, pace, widen, keep, pushes};
  const Use board(given);
  check_whole(*board);
  unlocked([&] { new (self) Exclusive<Decimation>(nullptr, *board, settings); });
}

std::optional<Decimation::Outcome> run(Exclusive<Decimation>& self, int64_t budget,
                                       std::optional<double> remaining_s, const Poll& poll,
                                       int64_t dead_ends) {
  if (dead_ends < 0 || dead_ends > Decimation::kAnyNumber) {
    throw nb::value_error("dead_ends is in [0, 2^62]");
  }
  const Use decimation(self);
  return watched(remaining_s, poll,
                 [&](Watch& watch) { return decimation->run(watch, budget, dead_ends); });
}

nb::bytes cells_of(Exclusive<Decimation>& self) {
  const Use decimation(self);
  return to_bytes(unlocked([&] { return decimation->cells(); }));
}

// Precondition, checked: both have the same size and colours.
void transfer_to(Exclusive<Decimation>& self, Exclusive<Beliefs>& target) {
  const Use decimation(self);
  const Use beliefs(target);
  if (!decimation->fits(*beliefs)) throw nb::value_error("beliefs about a board of the same size");
  unlocked([&] { decimation->transfer_to(*beliefs); });
}

}  // namespace

void bind_decimation(nb::module_& module) {
  nb::class_<Exclusive<Decimation>> type(
      module, "Decimation", "Decimation: fix cells by their beliefs until a solution is reached.");
  nb::enum_<Decimation::Outcome>(type, "Outcome")
      .value("COMPLETE", Decimation::Outcome::kComplete)
      .value("CONTRADICTION", Decimation::Outcome::kContradiction)
      .value("BUDGET", Decimation::Outcome::kBudget);
  type.def("__init__", &make_decimation, "board"_a, nb::kw_only(), "first"_a, "rounds"_a, "pace"_a,
           "widen"_a, "keep"_a, "pushes"_a, "damping"_a, "clamp"_a, "sigma"_a, "seed"_a)
      .def("run", &run, "budget"_a, "remaining_s"_a = nb::none(), "poll"_a = nb::none(),
           "dead_ends"_a = Decimation::kAnyNumber,
           "Continue; BUDGET also after `dead_ends` dead ends. None when stopped.")
      .def("cells", &cells_of, "Current values of the cells, one byte each; 255 for an open cell.")
      .def("transfer_to", &transfer_to, "beliefs"_a,
           "Copy the current messages and decided cells to `beliefs`.")
      .def_prop_ro("num_steps", &getter<&Decimation::num_steps>)
      .def_prop_ro("num_rounds", &getter<&Decimation::num_rounds>)
      .def_prop_ro("num_refuted", &getter<&Decimation::num_refuted>, "Number of refuted values.")
      .def_prop_ro("num_released", &getter<&Decimation::num_released>,
                   "How often both values of a cell were refuted.")
      .def_prop_ro("num_pushes", &getter<&Decimation::num_pushes>);
}

}  // namespace nonosat
