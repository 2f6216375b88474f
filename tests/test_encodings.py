"""Every encoding of a line: its models are the line's fillings, for all known cells.

Encodings are found by name, so that a new one is tested automatically. The models of an open line
under assumptions are those of its models that agree with them, so that one enumeration of an open
line covers every partial knowledge that is given as assumptions; `check_plugin` runs through all of
these and checks that none is refuted wrongly. Knowledge as constants makes other clauses and is
enumerated separately.

NONOSAT_FUZZ=2 (or more) python -m pytest tests/test_encodings*.py goes on to longer lines,
exhaustively, and draws so many times more of the random ones.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice

import pytest

from helpers.drawing import FUZZ
from helpers.encoded import ENCODINGS, LINES, drawn_lines, encoded
from nonosat.clauses.cnf import Cnf
from nonosat.core.errors import UnsupportedError
from nonosat.core.model import FALSE, TRUE, Block, Line
from nonosat.encodings.line_placements import num_placements
from nonosat.testing import check_plugin, oracles
from nonosat.testing.encodings import check_line
from nonosat.testing.lines import fillings, planes, with_knowledge

# (length, colours) of which every clue is tried, with blocks of unknown length, beyond those that
# `check_plugin` takes; unless there is time for their models alone, and every third of the longest.
LONGER = [(7, 1), (8, 1), (5, 2), (3, 3)]
LONGER += [(9, 1), (10, 1), (6, 2), (4, 3)] if FUZZ > 1 else []
THINNED = {(8, 1), (5, 2)} if FUZZ == 1 else set()
KNOWN = [(4, 1), *([(5, 1), (6, 1), (3, 2), (2, 3)] if FUZZ > 1 else [])]


@pytest.mark.slow
@pytest.mark.parametrize("name", ENCODINGS)
def test_an_encoding_keeps_its_contract(name):
    check_plugin(name, "encodings")


def check_models(name: str, line: Line, known: Sequence[frozenset[int]]) -> None:
    assert check_line(ENCODINGS[name], line, known, strength=False)


@pytest.mark.thorough
@pytest.mark.parametrize("name", LINES)
@pytest.mark.parametrize(("length", "num_colours"), LONGER)
def test_models_of_an_open_line_are_its_fillings(name, length, num_colours):
    known = oracles.free(length, num_colours)
    has_strength = FUZZ > 1 and length * num_colours <= 10
    clues = oracles.clues(length, num_colours, unknown=True)
    for clue in islice(clues, 0, None, 3 if (length, num_colours) in THINNED else 1):
        line = Line(planes(length, num_colours), clue)
        assert check_line(ENCODINGS[name], line, known, strength=has_strength)


@pytest.mark.thorough
@pytest.mark.parametrize("name", LINES)
@pytest.mark.parametrize(("length", "num_colours"), KNOWN)
def test_models_of_a_partly_known_line(name, length, num_colours):
    for clue in oracles.clues(length, num_colours, unknown=True):
        for known in oracles.partials(length, num_colours):
            check_models(name, with_knowledge(clue, known, num_colours), known)


@pytest.mark.parametrize("feasible_starts", [True, False])
@pytest.mark.parametrize("name", LINES)
def test_models_of_drawn_lines(name, feasible_starts):
    """Also if blocks keep starts that known cells rule out."""
    for clue, known in drawn_lines(1, 45 * FUZZ, 9):
        check_models(name, with_knowledge(clue, known, 2, feasible_starts), known)


@pytest.mark.thorough
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


@pytest.mark.parametrize(("length", "num_colours"), [(6, 1), (4, 2)])
def test_placements_are_counted(length, num_colours):
    for clue in oracles.clues(length, num_colours, unknown=True):
        line = Line(planes(length, num_colours), clue)
        assert num_placements(line) == len([*fillings(clue, length)]), clue
        longer = Line(line.cells, (*clue, Block(length, 1)))
        assert num_placements(longer) == (1 if not clue else 0), clue


def test_a_line_with_too_many_placements_is_refused_before_any_is_made():
    blocks = (Block(1),) * 12
    cells = planes(60, 1)
    with pytest.raises(UnsupportedError, match=r"has 92263734836 placements, .* at most 10000"):
        encoded("line-placements", Line(cells, blocks))
    known = [*range(1, 28), *[FALSE] * 33]  # few of the many are left
    assert encoded("line-placements", Line((known,), blocks)).num_vars > 60
