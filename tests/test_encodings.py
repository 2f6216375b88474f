"""Every encoding: its models are the assignments that the constraint allows, one each, and unit
propagation is as strong as declared in every state of knowledge about the literals.

Encodings are found by name, so that a new one is tested by being there.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import combinations

import oracles
import pytest
from strength import check_strength

from nonosat import plugins
from nonosat.cnf import Cnf
from nonosat.model import FALSE, TRUE, Block, Clue, Line
from nonosat.plugins import Strength
from nonosat.puzzles.nonogram.data import clue_of

ENCODINGS = plugins.names("encodings")
LINES = [name for name in ENCODINGS if name.startswith("line-")]

# (length, colours, blocks of unknown length)
SMALL = [(1, 1, True), (4, 1, True), (7, 1, True), (10, 1, False)]
SMALL += [(3, 2, True), (4, 2, True), (6, 2, False), (3, 3, True)]


def planes(length: int, num_colours: int) -> tuple[range, ...]:
    """Variables of an open line, colour by colour."""
    return tuple(range(1 + k * length, 1 + (k + 1) * length) for k in range(num_colours))


def lits_of(values: Sequence[int], cells: Sequence[Sequence[int]]) -> frozenset[int]:
    """The literals that say that the cells have these values."""
    return frozenset(
        lit if value == colour else -lit
        for colour, plane in enumerate(cells, start=1)
        for value, lit in zip(values, plane, strict=True)
    )


def encoded(name: str, line: Line) -> Cnf:
    """The clauses of a line and "one colour a cell at most" over variables 1 .. cells."""
    length = len(line)
    cnf = Cnf(length * line.num_colours)
    for column in zip(*line.cells, strict=True):
        for one, other in combinations(column, 2):
            cnf.add([-one, -other])
    ENCODINGS[name].encode(line, cnf)
    return cnf


@cache
def fillings(clue: Clue, length: int) -> tuple[bytes, ...]:
    return tuple(oracles.fillings(clue, length))


def with_knowledge(clue: Clue, known: Sequence[frozenset[int]], num_colours: int) -> Line:
    """A line whose cells say what is known as constants; open literals keep their variables."""
    cells = [list(plane) for plane in planes(len(known), num_colours)]
    for place, values in enumerate(known):
        for colour, plane in enumerate(cells, start=1):
            if values == {colour}:
                plane[place] = TRUE
            elif colour not in values:
                plane[place] = FALSE
    filled = frozenset(place for place, values in enumerate(known) if 0 not in values)
    return Line(tuple(cells), clue, filled)


def check_models(name: str, line: Line, known: Sequence[frozenset[int]]) -> None:
    """The models restricted to the open cells are the fillings within `known`, one model each."""
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
    assert len(found) == len(expected), (line, list(cnf))
    assert set(found) == set(expected), (line, list(cnf))


@pytest.mark.parametrize("name", LINES)
@pytest.mark.parametrize(("length", "num_colours", "unknown"), SMALL)
def test_models_of_an_open_line_are_its_fillings(name, length, num_colours, unknown):
    known = oracles.free(length, num_colours)
    for clue in oracles.clues(length, num_colours, unknown=unknown):
        check_models(name, Line(planes(length, num_colours), clue), known)


@pytest.mark.parametrize("name", LINES)
@pytest.mark.parametrize(("length", "num_colours"), [(1, 1), (2, 1), (4, 1), (1, 2), (2, 2)])
def test_models_of_a_partly_known_line(name, length, num_colours):
    for clue in oracles.clues(length, num_colours, unknown=True):
        for known in oracles.partials(length, num_colours):
            check_models(name, with_knowledge(clue, known, num_colours), known)


def drawn_lines(seed: int, count: int, longest: int) -> Iterator[tuple[Clue, list[frozenset[int]]]]:
    """Seeded clues with some knowledge that a filling agrees with, in two colours."""
    rng = random.Random(seed)
    for _ in range(count):
        cells = bytes(rng.choice((0, 1, 1, 2)) for _ in range(rng.randint(3, longest)))
        runs = clue_of(cells)
        clue = tuple(Block(rng.choice((b.length, b.length, None)), b.colour) for b in runs)
        more = rng.choice((1, 2, 3))
        yield clue, [frozenset({value, *rng.choices(range(3), k=more)}) for value in cells]


@pytest.mark.parametrize("name", LINES)
def test_models_of_drawn_lines(name):
    for clue, known in drawn_lines(1, 150, 9):
        check_models(name, with_knowledge(clue, known, 2), known)


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


# Strength


@pytest.mark.parametrize("name", LINES)
@pytest.mark.parametrize(
    ("length", "num_colours", "unknown"),
    [(1, 1, True), (3, 1, True), (6, 1, True), (8, 1, False), (3, 2, True), (4, 2, False)],
)
def test_declared_strength_of_lines(name, length, num_colours, unknown):
    cells = planes(length, num_colours)
    variables = [lit for column in zip(*cells, strict=True) for lit in column]
    for clue in oracles.clues(length, num_colours, unknown=unknown):
        allowed = [lits_of(filling, cells) for filling in fillings(clue, length)]
        propagator = oracles.Propagator(encoded(name, Line(cells, clue)))
        check_strength(propagator, ENCODINGS[name].STRENGTH, variables, allowed)


@pytest.mark.parametrize("name", LINES)
@pytest.mark.parametrize("seed", range(3))
def test_declared_strength_of_partly_known_lines(name, seed):
    for clue, known in drawn_lines(seed, 40, 6):
        line = with_knowledge(clue, known, 2)
        variables = [
            lit for column in zip(*line.cells, strict=True) for lit in column if abs(lit) != TRUE
        ]
        inside = frozenset(variables) | {-lit for lit in variables}
        allowed = [
            lits_of(filling, line.cells) & inside
            for filling in fillings(clue, len(line))
            if oracles.agrees(filling, known)
        ]
        propagator = oracles.Propagator(encoded(name, line))
        check_strength(propagator, ENCODINGS[name].STRENGTH, variables, allowed)


def test_the_order_encoding_misses_an_implied_cell():
    """The declared strength is not an understatement: the smallest line on which it shows."""
    propagator = oracles.Propagator(encoded("line-order", Line((range(1, 6),), (Block(1),) * 2)))
    known = propagator.extend(propagator.root(), [3])
    assert known is not None
    support = oracles.line_support(
        (Block(1),) * 2, [frozenset({0, 1})] * 2 + [frozenset({1})] + [frozenset({0, 1})] * 2
    )
    assert support is not None
    assert support.values[1] == {0}
    assert -2 not in known


@pytest.mark.parametrize("name", ENCODINGS)
def test_encodings_say_what_they_are(name):
    module = ENCODINGS[name]
    assert module.SUMMARY
    assert module.SOURCE
    assert isinstance(module.STRENGTH, Strength)
