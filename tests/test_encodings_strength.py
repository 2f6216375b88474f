"""Declared strength of every encoding of a line, on longer lines than `check_plugin` takes.

If an encoding declares less than complete propagation, a smallest line shows that the next stronger
claim would be false: declarations are neither too high nor too low. The propagator is that of
`oracles.py`; NONOSAT_FUZZ=2 (or more) takes longer lines, see `test_encodings.py`.
"""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest

from helpers.drawing import FUZZ
from helpers.encoded import ENCODINGS, LINES, drawn_lines, encoded
from nonosat.core.model import Block, Clue, Line
from nonosat.core.plugins import Strength
from nonosat.puzzles.nonogram.data import clue_of
from nonosat.testing import oracles
from nonosat.testing.encodings import check_line
from nonosat.testing.lines import planes, with_knowledge

# Lines without a filling that unit propagation does not refute, or otherwise lines of which it
# misses an implied cell: lengths of the blocks, and the cells (# filled, . empty)
WITNESSES = {
    "line-bdd": ([1, 1], "???#"),
    "line-direct": ([2], "?#?#?"),
    "line-log": ([1], "...."),
    "line-order": ([1, 1], "??#??"),
    "line-order-cover": ([1, 1], "??##??"),
    "line-order-direct": ([1, 1], "??#??"),
}


@pytest.mark.thorough
@pytest.mark.parametrize("feasible_starts", [True, False])
@pytest.mark.parametrize("name", LINES)
@pytest.mark.parametrize("seed", range(3 * FUZZ))
def test_declared_strength_of_partly_known_lines(name, seed, feasible_starts):
    for clue, known in drawn_lines(seed, 30, 6):
        line = with_knowledge(clue, known, 2, feasible_starts)
        assert check_line(ENCODINGS[name], line, known)


def long_lines(seed: int, longest: int) -> Iterator[tuple[Clue, list[frozenset[int]]]]:
    """Clues of one colour, and known cells that agree with a filling or, sometimes, do not."""
    rng = random.Random(seed)
    for _ in range(25):
        density = rng.choice((0.3, 0.5, 0.7))
        cells = [int(rng.random() < density) for _ in range(rng.randint(8, longest))]
        shown = rng.choice((0.2, 0.5, 0.8))
        flipped = rng.choice((0, 0, 0.1))
        values = [cell ^ (rng.random() < flipped) for cell in cells]
        free = frozenset({0, 1})
        yield (
            clue_of(bytes(cells)),
            [frozenset({value}) if rng.random() < shown else free for value in values],
        )


@pytest.mark.parametrize("name", LINES)
@pytest.mark.parametrize("seed", range(2 * FUZZ))
def test_declared_strength_of_long_lines(name, seed):
    """Against a dynamic program over the cells."""
    for clue, known in long_lines(seed, 12 if name == "line-placements" else 24):
        propagator = oracles.Propagator(encoded(name, Line(planes(len(known), 1), clue)))
        chosen = [
            cell if values == {1} else -cell
            for cell, values in enumerate(known, start=1)
            if len(values) == 1
        ]
        found = propagator.extend(propagator.root() or frozenset(), chosen)
        support = oracles.line_support(clue, known)
        if found is None:
            assert support is None
        elif support is None:
            assert ENCODINGS[name].strength is Strength.NONE
        else:
            implied = lits_where_decided(support)
            seen = {lit for lit in found if abs(lit) <= len(known)}
            assert seen <= implied
            if ENCODINGS[name].strength is Strength.COMPLETE:
                assert seen == implied


def lits_where_decided(support: oracles.Support) -> set[int]:
    """Literals of the cells that have one value in all fillings."""
    return {
        cell if values == {1} else -cell
        for cell, values in enumerate(support.values, start=1)
        if len(values) == 1
    }


@pytest.mark.parametrize("name", LINES)
def test_declared_strength_is_not_too_low(name):
    strength = ENCODINGS[name].strength
    assert (strength is not Strength.COMPLETE) == (name in WITNESSES)
    if strength is Strength.COMPLETE:
        return
    lengths, picture = WITNESSES[name]
    clue = tuple(map(Block, lengths))
    known = [frozenset({".": {0}, "#": {1}, "?": {0, 1}}[sign]) for sign in picture]
    chosen = [
        cell if sign == "#" else -cell for cell, sign in enumerate(picture, start=1) if sign != "?"
    ]
    propagator = oracles.Propagator(encoded(name, Line(planes(len(picture), 1), clue)))
    root = propagator.root()
    assert root is not None
    found = propagator.extend(root, chosen)
    assert found is not None
    support = oracles.line_support(clue, known)
    assert (support is None) == (strength is Strength.NONE)
    if support is not None:
        assert lits_where_decided(support) - found
