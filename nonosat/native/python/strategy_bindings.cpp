// Python bindings of the strategy for boards: conversion of arguments and results, no logic.
#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/unique_ptr.h>

#include <algorithm>
#include <cstring>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "python/python_board.hpp"
#include "python/python_exclusive.hpp"
#include "python/python_prices.hpp"
#include "python/python_values.hpp"
#include "python/python_watch.hpp"
#include "python/rooms.hpp"
#include "strategy/neighbours.hpp"
#include "strategy/strategy.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace nonosat {
namespace {

using strategy::Attempt;
using strategy::Budgets;
using strategy::Pricing;
using strategy::Strategy, strategy::Turn, strategy::Turns;
using strategy::Verdict;

constexpr const char* kRefutation =
    "`Prices.proof` of the prices that have refuted the whole board; None if none have, or when\n"
    "stopped.";

using PySettings = nb::typed<nb::dict, nb::str, nb::any>;

// Calls `visit` with the name of each setting, as nonosat/board/decimation.py has them, and its
// value.
void visit_settings(auto& attempt, auto&& visit) {
  auto& [settings, effort, dead_ends] = attempt;
  visit("first", settings.first);
  visit("rounds", settings.rounds);
  visit("pace", settings.pace);
  visit("widen", settings.widen);
  visit("keep", settings.keep);
  visit("pushes", settings.pushes);
  visit("damping", settings.beliefs.damping);
  visit("clamp", settings.beliefs.clamp);
  visit("sigma", settings.beliefs.sigma);
  visit("seed", settings.beliefs.seed);
  visit("effort", effort);
  visit("dead_ends", dead_ends);
}

PySettings to_settings(const Attempt& attempt) {
  nb::dict found;
  visit_settings(attempt, [&](const char* name, const auto& value) { found[name] = value; });
  return nb::borrow<PySettings>(found);
}

Attempt to_attempt(const nb::handle& settings) {
  Attempt made{};
  visit_settings(made,
                 [&]<class T>(const char* name, T& value) { value = nb::cast<T>(settings[name]); });
  return made;
}

using SettingsList = nb::typed<nb::list, PySettings>;

SettingsList to_settings_list(const std::vector<Attempt>& attempts) {
  nb::list found;
  for (const Attempt& attempt : attempts) found.append(to_settings(attempt));
  return nb::borrow<SettingsList>(found);
}

strategy::Cells to_cells(const Board& board, const nb::bytes& given) {
  strategy::Cells cells(given.size());
  if (!cells.empty()) std::memcpy(cells.data(), given.c_str(), given.size());
  bool fits = cells.size() == static_cast<size_t>(board.num_cells());
  for (const uint8_t value : cells) fits = fits && value < board.num_values();
  if (!fits) throw nb::value_error("a value a cell of the board is expected");
  return cells;
}

void make_pricing(Exclusive<Pricing>* self, Exclusive<Board>& given,
                  const std::optional<nb::bytes>& known, int64_t work, bool is_patient,
                  bool with_marginals, const Budgets& budgets) {
  const Use board(given);
  check_settled(*board);
  const strategy::Cells cells = known ? to_cells(*board, *known) : strategy::Cells();
  const Pricing::How how{work, budgets.cell_sweeps, is_patient, with_marginals};
  new (self) Exclusive<Pricing>(board.busy(), *board, cells, how);
}

std::optional<Pricing::Outcome> run_pricing(Exclusive<Pricing>& self,
                                            std::optional<double> remaining_s, const Poll& poll) {
  const Use pricing(self);
  pricing.change_own();
  return watched(remaining_s, poll, [&](Watch& watch) { return pricing->run(watch); });
}

nb::bytes solution_of_pricing(Exclusive<Pricing>& self) {
  const Use pricing(self);
  return to_bytes(std::vector<uint8_t>(pricing->solution()));
}

// Pictures close to `cells` with the same clues; all those of the board are.
nb::typed<nb::list, nb::bytes> neighbours_of(Exclusive<Board>& given, const nb::bytes& cells,
                                             size_t most) {
  const Use board(given);
  const strategy::Cells known = to_cells(*board, cells);
  nb::list found;
  for (const strategy::Cells& one :
       polled({}, [&](Watch& watch) { return strategy::neighbours(*board, known, most, watch); })) {
    found.append(to_bytes(std::vector<uint8_t>(one)));
  }
  return nb::borrow<nb::typed<nb::list, nb::bytes>>(found);
}

template <class Search>
std::optional<Proof> refutation_of(Exclusive<Search>& self, std::optional<double> remaining_s,
                                   const Poll& poll) {
  const Use search(self);
  Prices* const prices = search->refuting();
  if (!prices) return {};
  return to_proof(*prices, remaining_s, poll);
}

void make_strategy(Exclusive<Strategy>* self, Exclusive<Board>& given,
                   const std::optional<nb::bytes>& picture,
                   const std::optional<nb::typed<nb::sequence, int>>& edited,
                   const Budgets& budgets) {
  const Use board(given);
  check_whole(*board);
  strategy::Known known;
  if (picture) known.picture = to_cells(*board, *picture);
  if (edited) {
    Watch watch = make_watch({}, {});
    known.edited = to_vector<int32_t>(*edited, watch);
    for (const int cell : *known.edited) {
      if (cell < 0 || cell >= board->num_cells()) throw nb::index_error("no such cell");
    }
  }
  unlocked([&] { new (self) Exclusive<Strategy>(nullptr, *board, std::move(known), budgets); });
}

// Attempts on a presolved board. `probed` has probed this board or the one that it is a copy of.
std::unique_ptr<Exclusive<Strategy>> of_presolved(Exclusive<Board>& given,
                                                  Exclusive<Prober<Board>>* probed,
                                                  size_t num_solutions,
                                                  const std::optional<SettingsList>& decimations,
                                                  bool is_led, const Budgets& budgets) {
  const Use board(given);
  check_whole(*board);
  strategy::Options options{std::max<size_t>(2, num_solutions), {}, is_led};
  if (decimations) {
    options.decimations.emplace();
    for (const nb::handle one : *decimations) options.decimations->push_back(to_attempt(one));
  }
  std::optional<Use<Prober<Board>>> prober;
  if (probed) prober.emplace(*probed);
  if (prober && !board->is_copy_of((*prober)->board())) {
    throw nb::value_error("a copy of the prober's board is expected, both as they were copied");
  }
  return unlocked([&] {
    const strategy::Known known{{}, {}, true, prober ? &**prober : nullptr};
    return std::make_unique<Exclusive<Strategy>>(nullptr, *board, known, budgets, options);
  });
}

bool step(Exclusive<Strategy>& self, std::optional<double> remaining_s, const Poll& poll) {
  const Use strategy(self);
  return watched(remaining_s, poll, [&](Watch& watch) { return strategy->step(watch), true; })
      .has_value();
}

std::optional<nb::bytes> solution_of(Exclusive<Strategy>& self, size_t number) {
  const Use strategy(self);
  if (number >= strategy->solutions().size()) return {};
  return to_bytes(strategy->solutions()[number]);
}

// Rules out on another board what is ruled out on the board of the attempts, and propagates it.
void narrow(Exclusive<Strategy>& self, Exclusive<Board>& narrowed) {
  const Use strategy(self);
  const Use other(narrowed);
  const Board& board = strategy->board();
  if (board.num_cells() != other->num_cells() || board.num_values() != other->num_values()) {
    throw nb::value_error("a board of the same size is expected");
  }
  other.change();
  unlocked([&] {
    for (int cell = 0; cell < board.num_cells(); ++cell) {
      for (int value = 0; value < board.num_values(); ++value) {
        if (other->may(cell, value) && !board.may(cell, value)) other->remove(cell, value);
      }
    }
    Watch free;
    other->propagate(free);
  });
}

// Counters of the attempts of a stage, by their names in a log.
PySettings counts_of(Exclusive<Strategy>& self, const std::string& stage) {
  const Use strategy(self);
  const Strategy::Counts& counts = strategy->counts();
  nb::dict found;
  if (stage == "search") found["nodes"] = counts.nodes;
  if (stage == "dive") found["decisions"] = counts.decisions;
  if (stage == "neighbours") found["solutions"] = counts.neighbours;
  if (stage == "prices") found["sweeps"] = counts.sweeps;
  if (stage == "prices" && counts.bound) found["bound"] = *counts.bound;
  if (stage == "decimate" && counts.attempt) {
    found = to_settings(*counts.attempt);
    found["steps"] = counts.steps;
    found["pushes_made"] = counts.pushes;
    found["rounds_run"] = counts.rounds;
    found["refuted"] = counts.refuted;
    found["released"] = counts.released;
    found["complete"] = counts.complete;
    found["times"] = counts.times;
  }
  return nb::borrow<PySettings>(found);
}

SettingsList decimations_of(Exclusive<Strategy>& self) {
  const Use strategy(self);
  return to_settings_list(strategy->decimations());
}

void take(Exclusive<Strategy>& self, const nb::bytes& cells) {
  const Use strategy(self);
  strategy->take_found(to_cells(strategy->board(), cells));
}

void take_decimated(Exclusive<Strategy>& self, const std::optional<nb::bytes>& reached) {
  const Use strategy(self);
  strategy::Cells cells;
  if (reached) cells.assign(reached->c_str(), reached->c_str() + reached->size());
  if (reached && std::ssize(cells) != strategy->board().num_cells()) {
    throw nb::value_error("a value a cell of the board is expected");
  }
  strategy->take_decimated(cells);
}

// Copies the messages of the last decimation; returns false if there is none.
bool transfer_to(Exclusive<Strategy>& self, Exclusive<Beliefs>& target) {
  const Use strategy(self);
  const Use beliefs(target);
  const Decimation* const decimation = strategy->decimation();
  if (!decimation) return false;
  if (!decimation->fits(*beliefs)) throw nb::value_error("beliefs about a board of the same size");
  unlocked([&] { decimation->transfer_to(*beliefs); });
  return true;
}

Turn next_turn(Exclusive<Strategy>& self) { return Use(self)->next_turn(); }
void pause(Exclusive<Strategy>& self) { Use(self)->pause(); }

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

void bind_budgets(nb::module_& module) {
  nb::class_<Budgets>(module, "Budgets", "Budgets of the attempts on a board.")
      .def(nb::init<>())
      .def_rw("probing", &Budgets::probing)
      .def_rw("probing_beside", &Budgets::probing_beside)
      .def_rw("probed_cells", &Budgets::probed_cells)
      .def_rw("neighbours", &Budgets::neighbours)
      .def_rw("search", &Budgets::search)
      .def_rw("lane_search", &Budgets::lane_search)
      .def_rw("dive", &Budgets::dive)
      .def_rw("prices", &Budgets::prices)
      .def_rw("prices_beside", &Budgets::prices_beside)
      .def_rw("patient_prices", &Budgets::patient_prices)
      .def_rw("promising_sweeps", &Budgets::promising_sweeps)
      .def_rw("cell_sweeps", &Budgets::cell_sweeps)
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

void bind_pricing(nb::module_& module) {
  nb::class_<Exclusive<Pricing>> type(module, "Pricing", "A search by prices on a board.");
  nb::enum_<Pricing::Outcome>(type, "Outcome")
      .value("OPEN", Pricing::Outcome::kOpen)
      .value("SOLUTION", Pricing::Outcome::kSolution)
      .value("REFUTED", Pricing::Outcome::kRefuted);
  type.def("__init__", &make_pricing, nb::keep_alive<1, 2>(), "board"_a, "known"_a.none(), "work"_a,
           "is_patient"_a = false, "with_marginals"_a = true, "budgets"_a = Budgets(),
           "The board is at its line fixpoint; values of no further solution are ruled out on it.\n"
           "`known`: a solution, one byte a cell, or None. `work`: budget of each search.\n"
           "`is_patient`: continue despite poor prospects. `with_marginals`: search the marginals\n"
           "for a solution first.")
      .def("run", &run_pricing, "remaining_s"_a = nb::none(), "poll"_a = nb::none(),
           "Search for the next solution, or for a proof that there is none but the known one.\n"
           "None when stopped; the next call resumes.")
      .def("refutation", &refutation_of<Pricing>, "remaining_s"_a = nb::none(),
           "poll"_a = nb::none(), kRefutation)
      .def_prop_ro("solution", &solution_of_pricing, "The last solution, one byte a cell.")
      .def_prop_ro("num_sweeps", &getter<&Pricing::num_sweeps>, "Number of sweeps over all lines.")
      .def_prop_ro("bound", &getter<&Pricing::bound>,
                   "Number of cells in which another solution can differ from the known one; None\n"
                   "before its search.");
}

void bind_turns(nb::module_& module) {
  nb::class_<Turn>(module, "Turn", "A turn of the learning search.")
      .def_prop_ro(
          "budget",
          [](const Turn& turn) -> std::optional<int64_t> {
            if (turn.num_conflicts == Turn::kEndless) return {};
            return turn.num_conflicts;
          },
          "Number of conflicts; None is without limit.")
      .def_prop_ro(
          "restart",
          [](const Turn& turn) -> std::optional<int> {
            if (turn.restart < 0) return {};
            return turn.restart;
          },
          "Number of the seed of the decimation whose phases it has; None if it has none.")
      .def_ro("is_near", &Turn::is_near, "True if its phases are the first solution.")
      .def_ro("pauses", &Turn::pauses, "True if prices may run after it.");
  nb::class_<Turns>(module, "Turns", "The turns of the learning search, planned one by one.")
      .def(nb::init<const Budgets&, bool, bool>(), "budgets"_a, "is_led"_a, "pauses"_a)
      .def("next", &Turns::next, "is_solved"_a);
}

}  // namespace

void bind_strategy(nb::module_& module) {
  module.def(
      "further_decimation", [] { return to_settings(strategy::further_attempt()); },
      "Settings of the decimation before a turn of the learning search, if the board is not "
      "large.");
  module.def(
      "restarted",
      [](const PySettings& settings, int turn) {
        return to_settings(strategy::restarted(to_attempt(settings), turn));
      },
      "settings"_a, "turn"_a, "Settings of a decimation for another turn of the learning search.");
  module.def("neighbours", &neighbours_of, "board"_a, "cells"_a, "most"_a,
             "Other solutions of a board close to one of them, at most `most`: 2x2 switches and\n"
             "images under symmetries of the clues.");
  bind_budgets(module);
  module.attr("BUDGETS") = Budgets();
  bind_pricing(module);
  bind_turns(module);
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
      .def_prop_ro("is_exhausted", &getter<&Strategy::is_exhausted>,
                   "True if there are no further solutions.")
      .def("solution", &solution_of, "number"_a,
           "A solution, one byte per cell, by its number from 0; None beyond the last one.")
      .def_prop_ro("num_open", &num_open_of, "Number of open cells.")
      .def_prop_ro("num_conflicts", &num_conflicts_of,
                   "Number of conflicts of the learning search; None before it starts.");
  type.def_static(
          "of_presolved", &of_presolved, "board"_a, "prober"_a.none(), "num_solutions"_a,
          "decimations"_a.none() = nb::none(), "is_led"_a = true, "budgets"_a = Budgets(),
          "Attempts on a presolved board, which is a copy of the board of the prober. The native\n"
          "engine finds at most two solutions. `decimations`: settings that replace those of the\n"
          "table. `is_led`: turns of the engine have phases.")
      .def("counts", &counts_of, "stage"_a, "Counters of the attempts of a stage so far.")
      .def("narrow", &narrow, "board"_a,
           "Rule out on a board what is ruled out here, and propagate it.")
      .def("decimations", &decimations_of, "Settings of the next decimations.")
      .def(
          "take_decimated", &take_decimated, "cells"_a.none(),
          "Take the values reached by the caller's decimations, 255 for an open cell; None if one\n"
          "has refuted the board.")
      .def("refutation", &refutation_of<Strategy>, "remaining_s"_a = nb::none(),
           "poll"_a = nb::none(), kRefutation)
      .def("transfer_to", &transfer_to, "beliefs"_a,
           "Copy the messages of the last decimation to beliefs; False if there is none.")
      .def("next_turn", &next_turn,
           "Next turn of the caller's engine, from the stage \"solve\" on.")
      .def("take", &take, "cells"_a, "Take a solution that this engine has found.")
      .def("pause", &pause, "Run prices between two turns, if they are promising.");
}

}  // namespace nonosat
