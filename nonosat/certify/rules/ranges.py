"""The rules of a nonogram with open clues: those of any nonogram, with the entries of its clues."""

from nonosat.certify.rules import Statement
from nonosat.certify.rules.nonogram import model_of, true_in
from nonosat.puzzles.ranges.data import RangeNonogram

RULES = Statement(RangeNonogram, model_of, true_in)
