// Python bindings of the strategy for boards: conversion of arguments and results, no logic.
#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>

#include <cstring>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "python/python_board.hpp"
#include "python/python_exclusive.hpp"
#include "python/python_values.hpp"
#include "python/python_watch.hpp"
#include "python/rooms.hpp"
#include "strategy/strategy.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace nonosat {
namespace {

using strategy::Attempt;
using strategy::Budgets;
using strategy::Strategy;
using strategy::Verdict;

void make_strategy(Exclusive<Strategy>* self, Exclusive<Board>& given,
                   const std::optional<nb::bytes>& picture,
                   const std::optional<nb::typed<nb::sequence, int>>& edited,
                   const Budgets& budgets) {
  const Use board(given);
  check_whole(*board);
  strategy::Known known;
  if (picture) {
    known.picture.resize(picture->size());
    std::memcpy(known.picture.data(), picture->c_str(), picture->size());
    bool fits = picture->size() == static_cast<size_t>(board->num_cells());
    for (const uint8_t value : known.picture) fits = fits && value < board->num_values();
    if (!fits) throw nb::value_error("a value a cell of the board is expected");
  }
  if (edited) {
    Watch watch = make_watch({}, {});
    known.edited = to_vector<int32_t>(*edited, watch);
    for (const int cell : *known.edited) {
      if (cell < 0 || cell >= board->num_cells()) throw nb::index_error("no such cell");
    }
  }
  unlocked([&] { new (self) Exclusive<Strategy>(nullptr, *board, std::move(known), budgets); });
}

bool step(Exclusive<Strategy>& self, std::optional<double> remaining_s, const Poll& poll) {
  const Use strategy(self);
  return watched(remaining_s, poll, [&](Watch& watch) { return strategy->step(watch), true; })
      .has_value();
}

std::optional<nb::bytes> known_cells(const strategy::Cells& cells) {
  if (cells.empty()) return {};
  return to_bytes(std::vector<uint8_t>(cells));
}

std::optional<nb::bytes> first_of(Exclusive<Strategy>& self) {
  const Use strategy(self);
  return known_cells(strategy->first());
}

std::optional<nb::bytes> second_of(Exclusive<Strategy>& self) {
  const Use strategy(self);
  return known_cells(strategy->second());
}

size_t num_open_of(Exclusive<Strategy>& self) {
  const Use strategy(self);
  return unlocked([&] { return strategy->board().open_cells().size(); });
}

std::optional<int64_t> num_conflicts_of(Exclusive<Strategy>& self) {
  const Use strategy(self);
  const strategy::Engine* const engine = std::as_const(*strategy).engine();
  if (!engine) return {};
  return engine->num_conflicts();
}

using PySettings = nb::typed<nb::dict, nb::str, nb::any>;

// Settings by name, as in nonosat/board/decimation.py.
PySettings to_settings(const Attempt& attempt) {
  const Decimation::Settings& settings = attempt.settings;
  nb::dict found;
  found["first"] = settings.first;
  found["rounds"] = settings.rounds;
  found["pace"] = settings.pace;
  found["widen"] = settings.widen;
  found["keep"] = settings.keep;
  found["pushes"] = settings.pushes;
  found["damping"] = settings.beliefs.damping;
  found["clamp"] = settings.beliefs.clamp;
  found["sigma"] = settings.beliefs.sigma;
  found["seed"] = settings.beliefs.seed;
  found["effort"] = attempt.effort;
  found["dead_ends"] = attempt.dead_ends;
  return nb::borrow<PySettings>(found);
}

nb::typed<nb::list, PySettings> decimations(const std::string& kind) {
  std::vector<Attempt> attempts;
  if (kind == "quick") attempts = strategy::quick_attempts();
  if (kind == "slower") attempts = strategy::slower_attempts();
  if (kind == "patient") attempts = strategy::patient_attempts();
  if (kind == "further") attempts = {strategy::further_attempt()};
  if (attempts.empty()) throw nb::value_error("quick, slower, patient or further is expected");
  nb::list found;
  for (const Attempt& attempt : attempts) found.append(to_settings(attempt));
  return nb::borrow<nb::typed<nb::list, PySettings>>(found);
}

void bind_budgets(nb::module_& module) {
  nb::class_<Budgets>(module, "Budgets", "Budgets of the attempts on a board.")
      .def(nb::init<>())
      .def_rw("probing", &Budgets::probing)
      .def_rw("probing_beside", &Budgets::probing_beside)
      .def_rw("probed_cells", &Budgets::probed_cells)
      .def_rw("neighbours", &Budgets::neighbours)
      .def_rw("search", &Budgets::search)
      .def_rw("dive", &Budgets::dive)
      .def_rw("prices", &Budgets::prices)
      .def_rw("prices_beside", &Budgets::prices_beside)
      .def_rw("patient_prices", &Budgets::patient_prices)
      .def_rw("promising_sweeps", &Budgets::promising_sweeps)
      .def_rw("telling_sweeps", &Budgets::telling_sweeps)
      .def_rw("large_open", &Budgets::large_open)
      .def_rw("largest_open", &Budgets::largest_open)
      .def_rw("turn", &Budgets::turn)
      .def_rw("led_turns", &Budgets::led_turns)
      .def_rw("alone_from", &Budgets::alone_from)
      .def_rw("close", &Budgets::close)
      .def_rw("near", &Budgets::near)
      .def_rw("near_picture", &Budgets::near_picture)
      .def_rw("pause", &Budgets::pause);
}

}  // namespace

void bind_strategy(nb::module_& module) {
  bind_budgets(module);
  module.attr("BUDGETS") = Budgets();
  nb::class_<Exclusive<Strategy>> type(module, "Strategy",
                                       "Sequence of attempts that decide a board.");
  nb::enum_<Verdict>(type, "Verdict")
      .value("OPEN", Verdict::kOpen)
      .value("UNIQUE", Verdict::kUnique)
      .value("MULTIPLE", Verdict::kMultiple)
      .value("UNSOLVABLE", Verdict::kUnsolvable);
  type.def("__init__", &make_strategy, "board"_a, "picture"_a.none() = nb::none(),
           "edited"_a.none() = nb::none(), "budgets"_a = Budgets(),
           "Work on a copy of a board. `picture`: a claimed solution, one byte per cell.\n"
           "`edited`: the cells in which it differs from the only solution of other clues.")
      .def("step", &step, "remaining_s"_a = nb::none(), "poll"_a = nb::none(),
           "Work on a stage until it ends or finds something; False when stopped. The next call\n"
           "continues.")
      .def_prop_ro(
          "stage", [](Exclusive<Strategy>& self) { return std::string(Use(self)->stage()); },
          "Stage of the next step.")
      .def_prop_ro("verdict", &getter<&Strategy::verdict>)
      .def_prop_ro("first", &first_of, "A solution, one byte per cell; None while none is known.")
      .def_prop_ro("second", &second_of, "Another solution, or None.")
      .def_prop_ro("num_open", &num_open_of, "Number of open cells.")
      .def_prop_ro("num_conflicts", &num_conflicts_of,
                   "Number of conflicts of the learning search; None before it starts.");
  module.def("decimations", &decimations, "kind"_a,
             "Return the settings of decimations, in order: quick ones, slower ones for large\n"
             "boards, patient ones for the largest, a further one before an engine's turn.");
}

}  // namespace nonosat
