"""Puzzles out to other solvers, and their answers back.

A `Formula` says what a file holds; a writer turns it into DIMACS, OPB or a CP-SAT model; an
answer in any of the usual forms comes back as a verified picture.
"""

from nonosat.export.answer import SolverAnswer, picture_of, read_answer
from nonosat.export.clauses import Extent, measure, write_cnf, write_dimacs, write_opb
from nonosat.export.cpsat import cpsat_model
from nonosat.export.formula import Formula, formula_of
from nonosat.export.target import Target, write

__all__ = [
    "Extent",
    "Formula",
    "SolverAnswer",
    "Target",
    "cpsat_model",
    "formula_of",
    "measure",
    "picture_of",
    "read_answer",
    "write",
    "write_cnf",
    "write_dimacs",
    "write_opb",
]
