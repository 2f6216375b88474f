// Python bindings of encodings: the order encoding, implications, and conversion of buffers of
// literals to lists and text. Conversion of arguments and results, no logic.
#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>

#include <algorithm>
#include <numeric>
#include <utility>
#include <vector>

#include "cost.hpp"
#include "encoding/clauses.hpp"
#include "encoding/implications.hpp"
#include "encoding/open_lines.hpp"
#include "encoding/order_encoding.hpp"
#include "python/python_exclusive.hpp"
#include "python/python_lits.hpp"
#include "python/python_watch.hpp"
#include "python/rooms.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace nonosat {
namespace {

using NewVars = nb::typed<nb::callable, int(int)>;

// Allocates `count` variables in one call and returns the first.
int32_t first_of(int64_t count, const NewVars& new_vars) {
  const int64_t first = count ? nb::cast<int64_t>(new_vars(count)) : 1;
  if (first < 1 || first + count > kTrue) {
    throw nb::value_error("variables are numbered from 1 to 2^31 - 2");
  }
  return static_cast<int32_t>(first);
}

// `poll` may raise.
std::optional<nb::bytes> order_clauses(const PyPlanes& cells, const PyClue& clue,
                                       const PyLits& filled, const NewVars& new_vars,
                                       const Poll& poll) {
  Watch watch = make_watch({}, poll);
  const LineLits line = to_line(cells, clue, filled, watch);
  const Plan plan(line.length, static_cast<int>(line.cells.size()), line.blocks);
  auto encoding = unlocked([&] { return OrderEncoding(line, plan, watch); });
  if (!encoding.is_feasible()) return {};
  const int32_t first = first_of(encoding.num_vars(), new_vars);
  return to_bytes(unlocked([&] {
    std::vector<int32_t> clauses;
    encoding.clauses(first, clauses, watch);
    return clauses;
  }));
}

using PyClausesAndCounts = nb::typed<nb::tuple, nb::bytes, nb::typed<nb::list, int64_t>>;

template <class AnyBoard>
PyClausesAndCounts open_line_clauses(Exclusive<AnyBoard>& given, nb::handle lits,
                                     const nb::bytes& filled, const PyLits& numbers,
                                     const NewVars& new_vars, const Poll& poll) {
  const Use board(given);
  const HeldLits held(lits);
  const std::span mask(reinterpret_cast<const uint8_t*>(filled.c_str()), filled.size());
  Watch watch = make_watch({}, poll);
  const auto lines = to_vector<int32_t>(numbers, watch);
  const auto is_there = [&](int32_t line) { return line >= 0 && line < board->num_lines(); };
  const size_t expected = static_cast<size_t>(board->num_cells()) * (board->num_values() - 1);
  if (held.lits().size() != expected || !std::all_of(lines.begin(), lines.end(), is_there) ||
      (!mask.empty() && std::cmp_not_equal(mask.size(), board->num_cells()))) {
    throw nb::value_error("a literal for each colour and cell is expected, and lines");
  }
  const CellLits cells{held.lits(), mask};
  auto encodings = unlocked([&] { return OpenLines(*board, cells, lines, watch); });
  const std::vector<int64_t> counts = encodings.num_vars();
  const int64_t total = std::accumulate(counts.begin(), counts.end(), int64_t{0});
  const int32_t first = first_of(total, new_vars);
  return PyClausesAndCounts(nb::make_tuple(
      to_bytes(unlocked([&] { return encodings.clauses(first, watch); })), to_list(counts, watch)));
}

int64_t count_clauses(nb::handle clauses) {
  const HeldLits held(clauses);
  return unlocked([&] { return num_clauses(held.lits()); });
}

template <std::string (*text)(Lits, Watch&)>
nb::bytes text_of(nb::handle clauses, const Poll& poll) {
  const HeldLits held(clauses);
  return to_bytes(polled(poll, [&](Watch& watch) { return text(held.lits(), watch); }));
}

using PyClause = nb::typed<nb::list, int>;

// Returns at most `most` clauses of the buffer as lists, beginning at index `start`, and the index
// after the last of them.
std::pair<nb::typed<nb::list, PyClause>, size_t> clause_lists(nb::handle clauses, size_t start,
                                                              size_t most) {
  const HeldLits held(clauses);
  const Lits lits = held.lits();
  if (start > lits.size()) throw nb::index_error("the buffer ends before");
  Watch watch = make_watch({}, {});
  nb::list found;
  while (most-- && start < lits.size()) {
    const auto begin = lits.begin() + static_cast<std::ptrdiff_t>(start);
    const auto end = std::find(begin, lits.end(), 0);
    if (end == lits.end()) throw nb::value_error("the last clause is not ended by 0");
    found.append(to_list(Lits(begin, end), watch));
    start += static_cast<size_t>(end - begin) + 1;
    watch.work(cost::kItem);
  }
  return {nb::borrow<nb::typed<nb::list, PyClause>>(found), start};
}

void make_implications(Exclusive<Implications>* self, Exclusive<Board>& given, nb::handle variables,
                       int max_tries, const Poll& poll) {
  const Use board(given);
  const HeldLits held(variables);
  const Lits lits = held.lits();
  const size_t expected = static_cast<size_t>(board->num_cells()) * (board->num_values() - 1);
  polled(poll, [&](Watch& watch) {
    std::vector<int32_t> copied(lits.begin(), lits.end());
    const bool is_negative =
        std::any_of(copied.begin(), copied.end(), [](int32_t var) { return var < 0; });
    if (copied.size() != expected || is_negative || max_tries < 0) {
      throw nb::value_error("a variable, or 0, is expected for each colour and cell");
    }
    new (self) Exclusive<Implications>(nullptr, *board, std::move(copied), max_tries, watch);
  });
}

nb::bytes next_clauses(Exclusive<Implications>& self, const Poll& poll) {
  const Use implications(self);
  return to_bytes(polled(poll, [&](Watch& watch) { return implications->next(watch); }));
}

}  // namespace

void bind_encoding(nb::module_& module) {
  module.def("order_clauses", &order_clauses, "cells"_a, "clue"_a, "filled"_a, "new_vars"_a,
             "poll"_a = nb::none(),
             "Return the order encoding of a line as 32-bit integers; None if it has no filling.");
  module.def(
      "open_line_clauses", &open_line_clauses<Board>, "board"_a, "lits"_a, "filled"_a, "lines"_a,
      "new_vars"_a, "poll"_a = nb::none(),
      "Order encodings of lines of a board, and the number of variables of each line.\n\n"
      "`lines`: their indices; `lits`: a buffer of 32-bit integers, one per colour and\n"
      "cell; `filled`: one byte per cell, or empty. A line without a filling gives an empty\n"
      "clause.");
  module.def("open_lane_clauses", &open_line_clauses<LaneBoard>, "board"_a, "lits"_a, "filled"_a,
             "lines"_a, "new_vars"_a, "poll"_a = nb::none(),
             "Like `open_line_clauses`, for a board of lanes.");
  nb::class_<Exclusive<Implications>>(module, "Implications",
                                      "Implications between values of open cells.")
      .def("__init__", &make_implications, "board"_a, "variables"_a, "max_tries"_a, "poll"_a,
           "Work on a copy of the board. `variables`: a buffer of 32-bit integers, one per\n"
           "colour and cell.")
      .def("next", &next_clauses, "poll"_a,
           "Return clauses for the next values as 32-bit integers, empty at the end. `poll` may\n"
           "raise.");
  module.def("num_clauses", &count_clauses, "clauses"_a,
             "Return the number of clauses in a buffer of 32-bit integers, each terminated by 0.");
  module.def("clause_lists", &clause_lists, "clauses"_a, "start"_a, "most"_a,
             "Return (at most `most` clauses from index `start` on, index of the next one).");
  module.def("dimacs_text", &text_of<dimacs_text>, "clauses"_a, "poll"_a = nb::none(),
             "Return clauses as lines of DIMACS CNF. `poll` may raise.");
  module.def("opb_text", &text_of<opb_text>, "clauses"_a, "poll"_a = nb::none(),
             "Return clauses as lines of OPB. `poll` may raise.");
}

}  // namespace nonosat
