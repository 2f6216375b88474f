// Python bindings of parsers and checkers of proofs: conversion of arguments and results, no logic.
#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/tuple.h>

#include <algorithm>
#include <cstring>
#include <tuple>

#include "proof/check.hpp"
#include "proof/check_lrat.hpp"
#include "proof/check_prices.hpp"
#include "proof/check_text.hpp"
#include "python/python_clue.hpp"
#include "python/python_values.hpp"
#include "python/python_watch.hpp"
#include "python/rooms.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace nonosat {
namespace {

std::string_view view_of(const nb::bytes& text) { return {text.c_str(), text.size()}; }

// Converts 32-bit integers: clauses over the variables 1 to `num_vars`, each terminated by 0.
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

using PyGiven = std::tuple<int64_t, int64_t, int32_t>;
using PyClues = nb::typed<nb::sequence, PyClue>;
using PyTable = std::pair<int64_t, nb::object>;  // scale; rows of prices, by colour
using PyTables = nb::typed<
    nb::sequence,
    nb::typed<nb::tuple, int,
              nb::typed<nb::sequence, nb::typed<nb::sequence, nb::typed<nb::sequence, int>>>>>;

std::vector<std::vector<PricedBlock>> to_priced_clues(const nb::object& clues, int num_colours,
                                                      Watch& watch) {
  std::vector<std::vector<PricedBlock>> found;
  each_item(clues, watch, [&](const nb::object& clue) {
    auto& blocks = found.emplace_back();
    for (const Block& block : to_clue(clue, num_colours, watch)) {
      blocks.push_back({block.length, block.colour});
    }
  });
  return found;
}

std::vector<PricedTable> to_priced_tables(const nb::object& tables, Watch& watch) {
  std::vector<PricedTable> found;
  each_item(tables, watch, [&](const nb::object& item) {
    const auto [scale, planes] = to_value<PyTable>(item);
    auto& table = found.emplace_back(scale);
    each_item(planes, watch, [&](const nb::object& rows) {
      auto& plane = table.prices.emplace_back();
      each_item(rows, watch,
                [&](const nb::object& row) { plane.push_back(to_vector<int64_t>(row, watch)); });
    });
  });
  return found;
}

PricedClaim to_priced_claim(int num_colours, const PyClues& rows, const PyClues& columns,
                            const nb::object& given, const std::optional<nb::bytes>& solution,
                            Watch& watch) {
  PricedClaim claim{num_colours,
                    to_priced_clues(rows, num_colours, watch),
                    to_priced_clues(columns, num_colours, watch),
                    {},
                    {}};
  each_item(given, watch, [&](const nb::object& cell) {
    const auto [row, column, value] = to_value<PyGiven>(cell);
    claim.given.push_back({row, column, value});
  });
  if (!solution) return claim;
  if (solution->size() == 0) throw nb::value_error("a value a cell is expected");
  claim.solution.resize(solution->size());
  std::memcpy(claim.solution.data(), solution->c_str(), solution->size());
  return claim;
}

std::optional<std::tuple<bool, size_t, int64_t>> check_price_tables(
    int num_colours, const PyClues& rows, const PyClues& columns,
    const nb::typed<nb::sequence, PyGiven>& given, const std::optional<nb::bytes>& solution,
    const PyTables& tables, std::optional<double> remaining_s, const Poll& poll) {
  Watch watch = make_watch(remaining_s, poll);
  try {
    const auto claim = to_priced_claim(num_colours, rows, columns, given, solution, watch);
    const auto converted = to_priced_tables(tables, watch);
    const auto found = unlocked([&] { return check_prices(claim, converted, watch); });
    return std::make_tuple(found.is_proven, found.num_used, found.bound);
  } catch (const Stopped&) {
    return {};
  }
}

}  // namespace

void bind_proof(nb::module_& module) {
  module.def("parse_dimacs", &parse_dimacs, "text"_a, "remaining_s"_a = nb::none(),
             "poll"_a = nb::none(),
             "Parse a DIMACS text to (number of variables, clauses as 32-bit integers terminated\n"
             "by 0).\n\n"
             "None when stopped; a ValueError describes an error and its line.");
  module.def("check_drat", &check_drat, "num_vars"_a, "clauses"_a, "proof"_a, "write"_a = false,
             "remaining_s"_a = nb::none(), "poll"_a = nb::none(),
             "Check a DRAT text backwards; RAT steps are refused.\n\n"
             "Returns (number of lemmas, number of needed lines, these as DRAT and as LRAT if\n"
             "`write`), or None when stopped; a ValueError says why the proof is refused.");
  module.def("check_lrat", &check_lrat_text, "num_vars"_a, "clauses"_a, "proof"_a,
             "remaining_s"_a = nb::none(), "poll"_a = nb::none(),
             "Check an LRAT text strictly and return the number of its lines.\n\n"
             "None when stopped; a ValueError says why the proof is refused.");
  module.def(
      "check_prices", &check_price_tables, "num_colours"_a, "rows"_a, "columns"_a, "given"_a,
      "solution"_a.none(), "tables"_a, "remaining_s"_a = nb::none(), "poll"_a = nb::none(),
      "Check if price tables prove that a solution is the only one, or that there is none.\n\n"
      "`tables`: (scale, rows of prices by colour). Returns (True if they do, number of\n"
      "tables checked, bound of the last), or None when stopped; a ValueError says what\n"
      "does not match. `poll` may raise.");
}

}  // namespace nonosat
