"""The size of every encoding of a line is that of its formula, and no variable is superfluous.

A formula holds for open lines of one colour with known lengths and some slack. If an encoding has
none, its text states what determines the size, and a bound is tested by hand.
"""

from __future__ import annotations

import pytest

from helpers.drawing import FUZZ
from helpers.encoded import ENCODINGS, LINES
from nonosat.clauses.cnf import Cnf
from nonosat.core.model import Line
from nonosat.encodings import line_bdd, line_log
from nonosat.testing import oracles
from nonosat.testing.encodings import (
    check_line_sizes,
    is_arithmetic,
    line_sizes,
    slack,
    value,
)
from nonosat.testing.lines import planes

LONGEST = 12 if FUZZ > 1 else 10
IN_WORDS = {  # where a formula would be false: bounds in numbers
    ("line-bdd", "variables"): "(f + k)*(s + 1)",
    ("line-bdd", "clauses"): "6*(f + k)*(s + 1) + n + 1",
    ("line-log", "clauses"): "(4*k*s + f - 1)*s.bit_length()**2 + k*s.bit_length()",
}


@pytest.mark.slow
@pytest.mark.parametrize("name", LINES)
def test_size_is_the_formula(name):
    check_line_sizes(ENCODINGS[name], LONGEST)
    for place, part in enumerate(("variables", "clauses"), start=1):
        bound = IN_WORDS.get((name, part))
        assert is_arithmetic(getattr(ENCODINGS[name].size, part)) == (bound is None), (name, part)
        for case in line_sizes(ENCODINGS[name], LONGEST) if bound else ():
            assert case[place] <= value(bound, **case[0]), (name, part, case)


def test_bits_are_as_few_as_can_be():
    """Two starts take one bit, eight three, nine four; and no clause is a tautology."""
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
