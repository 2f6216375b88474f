// The Python face of counting: conversion of arguments and results, no logic.
#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>

#include <algorithm>
#include <vector>

#include "board/board.hpp"
#include "count/counter.hpp"
#include "python/python_board.hpp"
#include "python/python_exclusive.hpp"
#include "python/python_values.hpp"
#include "python/python_watch.hpp"
#include "python/rooms.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace nonosat {
namespace {

void make_counter(Exclusive<Counter>* self, Exclusive<Board>& on, int64_t max_bytes) {
  const Use board(on);
  check_whole(*board);
  const auto most = static_cast<size_t>(std::max<int64_t>(max_bytes, 0));
  unlocked([&] { new (self) Exclusive<Counter>(board.busy(), *board, most); });
}

std::optional<bool> run(Exclusive<Counter>& self, int64_t budget, std::optional<double> remaining_s,
                        const Poll& poll) {
  const Use counter(self);
  counter.change_own();
  return watched(remaining_s, poll, [&](Watch& watch) { return counter->run(watch, budget); });
}

nb::bytes total_of(Exclusive<Counter>& self) {
  const Use counter(self);
  return to_bytes(unlocked([&] { return counter->total(); }).words());
}

void note(Exclusive<Counter>& self, const nb::bytes& cells) {
  const Use counter(self);
  if (cells.size() != static_cast<size_t>(counter->num_cells())) {
    throw nb::value_error("one byte a cell is expected");
  }
  const auto* data = reinterpret_cast<const uint8_t*>(cells.c_str());
  unlocked([&, size = cells.size()] { counter->note({data, data + size}); });
}

auto components(Exclusive<Counter>& self) {
  const Use counter(self);
  const auto numbers = unlocked([&] { return counter->component_of_cells(); });
  Watch watch = make_watch({}, {});
  return to_list(numbers, watch);
}

template <auto member>
int64_t statistic(Exclusive<Counter>& self) {
  return (*Use(self)).statistics().*member;
}

}  // namespace

void bind_count(nb::module_& module) {
  using Statistics = Counter::Statistics;
  nb::class_<Exclusive<Counter>>(module, "Counter", "The exact number of a board's solutions.")
      .def("__init__", &make_counter, "board"_a, "max_bytes"_a, nb::keep_alive<1, 2>(),
           "Nobody else may change the board.")
      .def("run", &run, "budget"_a, "remaining_s"_a = nb::none(), "poll"_a = nb::none(),
           "Whether the number is exact by now; None when stopped.")
      .def("note", &note, "cells"_a, "Tell of a solution, one byte a cell, after a first run.")
      .def_prop_ro("total", &total_of,
                   "The number, or a lower bound: little-endian bytes, none for 0.")
      .def("components", &components,
           "By cell the number of its component, or -1 where it is decided; after a first run.")
      .def_prop_ro("is_exact", &got<&Counter::is_exact>)
      .def_prop_ro("num_components", &statistic<&Statistics::num_components>)
      .def_prop_ro("num_frontiers", &statistic<&Statistics::num_frontiers>)
      .def_prop_ro("num_nodes", &statistic<&Statistics::num_nodes>)
      .def_prop_ro("num_recalled", &statistic<&Statistics::num_recalled>);
}

}  // namespace nonosat
