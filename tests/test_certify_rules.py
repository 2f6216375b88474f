"""Certificates of other families than nonograms: rules, their clauses, and cuts."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, permutations
from random import Random
from typing import Any

import pytest
from hypothesis import given
from pysat.solvers import Minisat22

from helpers.drawing import examples
from nonosat.certify.cuts import Border, Cut
from nonosat.certify.encoder import Encoder, plain
from nonosat.certify.formula import Formula
from nonosat.certify.rules import Rules, knight, rules_of
from nonosat.clauses.cnf import split
from nonosat.core.errors import CertificateError, UnsupportedError
from nonosat.core.model import FALSE, TRUE, Count, Model
from nonosat.puzzles.knight import Knight
from nonosat.puzzles.lanes import LaneNonogram
from nonosat.puzzles.queens import Queens
from nonosat.puzzles.ranges import RangeNonogram
from nonosat.puzzles.slitherlink import Slitherlink, from_rows
from nonosat.solving.modelling import checked_model
from nonosat.testing.deciding import canonical
from nonosat.testing.oracles import every_solution
from nonosat.testing.strategies import (
    knights,
    lane_nonograms,
    models,
    queens,
    range_nonograms,
    slitherlinks,
)
from nonosat.testing.strategies.models import holds, solutions_of


def clauses_of(model: Model) -> list[list[int]]:
    return list(Encoder(model).clauses())


def found_in(clauses: Iterable[Sequence[int]], told: Sequence[int], model: Model) -> set[bytes]:
    """Return the assignments of the distinguishing variables that satisfy the clauses, without
    those
    that encode several loops.
    """
    found: set[bytes] = set()
    with Minisat22(bootstrap_with=[[*clause] for clause in clauses]) as solver:
        while solver.solve():
            true = {lit for lit in solver.get_model() if lit > 0}
            own = frozenset(v if v in true else -v for v in range(1, model.num_vars + 1)) | {TRUE}
            if all(holds(loop, own) for loop in model.loops):
                found.add(bytes(var in true for var in told))
            solver.add_clause([-var if var in true else var for var in told])
            if not told:
                break
    return found


# The encoder


@pytest.mark.slow
@given(models(max_vars=8))
@examples(45)
def test_any_model_is_encoded(model: Model) -> None:
    every = range(1, model.num_vars + 1)
    completed = checked_model(model)  # at most one colour a cell, as the builder states it
    assert found_in(clauses_of(completed), every, model) == solutions_of(model)


@pytest.mark.parametrize("size", [6, 9, 13])
def test_every_bound_of_a_count(size: int) -> None:
    """Counters are used where single clauses would be too many."""
    for lower in range(size + 1):
        for upper in {lower, min(lower + 1, size), size}:
            model = Model(size, counts=(Count(range(1, size + 1), lower, upper),))
            encoder = Encoder(model)
            clauses = list(encoder.clauses())
            assert encoder.num_vars == max(chain([size], *map(_variables, clauses)))
            with Minisat22(bootstrap_with=clauses) as solver:
                for number in range(size + 1):
                    known = [var if var <= number else -var for var in range(1, size + 1)]
                    Random(number).shuffle(known)
                    known = [(at + 1) * (1 if lit > 0 else -1) for at, lit in enumerate(known)]
                    assert solver.solve(assumptions=known) == (lower <= number <= upper)


def _variables(clause: Sequence[int]) -> Iterator[int]:
    return map(abs, clause)


def test_clauses_are_deterministic() -> None:
    model = rules_of(from_rows(["3.", ".2"])).model
    assert clauses_of(model) == clauses_of(model)


def test_constants_and_repetitions_leave_a_clause() -> None:
    assert plain([1, FALSE, 2, 1]) == [1, 2]
    assert plain([1, TRUE]) is None
    assert plain([1, 2, -1]) is None
    assert plain([FALSE]) == []


# The rules


def assert_stated(puzzle: Any) -> None:
    """Check that the rules leave exactly the values of the puzzle's solutions, each once."""
    rules = rules_of(puzzle)
    told = [*rules.distinguishing]
    found = found_in(clauses_of(rules.model), told, rules.model)
    solutions = every_solution(puzzle)
    assert solutions is not None
    every = {canonical(puzzle, solution) for solution in solutions}
    values = {bytes(var in rules.true_in(one) for var in told) for one in every}
    assert len(values) == len(every)
    assert found == values
    assert not rules.trusted


@given(slitherlinks(max_cells=9))
@examples(35)
def test_slitherlinks_are_stated(puzzle: Slitherlink) -> None:
    assert_stated(puzzle)


@given(queens(max_n=6))
@examples(35)
def test_queens_are_stated(puzzle: Queens) -> None:
    assert_stated(puzzle)


@given(range_nonograms(max_cells=9))
@examples(30)
def test_open_clues_are_stated(puzzle: RangeNonogram) -> None:
    assert_stated(puzzle)


@given(lane_nonograms(max_cells=12))
@examples(30)
def test_lanes_are_stated(puzzle: LaneNonogram) -> None:
    assert_stated(puzzle)


@given(knights(max_squares=12).filter(lambda puzzle: puzzle.height * puzzle.width <= 20))
@examples(30)
def test_tours_are_stated(puzzle: Knight) -> None:
    assert_stated(puzzle)


@pytest.mark.thorough
@pytest.mark.parametrize(
    "puzzle",
    [
        *(Queens(n) for n in range(7)),
        Queens(4, given=((0, 1), (0, 2))),
        Queens(1, blocked=((0, 0),)),
        from_rows(["."]),
        from_rows(["0"]),
        from_rows([".."]),
        from_rows([".", "."]),
        from_rows(["4.", ".."]),
        from_rows(["...", "...", "..."]),
        *(Knight(rows, columns) for rows, columns in ((1, 1), (1, 2), (3, 3), (3, 4), (4, 4))),
        *(Knight(1, 1, closed=True, given=given) for given in ((), ((0, 0, 1),))),
        Knight(1, 1, start=(0, 0)),
        Knight(2, 3, closed=True, holes=((0, 1), (1, 0), (1, 1), (0, 2))),  # two squares
        Knight(2, 3, closed=True, holes=((0, 1), (1, 1), (0, 2), (1, 0)), given=((0, 0, 2),)),
        Knight(2, 3, closed=True, holes=((0, 1), (1, 1), (0, 2), (1, 0)), start=(1, 2)),
        Knight(3, 3, holes=((1, 1),)),
        Knight(3, 3, closed=True, holes=((1, 1),)),
        Knight(3, 3, closed=True, holes=((1, 1),), start=(0, 0), given=((2, 2, 5),)),
        Knight(3, 3, closed=True, holes=((1, 1),), given=((2, 2, 5),)),
        Knight(3, 3, holes=((1, 1),), given=((2, 2, 5), (0, 0, 1), (1, 2, 8))),
        Knight(3, 4, start=(0, 0)),
        Knight(3, 4, given=((1, 1, 12),)),
        Knight(3, 4, given=((1, 1, 6),)),
        Knight(3, 4, given=((0, 0, 12), (0, 2, 1))),
        Knight(4, 5, start=(0, 0), given=((0, 1, 20),)),
    ],
)
def test_special_boards_are_stated(puzzle: Any) -> None:
    assert_stated(puzzle)


@pytest.mark.parametrize("number", range(2, 9))
def test_numbers_of_a_closed_tour_and_its_direction(number: int) -> None:
    """If two given numbers are half the tour apart, both directions are possible, and the loop is
    one.
    """
    ring = [(0, 0), (1, 2), (2, 0), (0, 1), (2, 2), (1, 0), (0, 2), (2, 1)]
    for first, other in permutations(ring, 2):
        puzzle = Knight(3, 3, closed=True, holes=((1, 1),), start=first, given=((*other, number),))
        assert_stated(puzzle)


def test_boards_that_are_too_large_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(knight, "MAX_PLACES", 1000)
    for puzzle in (Queens(1001), Knight(600, 600), Knight(12, 12, given=((5, 5, 70),))):
        with pytest.raises(UnsupportedError, match="formula"):
            rules_of(puzzle)


# The whole formula


def formula_of(
    rules: Rules, some: Sequence[Cut], true: frozenset[int] | None
) -> tuple[int, list[list[int]]]:
    made = Formula(rules, lambda: None)
    flat = made.of_rules() + made.of_cuts(some) + made.forbidding(true)
    return made.num_vars, list(split(flat))


def test_every_change_of_a_formula_is_noticed() -> None:
    rules = rules_of(from_rows(["3.", "..", ".3"]))
    some = [Border(0, (0, 1, 3, 4), 0, 7)]
    true = frozenset({1, 2, 3})
    num_vars, clauses = formula_of(rules, some, true)
    assert clauses[-1] == [-1, -2, -3]

    def problem(changed: list[list[int]], num: int = num_vars) -> str:
        flat = array("i", [lit for clause in changed for lit in (*clause, 0)])
        try:
            Formula(rules, lambda: None).refuse_other(num, flat, some, true)
        except CertificateError as error:
            return str(error).removeprefix("formula.cnf: ")
        return ""

    assert problem(clauses) == ""
    rest = clauses[:-2]
    assert "of the rules are not those" in problem([rest[0][::-1], *clauses[1:]])
    assert "of the rules are not those" in problem(clauses[1:])
    assert "not those of the cuts" in problem([*rest, clauses[-1]])
    assert "not those of the cuts" in problem([*rest, clauses[-2][1:], clauses[-1]])
    assert "does not forbid the solution" in problem([*rest, clauses[-2], [-1, -2]])
    assert "does not forbid the solution" in problem(clauses[:-1])
    assert problem([*clauses, [1]]) == "the formula has 1 clause more than the puzzle requires"
    assert problem(clauses, num_vars + 1).endswith(f"variables, expected {num_vars}")
    assert problem(clauses, 3) == f"the formula has 3 variables, the rules alone need {num_vars}"
