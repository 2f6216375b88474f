"""Formulations: one constraint kind to CP-SAT, one method a file `<kind>_<name>.py`."""

# By constraint kind, when nothing is asked.
DEFAULTS = {"line": "automaton", "count": "linear", "loop": "circuit"}
