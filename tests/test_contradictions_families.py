"""Contradictory clues in families other than nonograms, against all solutions."""

from __future__ import annotations

import json
import random
from collections.abc import Collection, Sequence
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest

import nonosat
from helpers.commands import put, records, run
from helpers.small_families import numbers, paths, queens, tours
from nonosat.core.errors import UnsupportedError
from nonosat.core.families import family_of
from nonosat.core.limits import Limits, Watch
from nonosat.core.plugins import PlacedClue
from nonosat.core.result import Verdict
from nonosat.explain import Contradiction, Minimality, contradiction
from nonosat.explain.contradicting import contradiction_within
from nonosat.explain.minimal_sets import SmallestMus, irreducible
from nonosat.puzzles.slitherlink import PLUGIN

__all__ = ["put"]

TRIANGLE = nonosat.slitherlink(["33", "33"])


def checked(
    puzzle: Any, every: Sequence[PlacedClue], solutions: Collection[frozenset[PlacedClue]]
) -> Contradiction:
    """Return the contradiction of a puzzle; the oracle are all solutions with the clues that hold
    there.
    """
    found = contradiction(puzzle)
    assert Contradiction.from_data(json.loads(json.dumps(found.to_data())), puzzle) == found
    if any(one.issuperset(every) for one in solutions):
        assert (found.verdict, found.cells, found.minimality) == (Verdict.SOLVED, (), None)
        return found
    assert (found.verdict, found.minimality) == (Verdict.UNSOLVABLE, Minimality.SMALLEST)
    chosen = {*found.cells}
    assert chosen <= {*every}
    assert not any(one >= chosen for one in solutions)
    for fewer in combinations(every, len(chosen) - 1) if chosen else ():
        assert any(one.issuperset(fewer) for one in solutions)
    return found


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(60))
def test_sets_of_slitherlinks_are_smallest(seed: int) -> None:
    draw = random.Random(seed)
    height, width = draw.choice([(2, 2), (2, 4), (3, 3), (3, 4)])
    solutions = [numbers(path) for path in paths(height, width)]
    every = [clue for clue in sorted(draw.choice(solutions)) if draw.random() < 0.7]
    for at in draw.sample(range(len(every)), min(len(every), draw.randint(0, 2))):
        every[at] = (*every[at][:2], draw.randint(0, 4))
    checked(
        PLUGIN.clues.with_only(nonosat.slitherlink(["." * width] * height), every), every, solutions
    )


@pytest.mark.parametrize("seed", range(40))
def test_sets_of_queens_are_smallest(seed: int) -> None:
    draw = random.Random(seed)
    n = draw.randint(4, 6)
    squares = [(row, column) for row in range(n) for column in range(n)]
    some = draw.sample(squares, draw.randint(1, n * n // 2))
    num_given = draw.randint(0, min(2, len(some)))
    puzzle = nonosat.Queens(n, given=some[:num_given], blocked=some[num_given:])
    every = [(*square, 1) for square in some[:num_given]] + [
        (*square, 0) for square in some[num_given:]
    ]
    checked(puzzle, every, queens(n))


@pytest.mark.parametrize("seed", range(30))
def test_sets_of_tours_are_smallest(seed: int) -> None:
    draw = random.Random(seed)
    solutions = tours(3, 4)
    assert len(solutions) == 16  # found on 3 x 4, in either direction
    squares = [(row, column) for row in range(3) for column in range(4)]
    places, steps = draw.sample(squares, 5), draw.sample(range(1, 13), 5)
    every = [(*square, step) for square, step in zip(places, steps, strict=True)]
    if seed % 2:
        every[:3] = draw.sample(sorted(solutions[seed % 16] - {*every}), 3)
        every = [*{clue[:2]: clue for clue in {clue[2]: clue for clue in every}.values()}.values()]
    checked(nonosat.Knight(3, 4, given=every), every, solutions)


def test_boards_without_solutions_have_no_clues_that_contradict() -> None:
    closed = contradiction(nonosat.Knight(3, 4, closed=True, given=[(0, 0, 1)]))
    assert (closed.cells, closed.minimality) == ((), Minimality.SMALLEST)
    assert closed.description() == (
        "No board of 3 x 4 squares has a closed tour (theorem of Schwenk, 1991). "
        "Even without any clue there is no solution."
    )
    assert checked(nonosat.Queens(3, given=[(0, 0)]), [(0, 0, 1)], ()).cells == ()


def test_report() -> None:
    assert contradiction(TRIANGLE).report() == [
        "3 clues contradict each other; no smaller set of clues does:",
        "  row 1, column 1 (clue 3)",
        "  row 1, column 2 (clue 3)",
        "  row 2, column 1 (clue 3)",
    ]
    attacked = contradiction(nonosat.Queens(8, given=[(0, 0), (1, 1), (5, 2)], blocked=[(3, 3)]))
    assert attacked.report() == [
        "The given queens in row 1, column 1 and in row 2, column 2 attack each other.",
        "2 clues contradict each other; no smaller set of clues does:",
        "  the queen given in row 1, column 1",
        "  the queen given in row 2, column 2",
    ]
    far = nonosat.Knight(6, 6, given=[(0, 0, 1), (1, 2, 2), (2, 1, 36), (5, 5, 20), (3, 3, 30)])
    assert contradiction(far).report()[2:] == [
        "  the number 36 in row 3, column 2",
        "  the number 30 in row 4, column 4",
    ]
    corner = contradiction(nonosat.Queens(6, given=[(0, 0)]))
    assert corner.report()[0] == "This clue alone cannot be satisfied:"


def test_on_large_boards_an_obvious_contradiction_suffices() -> None:
    puzzle = nonosat.Queens(100_000, given=[(0, 0), (77, 77), (5, 9)])
    found = contradiction_within(puzzle, Watch(Limits()), is_unsolvable=True)
    assert found.cells == ((0, 0, 1), (77, 77, 1))
    assert found.minimality is Minimality.SUFFICIENT


def test_a_limit_keeps_results_so_far(monkeypatch: pytest.MonkeyPatch) -> None:
    cut = contradiction(TRIANGLE, time_limit_s=1e-9)
    assert (cut.verdict, cut.reason) == (Verdict.UNKNOWN, "time limit of 1e-09 s")
    monkeypatch.setattr(SmallestMus, "_smallest", lambda _, upper: upper)
    assert "a smaller set may exist" in contradiction(TRIANGLE).description()


def test_families_that_name_no_clues() -> None:
    family = family_of(TRIANGLE).replaced(clues=None, name="mine")
    puzzle = type("Mine", (), {"family": family, "__repr__": lambda _: "mine"})()
    with pytest.raises(UnsupportedError, match=r"families that name their clues; .* family mine"):
        contradiction(puzzle)


def test_irreducible() -> None:
    for size in range(9):
        for needed in combinations(range(size), 2):
            asked: list[list[int]] = []

            def is_refuted(some: list[int], needed: Any = needed, asked: Any = asked) -> bool:
                asked.append(some)
                return {*some} >= {*needed}

            assert irreducible(range(size), is_refuted) == [*needed]


def test_check_why(put: Any, tmp_path: Path) -> None:
    name = put({"id": "it", "family": "slitherlink", "rows": ["33", "33"]})
    done = run("check", name, "--why", "--svg", str(tmp_path / "why.svg"))
    assert done.exit_code == 4, done.output
    assert "  3 clues contradict each other" in done.stdout
    assert "    row 2, column 1 (clue 3)" in done.stdout
    assert "3 clues contradict" in (tmp_path / "why.svg").read_text()
    (printed,) = records(run("check", name, "--why", "--json"))
    assert printed["contradiction"]["given"] == [[0, 0, 3], [0, 1, 3], [1, 0, 3]]
    assert printed["contradiction"]["strength"] == "smallest"
