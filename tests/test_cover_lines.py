"""The line propagation that the check of covers has of its own is complete."""

from __future__ import annotations

from hypothesis import given

from nonosat.core.model import FALSE, TRUE, Block
from nonosat.solving.cubes import cover
from nonosat.testing import oracles, strategies


@given(strategies.lines(max_length=7))
def test_lines_are_propagated_completely(line):
    """Against the enumeration of all fillings."""
    known = []
    for i in range(len(line.cells[0])):
        known.append(frozenset(possible(line, i)))
    found = cover._Line(line.blocks, len(line.cells)).values(
        [sum(1 << v for v in k) for k in known]
    )
    truth = oracles.enumerated_support(line.blocks, known)
    if truth is None:
        assert found is None
    else:
        assert found is not None
        assert [{v for v in range(9) if bits >> v & 1} for bits in found] == [
            set(values) for values in truth.values
        ]


def possible(line, cell):
    """Values that a cell of a drawn line may have; colours are planes."""
    lits = [plane[cell] for plane in line.cells]
    if TRUE in lits:
        return {lits.index(TRUE) + 1}
    colours = {k + 1 for k, lit in enumerate(lits) if lit != FALSE}
    return colours if cell in line.filled else colours | {0}


def test_an_automaton_of_unknown_lengths():
    assert cover._Line((Block(None), Block(1)), 1).values([3, 2, 1, 3]) == [3, 2, 1, 2]
