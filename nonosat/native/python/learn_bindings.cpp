// The Python face of the learning search.
#include <nanobind/nanobind.h>
#include <nanobind/stl/map.h>
#include <nanobind/stl/string.h>

#include <algorithm>
#include <limits>
#include <map>
#include <string>
#include <string_view>

#include "learn/solver.hpp"
#include "python/python_lits.hpp"
#include "python/python_watch.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace nonosat {
namespace {

using learn::Answer;
using learn::Solver;

learn::Lit to_lit(const Solver& solver, int32_t lit) {
  const int64_t var = lit < 0 ? -static_cast<int64_t>(lit) : lit;
  if (var < 1 || var > static_cast<int64_t>(solver.num_vars())) {
    throw nb::value_error("a literal of a variable that there is, and not 0, is expected");
  }
  return learn::from_dimacs(lit);
}

void new_vars(Solver& solver, int64_t count) {
  if (count < 0 || count > INT32_MAX - 1 - static_cast<int64_t>(solver.num_vars())) {
    throw nb::value_error("variables are numbered from 1 to 2^31 - 2");
  }
  unlocked([&] { solver.new_vars(static_cast<size_t>(count)); });
}

void add_clauses(Solver& solver, nb::handle clauses) {
  const HeldLits held(clauses);
  std::vector<learn::Lit> clause;
  if (!held.lits().empty() && held.lits().back() != 0) {
    throw nb::value_error("the last clause is not ended by 0");
  }
  for (const int32_t lit : held.lits()) {
    if (lit) {
      clause.push_back(to_lit(solver, lit));
      continue;
    }
    solver.add(clause);
    clause.clear();
  }
}

void add_line(Solver& solver, const std::vector<std::vector<int32_t>>& cells, const PyClue& clue,
              std::vector<int32_t> filled) {
  const LineLits line = to_lits(cells, clue, std::move(filled));
  for (const auto& plane : line.cells) {
    for (const int32_t lit : plane) {
      if (lit != nonosat::kTrue && lit != nonosat::kFalse) to_lit(solver, lit);
    }
  }
  solver.add(line);
}

void suggest(Solver& solver, const std::vector<int32_t>& lits) {
  if (lits.empty()) solver.forget_suggestions();
  for (const int32_t lit : lits) solver.suggest(to_lit(solver, lit));
}

std::optional<Answer> solve(Solver& solver, const std::vector<int32_t>& assumptions,
                            std::optional<int64_t> num_conflicts, std::optional<double> remaining_s,
                            const Poll& poll) {
  std::vector<learn::Lit> lits;
  for (const int32_t lit : assumptions) lits.push_back(to_lit(solver, lit));
  const int64_t most = num_conflicts.value_or(std::numeric_limits<int64_t>::max() / 2);
  return watched(remaining_s, poll, [&](Watch& watch) { return solver.solve(lits, watch, most); });
}

nb::bytes values(const Solver& solver) {
  std::string bytes(solver.num_vars() + 1, '\0');
  for (size_t var = 1; var < bytes.size(); ++var) {
    bytes[var] = solver.is_true(static_cast<learn::Var>(var)) ? 1 : 0;
  }
  return nb::bytes(bytes.data(), bytes.size());
}

// The text exists twice for a block of it at most.
nb::bytes take_proof(Solver& solver) {
  if (!solver.proof()) throw nb::value_error("no proof was kept; call keep_proof first");
  const size_t size = solver.proof()->num_bytes();
  nb::object text = nb::steal(PyBytes_FromStringAndSize(nullptr, static_cast<Py_ssize_t>(size)));
  if (!text.is_valid()) throw nb::python_error();
  char* at = PyBytes_AS_STRING(text.ptr());
  solver.proof()->take([&](std::string_view piece) { at = std::ranges::copy(piece, at).out; });
  return nb::borrow<nb::bytes>(text);
}

std::map<std::string, int64_t> statistics(const Solver& solver) {
  const learn::Statistics& found = solver.statistics();
  return {{"conflicts", found.conflicts},       {"decisions", found.decisions},
          {"propagations", found.propagations}, {"restarts", found.restarts},
          {"line solves", found.line_solves},   {"implied by lines", found.line_implications},
          {"explanations", found.explanations}, {"shortened", found.vivified}};
}

}  // namespace

void bind_learn(nb::module_& module) {
  nb::enum_<Answer>(module, "Answer", "How a learning search ended.")
      .value("UNKNOWN", Answer::kUnknown)
      .value("SAT", Answer::kSat)
      .value("UNSAT", Answer::kUnsat);
  nb::class_<Solver>(module, "Learner", "A search that learns, over clauses and lines.")
      .def(nb::init<uint64_t>(), "seed"_a = 0)
      .def("new_vars", &new_vars, "count"_a, "Variables numbered on from those there are.")
      .def("add_clauses", &add_clauses, "clauses"_a,
           "A buffer of 32-bit integers, each clause ended by 0.")
      .def("add_line", &add_line, "cells"_a, "clue"_a, "filled"_a,
           "Propagate a line exactly that the clauses hold already.")
      .def("suggest", &suggest, "lits"_a, "Literals to be tried first.")
      .def("solve", &solve, "assumptions"_a = std::vector<int32_t>{}, "conflicts"_a = nb::none(),
           "remaining_s"_a = nb::none(), "poll"_a = nb::none(),
           "UNKNOWN after so many conflicts; None when stopped. The next call goes on.")
      .def("keep_proof", &Solver::keep_proof, "Write down what is derived from now on.")
      .def(
          "take_proof", &take_proof,
          "What was written down so far, DRAT in text; after UNSAT without assumptions it refutes\n"
          "the clauses. It is not kept.")
      .def("values", &values, "After SAT: a byte a variable, the first stands for none.")
      .def_prop_ro("statistics", &statistics, "What was done so far.");
}

}  // namespace nonosat
