// The Python face of decimation.
#include <nanobind/nanobind.h>

#include "decimation/decimation.hpp"
#include "python/python_clue.hpp"
#include "python/python_watch.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace nonosat {
namespace {

void make_decimation(Decimation* self, const Board& board, int first, int rounds, double pace,
                     double widen, double keep, double damping, double clamp, double sigma,
                     uint64_t seed) {
  const bool fits = damping >= 0 && damping < 1 && clamp > 0 && clamp <= 100 && sigma >= 0 &&
                    sigma <= 100 && first >= 0 && rounds >= 0 && pace >= 0 && pace <= 1 &&
                    widen >= 0 && widen <= 100 && keep >= 0 && keep <= 1;
  if (!fits) {
    throw nb::value_error(
        "damping is in [0, 1), pace and keep in [0, 1], clamp in (0, 100], sigma and widen in "
        "[0, 100], no number of rounds negative");
  }
  nb::gil_scoped_release unlock;
  const Decimation::Settings settings{
      {damping, clamp, sigma, seed}, first, rounds, pace, widen, keep};
  new (self) Decimation(board, settings);
}

// Both are about boards of the same size and colours.
void tell(const Decimation& self, Beliefs& beliefs) {
  if (!self.fits(beliefs)) throw nb::value_error("beliefs about a board of the same size");
  nb::gil_scoped_release unlock;
  self.tell(beliefs);
}

}  // namespace

void bind_decimation(nb::module_& module) {
  nb::class_<Decimation> type(module, "Decimation", "From beliefs towards one solution.");
  nb::enum_<Decimation::Outcome>(type, "Outcome")
      .value("COMPLETE", Decimation::Outcome::kComplete)
      .value("CONTRADICTION", Decimation::Outcome::kContradiction)
      .value("BUDGET", Decimation::Outcome::kBudget);
  type.def("__init__", &make_decimation, "board"_a, nb::kw_only(), "first"_a, "rounds"_a, "pace"_a,
           "widen"_a, "keep"_a, "damping"_a, "clamp"_a, "sigma"_a, "seed"_a)
      .def(
          "run",
          [](Decimation& self, int64_t budget, std::optional<double> remaining_s,
             const Poll& poll) {
            return watched(remaining_s, poll,
                           [&](Watch& watch) { return self.run(watch, budget); });
          },
          "budget"_a, "remaining_s"_a = nb::none(), "poll"_a = nb::none(),
          "An Outcome, or None when stopped.")
      .def(
          "cells",
          [](const Decimation& self) {
            const auto cells = unlocked([&] { return self.cells(); });
            return nb::bytes(cells.data(), cells.size());
          },
          "One byte a cell: the value reached, or 255 while it is open.")
      .def("tell", &tell, "beliefs"_a, "Let them hold what is believed and known here.")
      .def_prop_ro("num_steps", &Decimation::num_steps)
      .def_prop_ro("num_rounds", &Decimation::num_rounds)
      .def_prop_ro("num_refuted", &Decimation::num_refuted, "Values.")
      .def_prop_ro("num_released", &Decimation::num_released,
                   "Times that both values of a cell were refuted.");
}

}  // namespace nonosat
