// Python bindings of lazy loops: conversion of arguments and results, no logic.
#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>

#include "loops/cells.hpp"
#include "loops/clauses.hpp"
#include "python/python_exclusive.hpp"
#include "python/python_lits.hpp"
#include "python/python_watch.hpp"
#include "python/rooms.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace nonosat {
namespace {

void make_cells(Exclusive<loops::Cells>* self, nb::handle pairs, uint32_t most_lits,
                const Poll& poll) {
  const HeldLits held(pairs);
  const Lits lits = held.lits();
  polled(poll, [&](Watch& watch) {
    std::vector<int32_t> copied(lits.begin(), lits.end());
    std::ranges::replace(copied, loops::kOuterFace, 0);
    if (copied.size() % 2 || std::ranges::any_of(copied, [](int32_t var) { return var < 0; })) {
      throw nb::value_error("two faces are expected for each edge, each a variable or FALSE");
    }
    new (self) Exclusive<loops::Cells>(nullptr, copied, most_lits, watch);
  });
}

nb::bytes refine(Exclusive<loops::Cells>& self, const nb::bytes& values, const Poll& poll) {
  const Use cells(self);
  const auto* data = reinterpret_cast<const uint8_t*>(values.c_str());
  const std::span<const uint8_t> held(data, values.size());
  if (std::ssize(held) <= cells->max_var()) throw nb::value_error("a byte a variable is expected");
  return to_bytes(polled(poll, [&](Watch& watch) { return cells->refine(held, watch); }));
}

std::optional<nb::bytes> cycle_clauses(size_t num_vertices, nb::handle edges, nb::handle faces,
                                       size_t most_edges, const Poll& poll) {
  const HeldLits held_edges(edges), held_faces(faces);
  auto found = polled(poll, [&](Watch& watch) {
    const auto copied = [](Lits lits) { return std::vector<int32_t>(lits.begin(), lits.end()); };
    const auto triples = copied(held_edges.lits()), pairs = copied(held_faces.lits());
    if (triples.size() % 3 || (!pairs.empty() && pairs.size() / 2 * 3 != triples.size()) ||
        pairs.size() % 2) {
      throw nb::value_error("two vertices, a literal and two faces are expected for each edge");
    }
    return loops::cycle_clauses(num_vertices, triples, pairs, most_edges, watch);
  });
  return found ? std::optional(to_bytes(std::move(*found))) : std::nullopt;
}

}  // namespace

void bind_loops(nb::module_& module) {
  module.def(
      "cycle_clauses", &cycle_clauses, "num_vertices"_a, "edges"_a, "faces"_a, "most_edges"_a,
      "poll"_a = nb::none(),
      "Return clauses for disjoint cycles, each terminated by 0.\n\n"
      "`edges`: two vertices and a literal per edge; `faces`: two faces per edge, or none:\n"
      "32-bit integers. None if edges or faces are unusual, or more than `most_edges` edges\n"
      "meet. `poll` may raise.");
  nb::class_<Exclusive<loops::Cells>>(
      module, "Cells", "Clauses that separate the parts of a model's loops in the plane.")
      .def("__init__", &make_cells, "pairs"_a, "most_lits"_a, "poll"_a = nb::none(),
           "`pairs`: variables of the two faces of each edge, FALSE for the outer face: 32-bit\n"
           "integers. Each part gets clauses of at most `most_lits` literals, or a single\n"
           "clause. `poll` may raise.")
      .def("refine", &refine, "values"_a, "poll"_a = nb::none(),
           "Return clauses that every single loop satisfies and these values violate, each\n"
           "terminated by 0. `poll` may raise.");
}

}  // namespace nonosat
