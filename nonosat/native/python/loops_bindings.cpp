// The Python face of lazy loops.
#include <nanobind/nanobind.h>

#include "loops/cells.hpp"
#include "python/python_lits.hpp"
#include "python/python_watch.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace nonosat {
namespace {

void make_cells(loops::Cells* self, nb::handle pairs, uint32_t most_lits) {
  const HeldLits held(pairs);
  const Lits lits = held.lits();
  if (lits.size() % 2 || std::ranges::any_of(lits, [](int32_t var) { return var < 0; })) {
    throw nb::value_error("two faces an edge are expected, each a variable or 0");
  }
  new (self) loops::Cells(lits, most_lits);
}

nb::bytes refine(loops::Cells& cells, nb::bytes values) {
  const auto* data = reinterpret_cast<const uint8_t*>(values.c_str());
  const std::span<const uint8_t> held(data, values.size());
  if (std::ssize(held) <= cells.max_var()) throw nb::value_error("a byte a variable is expected");
  const auto clauses = unlocked([&] { return cells.refine(held); });
  return nb::bytes(clauses.data(), clauses.size() * sizeof(int32_t));
}

}  // namespace

void bind_loops(nb::module_& module) {
  nb::class_<loops::Cells>(module, "Cells", "Separators of the parts of a model in the plane.")
      .def("__init__", &make_cells, "pairs"_a, "most_lits"_a,
           "Of each edge the variables of its two faces, 0 for the outer one: 32-bit integers.\n"
           "About one part there are clauses of so many literals, or a single one.")
      .def("refine", &refine, "values"_a,
           "Clauses that every single loop satisfies and these values do not, each ended by 0.");
}

}  // namespace nonosat
