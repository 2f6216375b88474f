// The Python face of counting: conversion of arguments and results, no logic.
#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>

#include <algorithm>
#include <vector>

#include "board/board.hpp"
#include "count/counter.hpp"
#include "python/python_watch.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace nonosat {
namespace {

nb::bytes total_of(const Counter& counter) {
  const Natural total = counter.total();
  return nb::bytes(total.words().data(), total.words().size_bytes());
}

void note(Counter& counter, nb::bytes cells) {
  if (cells.size() != static_cast<size_t>(counter.num_cells())) {
    throw nb::value_error("one byte a cell is expected");
  }
  const auto* data = reinterpret_cast<const uint8_t*>(cells.c_str());
  counter.note({data, data + cells.size()});
}

}  // namespace

void bind_count(nb::module_& module) {
  nb::class_<Counter>(module, "Counter", "The exact number of a board's solutions.")
      .def(
          "__init__",
          [](Counter* self, Board& board, int64_t max_bytes) {
            nb::gil_scoped_release unlock;
            new (self) Counter(board, static_cast<size_t>(std::max<int64_t>(max_bytes, 0)));
          },
          "board"_a, "max_bytes"_a, nb::keep_alive<1, 2>(), "Nobody else may change the board.")
      .def(
          "run",
          [](Counter& self, int64_t budget, std::optional<double> remaining_s, const Poll& poll) {
            return watched(remaining_s, poll,
                           [&](Watch& watch) { return self.run(watch, budget); });
          },
          "budget"_a, "remaining_s"_a = nb::none(), "poll"_a = nb::none(),
          "Whether the number is exact by now; None when stopped.")
      .def("note", &note, "cells"_a, "Tell of a solution, one byte a cell, after a first run.")
      .def_prop_ro("total", &total_of,
                   "The number, or a lower bound: little-endian bytes, none for 0.")
      .def_prop_ro("is_exact", &Counter::is_exact)
      .def_prop_ro("num_components",
                   [](const Counter& self) { return self.statistics().num_components; })
      .def_prop_ro("num_frontiers",
                   [](const Counter& self) { return self.statistics().num_frontiers; })
      .def_prop_ro("num_nodes", [](const Counter& self) { return self.statistics().num_nodes; })
      .def_prop_ro("num_recalled",
                   [](const Counter& self) { return self.statistics().num_recalled; });
}

}  // namespace nonosat
