"""Formulations: one constraint kind to CP-SAT, one method a file `<kind>_<name>.py`."""

DEFAULTS = {
    "line": "automaton",
    "count": "linear",
    "loop": "circuit",
}  # by constraint kind, when nothing is asked
