"""The size of every encoding of a line is what its formula says, and no variable is in vain.

A formula holds for open lines of one colour with known lengths and some slack. Where an encoding
has none, its text says what decides the size, and a bound is tested by hand.
"""

from __future__ import annotations

from math import comb

import pytest

from helpers.drawing import FUZZ
from helpers.encoded import ENCODINGS, LINES, is_arithmetic, planes
from nonosat.clauses.cnf import Cnf
from nonosat.encodings import line_bdd, line_log
from nonosat.model import Clue, Line
from nonosat.testing import oracles

LONGEST = 12 if FUZZ > 1 else 10
IN_WORDS = {  # where a formula would be false: bounds in numbers
    ("line-bdd", "variables"): "(f + k)*(s + 1)",
    ("line-bdd", "clauses"): "6*(f + k)*(s + 1) + n + 1",
    ("line-log", "clauses"): "(4*k*s + f - 1)*s.bit_length()**2 + k*s.bit_length()",
}


def sizes(name: str) -> list[tuple[dict[str, int], int, int]]:
    """Every open line: the formula's letters, and how many variables and clauses there are."""
    found = []
    for length in range(2, LONGEST + 1):
        for clue in oracles.clues(length):
            letters = {"n": length, "k": len(clue), "f": filled(clue), "s": slack(clue, length)}
            if letters["k"] and letters["s"]:
                cnf = Cnf(length)
                ENCODINGS[name].encode(Line(planes(length, 1), clue), cnf)
                found.append((letters, cnf.num_vars - length, len(cnf)))
    return found


def filled(clue: Clue) -> int:
    return sum(block.length or 1 for block in clue)


def slack(clue: Clue, length: int) -> int:
    return length - filled(clue) - len(clue) + 1


@pytest.mark.parametrize("name", LINES)
def test_size_is_the_formula(name):
    formulas = ENCODINGS[name].SIZE
    cases = sizes(name)
    assert len(cases) > 100
    for place, part in enumerate(("variables", "clauses"), start=1):
        formula = getattr(formulas, part)
        bound = IN_WORDS.get((name, part))
        assert is_arithmetic(formula) == (bound is None), (name, part)
        for case in cases:
            value = eval(bound or formula, {"comb": comb}, case[0])
            assert case[place] <= value if bound else case[place] == value, (name, part, case)


def test_bits_are_as_few_as_can_be():
    """Of two starts one bit decides, of eight three, of nine four; and no clause always holds."""
    for room, num_bits in ((1, 1), (7, 3), (8, 4)):
        cnf = Cnf(room + 2)
        line_log.encode(Line(planes(room + 2, 1), next(oracles.clues(room + 2))), cnf)
        assert cnf.num_vars == room + 2, "a line without blocks needs no bits"
        clue = next(clue for clue in oracles.clues(room + 2) if slack(clue, room + 2) == room)
        line_log.encode(Line(planes(room + 2, 1), clue), cnf)
        assert cnf.num_vars == room + 2 + num_bits * len(clue)
        assert not [clause for clause in cnf if any(-lit in clause for lit in clause)]


def test_a_diagram_shares_its_nodes():
    """A block that may be anywhere in n cells: two nodes a cell, less those that are literals."""
    for length in range(3, 12):
        cnf = Cnf(length)
        line_bdd.encode(Line(planes(length, 1), (oracles.Block(1),)), cnf)
        assert cnf.num_vars - length == 2 * length - 3
