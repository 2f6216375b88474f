// The Python face of lazy loops: conversion of arguments and results, no logic.
#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>

#include "loops/cells.hpp"
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
    const std::vector<int32_t> copied(lits.begin(), lits.end());
    if (copied.size() % 2 || std::ranges::any_of(copied, [](int32_t var) { return var < 0; })) {
      throw nb::value_error("two faces an edge are expected, each a variable or 0");
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

}  // namespace

void bind_loops(nb::module_& module) {
  nb::class_<Exclusive<loops::Cells>>(module, "Cells",
                                      "Separators of the parts of a model in the plane.")
      .def("__init__", &make_cells, "pairs"_a, "most_lits"_a, "poll"_a = nb::none(),
           "Of each edge the variables of its two faces, 0 for the outer one: 32-bit integers.\n"
           "About one part there are clauses of so many literals, or a single one; `poll` may\n"
           "raise.")
      .def("refine", &refine, "values"_a, "poll"_a = nb::none(),
           "Clauses that every single loop satisfies and these values do not, each ended by 0;\n"
           "`poll` may raise.");
}

}  // namespace nonosat
