// The Python face of counting: conversion of arguments and results, no logic.
#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>

#include <algorithm>
#include <cstdlib>
#include <span>
#include <utility>
#include <vector>

#include "board/board.hpp"
#include "count/counter.hpp"
#include "count/loops.hpp"
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

constexpr int32_t kMostVertices = 4'000'000;

using PyNumbers = nb::typed<nb::sequence, int32_t>;

// Rules that stand one behind the other: lower, upper, literals, 0.
std::vector<loops::Rule> to_rules(std::span<const int32_t> numbers, size_t num_edges) {
  std::vector<loops::Rule> rules;
  for (size_t at = 0; at < numbers.size();) {
    if (numbers.size() - at < 3) throw nb::value_error("a rule is lower, upper, literals and 0");
    loops::Rule rule{{}, numbers[at], numbers[at + 1]};
    for (at += 2; at < numbers.size() && numbers[at]; ++at) {
      const int64_t lit = numbers[at];
      if (static_cast<size_t>(std::abs(lit)) > num_edges) {
        throw nb::value_error("a literal of a rule is of no edge");
      }
      rule.lits.push_back(numbers[at]);
    }
    if (at++ == numbers.size()) throw nb::value_error("a rule does not end with 0");
    rule.lower = std::max(rule.lower, 0);
    rule.upper = std::clamp(rule.upper, -1, static_cast<int32_t>(rule.lits.size()));
    rules.push_back(std::move(rule));
  }
  return rules;
}

void make_loops(Exclusive<loops::LoopCount>* self, int32_t num_vertices, const PyNumbers& ends,
                bool is_spanning, const PyNumbers& rules, int64_t max_bytes, const Poll& poll) {
  Watch watch = make_watch({}, poll);
  loops::Graph graph{num_vertices, to_vector<int32_t>(ends, watch), is_spanning, {}};
  if (num_vertices < 0 || num_vertices > kMostVertices) {
    throw nb::value_error("so many vertices are not expected");
  }
  if (graph.ends.size() % 2) throw nb::value_error("each edge has two ends");
  for (size_t at = 0; at < graph.ends.size(); ++at) {
    const int32_t vertex = graph.ends[at];
    if (vertex < 0 || vertex >= num_vertices) throw nb::value_error("an end is no vertex");
    if (at % 2 && vertex == graph.ends[at - 1]) throw nb::value_error("an edge has one end");
  }
  graph.rules = to_rules(to_vector<int32_t>(rules, watch), graph.num_edges());
  const auto most = static_cast<size_t>(std::max<int64_t>(max_bytes, 0));
  unlocked([&] { new (self) Exclusive<loops::LoopCount>(nullptr, graph, most, watch); });
}

std::optional<bool> run_loops(Exclusive<loops::LoopCount>& self, int64_t budget,
                              std::optional<double> remaining_s, const Poll& poll) {
  const Use count(self);
  return watched(remaining_s, poll, [&](Watch& watch) { return count->run(watch, budget); });
}

nb::bytes total_of_loops(Exclusive<loops::LoopCount>& self) {
  return to_bytes((*Use(self)).total().words());
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

  using loops::LoopCount;
  nb::class_<Exclusive<LoopCount>>(module, "LoopCount",
                                   "How many sets of edges form one loop and keep rules.")
      .def("__init__", &make_loops, "num_vertices"_a, "ends"_a, "is_spanning"_a, "rules"_a,
           "max_bytes"_a, "poll"_a = nb::none(),
           "`ends`: of each edge two vertices. `rules`: lower, upper, literals, 0, one behind the\n"
           "other; literal 1 + edge says that the edge is chosen. `poll` may raise, and no more.")
      .def("run", &run_loops, "budget"_a, "remaining_s"_a = nb::none(), "poll"_a = nb::none(),
           "Whether the number is exact by now; None when stopped.")
      .def_prop_ro("total", &total_of_loops,
                   "The number, or a lower bound: little-endian bytes, none for 0.")
      .def_prop_ro("is_exact", &got<&LoopCount::is_exact>)
      .def_prop_ro("is_full", &got<&LoopCount::is_full>,
                   "Whether its memory does not suffice, so that it does not go on.")
      .def_prop_ro("num_steps", &got<&LoopCount::num_steps>)
      .def_prop_ro("num_done", &got<&LoopCount::num_done>, "Of the steps, an edge each.")
      .def_prop_ro("num_states", &got<&LoopCount::num_states>, "At once, at most.")
      .def_prop_ro("width", &got<&LoopCount::width>, "Vertices of the frontier, at most.");
}

}  // namespace nonosat
