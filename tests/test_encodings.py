"""Every encoding of a line: its models are the line's fillings, whatever is known of the cells.

Encodings are found by name, so that a new one is tested by being there. The models of an open line
under assumptions are those of its models that agree with them, so that one enumeration of an open
line answers for every partial knowledge that is given as assumptions; `test_encodings_strength.py`
walks through all of these and sees that none is refuted wrongly. Knowledge as constants makes other
clauses and is enumerated anew.

NONOSAT_FUZZ=2 (or more) python -m pytest tests/test_encodings*.py goes on to longer lines,
exhaustively, and draws so many times more of the random ones.
"""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from helpers.drawing import FUZZ
from helpers.encoded import (
    ENCODINGS,
    LINES,
    drawn_lines,
    encoded,
    fillings,
    lits_of,
    planes,
    with_knowledge,
)
from nonosat.clauses.cnf import Cnf
from nonosat.errors import UnsupportedError
from nonosat.model import FALSE, TRUE, Block, Line
from nonosat.plugins import Strength
from nonosat.testing import oracles

# (length, colours) of which every clue is tried, with blocks of unknown length
OPEN = [*((length, 1) for length in range(1, 9)), *((length, 2) for length in range(1, 6)), (3, 3)]
OPEN += [(9, 1), (10, 1), (6, 2), (4, 3)] if FUZZ > 1 else []
KNOWN = [(1, 1), (2, 1), (3, 1), (4, 1), (1, 2), (2, 2)]
KNOWN += [(5, 1), (6, 1), (3, 2), (2, 3)] if FUZZ > 1 else []


def check_models(name: str, line: Line, known: Sequence[frozenset[int]]) -> None:
    """The models restricted to the open cells are the fillings within `known`.

    Where the encoding says that its variables are determined there is one model for each.
    """
    cnf = encoded(name, line)
    cells = [[lit if abs(lit) != TRUE else 0 for lit in plane] for plane in line.cells]
    open_lits = {lit for plane in cells for lit in plane if lit}
    expected = [
        lits_of(filling, cells) & (open_lits | {-lit for lit in open_lits})
        for filling in fillings(line.blocks, len(line))
        if oracles.agrees(filling, known)
    ]
    # Variables of known cells occur nowhere; one value of theirs is enough.
    idle = [-v for v in range(1, len(line) * line.num_colours + 1) if v not in open_lits]
    propagator = oracles.Propagator([*cnf, *([lit] for lit in idle)])
    found = [
        frozenset(lit for lit in model if abs(lit) in open_lits)
        for model in oracles.models(propagator, cnf.num_vars)
    ]
    if ENCODINGS[name].DETERMINED:
        assert len(found) == len(expected), (line, list(cnf))
    assert set(found) == set(expected), (line, list(cnf))


@pytest.mark.parametrize("name", LINES)
@pytest.mark.parametrize(("length", "num_colours"), OPEN)
def test_models_of_an_open_line_are_its_fillings(name, length, num_colours):
    known = oracles.free(length, num_colours)
    for clue in oracles.clues(length, num_colours, unknown=True):
        check_models(name, Line(planes(length, num_colours), clue), known)


@pytest.mark.parametrize("name", LINES)
@pytest.mark.parametrize(("length", "num_colours"), KNOWN)
def test_models_of_a_partly_known_line(name, length, num_colours):
    for clue in oracles.clues(length, num_colours, unknown=True):
        for known in oracles.partials(length, num_colours):
            check_models(name, with_knowledge(clue, known, num_colours), known)


@pytest.mark.parametrize("feasible_starts", [True, False])
@pytest.mark.parametrize("name", LINES)
def test_models_of_drawn_lines(name, feasible_starts):
    """Also where blocks keep the starts that known cells rule out."""
    for clue, known in drawn_lines(1, 150 * FUZZ, 9):
        check_models(name, with_knowledge(clue, known, 2, feasible_starts), known)


@pytest.mark.parametrize("name", LINES)
@pytest.mark.parametrize(("length", "num_colours"), [(4, 1), (2, 2)])
def test_models_without_feasible_starts(name, length, num_colours):
    for clue in oracles.clues(length, num_colours, unknown=True):
        for known in oracles.partials(length, num_colours):
            check_models(name, with_knowledge(clue, known, num_colours, False), known)


@pytest.mark.parametrize("name", LINES)
@pytest.mark.parametrize(
    ("cells", "filled"), [((FALSE, FALSE, 1), ()), ((TRUE, FALSE, TRUE), ()), ((FALSE, 1, 2), (0,))]
)
def test_a_line_without_fillings_is_the_empty_clause(name, cells, filled):
    cnf = Cnf(2)
    ENCODINGS[name].encode(Line((cells,), (Block(2),), frozenset(filled)), cnf)
    assert [] in list(cnf)


@pytest.mark.parametrize("name", LINES)
@pytest.mark.parametrize("length", [1, 3, 6])
def test_a_line_without_blocks_is_empty(name, length):
    propagator = oracles.Propagator(encoded(name, Line(planes(length, 2), ())))
    assert propagator.root() == frozenset(range(-2 * length, 0))


@pytest.mark.parametrize("name", LINES)
def test_a_line_with_one_filling_is_decided_without_new_variables(name):
    line = Line(planes(9, 1), (Block(2), Block(4), Block(1)))
    cnf = encoded(name, line)
    assert cnf.num_vars == 9
    assert oracles.Propagator(cnf).root() == {1, 2, -3, 4, 5, 6, 7, -8, 9}


def test_a_line_with_too_many_placements_is_refused_before_any_is_made():
    blocks = (Block(1),) * 12
    cells = planes(60, 1)
    with pytest.raises(UnsupportedError, match=r"has 92263734836 placements, .* at most 10000"):
        encoded("line-placements", Line(cells, blocks))
    known = [*range(1, 28), *[FALSE] * 33]  # few are left of the many
    assert encoded("line-placements", Line((known,), blocks)).num_vars > 60


@pytest.mark.parametrize("name", ENCODINGS)
def test_encodings_say_what_they_are(name):
    module = ENCODINGS[name]
    assert module.SUMMARY
    assert module.SOURCE
    assert module.SIZE.variables
    assert module.SIZE.clauses
    assert isinstance(module.STRENGTH, Strength)
    assert isinstance(module.DETERMINED, bool)
