// The Python face of looking ahead: conversion of arguments and results, no logic.
#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include "board/outlook.hpp"
#include "python/python_watch.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace nonosat {
namespace {

using PyCells = std::vector<std::pair<int, int>>;

PyCells to_pairs(const std::vector<Assumption>& assumptions) {
  PyCells pairs;
  for (const auto& [cell, value] : assumptions) pairs.emplace_back(cell, value);
  return pairs;
}

std::optional<std::pair<int, PyCells>> either_of(const Outlook& self) {
  if (self.either < 0) return {};
  return std::pair{self.either, to_pairs(self.agreed)};
}

std::vector<std::tuple<int, int, int64_t>> open_of(const Outlook& self) {
  std::vector<std::tuple<int, int, int64_t>> found;
  for (size_t i = 0; i < self.open.size(); ++i) {
    found.emplace_back(self.open[i].cell, self.open[i].value, self.ruled_out[i]);
  }
  return found;
}

}  // namespace

void bind_outlook(nb::module_& module) {
  nb::class_<Outlook>(module, "Outlook", "What each assumption about an open cell leads to.")
      .def_prop_ro(
          "refuted", [](const Outlook& self) { return to_pairs(self.refuted); },
          "(cell, value) pairs that cannot hold.")
      .def_prop_ro("either", &either_of,
                   "The first cell all of whose values settle the same further cells, and these\n"
                   "with their values; None without one, or where anything is refuted.")
      .def_prop_ro("open", &open_of,
                   "(cell, value, how many pairs that rules out) of the other assumptions.");

  module.def(
      "look_ahead",
      [](Board& board, int most, std::optional<double> remaining_s, const Poll& poll) {
        return watched(remaining_s, poll,
                       [&](Watch& watch) { return look_ahead(board, most, watch); });
      },
      "board"_a, "most"_a, "remaining_s"_a = nb::none(), "poll"_a = nb::none(),
      "An Outlook from a board at its fixpoint, which is left as it is; it ends with the cell at\n"
      "which `most` assumptions are refuted. None when stopped.");
}

}  // namespace nonosat
