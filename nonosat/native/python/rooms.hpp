// Declarations of the Python bindings, one file for each folder of native/. The bindings convert
// arguments and results, and contain no logic.
#pragma once

#include <nanobind/nanobind.h>

namespace nonosat {

void bind_beliefs(nanobind::module_& module);
void bind_board(nanobind::module_& module);
void bind_count(nanobind::module_& module);
void bind_decimation(nanobind::module_& module);
void bind_encoding(nanobind::module_& module);
void bind_explain(nanobind::module_& module);
void bind_formats(nanobind::module_& module);
void bind_knight(nanobind::module_& module);
void bind_learn(nanobind::module_& module);
void bind_line(nanobind::module_& module);
void bind_loops(nanobind::module_& module);
void bind_prices(nanobind::module_& module);
void bind_proof(nanobind::module_& module);
void bind_puzzles(nanobind::module_& module);
void bind_queens(nanobind::module_& module);
void bind_search(nanobind::module_& module);
void bind_strategy(nanobind::module_& module);

}  // namespace nonosat
