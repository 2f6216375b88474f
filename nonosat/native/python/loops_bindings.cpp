// The Python face of lazy loops: conversion of arguments and results, no logic.
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
      throw nb::value_error("two faces an edge are expected, each a variable or FALSE");
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
  const auto found = polled(poll, [&](Watch& watch) {
    const auto copied = [](Lits lits) { return std::vector<int32_t>(lits.begin(), lits.end()); };
    const auto triples = copied(held_edges.lits()), pairs = copied(held_faces.lits());
    if (triples.size() % 3 || (!pairs.empty() && pairs.size() / 2 * 3 != triples.size()) ||
        pairs.size() % 2) {
      throw nb::value_error("two vertices and a literal an edge are expected, and two faces");
    }
    return loops::cycle_clauses(num_vertices, triples, pairs, most_edges, watch);
  });
  return found ? std::optional(to_bytes(*found)) : std::nullopt;
}

}  // namespace

void bind_loops(nb::module_& module) {
  module.def("cycle_clauses", &cycle_clauses, "num_vertices"_a, "edges"_a, "faces"_a,
             "most_edges"_a, "poll"_a = nb::none(),
             "The clauses of disjoint cycles, each ended by 0; None where the edges or faces are\n"
             "unusual, or more edges meet. Two vertices and a literal an edge, and two faces or\n"
             "none at all: 32-bit integers; `poll` may raise.");
  nb::class_<Exclusive<loops::Cells>>(module, "Cells",
                                      "Separators of the parts of a model in the plane.")
      .def(
          "__init__", &make_cells, "pairs"_a, "most_lits"_a, "poll"_a = nb::none(),
          "Of each edge the variables of its two faces, FALSE for the outer one: 32-bit integers.\n"
          "About one part there are clauses of so many literals, or a single one; `poll` may\n"
          "raise.")
      .def("refine", &refine, "values"_a, "poll"_a = nb::none(),
           "Clauses that every single loop satisfies and these values do not, each ended by 0;\n"
           "`poll` may raise.");
}

}  // namespace nonosat
