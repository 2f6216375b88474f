// Python bindings of the search: conversion of arguments and results, no logic.
#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>

#include "python/python_board.hpp"
#include "python/python_exclusive.hpp"
#include "python/python_watch.hpp"
#include "python/rooms.hpp"
#include "search/search.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace nonosat {
namespace {

template <class AnyBoard>
void make_search(Exclusive<Search<AnyBoard>>* self, Exclusive<AnyBoard>& on,
                 Exclusive<Prober<AnyBoard>>* known) {
  const Use board(on);
  check_settled(*board);
  if (!known) {
    unlocked([&] { new (self) Exclusive<Search<AnyBoard>>(board.busy(), *board); });
    return;
  }
  const Use prober(*known);
  if (!board->is_copy_of(prober->board())) {
    throw nb::value_error("a copy of the prober's board is expected, both as they were copied");
  }
  unlocked([&] { new (self) Exclusive<Search<AnyBoard>>(board.busy(), *board, *prober); });
}

template <class AnyBoard>
std::optional<SearchOutcome> next(Exclusive<Search<AnyBoard>>& self, int64_t budget,
                                  std::optional<double> remaining_s, const Poll& poll) {
  const Use search(self);
  search.change_own();
  return watched(remaining_s, poll, [&](Watch& watch) { return search->next(watch, budget); });
}

template <class AnyBoard>
void bind_search_of(nb::module_& module, const char* name) {
  using Own = Search<AnyBoard>;
  nb::class_<Exclusive<Own>>(module, name, "Depth-first search over a board.")
      .def("__init__", &make_search<AnyBoard>, "board"_a, "prober"_a.none() = nb::none(),
           nb::keep_alive<1, 2>(),
           "Search a board. If it is a copy of the prober's board, the prober's values are not\n"
           "tried again.")
      .def("next", &next<AnyBoard>, "budget"_a, "remaining_s"_a = nb::none(), "poll"_a = nb::none(),
           "Search for the next solution; None when stopped.")
      .def_prop_ro("num_nodes", &getter<&Own::num_nodes>);
}

}  // namespace

void bind_search(nb::module_& module) {
  nb::enum_<SearchOutcome>(module, "Outcome")
      .value("SOLUTION", SearchOutcome::kSolution)
      .value("EXHAUSTED", SearchOutcome::kExhausted)
      .value("BUDGET", SearchOutcome::kBudget);
  bind_search_of<Board>(module, "Search");
  bind_search_of<LaneBoard>(module, "LaneSearch");
}

}  // namespace nonosat
