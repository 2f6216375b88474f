"""Marginals of one line, natively by sums over blocks and positions: equal to enumeration."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from helpers.belief_oracle import Logs, line_marginals
from helpers.drawing import examples
from nonosat.board import line
from nonosat.core.model import FALSE, TRUE, Clue, Line
from nonosat.testing.oracles import Known, clues, free, partials
from nonosat.testing.strategies import lines


def line_of(clue: Clue, known: Known, num_colours: int) -> Line:
    """A line whose cells may have these values."""
    planes = []
    for colour in range(1, num_colours + 1):
        sure = frozenset([colour])
        planes.append([TRUE if v == sure else 2 if colour in v else FALSE for v in known])
    filled = frozenset(i for i, values in enumerate(known) if 0 not in values)
    return Line(tuple(map(tuple, planes)), clue, filled)


def check_line(clue: Clue, logs: Logs, num_colours: int) -> None:
    """Native marginals equal enumeration, to a relative precision of their own."""
    known = [frozenset(cell) for cell in logs]
    expected = line_marginals(clue, logs)
    values = [[cell.get(value, 0.0) for cell in logs] for value in range(num_colours + 1)]
    found = line.marginals(line_of(clue, known, num_colours), values)
    assert (found is None) == (expected is None)
    if found is None or expected is None:
        return
    for value, cells in enumerate(found.values):
        assert cells == pytest.approx([cell.get(value, 0.0) for cell in expected.values], rel=1e-9)
    places = zip(clue, found.starts, expected.starts, found.ends, expected.ends, strict=True)
    for block, starts, true_starts, ends, true_ends in places:
        check_shares(starts, true_starts)
        check_shares(ends, {} if block.length else true_ends)


def check_shares(found: Mapping[int, float], expected: Mapping[int, float]) -> None:
    """Positions that no filling uses have no share, where they are listed at all."""
    assert {place for place, share in found.items() if share} <= set(expected)
    assert {place: found[place] for place in expected} == pytest.approx(dict(expected), rel=1e-9)


def weighted(known: Known, rng: random.Random, largest: float) -> Logs:
    return [{value: rng.uniform(-largest, largest) for value in values} for values in known]


def short_lines() -> Iterator[tuple[Clue, int, int]]:
    """(clue, length, colours): every short line, in one and two colours, blotted ones too."""
    for length in range(1, 9):
        yield from ((clue, length, 1) for clue in clues(length, unknown=length < 7))
    for length in range(1, 5):
        yield from ((clue, length, 2) for clue in clues(length, 2, unknown=True))


@pytest.mark.parametrize("largest", [0.0, 3.0, 95.0], ids=["equal", "usual", "extreme"])
def test_marginals_of_every_short_line(largest: float) -> None:
    """The extreme weights of a line multiply to more than a double can hold."""
    rng = random.Random(7)
    for clue, length, num_colours in short_lines():
        check_line(clue, weighted(free(length, num_colours), rng, largest), num_colours)


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("length", "num_colours"), [(1, 1), (2, 1), (3, 1), (4, 1), (5, 1), (1, 2), (2, 2), (3, 2)]
)
def test_marginals_of_every_partial_line(length: int, num_colours: int) -> None:
    rng = random.Random(8)
    for known, clue in product(
        partials(length, num_colours), clues(length, num_colours, unknown=True)
    ):
        check_line(clue, weighted(known, rng, 3), num_colours)


@pytest.mark.slow
@examples(60)
@given(lines(max_length=14), st.randoms(use_true_random=False), st.sampled_from([1.0, 12.0, 99.0]))
def test_marginals_of_longer_lines(drawn: Line, rng: random.Random, largest: float) -> None:
    possible = line.possible(drawn)
    if possible is None:
        assert line.marginals(drawn) is None
        return
    known = [
        frozenset(v for v, cells in enumerate(possible) if i in cells) for i in range(len(drawn))
    ]
    check_line(drawn.blocks, weighted(known, rng, largest), drawn.num_colours)
