// Python bindings of prices: conversion of arguments and results, no logic.
#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/vector.h>

#include <cstring>
#include <optional>
#include <utility>
#include <vector>

#include "prices/prices.hpp"
#include "python/python_board.hpp"
#include "python/python_exclusive.hpp"
#include "python/python_prices.hpp"
#include "python/python_values.hpp"
#include "python/python_watch.hpp"
#include "python/rooms.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace nonosat {
namespace {

using Solution = std::optional<nb::bytes>;

// Converts one value per cell, which the board must allow; None to an empty vector.
std::vector<uint8_t> to_solution(const Board& board, const Solution& given) {
  if (!given) return {};
  std::vector<uint8_t> cells(given->size());
  if (!cells.empty()) std::memcpy(cells.data(), given->c_str(), cells.size());
  bool fits = cells.size() == static_cast<size_t>(board.num_cells());
  for (int cell = 0; fits && cell < board.num_cells(); ++cell) {
    fits = cells[cell] < board.num_values() && board.may(cell, cells[cell]);
  }
  if (!fits) throw nb::value_error("a value a cell that the board allows is expected");
  return cells;
}

void make_prices(Exclusive<Prices>* self, Exclusive<Board>& given, const Solution& solution,
                 const Poll& poll) {
  const Use board(given);
  const auto cells = to_solution(*board, solution);
  polled(poll, [&](Watch& watch) { new (self) Exclusive<Prices>(nullptr, *board, cells, watch); });
}

std::optional<Prices::Outcome> lower(Exclusive<Prices>& self, int32_t goal, int64_t budget,
                                     bool stubborn, std::optional<double> remaining_s,
                                     const Poll& poll) {
  const Use prices(self);
  return watched(remaining_s, poll,
                 [&](Watch& watch) { return prices->lower(watch, goal, budget, stubborn); });
}

std::optional<Prices::Outcome> find(Exclusive<Prices>& self, int64_t budget, bool stubborn,
                                    std::optional<double> remaining_s, const Poll& poll) {
  const Use prices(self);
  return watched(remaining_s, poll,
                 [&](Watch& watch) { return prices->find(watch, budget, stubborn); });
}

void set_solution(Exclusive<Prices>& self, const nb::bytes& solution, const Poll& poll) {
  const Use prices(self);
  const auto cells = to_solution(prices->priced().board(), solution);
  polled(poll, [&](Watch& watch) { prices->set_solution(watch, cells); });
}

void shrink(Exclusive<Prices>& self, int64_t goal, const Poll& poll) {
  const Use prices(self);
  polled(poll, [&](Watch& watch) { prices->shrink(watch, goal); });
}

nb::bytes cells_of(Exclusive<Prices>& self) {
  const Use prices(self);
  return to_bytes(unlocked([&] { return prices->cells(); }));
}

Priced prices_of(Exclusive<Prices>& self, const Poll& poll) {
  const Use prices(self);
  Watch watch = make_watch({}, poll);
  return to_priced(*prices, watch);
}

std::optional<std::vector<std::pair<int, int>>> ruled_out(Exclusive<Prices>& self, int32_t goal,
                                                          std::optional<double> remaining_s,
                                                          const Poll& poll) {
  const Use prices(self);
  return watched(remaining_s, poll, [&](Watch& watch) { return prices->ruled_out(watch, goal); });
}

std::optional<Prices::Outcome> refute(Exclusive<Prices>& self, int64_t budget,
                                      std::optional<double> remaining_s, const Poll& poll) {
  const Use prices(self);
  return watched(remaining_s, poll, [&](Watch& watch) { return prices->refute(watch, budget); });
}

std::optional<Proof> proof_of(Exclusive<Prices>& self, std::optional<double> remaining_s,
                              const Poll& poll) {
  const Use prices(self);
  return to_proof(*prices, remaining_s, poll);
}

}  // namespace

void bind_prices(nb::module_& module) {
  nb::class_<Exclusive<Prices>> type(module, "Prices",
                                     "Search for prices, whose bounds prove verdicts.");
  nb::enum_<Prices::Outcome>(type, "Outcome")
      .value("REACHED", Prices::Outcome::kReached)
      .value("STALLED", Prices::Outcome::kStalled)
      .value("BUDGET", Prices::Outcome::kBudget);
  type.def("__init__", &make_prices, "board"_a, "solution"_a.none(), "poll"_a = nb::none(),
           "`solution`: one byte per cell, or None. `poll` may raise.")
      .def("lower", &lower, "goal"_a, "budget"_a, "stubborn"_a = false,
           "remaining_s"_a = nb::none(), "poll"_a = nb::none(), "An Outcome, or None when stopped.")
      .def("find", &find, "budget"_a, "stubborn"_a = false, "remaining_s"_a = nb::none(),
           "poll"_a = nb::none(), "An Outcome, or None when stopped.")
      .def("set_solution", &set_solution, "solution"_a, "poll"_a = nb::none(),
           "Set a known solution, one byte per cell, and continue from the prices that led to\n"
           "it. `poll` may raise.")
      .def("shrink", &shrink, "goal"_a, "poll"_a = nb::none(),
           "Halve the table's prices while its bound stays below the goal. `poll` may raise.")
      .def("ruled_out", &ruled_out, "goal"_a, "remaining_s"_a = nb::none(), "poll"_a = nb::none(),
           "(cell, value) pairs with which the bound is below the goal; None when stopped.")
      .def("refute", &refute, "budget"_a, "remaining_s"_a = nb::none(), "poll"_a = nb::none(),
           "As `find`, for a bound below 0 only, and more patient.")
      .def("proof", &proof_of, "remaining_s"_a = nb::none(), "poll"_a = nb::none(), kProof)
      .def("cells", &cells_of, "Most probable value of each cell, one byte each.")
      .def("prices", &prices_of, "poll"_a = nb::none(),
           "(cell, value, price) of the best table; other values have price 0. `poll` may raise.")
      .def_prop_ro("bound", &getter<&Prices::bound>, "Bound of the best table, times its scale.")
      .def_prop_ro("scale", &getter<&Prices::scale>)
      .def_prop_ro("num_sweeps", &getter<&Prices::num_sweeps>);
}

}  // namespace nonosat
