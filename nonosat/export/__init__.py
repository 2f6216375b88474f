"""Export of puzzles to other solvers, and import of their answers.

An `ExportedModel` is the content of a file; a writer turns it into DIMACS, OPB, a CP-SAT model,
MiniZinc, XCSP3 or a program for clingo, or into a model of CPMpy; an answer in any of the usual
forms is converted to a verified picture.
"""

from nonosat.export.answer import SolverAnswer, picture_of, pictures_of, read_answer
from nonosat.export.asp import write_lp
from nonosat.export.clauses import Extent, measure, write_cnf, write_dimacs, write_opb
from nonosat.export.cpmpy import cpmpy_model
from nonosat.export.cpsat import cpsat_model
from nonosat.export.formula import ExportedModel, formula_of
from nonosat.export.minizinc import nonogram_model, write_dzn, write_mzn
from nonosat.export.target import TARGETS, Kind, Target, kind_of, write, write_to
from nonosat.export.xcsp3 import write_xcsp3

__all__ = [
    "TARGETS",
    "ExportedModel",
    "Extent",
    "Kind",
    "SolverAnswer",
    "Target",
    "cpmpy_model",
    "cpsat_model",
    "formula_of",
    "kind_of",
    "measure",
    "nonogram_model",
    "picture_of",
    "pictures_of",
    "read_answer",
    "write",
    "write_cnf",
    "write_dimacs",
    "write_dzn",
    "write_lp",
    "write_mzn",
    "write_opb",
    "write_to",
    "write_xcsp3",
]
