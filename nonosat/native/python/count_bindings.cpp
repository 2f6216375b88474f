// Python bindings of counting: conversion of arguments and results, no logic.
#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>

#include <algorithm>
#include <cstdlib>
#include <span>
#include <utility>
#include <vector>

#include "board/board.hpp"
#include "board/lanes.hpp"
#include "count/counter.hpp"
#include "count/loops.hpp"
#include "count/rules.hpp"
#include "python/python_board.hpp"
#include "python/python_exclusive.hpp"
#include "python/python_values.hpp"
#include "python/python_watch.hpp"
#include "python/rooms.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace nonosat {
namespace {

constexpr int32_t kMaxThreads = 1024;

template <class AnyBoard>
void make_counter(Exclusive<Counter<AnyBoard>>* self, Exclusive<AnyBoard>& on, int64_t max_bytes) {
  const Use board(on);
  check_whole(*board);
  const auto most = static_cast<size_t>(std::max<int64_t>(max_bytes, 0));
  unlocked([&] { new (self) Exclusive<Counter<AnyBoard>>(board.busy(), *board, most); });
}

template <class AnyBoard>
std::optional<bool> run(Exclusive<Counter<AnyBoard>>& self, int64_t budget,
                        std::optional<double> remaining_s, const Poll& poll, int32_t threads) {
  const Use counter(self);
  if (threads < 1 || threads > kMaxThreads) throw nb::value_error("1 to 1024 threads are possible");
  counter.change_own();
  return watched(remaining_s, poll,
                 [&](Watch& watch) { return counter->run(watch, budget, threads); });
}

template <class Counting>
nb::bytes total_of(Exclusive<Counting>& self) {
  const Use counter(self);
  return to_bytes(unlocked([&] { return counter->total(); }).words());
}

template <class AnyBoard>
void note(Exclusive<Counter<AnyBoard>>& self, const nb::bytes& cells) {
  const Use counter(self);
  if (cells.size() != static_cast<size_t>(counter->num_cells())) {
    throw nb::value_error("one byte a cell is expected");
  }
  const auto* data = reinterpret_cast<const uint8_t*>(cells.c_str());
  unlocked([&, size = cells.size()] { counter->note({data, data + size}); });
}

template <class AnyBoard>
auto components(Exclusive<Counter<AnyBoard>>& self) {
  const Use counter(self);
  const auto numbers = unlocked([&] { return counter->component_of_cells(); });
  Watch watch = make_watch({}, {});
  return to_list(numbers, watch);
}

constexpr int32_t kMaxVertices = 4'000'000;

using PyNumbers = nb::typed<nb::sequence, int32_t>;

// Parses consecutive rules, each of the form: lower, upper, literals, 0.
std::vector<Rule> to_rules(std::span<const int32_t> numbers, size_t num_places) {
  std::vector<Rule> rules;
  for (size_t at = 0; at < numbers.size();) {
    if (numbers.size() - at < 3) throw nb::value_error("a rule is lower, upper, literals and 0");
    Rule rule{{}, numbers[at], numbers[at + 1]};
    for (at += 2; at < numbers.size() && numbers[at]; ++at) {
      const int64_t lit = numbers[at];
      if (static_cast<size_t>(std::abs(lit)) > num_places) {
        throw nb::value_error("a literal of a rule has no variable or edge");
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
  if (num_vertices < 0 || num_vertices > kMaxVertices) {
    throw nb::value_error("at most 4,000,000 vertices are supported");
  }
  if (graph.ends.size() % 2) throw nb::value_error("each edge has two ends");
  for (size_t at = 0; at < graph.ends.size(); ++at) {
    const int32_t vertex = graph.ends[at];
    if (vertex < 0 || vertex >= num_vertices)
      throw nb::value_error("an end of an edge is not a vertex");
    if (at % 2 && vertex == graph.ends[at - 1])
      throw nb::value_error("an edge joins a vertex to itself");
  }
  graph.rules = to_rules(to_vector<int32_t>(rules, watch), graph.num_edges());
  const auto most = static_cast<size_t>(std::max<int64_t>(max_bytes, 0));
  unlocked([&] { new (self) Exclusive<loops::LoopCount>(nullptr, graph, most, watch); });
}

template <class Counting>
std::optional<bool> run_counting(Exclusive<Counting>& self, int64_t budget,
                                 std::optional<double> remaining_s, const Poll& poll) {
  const Use count(self);
  return watched(remaining_s, poll, [&](Watch& watch) { return count->run(watch, budget); });
}

void make_rules(Exclusive<RulesCount>* self, int32_t num_vars, const PyNumbers& rules,
                const PyNumbers& chosen, int64_t max_bytes) {
  Watch watch = make_watch({}, {});
  if (num_vars < 0 || num_vars > kMaxVertices) {
    throw nb::value_error("at most 4,000,000 variables are supported");
  }
  const auto taken = to_rules(to_vector<int32_t>(rules, watch), static_cast<size_t>(num_vars));
  const auto vars = to_vector<int32_t>(chosen, watch);
  const auto is_none = [&](int32_t var) { return var < 1 || var > num_vars; };
  if (std::any_of(vars.begin(), vars.end(), is_none)) {
    throw nb::value_error("a chosen variable does not exist");
  }
  std::vector<size_t> seen(static_cast<size_t>(num_vars) + 1);  // by variable: 1 + its last rule
  for (size_t at = 0; at < taken.size(); ++at) {
    for (const int32_t lit : taken[at].lits) {
      if (std::exchange(seen[std::abs(lit)], at + 1) == at + 1) {
        throw nb::value_error("a variable occurs twice in a rule");
      }
    }
  }
  const auto most = static_cast<size_t>(std::max<int64_t>(max_bytes, 0));
  unlocked([&] { new (self) Exclusive<RulesCount>(nullptr, num_vars, taken, vars, most); });
}

template <auto member>
int64_t rules_statistic(Exclusive<RulesCount>& self) {
  return (*Use(self)).statistics().*member;
}

template <class AnyBoard, auto member>
int64_t statistic(Exclusive<Counter<AnyBoard>>& self) {
  return (*Use(self)).statistics().*member;
}

template <class AnyBoard>
void bind_counter(nb::module_& module, const char* name) {
  using Own = Counter<AnyBoard>;
  using Statistics = typename Own::Statistics;
  nb::class_<Exclusive<Own>>(module, name, "The exact number of a board's solutions.")
      .def("__init__", &make_counter<AnyBoard>, "board"_a, "max_bytes"_a, nb::keep_alive<1, 2>(),
           "Count the solutions of a board, which must not be changed elsewhere.")
      .def("run", &run<AnyBoard>, "budget"_a, "remaining_s"_a = nb::none(), "poll"_a = nb::none(),
           "threads"_a = 1, "Continue counting; True if the number is exact, None when stopped.")
      .def("note", &note<AnyBoard>, "cells"_a,
           "Register a known solution, one byte per cell, after the first run.")
      .def_prop_ro("total", &total_of<Own>,
                   "Number of solutions, or a lower bound, as little-endian bytes; empty for 0.")
      .def("components", &components<AnyBoard>,
           "By cell the index of its component, or -1 if it is decided; after the first run.")
      .def_prop_ro("is_exact", &getter<&Own::is_exact>)
      .def_prop_ro("num_components", &statistic<AnyBoard, &Statistics::num_components>)
      .def_prop_ro("num_frontiers", &statistic<AnyBoard, &Statistics::num_frontiers>)
      .def_prop_ro("num_nodes", &statistic<AnyBoard, &Statistics::num_nodes>)
      .def_prop_ro("num_recalled", &statistic<AnyBoard, &Statistics::num_recalled>);
}

}  // namespace

void bind_count(nb::module_& module) {
  bind_counter<Board>(module, "Counter");
  bind_counter<LaneBoard>(module, "LaneCounter");

  using Counted = RulesCount::Statistics;
  nb::class_<Exclusive<RulesCount>>(module, "RulesCount",
                                    "Number of assignments of chosen variables that satisfy rules.")
      .def("__init__", &make_rules, "num_vars"_a, "rules"_a, "chosen"_a, "max_bytes"_a,
           "`rules`: consecutive rules, each lower, upper, literals, 0, without repeated\n"
           "variables.\n"
           "Assignments that differ only in variables that are not chosen are counted once.")
      .def("run", &run_counting<RulesCount>, "budget"_a, "remaining_s"_a = nb::none(),
           "poll"_a = nb::none(),
           "Continue counting; True if the number is exact, None when stopped.")
      .def_prop_ro("total", &total_of<RulesCount>,
                   "Number of solutions, or a lower bound, as little-endian bytes; empty for 0.")
      .def_prop_ro("is_exact", &getter<&RulesCount::is_exact>)
      .def_prop_ro("is_full", &getter<&RulesCount::is_full>,
                   "True if counting has ended because its memory is full.")
      .def_prop_ro("num_nodes", &rules_statistic<&Counted::num_nodes>)
      .def_prop_ro("num_recalled", &rules_statistic<&Counted::num_recalled>);

  using loops::LoopCount;
  nb::class_<Exclusive<LoopCount>>(module, "LoopCount",
                                   "Number of sets of edges that form one loop and satisfy rules.")
      .def("__init__", &make_loops, "num_vertices"_a, "ends"_a, "is_spanning"_a, "rules"_a,
           "max_bytes"_a, "poll"_a = nb::none(),
           "`ends`: two vertices per edge. `rules`: consecutive rules, each lower, upper,\n"
           "literals, 0; literal 1 + edge is true if the edge is chosen. `poll` may raise.")
      .def("run", &run_counting<LoopCount>, "budget"_a, "remaining_s"_a = nb::none(),
           "poll"_a = nb::none(),
           "Continue counting; True if the number is exact, None when stopped.")
      .def_prop_ro("total", &total_of<LoopCount>,
                   "Number of solutions, or a lower bound, as little-endian bytes; empty for 0.")
      .def_prop_ro("is_exact", &getter<&LoopCount::is_exact>)
      .def_prop_ro("is_full", &getter<&LoopCount::is_full>,
                   "True if counting has ended because its memory is full.")
      .def_prop_ro("num_steps", &getter<&LoopCount::num_steps>)
      .def_prop_ro("num_done", &getter<&LoopCount::num_done>,
                   "Number of completed steps, one per edge.")
      .def_prop_ro("num_states", &getter<&LoopCount::num_states>,
                   "Maximal number of states at the same time.")
      .def_prop_ro("width", &getter<&LoopCount::width>,
                   "Maximal number of vertices of the frontier.");
}

}  // namespace nonosat
