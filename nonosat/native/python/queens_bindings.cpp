// The Python face of queens: conversion of arguments and results, no logic.
#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/vector.h>

#include "python/python_clue.hpp"
#include "python/python_watch.hpp"
#include "queens/count.hpp"
#include "queens/search.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace nonosat {
namespace {

nb::typed<nb::list, nb::bytes> next_placements(queens::Search& search, size_t most,
                                               int64_t budget) {
  const auto found = unlocked([&] { return search.next(most, budget); });
  nb::list placements;
  for (const auto& placement : found) {
    placements.append(nb::bytes(placement.data(), static_cast<size_t>(search.size())));
  }
  return nb::borrow<nb::typed<nb::list, nb::bytes>>(placements);
}

}  // namespace

void bind_queens(nb::module_& module) {
  nb::class_<queens::Count>(module, "QueensCount", "How many ways there are to place n queens.")
      .def(nb::init<std::vector<uint64_t>>(), "allowed"_a,
           "By row the columns where a queen may stand, as bits; at most 64 rows.")
      .def(
          "run",
          [](queens::Count& self, std::optional<double> remaining_s, const Poll& poll) {
            return watched(remaining_s, poll,
                           [&](Watch& watch) {
                             self.run(watch);
                             return true;
                           })
                .value_or(false);
          },
          "remaining_s"_a = nb::none(), "poll"_a = nb::none(),
          "Whether `total` is exact; when stopped it is a lower bound.")
      .def_prop_ro("total", &queens::Count::total);

  nb::class_<queens::Search>(module, "QueensSearch", "Placements in lexicographic order.")
      .def(nb::init<const std::vector<uint64_t>&>(), "allowed"_a,
           "By row the columns where a queen may stand, as bits; at most 64 rows.")
      .def("next", &next_placements, "most"_a, "budget"_a,
           "Placements, a byte a row; fewer than `most` at the end, or after `budget` steps.")
      .def_prop_ro("is_exhausted", &queens::Search::is_exhausted)
      .def_prop_ro("num_nodes", &queens::Search::num_nodes);
}

}  // namespace nonosat
