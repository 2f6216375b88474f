// Python bindings of the learning search: conversion of arguments and results, no logic.
#include <nanobind/nanobind.h>
#include <nanobind/stl/map.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/unique_ptr.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <limits>
#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>

#include "cost.hpp"
#include "learn/solver.hpp"
#include "python/python_exclusive.hpp"
#include "python/python_lits.hpp"
#include "python/python_watch.hpp"
#include "python/rooms.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace nonosat {
namespace {

using learn::Answer;
using learn::Exchange;
using learn::Solver;

constexpr int64_t kMaxMembers = 1024;
constexpr int32_t kMaxVertices = 1 << 22;
constexpr int64_t kVarsAtOnce = 1 << 15;

learn::Lit to_lit(size_t num_vars, int32_t lit) {
  const int64_t var = lit < 0 ? -static_cast<int64_t>(lit) : lit;
  if (var < 1 || var > static_cast<int64_t>(num_vars)) {
    throw nb::value_error("a nonzero literal of an existing variable is expected");
  }
  return learn::from_dimacs(lit);
}

std::vector<learn::Lit> to_lits(size_t num_vars, const PyLits& given) {
  Watch watch = make_watch({}, {});
  std::vector<learn::Lit> lits;
  for (const int32_t lit : to_vector<int32_t>(given, watch)) lits.push_back(to_lit(num_vars, lit));
  return lits;
}

void make_learner(Exclusive<Solver>* self, uint64_t seed) {
  new (self) Exclusive<Solver>(nullptr, seed);
}

void new_vars(Exclusive<Solver>& self, int64_t count, const Poll& poll) {
  const Use solver(self);
  if (count < 0 || count > INT32_MAX - 1 - static_cast<int64_t>(solver->num_vars())) {
    throw nb::value_error("variables are numbered from 1 to 2^31 - 2");
  }
  polled(poll, [&](Watch& watch) {
    for (int64_t left = count; left > 0; left -= kVarsAtOnce) {
      solver->new_vars(static_cast<size_t>(std::min(left, kVarsAtOnce)));
      watch.work(cost::kVariable * kVarsAtOnce);
    }
  });
}

// Counts the clauses of two or three literals, by the negation of each of their literals.
std::vector<uint32_t> count_shorts(Lits lits, size_t num_vars, Watch& watch) {
  constexpr size_t kMostLits = 3;
  std::vector<uint32_t> counts(2 * (num_vars + 1));
  const auto end = lits.end();
  for (auto at = lits.begin(); at != end;) {
    const auto next = std::find(at, end, 0);
    const auto size = static_cast<size_t>(next - at);
    watch.work(static_cast<int64_t>(size) + 1);
    for (; size > 1 && size <= kMostLits && at != next; ++at) {
      const int64_t var = std::abs(static_cast<int64_t>(*at));
      if (var <= static_cast<int64_t>(num_vars)) ++counts[2 * var + (*at > 0)];
    }
    at = next == end ? end : next + 1;
  }
  return counts;
}

void add_clauses(Exclusive<Solver>& self, nb::handle clauses, const Poll& poll) {
  const Use solver(self);
  const HeldLits held(clauses);
  if (!held.lits().empty() && held.lits().back() != 0) {
    throw nb::value_error("the last clause is not ended by 0");
  }
  polled(poll, [&, &learner = *solver](Watch& watch) {
    learner.make_room(count_shorts(held.lits(), learner.num_vars(), watch));
    std::vector<learn::Lit> clause;
    for (const int32_t lit : held.lits()) {
      if (lit) {
        clause.push_back(to_lit(learner.num_vars(), lit));
        continue;
      }
      learner.add(clause);
      watch.work(cost::kAddedLit * (1 + std::ssize(clause)));
      clause.clear();
    }
  });
}

void add_line(Exclusive<Solver>& self, const PyPlanes& cells, const PyClue& clue,
              const PyLits& filled, const Poll& poll) {
  const Use solver(self);
  Watch watch = make_watch({}, poll);
  const LineLits line = to_line(cells, clue, filled, watch);
  unlocked([&] {
    for (const auto& plane : line.cells) {
      for (const int32_t lit : plane) {
        if (lit != nonosat::kTrue && lit != nonosat::kFalse) to_lit(solver->num_vars(), lit);
      }
    }
    solver->add(line);
  });
}

void follow_loop(Exclusive<Solver>& self, nb::handle given, const Poll& poll) {
  const Use solver(self);
  if (solver->proof()) throw nb::value_error("a search that records a proof cannot follow a loop");
  const HeldLits held(given);
  polled(poll, [&, &learner = *solver](Watch& watch) {
    const std::vector<int32_t> copied(held.lits().begin(), held.lits().end());
    watch.work(cost::kAddedLit * std::ssize(copied));
    const auto num_vars = static_cast<int64_t>(learner.num_vars());
    std::vector<learn::Paths::Edge> edges;
    std::vector<bool> is_used(learner.num_vars() + 1);
    for (size_t i = 0; i + 2 < copied.size(); i += 3) {
      const int32_t one = copied[i], other = copied[i + 1], var = copied[i + 2];
      const bool is_edge = one >= 0 && other >= 0 && one != other && one <= kMaxVertices &&
                           other <= kMaxVertices && var > 0 && var <= num_vars;
      if (!is_edge || is_used[static_cast<size_t>(var)]) {
        throw nb::value_error("two vertices and a variable of its own are expected for each edge");
      }
      is_used[static_cast<size_t>(var)] = true;
      edges.push_back(
          {static_cast<uint32_t>(one), static_cast<uint32_t>(other), static_cast<learn::Var>(var)});
    }
    watch.work(cost::kVariable * std::ssize(edges));
    learner.add(edges);
  });
}

void keep_proof(Exclusive<Solver>& self) {
  const Use solver(self);
  if (solver->follows_loop())
    throw nb::value_error("a search that follows a loop cannot record a proof");
  solver->keep_proof();
}

void set_phases(Exclusive<Solver>& self, const PyLits& given) {
  const Use solver(self);
  Watch watch = make_watch({}, {});
  const auto lits = to_vector<int32_t>(given, watch);
  if (lits.empty()) solver->clear_phases();
  for (const int32_t lit : lits) solver->set_phase(to_lit(solver->num_vars(), lit));
}

std::optional<Answer> solve(Exclusive<Solver>& self, const PyLits& assumptions,
                            std::optional<int64_t> num_conflicts, std::optional<double> remaining_s,
                            const Poll& poll) {
  const Use solver(self);
  const auto lits = to_lits(solver->num_vars(), assumptions);
  const int64_t most = num_conflicts.value_or(std::numeric_limits<int64_t>::max());
  return watched(remaining_s, poll, [&](Watch& watch) { return solver->solve(lits, watch, most); });
}

using View = std::tuple<bool, std::vector<int32_t>, int64_t, int64_t>;

std::optional<View> look_ahead(Exclusive<Solver>& self, const PyLits& cube,
                               const PyLits& candidates, int64_t most, int64_t budget,
                               std::optional<double> remaining_s, const Poll& poll) {
  const Use solver(self);
  if (solver->proof()) throw nb::value_error("a search that records a proof cannot look ahead");
  if (most < 0) throw nb::value_error("the maximal number of candidates must be 0 or more");
  const auto held = to_lits(solver->num_vars(), cube);
  std::vector<learn::Var> vars;
  for (const learn::Lit lit : to_lits(solver->num_vars(), candidates)) {
    vars.push_back(learn::var_of(lit));
  }
  return watched(remaining_s, poll, [&](Watch& watch) -> View {
    const auto found = solver->look_ahead(held, vars, static_cast<size_t>(most), budget, watch);
    std::vector<int32_t> best;
    for (const learn::Lit lit : found.best) best.push_back(learn::to_dimacs(lit));
    return {found.is_refuted, best, static_cast<int64_t>(found.num_open), found.num_probes};
  });
}

std::vector<int32_t> failed(Exclusive<Solver>& self, const Poll& poll) {
  const Use solver(self);
  if (!solver->has_failed()) {
    throw std::runtime_error("failed assumptions are known after UNSAT, until the next call");
  }
  std::vector<int32_t> found;
  for (const learn::Lit lit :
       polled(poll, [&](Watch& watch) { return solver->failed_core(watch); })) {
    found.push_back(learn::to_dimacs(lit));
  }
  return found;
}

// Returns an independent copy with another seed.
std::unique_ptr<Exclusive<Solver>> twin(Exclusive<Solver>& self, uint64_t seed) {
  const Use solver(self);
  return unlocked(
      [&] { return std::make_unique<Exclusive<Solver>>(nullptr, std::as_const(*solver), seed); });
}

void make_exchange(Exchange* self, int64_t num_members, int64_t num_vars, bool is_prompt) {
  if (num_members < 1 || num_members > kMaxMembers) {
    throw nb::value_error("1 to 1024 members are expected");
  }
  if (num_vars < 0 || num_vars > INT32_MAX - 1) {
    throw nb::value_error("variables are numbered from 1 to 2^31 - 2");
  }
  new (self) Exchange(static_cast<size_t>(num_members), static_cast<size_t>(num_vars), is_prompt);
}

void tell(Exchange& self, const PyLits& lits) {
  Watch watch = make_watch({}, {});
  std::vector<learn::Lit> clause;
  for (const int32_t lit : to_vector<int32_t>(lits, watch)) {
    clause.push_back(to_lit(self.num_vars(), lit));
  }
  self.broadcast(clause);
}

void join(Exclusive<Solver>& self, const std::shared_ptr<Exchange>& exchange, int64_t member) {
  const Use solver(self);
  if (member < 0 || member >= static_cast<int64_t>(exchange->num_workers())) {
    throw nb::value_error("a member of the exchange is expected");
  }
  if (solver->num_vars() < exchange->num_vars()) {
    throw nb::value_error("the search lacks variables of the exchange");
  }
  if (solver->proof()) throw nb::value_error("a search that records a proof cannot import clauses");
  solver->join(exchange, static_cast<size_t>(member));
}

nb::bytes values(Exclusive<Solver>& self) {
  const Use solver(self);
  return to_bytes(unlocked([&] {
    std::string bytes(solver->num_vars() + 1, '\0');
    for (size_t var = 1; var < bytes.size(); ++var) {
      bytes[var] = solver->is_true(static_cast<learn::Var>(var)) ? 1 : 0;
    }
    return bytes;
  }));
}

// The text is moved block by block, so that at most one block exists twice.
nb::bytes take_proof(Exclusive<Solver>& self) {
  const Use solver(self);
  if (!solver->proof()) throw nb::value_error("no proof was recorded; call keep_proof first");
  const size_t size = solver->proof()->num_bytes();
  nb::object text = nb::steal(PyBytes_FromStringAndSize(nullptr, static_cast<Py_ssize_t>(size)));
  if (!text.is_valid()) throw nb::python_error();
  char* at = PyBytes_AsString(text.ptr());
  unlocked([&] {
    solver->proof()->take([&](std::string_view piece) { at = std::ranges::copy(piece, at).out; });
  });
  return nb::borrow<nb::bytes>(text);
}

std::map<std::string, int64_t> statistics(Exclusive<Solver>& self) {
  const Use solver(self);
  const learn::Statistics& found = solver->statistics();
  return {{"conflicts", found.conflicts},       {"decisions", found.decisions},
          {"propagations", found.propagations}, {"restarts", found.restarts},
          {"line solves", found.line_solves},   {"implied by lines", found.line_implications},
          {"explanations", found.explanations}, {"shortened", found.vivified},
          {"imported", found.imported}};
}

}  // namespace

void bind_learn(nb::module_& module) {
  nb::enum_<Answer>(module, "Answer", "Result of a learning search.")
      .value("UNKNOWN", Answer::kUnknown)
      .value("SAT", Answer::kSat)
      .value("UNSAT", Answer::kUnsat);
  nb::class_<Exchange>(module, "Exchange",
                       "Exchange of learnt clauses between searches in several threads.")
      .def("__init__", &make_exchange, "members"_a, "variables"_a, "is_prompt"_a,
           "`members`: maximal number of searches. `is_prompt`: pass clauses on at once instead\n"
           "of by `deliver`.")
      .def("tell", &tell, "lits"_a, "Send a clause to all members, also while they are running.")
      .def(
          "deliver", [](Exchange& self) { unlocked([&] { self.deliver(); }); },
          "Pass on the stored clauses. No member may be running.");
  nb::class_<Exclusive<Solver>>(module, "Learner",
                                "Conflict-driven clause learning over clauses and lines.")
      .def("__init__", &make_learner, "seed"_a = 0)
      .def("new_vars", &new_vars, "count"_a, "poll"_a = nb::none(),
           "Add variables with the next numbers. If `poll` raises, some have been added.")
      .def("add_clauses", &add_clauses, "clauses"_a, "poll"_a = nb::none(),
           "Add clauses from a buffer of 32-bit integers, each terminated by 0.\n\n"
           "If `poll` or waiting for the GIL raises, some clauses have been added; adding all of\n"
           "them again is harmless.")
      .def("add_line", &add_line, "cells"_a, "clue"_a, "filled"_a, "poll"_a = nb::none(),
           "Add complete propagation of a line that the clauses already encode. `poll` may\n"
           "raise.")
      .def("follow_loop", &follow_loop, "edges"_a, "poll"_a = nb::none(),
           "Propagate that chosen edges, given by two vertices and a variable each, form one\n"
           "loop.\n\n"
           "Clauses must state everything else. 32-bit integers; only the first loop is\n"
           "followed. `poll` may raise.")
      .def("set_phases", &set_phases, "lits"_a,
           "Set the phases of the literals' variables; an empty list resets all.")
      .def(
          "packing_bytes", [](Exclusive<Solver>& self) { return Use(self)->packing_bytes(); },
          "Return the number of bytes that `solve` needs temporarily at its start.")
      .def("solve", &solve, "assumptions"_a = std::vector<int32_t>{}, "conflicts"_a = nb::none(),
           "remaining_s"_a = nb::none(), "poll"_a = nb::none(),
           "Search; UNKNOWN after `conflicts` conflicts, None when stopped. The next call\n"
           "continues.")
      .def("look_ahead", &look_ahead, "cube"_a, "candidates"_a, "most"_a, "budget"_a,
           "remaining_s"_a = nb::none(), "poll"_a = nb::none(),
           "Look ahead below a cube.\n\n"
           "Returns (True if the cube is refuted, at most `most` literals of candidates to\n"
           "branch on, best first, number of open variables, number of literals tried).\n"
           "Candidates are variables. None when stopped.")
      .def("failed", &failed, "poll"_a = nb::none(),
           "Return the failed assumptions, which the clauses refute together; empty if the\n"
           "clauses are unsatisfiable alone.\n\n"
           "Only after UNSAT, before any other call. `poll` may raise.")
      .def("twin", &twin, "seed"_a,
           "Return another search over the same clauses and lines, with the clauses learnt so\n"
           "far.")
      .def("join", &join, "exchange"_a, "member"_a,
           "Exchange learnt clauses with the other members.")
      .def("keep_proof", &keep_proof, "Record a proof from now on.")
      .def("take_proof", &take_proof,
           "Return and discard the recorded proof, as DRAT text.\n\n"
           "After UNSAT without assumptions it refutes the clauses.")
      .def("values", &values, "Values of the last model, one byte per variable; byte 0 is unused.")
      .def_prop_ro("statistics", &statistics,
                   "Numbers of conflicts, decisions and further events so far.");
}

}  // namespace nonosat
