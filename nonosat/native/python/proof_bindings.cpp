// The Python face of texts and checkers of proofs: conversion of arguments and results, no logic.
#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/tuple.h>

#include <algorithm>
#include <cstring>
#include <tuple>

#include "proof/check.hpp"
#include "proof/check_lrat.hpp"
#include "proof/check_text.hpp"
#include "python/python_values.hpp"
#include "python/python_watch.hpp"
#include "python/rooms.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace nonosat {
namespace {

std::string_view view_of(const nb::bytes& text) { return {text.c_str(), text.size()}; }

// 32-bit integers: clauses over the variables 1 to `num_vars`, each ended by 0.
Formula to_formula(int32_t num_vars, std::string_view clauses) {
  std::vector<int32_t> lits(clauses.size() / sizeof(int32_t));
  std::memcpy(lits.data(), clauses.data(), lits.size() * sizeof(int32_t));
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
  auto formula =
      watched(remaining_s, poll, [&](Watch& watch) { return read_dimacs(view_of(text), watch); });
  if (!formula) return {};
  return std::make_tuple(formula->num_vars, to_bytes(std::move(formula->clauses)));
}

struct Checked {
  int64_t num_lemmas = 0, num_needed = 0;
  std::string drat, lrat;
};

std::optional<std::tuple<int64_t, int64_t, nb::bytes, nb::bytes>> check_drat(
    int32_t num_vars, const nb::bytes& clauses, const nb::bytes& proof, bool write,
    std::optional<double> remaining_s, const Poll& poll) {
  auto checked = watched(remaining_s, poll, [&](Watch& watch) {
    const Formula formula = to_formula(num_vars, view_of(clauses));
    const Drat drat = read_drat(view_of(proof), num_vars, watch);
    Checker checker(formula, drat, watch);
    checker.run();
    Checked found{checker.num_lemmas(), checker.num_needed(), {}, {}};
    if (write) found.drat = checker.drat(), found.lrat = checker.lrat();
    return found;
  });
  if (!checked) return {};
  return std::make_tuple(checked->num_lemmas, checked->num_needed,
                         to_bytes(std::move(checked->drat)), to_bytes(std::move(checked->lrat)));
}

std::optional<int64_t> check_lrat_text(int32_t num_vars, const nb::bytes& clauses,
                                       const nb::bytes& proof, std::optional<double> remaining_s,
                                       const Poll& poll) {
  return watched(remaining_s, poll, [&](Watch& watch) {
    return check_lrat(to_formula(num_vars, view_of(clauses)), view_of(proof), watch);
  });
}

}  // namespace

void bind_proof(nb::module_& module) {
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
}

}  // namespace nonosat
