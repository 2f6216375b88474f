// The Python face of decimation: conversion of arguments and results, no logic.
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

// Both are about boards of the same size and colours.
void tell(Exclusive<Decimation>& self, Exclusive<Beliefs>& told) {
  const Use decimation(self);
  const Use beliefs(told);
  if (!decimation->fits(*beliefs)) throw nb::value_error("beliefs about a board of the same size");
  unlocked([&] { decimation->tell(*beliefs); });
}

}  // namespace

void bind_decimation(nb::module_& module) {
  nb::class_<Exclusive<Decimation>> type(module, "Decimation",
                                         "From beliefs towards one solution.");
  nb::enum_<Decimation::Outcome>(type, "Outcome")
      .value("COMPLETE", Decimation::Outcome::kComplete)
      .value("CONTRADICTION", Decimation::Outcome::kContradiction)
      .value("BUDGET", Decimation::Outcome::kBudget);
  type.def("__init__", &make_decimation, "board"_a, nb::kw_only(), "first"_a, "rounds"_a, "pace"_a,
           "widen"_a, "keep"_a, "pushes"_a, "damping"_a, "clamp"_a, "sigma"_a, "seed"_a)
      .def("run", &run, "budget"_a, "remaining_s"_a = nb::none(), "poll"_a = nb::none(),
           "dead_ends"_a = Decimation::kAnyNumber,
           "An Outcome, or None when stopped; BUDGET also after so many dead ends.")
      .def("cells", &cells_of, "One byte a cell: the value reached, or 255 while it is open.")
      .def("tell", &tell, "beliefs"_a, "Let them hold what is believed and known here.")
      .def_prop_ro("num_steps", &got<&Decimation::num_steps>)
      .def_prop_ro("num_rounds", &got<&Decimation::num_rounds>)
      .def_prop_ro("num_refuted", &got<&Decimation::num_refuted>, "Values.")
      .def_prop_ro("num_released", &got<&Decimation::num_released>,
                   "Times that both values of a cell were refuted.")
      .def_prop_ro("num_pushes", &got<&Decimation::num_pushes>);
}

}  // namespace nonosat
