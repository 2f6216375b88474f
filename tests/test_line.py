"""Native line propagation is complete: equal to enumeration on short lines, to a dynamic program
over cells on long ones."""

from __future__ import annotations

import random
from collections.abc import Sequence
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nonosat.board import line
from nonosat.core.model import FALSE, TRUE, Block, Clue, Line
from nonosat.puzzles.nonogram.data import clue_of
from nonosat.testing import oracles

# Around the widths of one, two and three machine words, with and without a virtual end cell.
LENGTHS = [30, 62, 63, 64, 65, 126, 127, 128, 129, 190, 191, 192, 193, 200, 300]

# (length, colours, blocks of unknown length): all clues and cells of these lines are tried.
SHORT = [(1, 1, True), (2, 1, True), (4, 1, True), (5, 1, True), (7, 1, False), (1, 3, True)]
SHORT += [(2, 2, True), (3, 2, True), (4, 2, False)]


def line_of(clue: Clue, known: Sequence[frozenset[int]], num_colours: int) -> Line:
    """Return the line whose cells have the known values."""
    planes = []
    for colour in range(1, num_colours + 1):
        lits = {True: TRUE, False: FALSE}
        planes.append(
            tuple(
                1 + place if colour in values and len(values) > 1 else lits[colour in values]
                for place, values in enumerate(known)
            )
        )
    filled = (place for place, values in enumerate(known) if 0 not in values)
    return Line(tuple(planes), clue, frozenset(filled))


def native_support(
    clue: Clue, known: Sequence[frozenset[int]], num_colours: int
) -> oracles.Support | None:
    """Return the native core's result in the form of the oracles."""
    told = line_of(clue, known, num_colours)
    places, found = line.possible(told), line.domains(told)
    assert (places is None) == (found is None)
    if places is None or found is None:
        return None
    for domain in found:
        assert list(domain.starts) == sorted(set(domain.starts))
        assert list(domain.ends) == sorted(set(domain.ends))
    return oracles.Support(
        tuple(
            frozenset(value for value, cells in enumerate(places) if cell in cells)
            for cell in range(len(known))
        ),
        tuple(frozenset(domain.starts) for domain in found),
        tuple(frozenset(domain.ends) for domain in found),
    )


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("length", "num_colours", "unknown"),
    SHORT,
)
def test_every_clue_on_every_partial_line(length, num_colours, unknown):
    partials = list(oracles.partials(length, num_colours))
    for clue in oracles.clues(length, num_colours, unknown=unknown):
        pairs = [(p, oracles.paint(clue, length, p)) for p in oracles.placements(clue, length)]
        for known in partials:
            expected = oracles.support_of(pairs, known)
            assert native_support(clue, known, num_colours) == expected, (clue, known)


@pytest.mark.parametrize(("length", "num_colours"), [(1, 1), (3, 1), (5, 1), (3, 2)])
def test_clues_that_do_not_fit(length, num_colours):
    fitting = set(oracles.clues(length, num_colours))
    for clue in oracles.clues(length + 2, num_colours):
        if clue not in fitting:
            assert native_support(clue, oracles.free(length, num_colours), num_colours) is None


def drawn_cells(rng: random.Random, length: int, num_colours: int) -> bytes:
    """Return a line with runs of every length, some of it dense and some nearly empty."""
    cells = bytearray()
    while len(cells) < length:
        value = rng.choice((0, rng.randint(1, num_colours)))
        cells += bytes([value]) * rng.choice((1, 1, 2, 3, rng.randint(1, max(2, length // 3))))
    return bytes(cells[:length])


def drawn_knowledge(
    rng: random.Random, cells: bytes, num_colours: int, certainty: float
) -> list[frozenset[int]]:
    """Return known cells that agree with the line; the more certain, the more cells are decided."""
    values = range(num_colours + 1)
    return [frozenset({value, *(v for v in values if rng.random() > certainty)}) for value in cells]


def blotted(rng: random.Random, cells: bytes, share: float) -> Clue:
    """Return the clue of a line, some of its blocks of unknown length."""
    return tuple(
        Block(None if rng.random() < share else length, colour) for length, colour in clue_of(cells)
    )


@pytest.mark.thorough
@pytest.mark.parametrize("length", LENGTHS)
@pytest.mark.parametrize("num_colours", [1, 2, 3])
def test_long_lines(length, num_colours):
    rng = random.Random(1000 * length + num_colours)
    for share, certainty in product((0, 0.3, 1), (0, 0.1, 0.5, 0.9)):
        cells = drawn_cells(rng, length, num_colours)
        clue = blotted(rng, cells, share)
        known = drawn_knowledge(rng, cells, num_colours, certainty)
        expected = oracles.line_support(clue, known)
        assert expected is not None
        assert native_support(clue, known, num_colours) == expected, (clue, known)
        # One cell against the filling: often a contradiction that only distant cells reveal.
        place = rng.randrange(length)
        known[place] = frozenset({(cells[place] + 1) % (num_colours + 1)})
        expected = oracles.line_support(clue, known)
        assert native_support(clue, known, num_colours) == expected, (clue, known)


@pytest.mark.thorough
@pytest.mark.parametrize("length", LENGTHS)
def test_tight_and_loose_clues(length):
    """No slack, one cell of slack, one block, no block: the borders of the words."""
    open_line = oracles.free(length)
    ones = (Block(1),) * ((length + 1) // 2)
    for clue in (
        (),
        (Block(length),),
        (Block(length - 1),),
        (Block(None),),
        (Block(1),),
        ones,
        ones[1:],
        (Block(None),) * len(ones),
        (Block(length // 2), Block(length - length // 2 - 1)),
        (Block(length // 2), Block(length - length // 2)),
        (Block(length + 1),),
        (Block(None), Block(length - 2)),
    ):
        expected = oracles.line_support(clue, open_line)
        assert native_support(clue, open_line, 1) == expected, clue


@given(st.data())
def test_drawn_lines(data):
    num_colours = data.draw(st.integers(1, 3))
    values = st.integers(0, num_colours)
    cells = bytes(data.draw(st.lists(values, min_size=1, max_size=9)))
    clue = tuple(
        Block(length if data.draw(st.booleans()) else None, colour)
        for length, colour in clue_of(cells)
    )
    subsets = st.frozensets(values, min_size=1)
    known = data.draw(st.lists(subsets, min_size=len(cells), max_size=len(cells)))
    expected = oracles.enumerated_support(clue, known)
    assert native_support(clue, known, num_colours) == expected


def test_true_in_one_plane_excludes_the_others():
    told = Line(((TRUE, 1), (2, 3)), (Block(1, 1), Block(1, 2)))
    assert line.possible(told) == (frozenset(), frozenset({0}), frozenset({1}))
    assert line.domains(told) == (line.Domain((0,), (0,)), line.Domain((1,), (1,)))


def test_two_colours_in_a_cell_are_a_contradiction():
    assert line.possible(Line(((TRUE, 1), (TRUE, 3)), (Block(1, 1), Block(1, 2)))) is None


def test_a_line_without_cells():
    assert line.possible(Line((range(1, 1),), ())) == (frozenset(), frozenset())
    assert line.domains(Line((range(1, 1),), ())) == ()
    assert line.possible(Line((range(1, 1),), (Block(1),))) is None
