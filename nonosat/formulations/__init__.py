"""Formulations: one constraint kind to CP-SAT, one method a file `<kind>_<name>.py`."""
