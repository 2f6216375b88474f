"""Every encoding: its models are the assignments that the constraint allows, one each, and unit
propagation is as strong as declared in every state of knowledge about the literals.

Encodings are found by name, so that a new one is tested by being there.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import combinations, product

import oracles
import pytest

from nonosat import plugins
from nonosat.cnf import Cnf
from nonosat.model import FALSE, TRUE, Block, Clue, Count, Line
from nonosat.plugins import Strength
from nonosat.puzzles.nonogram.data import clue_of

ENCODINGS = plugins.names("encodings")
LINES = [name for name in ENCODINGS if name.startswith("line-")]
COUNTS = [name for name in ENCODINGS if name.startswith("count-")]

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


def check_strength(
    propagator: oracles.Propagator,
    strength: Strength,
    variables: Sequence[int],
    allowed: Sequence[frozenset[int]],
) -> None:
    """On every partial assignment of the variables, in the order given."""

    def descend(index: int, known: frozenset[int] | None, left: Sequence[frozenset[int]]) -> None:
        if known is None:
            assert not left
            return
        if strength is not Strength.NONE:
            assert left, f"{sorted(known)} is not refuted"
        if strength is Strength.COMPLETE:
            missed = frozenset.intersection(*left) - known
            assert not missed, f"{sorted(missed)} is missed at {sorted(known)}"
        if index < len(variables):
            var = variables[index]
            descend(index + 1, known, left)
            for lit in (var, -var):
                fits = [lits for lits in left if lit in lits]
                descend(index + 1, propagator.extend(known, [lit]), fits)

    descend(0, propagator.root(), allowed)


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


# Counts


def counted(name: str, count: Count, num_vars: int) -> Cnf:
    cnf = Cnf(num_vars)
    ENCODINGS[name].encode(count, cnf)
    return cnf


def assignments(lits: Sequence[int], lower: int, upper: int) -> list[frozenset[int]]:
    """Every assignment of the literals within the bounds, as the literals that are true."""
    signs = product((1, -1), repeat=len(lits))
    return [
        frozenset(sign * lit for sign, lit in zip(row, lits, strict=True))
        for row in signs
        if lower <= row.count(1) <= upper
    ]


def all_bounds(longest: int) -> Iterator[tuple[int, int, int]]:
    """(number of literals, lower, upper) with bounds outside the range and contradictory too."""
    for size in range(longest + 1):
        yield from ((size, *bounds) for bounds in product(range(-1, size + 2), repeat=2))


@pytest.mark.parametrize("name", COUNTS)
def test_models_and_strength_of_counts(name):
    for size, lower, upper in all_bounds(6):
        lits = [-v if v % 3 == 0 else v for v in range(1, size + 1)]
        allowed = assignments(lits, lower, upper)
        cnf = counted(name, Count(tuple(lits), lower, upper), size)
        propagator = oracles.Propagator(cnf)
        found = list(oracles.models(propagator, cnf.num_vars))
        inside = frozenset(lits) | {-lit for lit in lits}
        assert len(found) == len(allowed), (size, lower, upper)
        assert {model & inside for model in found} == set(allowed), (size, lower, upper)
        check_strength(propagator, ENCODINGS[name].STRENGTH, range(1, size + 1), allowed)


@pytest.mark.parametrize("name", COUNTS)
@pytest.mark.parametrize("seed", range(4))
def test_long_counts(name, seed):
    """Where pairs are no longer cheap: strength on drawn partial assignments."""
    rng = random.Random(seed)
    size = rng.randint(12, 30)
    for lower, upper in ((0, 1), (1, 1), (2, 2), (size - 1, size), (0, size // 2), (3, size - 4)):
        cnf = counted(name, Count(tuple(range(1, size + 1)), lower, upper), size)
        propagator = oracles.Propagator(cnf)
        for _ in range(60):
            true, false = (rng.choice((0, bound, bound + 1)) for bound in (upper, size - lower))
            order = rng.sample(range(1, size + 1), size)
            true, false = min(true, size), min(false, size - min(true, size))
            chosen = order[:true] + [-v for v in order[true : true + false]]
            known = propagator.extend(frozenset(), chosen)
            if true > upper or false > size - lower:
                assert known is None
                continue
            rest = frozenset(order[true + false :])
            assert known is not None
            if true == upper:
                assert {-v for v in rest} <= known
            elif false == size - lower:
                assert rest <= known
            else:
                assert not {abs(lit) for lit in known} & rest


@pytest.mark.parametrize("name", COUNTS)
def test_constants_in_a_count(name):
    for constants in product((TRUE, FALSE), repeat=3):
        for lower, upper in product(range(-1, 7), repeat=2):
            lits = (constants[0], 1, 2, *constants[1:], -3)
            true = constants.count(TRUE)
            cnf = counted(name, Count(lits, lower, upper), 3)
            found = list(oracles.models(oracles.Propagator(cnf), cnf.num_vars))
            allowed = assignments((1, 2, -3), lower - true, upper - true)
            inside = {1, 2, 3, -1, -2, -3}
            assert sorted(map(sorted, allowed)) == sorted(sorted(m & inside) for m in found)


@pytest.mark.parametrize("name", COUNTS)
@pytest.mark.parametrize("lits", [(1, 2, 1), (1, 2, -2)])
def test_a_count_refuses_a_variable_twice(name, lits):
    with pytest.raises(ValueError, match="twice"):
        counted(name, Count(lits, 0, 1), 2)


@pytest.mark.parametrize("name", ENCODINGS)
def test_encodings_say_what_they_are(name):
    module = ENCODINGS[name]
    assert module.SUMMARY
    assert module.SOURCE
    assert isinstance(module.STRENGTH, Strength)
