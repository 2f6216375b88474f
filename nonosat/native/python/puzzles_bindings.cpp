// Python bindings of puzzle data: verifiers of solutions, and properties of clues.
#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/vector.h>

#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "cost.hpp"
#include "puzzles/verify.hpp"
#include "puzzles/verify_loop.hpp"
#include "python/python_clue.hpp"
#include "python/python_values.hpp"
#include "python/python_watch.hpp"
#include "python/rooms.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace nonosat {
namespace {

// View of the blocks of a clue that is a tuple of tuples (length or None, colour).
class Blocks {
 public:
  explicit Blocks(const nb::handle& clue) : clue_(clue.ptr()) {
    if (!PyTuple_Check(clue_)) throw nb::type_error("a clue is expected to be a tuple");
    size_ = PyTuple_Size(clue_);
  }

  Py_ssize_t size() const { return size_; }

  // Returns (length, colour); no length if it is unknown.
  std::pair<std::optional<long>, long> operator[](Py_ssize_t index) const {
    PyObject* const block = PyTuple_GetItem(clue_, index);
    if (!PyTuple_Check(block) || PyTuple_Size(block) != 2) {
      throw nb::type_error("a block is expected to be a tuple of two");
    }
    PyObject* const length = PyTuple_GetItem(block, 0);
    const long colour = PyLong_AsLong(PyTuple_GetItem(block, 1));
    const long known = length == Py_None ? 0 : PyLong_AsLong(length);
    if ((colour == -1 || known == -1) && PyErr_Occurred()) throw nb::python_error();
    return {length == Py_None ? std::nullopt : std::optional(known), colour};
  }

 private:
  PyObject* clue_;
  Py_ssize_t size_;
};

// Returns true if the runs of a line are the blocks of its clue, in order.
bool satisfies(const verify::Cells& cells, const Blocks& clue) {
  verify::Runs runs(cells);
  for (Py_ssize_t block = 0; block < clue.size(); ++block) {
    if (!runs.next()) return false;
    const auto [length, colour] = clue[block];
    if (colour != runs.colour() || (length && std::cmp_not_equal(*length, runs.length()))) {
      return false;
    }
  }
  return !runs.next();
}

std::optional<size_t> refuted_line(const nb::bytes& cells, const ModelClues& rows,
                                   const ModelClues& columns) {
  const size_t height = rows.size(), width = columns.size();
  if (cells.size() / (width ? width : 1) != height || cells.size() % (width ? width : 1)) {
    throw nb::value_error("a byte a cell is expected");
  }
  Watch watch = make_watch({}, {});
  const auto* data = reinterpret_cast<const uint8_t*>(cells.c_str());
  for (size_t line = 0; line < height + width; ++line) {
    const bool is_row = line < height;
    const size_t place = is_row ? line : line - height;
    const auto row = verify::Cells{data + place * width, width, 1};
    const auto column = verify::Cells{data + place, height, width};
    const Blocks clue(is_row ? rows[place] : columns[place]);
    if (!satisfies(is_row ? row : column, clue)) return line;
    watch.work(static_cast<int64_t>(2 * (is_row ? width : height)) + cost::kItem);
  }
  return {};
}

bool is_loop(const nb::bytes& edges, const nb::bytes& clues, size_t width, uint8_t blank) {
  const auto bytes = [](const nb::bytes& held) {
    return std::span(reinterpret_cast<const uint8_t*>(held.c_str()), held.size());
  };
  const size_t height = width ? clues.size() / width : 0;
  const verify::Lattice lattice{height, width, bytes(edges)};
  const auto is_bit = [](uint8_t edge) { return edge < 2; };
  if (!height || clues.size() % width || edges.size() != lattice.num_edges() ||
      !std::ranges::all_of(lattice.edges, is_bit)) {
    throw nb::value_error("a byte a cell and a byte an edge are expected, each edge 0 or 1");
  }
  return unlocked([&] {
    return verify::is_one_loop(lattice) && verify::has_clues(lattice, bytes(clues), blank);
  });
}

nb::str clues_json(const ModelClues& clues) {
  Watch watch = make_watch({}, {});
  std::string text;
  for (const nb::handle each : clues) {
    const Blocks clue(each);
    text += text.empty() ? "[" : ",[";
    for (Py_ssize_t block = 0; block < clue.size(); ++block) {
      const auto [length, colour] = clue[block];
      text += block ? ",[" : "[";
      text += length ? std::to_string(*length) : "null";
      text += ',';
      text += std::to_string(colour);
      text += ']';
    }
    text += ']';
    watch.work(cost::kItem * (clue.size() + 1));
  }
  return nb::str(text.data(), text.size());
}

using PySizes = nb::typed<nb::tuple, nb::typed<nb::list, int64_t>, nb::typed<nb::list, int64_t>>;

PySizes clue_sizes(const ModelClues& clues, size_t num_colours) {
  if (num_colours > 255) throw nb::value_error("a puzzle has at most 255 colours");
  Watch watch = make_watch({}, {});
  std::vector<int64_t> least;
  std::vector<int64_t> filled(num_colours + 1);
  for (const nb::handle each : clues) {
    const Blocks clue(each);
    int64_t needed = 0;
    long before = 0;
    for (Py_ssize_t block = 0; block < clue.size(); ++block) {
      const auto [length, colour] = clue[block];
      if (colour < 1 || std::cmp_greater(colour, num_colours)) throw nb::index_error("no colour");
      needed += length.value_or(1) + (colour == before);
      before = colour;
      int64_t& total = filled[colour];
      total = length && total >= 0 ? total + *length : -1;
    }
    least.push_back(needed);
    watch.work(cost::kItem / 6 * clue.size() + 1);
  }
  return PySizes(nb::make_tuple(to_list(least, watch), to_list(filled, watch)));
}

}  // namespace

void bind_puzzles(nb::module_& module) {
  module.def("refuted_line", &refuted_line, "cells"_a, "rows"_a, "columns"_a,
             "Return the first line, rows first, whose clue a picture violates; None if there is\n"
             "none.");
  module.def("is_loop", &is_loop, "edges"_a, "clues"_a, "width"_a, "blank"_a,
             "Return True if edges of a lattice form one closed path with these clues, one byte\n"
             "each.");
  module.def("clues_json", &clues_json, "clues"_a,
             "Return clues as JSON, separated by commas: each is a list of [length, colour].");
  module.def("clue_sizes", &clue_sizes, "clues"_a, "num_colours"_a,
             "Return (by clue the minimal number of cells that it needs, by colour the number of\n"
             "cells that all clues fill, -1 if a length is unknown).");
}

}  // namespace nonosat
