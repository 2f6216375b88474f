"""Oracles agree with each other, and with counts that can be computed by hand."""

from __future__ import annotations

import random
from itertools import product
from math import comb

import pytest

import nonosat
from nonosat.core.model import Block
from nonosat.puzzles.nonogram.data import Colour, Nonogram, clue_of, mono
from nonosat.testing import oracles
from nonosat.testing.strategies.models import solutions_of


@pytest.mark.parametrize(("length", "num_colours"), [(0, 1), (1, 1), (7, 1), (4, 2), (5, 2)])
def test_fillings_are_the_lines_that_match(length, num_colours):
    lines = [bytes(cells) for cells in product(range(num_colours + 1), repeat=length)]
    for clue in oracles.clues(length, num_colours, unknown=length < 5):
        found = list(oracles.fillings(clue, length))
        assert len(found) == len(set(found))
        assert set(found) == {cells for cells in lines if oracles.matches(clue, cells)}


@pytest.mark.parametrize(("length", "num_colours"), [(6, 1), (8, 1), (4, 2), (3, 3)])
def test_every_line_has_one_of_the_clues(length, num_colours):
    listed = list(oracles.clues(length, num_colours))
    lines = product(range(num_colours + 1), repeat=length)
    assert set(listed) == {clue_of(cells) for cells in lines}
    assert len(listed) == len(set(listed))


def test_number_of_fillings_is_a_binomial():
    assert len(list(oracles.fillings((Block(2), Block(3)), 10))) == comb(6, 2)
    assert len(list(oracles.fillings((Block(2, 1), Block(3, 2)), 10))) == comb(7, 2)
    assert len(list(oracles.fillings((Block(None),), 10))) == 55


@pytest.mark.thorough
@pytest.mark.parametrize(("length", "num_colours"), [(5, 1), (3, 2)])
def test_support_by_cells_is_support_by_placements(length, num_colours):
    for clue in oracles.clues(length, num_colours, unknown=True):
        for known in oracles.partials(length, num_colours):
            assert oracles.line_support(clue, known) == oracles.enumerated_support(clue, known)


@pytest.mark.thorough
def test_support_on_longer_lines():
    rng = random.Random(7)
    for _ in range(120):
        cells = bytes(rng.choice((0, 0, 1, 1, 2)) for _ in range(12))
        clue = tuple(Block(rng.choice((length, None)), c) for length, c in clue_of(cells))
        known = [frozenset({value, rng.randrange(3), rng.randrange(3)}) for value in cells]
        found = oracles.line_support(clue, known)
        assert found is not None
        assert found == oracles.enumerated_support(clue, known)


def test_solutions_are_all_pictures_with_these_clues():
    pictures = [bytes(cells) for cells in product((0, 1), repeat=9)]
    for picture in pictures[::37]:
        puzzle = mono(
            [[b.length for b in clue_of(picture[r * 3 : r * 3 + 3])] for r in range(3)],
            [[b.length for b in clue_of(picture[c::3])] for c in range(3)],
        )
        expected = {
            other
            for other in pictures
            if all(oracles.matches(puzzle.rows[r], other[r * 3 : r * 3 + 3]) for r in range(3))
            and all(oracles.matches(puzzle.columns[c], other[c::3]) for c in range(3))
        }
        assert picture in expected
        assert oracles.solutions(puzzle) == expected


def test_solutions_of_known_puzzles():
    assert len(oracles.solutions(mono([[1]] * 4, [[1]] * 4))) == 24
    assert oracles.solutions(mono([[2]], [[1]])) == set()
    given = Nonogram(((Block(1),),) * 2, ((Block(1),),) * 2, given=((0, 0, 0),))
    assert oracles.solutions(given) == {b"\0\1\1\0"}
    inks = (Colour("a", "#ff0000"), Colour("b", "#0000ff"))
    rows = ((Block(None, 1), Block(1, 2)),)
    assert oracles.solutions(Nonogram(rows, ((Block(1, 1),), (Block(1, 2),)), inks)) == {b"\1\2"}


def test_unit_propagation_and_models():
    chain = oracles.Propagator([(-1, 2), (-2, 3), (-3, -1, 4)])
    assert chain.root() == frozenset()
    assert chain.extend(frozenset(), [1]) == {1, 2, 3, 4}
    assert chain.extend(frozenset(), [1, -4]) is None
    assert oracles.Propagator([(1,), (-1, 2), (-2,)]).root() is None
    assert oracles.Propagator([()]).root() is None
    clauses = [(1, 2), (-1, -2), (2, 3, -4)]
    truth = [
        frozenset(v if bit else -v for v, bit in enumerate(bits, start=1))
        for bits in product((0, 1), repeat=4)
    ]
    expected = [lits for lits in truth if not any(lits.isdisjoint(clause) for clause in clauses)]
    found = list(oracles.models(oracles.Propagator(clauses), 4))
    assert len(found) == len(expected)
    assert set(found) == set(expected)
    assert list(oracles.models(oracles.Propagator([()]), 2)) == []


BOARDS = {
    oracles.solutions: nonosat.Nonogram,
    oracles.slitherlink_solutions: nonosat.Slitherlink,
    oracles.queens_solutions: nonosat.Queens,
    oracles.knight_solutions: nonosat.Knight,
}


@pytest.mark.parametrize("ask", BOARDS)
@pytest.mark.parametrize("wrong", [None, [[1]], nonosat.Model(1), "slitherlink", "queens"])
def test_oracles_refuse_other_boards(ask, wrong):
    others = {"slitherlink": nonosat.slitherlink(["4"]), "queens": nonosat.Queens(1)}
    puzzle = others.get(wrong, wrong) if isinstance(wrong, str) else wrong
    if isinstance(puzzle, BOARDS[ask]):
        assert ask(puzzle)
        return
    with pytest.raises(nonosat.NotAPuzzleError, match=f"is no {BOARDS[ask].__name__}, expected"):
        ask(puzzle)


@pytest.mark.parametrize(
    ("ask", "puzzle", "found"),
    [
        (oracles.solutions, nonosat.nonogram([[]] * 11, [[]] * 91), "1001 cells"),
        (oracles.slitherlink_solutions, nonosat.Slitherlink(1, 17, bytes([4] * 17)), "17 cells"),
        (oracles.queens_solutions, nonosat.Queens(13), "13 queens"),
        (oracles.knight_solutions, nonosat.Knight(3, 7), "21 squares"),
        (solutions_of, nonosat.Model(25), "25 variables"),
    ],
)
def test_oracles_refuse_large_inputs(ask, puzzle, found):
    with pytest.raises(nonosat.UnsupportedError, match=f"{found}, brute force is for at most"):
        ask(puzzle)


def test_oracles_accept_the_smallest_inputs():
    assert oracles.solutions(nonosat.nonogram([[]], [[]])) == {b"\0"}
    assert oracles.solutions(nonosat.nonogram([[]], [[]]), limit=0) == set()
    assert len(oracles.queens_solutions(nonosat.Queens(0))) == 1
    assert len(oracles.knight_solutions(nonosat.Knight(1, 1))) == 1
    assert oracles.line_support((), []) == oracles.Support((), (), ())
    assert oracles.line_support((nonosat.Block(1),), []) is None
    assert solutions_of(nonosat.Model(0)) == {b""}


@pytest.mark.parametrize(
    ("ask", "problem"),
    [
        (lambda: oracles.solutions(nonosat.nonogram([[]], [[]]), limit=-1), "limit is -1"),
        (lambda: oracles.line_support([1], oracles.free(3)), "a block is 1, expected Block"),
        (lambda: oracles.enumerated_support([1], oracles.free(3)), "a block is 1, expected Block"),
        (lambda: oracles.fillings([1], 3), "a block is 1, expected Block"),
        (lambda: oracles.line_support((), "?.#"), "a cell is '\\?', expected the set"),
        (lambda: solutions_of(None), "None is not a Model"),
    ],
)
def test_oracles_refuse_invalid_inputs(ask, problem):
    with pytest.raises(nonosat.UnsupportedError, match=problem):
        ask()
