// Python bindings of queens: conversion of arguments and results, no logic.
#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>

#include "cost.hpp"
#include "python/python_exclusive.hpp"
#include "python/python_values.hpp"
#include "python/python_watch.hpp"
#include "python/rooms.hpp"
#include "queens/completion.hpp"
#include "queens/count.hpp"
#include "queens/search.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace nonosat {
namespace {

using PyAllowed = nb::typed<nb::sequence, uint64_t>;

void make_count(Exclusive<queens::Count>* self, const PyAllowed& allowed,
                std::optional<size_t> part) {
  Watch watch = make_watch({}, {});
  new (self) Exclusive<queens::Count>(nullptr, to_vector<uint64_t>(allowed, watch), part);
}

bool run(Exclusive<queens::Count>& self, std::optional<double> remaining_s, const Poll& poll) {
  const Use count(self);
  const auto is_done = watched(remaining_s, poll, [&](Watch& watch) {
    count->run(watch);
    return true;
  });
  return is_done.value_or(false);
}

void make_search(Exclusive<queens::Search>* self, const PyAllowed& allowed) {
  Watch watch = make_watch({}, {});
  new (self) Exclusive<queens::Search>(nullptr, to_vector<uint64_t>(allowed, watch));
}

using PyPlacements = nb::typed<nb::list, nb::bytes>;

PyPlacements next_placements(Exclusive<queens::Search>& self, size_t most, int64_t budget,
                             const Poll& poll) {
  const Use search(self);
  Watch watch = make_watch({}, poll);
  const auto found = unlocked([&] { return search->next(most, budget, watch); });
  nb::list placements;
  for (const auto& placement : found) {
    placements.append(nb::bytes(placement.data(), static_cast<size_t>(search->size())));
    watch.work(cost::kItem);
  }
  return nb::borrow<PyPlacements>(placements);
}

std::pair<uint64_t, uint64_t> next_classes(Exclusive<queens::Search>& self, int64_t budget,
                                           const Poll& poll) {
  const Use search(self);
  Watch watch = make_watch({}, poll);
  const auto found = unlocked([&] { return search->next_classes(budget, watch); });
  return {found.num_placements, found.num_firsts};
}

void make_completion(Exclusive<queens::Completion>* self, int size, const nb::bytes& allowed,
                     uint64_t seed) {
  const auto* const first = static_cast<const uint8_t*>(allowed.data());
  new (self) Exclusive<queens::Completion>(
      nullptr, size, std::vector<uint8_t>(first, first + allowed.size()), seed);
}

std::optional<queens::Completion::Outcome> complete(Exclusive<queens::Completion>& self,
                                                    int64_t budget,
                                                    std::optional<double> remaining_s,
                                                    const Poll& poll) {
  const Use completion(self);
  return watched(remaining_s, poll, [&](Watch& watch) { return completion->next(watch, budget); });
}

nb::typed<nb::list, int> columns(Exclusive<queens::Completion>& self) {
  const Use completion(self);
  return nb::borrow<nb::typed<nb::list, int>>(
      to_short_list(std::span<const int32_t>(completion->columns())));
}

}  // namespace

void bind_queens(nb::module_& module) {
  nb::class_<Exclusive<queens::Count>>(module, "QueensCount", "Number of placements of n queens.")
      .def("__init__", &make_count, "allowed"_a, "part"_a = nb::none(),
           "`allowed`: the allowed columns by row, as bits; at most 64 rows. `part`, from 0: the\n"
           "only part to count.")
      .def("run", &run, "remaining_s"_a = nb::none(), "poll"_a = nb::none(),
           "Count; return True if `total` is exact. When stopped it is a lower bound.")
      .def_prop_ro("total", &getter<&queens::Count::total>)
      .def_prop_ro("num_parts", &getter<&queens::Count::num_parts>,
                   "Number of parts, whose counts add up to that of the board.");

  nb::class_<Exclusive<queens::Search>>(module, "QueensSearch",
                                        "Enumeration of placements in lexicographic order.")
      .def("__init__", &make_search, "allowed"_a,
           "`allowed`: the allowed columns by row, as bits; at most 64 rows.")
      .def("next", &next_placements, "most"_a, "budget"_a, "poll"_a = nb::none(),
           "Return placements, one byte per row; fewer than `most` at the end, or after `budget`\n"
           "steps. If `poll` raises, those found are lost.")
      .def("next_classes", &next_classes, "budget"_a, "poll"_a = nb::none(),
           "Count further placements within `budget` steps, and those that come first in their\n"
           "class under turns and reflections. If `poll` raises, both counts are lost.")
      .def_prop_ro("is_exhausted", &getter<&queens::Search::is_exhausted>)
      .def_prop_ro("num_nodes", &getter<&queens::Search::num_nodes>);

  nb::enum_<queens::Completion::Outcome>(module, "Completed")
      .value("SOLUTION", queens::Completion::Outcome::kSolution)
      .value("EXHAUSTED", queens::Completion::Outcome::kExhausted)
      .value("BUDGET", queens::Completion::Outcome::kBudget);
  nb::class_<Exclusive<queens::Completion>>(module, "QueensCompletion",
                                            "Search for one placement, also on large boards.")
      .def("__init__", &make_completion, "size"_a, "allowed"_a, "seed"_a,
           "`allowed`: one byte per square, row by row, 0 if it is blocked; at most 2000 rows.")
      .def("next", &complete, "budget"_a, "remaining_s"_a = nb::none(), "poll"_a = nb::none(),
           "Search for a placement, placing at most `budget` queens; EXHAUSTED if there is none.\n"
           "None when stopped.")
      .def_prop_ro("columns", &columns, "Columns of the last placement, by row.")
      .def_prop_ro("num_placed", &getter<&queens::Completion::num_placed>);
}

}  // namespace nonosat
