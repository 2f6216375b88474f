// The Python face of the native core: argument conversion only, no logic.
#include <nanobind/nanobind.h>

#include "lifeline.hpp"

namespace nb = nanobind;

NB_MODULE(_core, module) {
  module.doc() = "Native core of nonosat.";
  module.def("exit_when_closed", &nonosat::exit_when_closed, nb::arg("fd"),
             "End this process as soon as the other end of the pipe `fd` is closed.");
}
