// Helpers of the bindings: buffers of literals, and lines whose cells are literals.
#pragma once

#include <nanobind/nanobind.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "encoding/clauses.hpp"
#include "encoding/order_encoding.hpp"
#include "python/python_clue.hpp"

namespace nonosat {

using PyLits = nanobind::typed<nanobind::sequence, int32_t>;
using PyPlanes = nanobind::typed<nanobind::sequence, PyLits>;

inline LineLits to_line(const PyPlanes& planes, const PyClue& clue, const PyLits& filled_cells,
                        Watch& watch) {
  std::vector<std::vector<int32_t>> cells;
  each_item(planes, watch, [&](const nanobind::object& plane) {
    cells.push_back(to_vector<int32_t>(plane, watch));
  });
  auto filled = to_vector<int32_t>(filled_cells, watch);
  const int length = cells.empty() ? 0 : static_cast<int>(cells.front().size());
  const auto differs = [&](const auto& plane) { return std::ssize(plane) != length; };
  const auto is_outside = [&](int32_t cell) { return cell < 0 || cell >= length; };
  if (length < 1 || std::any_of(cells.begin(), cells.end(), differs) ||
      std::any_of(filled.begin(), filled.end(), is_outside)) {
    throw nanobind::value_error(
        "planes of one length of at least 1 are expected, and cells inside");
  }
  const int num_colours = static_cast<int>(cells.size());
  return {length, to_clue(clue, num_colours, watch), std::move(cells), std::move(filled)};
}

// Scoped access to a buffer of 32-bit integers. Its size is fixed, but other threads may write to
// it: code that reads an integer twice has to copy it first.
class HeldLits {
 public:
  explicit HeldLits(nanobind::handle clauses) {
    if (PyObject_GetBuffer(clauses.ptr(), &view_, PyBUF_C_CONTIGUOUS)) {
      throw nanobind::python_error();
    }
    if (view_.itemsize != sizeof(int32_t)) {
      PyBuffer_Release(&view_);
      throw nanobind::value_error("a buffer of 32-bit integers is expected");
    }
  }
  HeldLits(const HeldLits&) = delete;
  ~HeldLits() { PyBuffer_Release(&view_); }

  Lits lits() const {
    const auto* data = static_cast<const int32_t*>(view_.buf);
    return {data, static_cast<size_t>(view_.len) / sizeof(int32_t)};
  }

 private:
  Py_buffer view_;
};

}  // namespace nonosat
