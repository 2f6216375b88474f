// The Python module of the native core.
#include <nanobind/eval.h>
#include <nanobind/nanobind.h>

#include "python/lifeline.hpp"
#include "python/python_lock.hpp"
#include "python/python_watch.hpp"
#include "python/rooms.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace {

// Handles a stop in calls that cannot return None: their `poll` should have raised.
void translate_stopped(const std::exception_ptr& error, void*) {
  try {
    std::rethrow_exception(error);
  } catch (const nonosat::Stopped&) {
    PyErr_SetString(PyExc_InterruptedError, "`poll` returned True, expected it to raise");
  }
}

}  // namespace

NB_MODULE(_core, module) {
  using namespace nonosat;
  make_ready_to_throw();
  // A daemon thread that is running at the interpreter's exit keeps its objects alive.
  nb::set_leak_warnings(false);
  module.doc() = "Native core: line propagation, boards, probing, search, beliefs.";
  idle_step = nb::object(nb::module_::import_("nonosat.core.limits").attr("checkpoint")).release();
  nb::register_exception_translator(translate_stopped);

  module.def("exit_when_closed", &exit_when_closed, "fd"_a,
             "End this process as soon as the other end of the pipe `fd` is closed.");
  bind_line(module);
  bind_board(module);
  bind_encoding(module);
  bind_explain(module);
  bind_formats(module);
  bind_learn(module);
  bind_loops(module);
  bind_search(module);
  bind_beliefs(module);
  bind_prices(module);
  bind_proof(module);
  bind_decimation(module);
  bind_count(module);
  bind_puzzles(module);
  bind_queens(module);
  bind_knight(module);
  bind_strategy(module);
}
