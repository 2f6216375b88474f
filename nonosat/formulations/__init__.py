"""Formulations: one constraint kind to CP-SAT, one method a file `<kind>_<name>.py`."""

from nonosat.formulations._clauses import Clauses
from nonosat.formulations._context import Context

__all__ = ["DEFAULTS", "Clauses", "Context"]

DEFAULTS = {
    "line": "automaton",
    "count": "linear",
    "loop": "circuit",
}  # by constraint kind, when nothing is asked
