// The Python face of deductions, texts and checkers of proofs: conversion only, no logic.
#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>

#include <algorithm>
#include <cstring>
#include <tuple>

#include "board/deduction.hpp"
#include "board/lemmas.hpp"
#include "proof/check.hpp"
#include "proof/check_lrat.hpp"
#include "proof/check_text.hpp"
#include "python/python_watch.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace nonosat {
namespace {

template <class T>
nb::bytes to_bytes(const std::vector<T>& items) {
  return nb::bytes(items.data(), items.size() * sizeof(T));
}

std::string_view view_of(const nb::bytes& text) { return {text.c_str(), text.size()}; }

// 32-bit integers: clauses over the variables 1 to `num_vars`, each ended by 0.
Formula to_formula(int32_t num_vars, const nb::bytes& clauses) {
  std::vector<int32_t> lits(clauses.size() / sizeof(int32_t));
  std::memcpy(lits.data(), clauses.c_str(), lits.size() * sizeof(int32_t));
  const auto is_foreign = [&](int32_t lit) { return lit < -num_vars || lit > num_vars; };
  if (num_vars < 0 || num_vars > INT32_MAX / 2 - 1 || (!lits.empty() && lits.back() != 0) ||
      std::any_of(lits.begin(), lits.end(), is_foreign)) {
    throw nb::value_error("clauses over the variables up to num_vars, each ended by 0, expected");
  }
  return {num_vars, std::move(lits)};
}

std::optional<std::tuple<int32_t, nb::bytes>> parse_dimacs(const nb::bytes& text,
                                                           std::optional<double> remaining_s,
                                                           const Poll& poll) {
  const auto formula =
      watched(remaining_s, poll, [&](Watch& watch) { return read_dimacs(view_of(text), watch); });
  if (!formula) return {};
  return std::make_tuple(formula->num_vars, to_bytes(formula->clauses));
}

struct Checked {
  int64_t num_lemmas = 0, num_needed = 0;
  std::string drat, lrat;
};

std::optional<std::tuple<int64_t, int64_t, nb::bytes, nb::bytes>> check_drat(
    int32_t num_vars, const nb::bytes& clauses, const nb::bytes& proof, bool write,
    std::optional<double> remaining_s, const Poll& poll) {
  const Formula formula = to_formula(num_vars, clauses);
  const auto checked = watched(remaining_s, poll, [&](Watch& watch) {
    const Drat drat = read_drat(view_of(proof), num_vars, watch);
    Checker checker(formula, drat, watch);
    checker.run();
    Checked found{checker.num_lemmas(), checker.num_needed(), {}, {}};
    if (write) found.drat = checker.drat(), found.lrat = checker.lrat();
    return found;
  });
  if (!checked) return {};
  return std::make_tuple(checked->num_lemmas, checked->num_needed,
                         nb::bytes(checked->drat.data(), checked->drat.size()),
                         nb::bytes(checked->lrat.data(), checked->lrat.size()));
}

std::optional<int64_t> check_lrat_text(int32_t num_vars, const nb::bytes& clauses,
                                       const nb::bytes& proof, std::optional<double> remaining_s,
                                       const Poll& poll) {
  const Formula formula = to_formula(num_vars, clauses);
  return watched(remaining_s, poll,
                 [&](Watch& watch) { return check_lrat(formula, view_of(proof), watch); });
}

std::optional<std::tuple<nb::bytes, nb::bytes>> lemmas(Board& board, const nb::bytes& steps,
                                                       std::optional<double> remaining_s,
                                                       const Poll& poll) {
  std::vector<Deduction::Step> given(steps.size() / sizeof(Deduction::Step));
  std::memcpy(given.data(), steps.c_str(), given.size() * sizeof(Deduction::Step));
  for (const auto& [cell, value, if_cell, if_value] : given) {
    const auto is_inside = [&](int32_t c, int32_t v) {
      return c >= 0 && c < board.num_cells() && v >= 0 && v < board.num_values();
    };
    if (!is_inside(cell, value) || (if_cell != -1 && !is_inside(if_cell, if_value))) {
      throw nb::value_error("steps of cells and values of the board are expected");
    }
  }
  const auto found =
      watched(remaining_s, poll, [&](Watch& watch) { return lemmas_of(board, given, watch); });
  if (!found) return {};
  return std::make_tuple(to_bytes(found->clauses), to_bytes(found->facts));
}

}  // namespace

void bind_check(nb::module_& module) {
  module.def("parse_dimacs", &parse_dimacs, "text"_a, "remaining_s"_a = nb::none(),
             "poll"_a = nb::none(),
             "(Number of variables, clauses as 32-bit integers ended by 0) of a DIMACS text.\n\n"
             "None when stopped; a ValueError says what is wrong and where.");
  module.def("check_drat", &check_drat, "num_vars"_a, "clauses"_a, "proof"_a, "write"_a = false,
             "remaining_s"_a = nb::none(), "poll"_a = nb::none(),
             "Backward check of a DRAT text; see the header for what is refused.\n\n"
             "(Lemmas read, lines needed, these as DRAT and as LRAT if `write`), or None when\n"
             "stopped; a ValueError says why the proof is refused.");
  module.def("check_lrat", &check_lrat_text, "num_vars"_a, "clauses"_a, "proof"_a,
             "remaining_s"_a = nb::none(), "poll"_a = nb::none(),
             "Strict check of an LRAT text: the number of its lines.\n\n"
             "None when stopped; a ValueError says why the proof is refused.");

  nb::class_<Deduction>(module, "Deduction", "Propagation and probing that write down their steps.")
      .def(
          "__init__",
          [](Deduction* self, Board& board) {
            nb::gil_scoped_release unlock;
            new (self) Deduction(board);
          },
          "board"_a, nb::keep_alive<1, 2>())
      .def(
          "propagate",
          [](Deduction& self, std::optional<double> remaining_s, const Poll& poll) {
            return watched(remaining_s, poll, [&](Watch& watch) { return self.propagate(watch); });
          },
          "remaining_s"_a = nb::none(), "poll"_a = nb::none(),
          "True at a fixpoint, False at a contradiction, None when stopped.")
      .def(
          "probe",
          [](Deduction& self, int64_t budget, std::optional<double> remaining_s, const Poll& poll) {
            return watched(remaining_s, poll,
                           [&](Watch& watch) { return self.probe(watch, budget); });
          },
          "budget"_a, "remaining_s"_a = nb::none(), "poll"_a = nb::none(),
          "A Progress, or None when stopped.")
      .def(
          "take_steps", [](Deduction& self) { return to_bytes(self.take_steps()); },
          "Steps since the last call, each four 32-bit integers.\n\n"
          "A cell, a value that it does not have, a cell or -1, and the value of that cell under\n"
          "which this holds.");
  module.def("lemmas", &lemmas, "board"_a, "steps"_a, "remaining_s"_a = nb::none(),
             "poll"_a = nb::none(),
             "Steps of a Deduction as clauses over the variables of the open board's encoding.\n\n"
             "(All, those among them that hold without an assumption) as 32-bit integers, each\n"
             "clause ended by 0; None when stopped.");
}

}  // namespace nonosat
