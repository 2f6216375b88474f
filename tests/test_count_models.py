"""Counts of models that are neither boards nor loops alone: enumeration, known numbers, limits."""

from __future__ import annotations

import random
from dataclasses import replace
from itertools import product
from typing import Any

import pytest
from hypothesis import given

import nonosat
from helpers.clocks import Clock, interrupt
from helpers.drawing import examples
from helpers.modelled import Modelled, number_of
from helpers.processes import interruptible
from nonosat import _core, plugins
from nonosat.core.families import family_of
from nonosat.core.limits import Limits, Watch
from nonosat.core.model import FALSE, TRUE, Clause, Count, Line, Loop, Model
from nonosat.encodings import loop_positions
from nonosat.puzzles.knight import Knight
from nonosat.puzzles.queens import Queens, build
from nonosat.questions import counting
from nonosat.questions.countable import _numbers_of, rules_of
from nonosat.solving import pipeline
from nonosat.solving.problem import Problem
from nonosat.testing.boards import knight_solutions
from nonosat.testing.oracles import every_solution
from nonosat.testing.strategies import knights
from nonosat.testing.strategies.models import random_model
from test_own_family import Lights


def counted(model: Model) -> int:
    rules = rules_of(model, plugins.find("puzzles", "nonogram"), Watch(Limits()))
    counter = rules.counter((), 2**26, Watch(Limits()))
    assert counter.run(2**50)
    return int.from_bytes(counter.total, "little")


def drawn(rng: random.Random) -> Model:
    """Draw a random model; the builder adds that cells of lines have at most one colour."""
    model = random_model(rng, 8)
    builder = nonosat.ModelBuilder()
    builder.new_vars(model.num_vars)
    builder.add(*model.constraints())
    return builder.build()


def test_random_models_against_enumeration() -> None:
    rng = random.Random(1)
    for _ in range(300):
        model = drawn(rng)
        expected = number_of(model)
        assert counted(model) == expected
        assert nonosat.count(Modelled(model)).count == expected


def test_solutions_are_distinguished_by_some_variables() -> None:
    rng = random.Random(2)
    for _ in range(200):
        whole = drawn(rng)
        told_by = rng.sample(range(1, whole.num_vars + 1), rng.randint(0, whole.num_vars))
        model = replace(whole, blocked_on=tuple(told_by))
        assert counted(model) == number_of(model)


def test_lamps_are_fibonaccis_numbers() -> None:
    numbers = [1, 2]
    while len(numbers) <= 1000:
        numbers.append(numbers[-1] + numbers[-2])
    for width in (1, 2, 3, 50, 1000):
        found = nonosat.count(Lights(width))
        assert (found.count, found.is_exact) == (numbers[width], True)
    assert nonosat.count(Lights(3, frozenset({0, 1}))).count == 0


def sudoku(side: int) -> Model:
    """Model of all filled squares of side**2 digits."""
    n = side * side
    var = {place: at for at, place in enumerate(product(range(n), repeat=3), start=1)}
    groups = [
        *([var[i, j, d] for d in range(n)] for i, j in product(range(n), repeat=2)),
        *([var[i, j, d] for j in range(n)] for i, d in product(range(n), repeat=2)),
        *([var[i, j, d] for i in range(n)] for j, d in product(range(n), repeat=2)),
        *(
            [var[side * a + i, side * b + j, d] for i, j in product(range(side), repeat=2)]
            for a, b, d in product(range(side), range(side), range(n))
        ),
    ]
    return Model(n**3, counts=tuple(Count(tuple(group), 1, 1) for group in groups))


def test_small_sudokus() -> None:
    assert counted(sudoku(2)) == 288
    assert nonosat.count(Modelled(sudoku(2))).count == 288


@pytest.mark.parametrize(("n", "number"), [(0, 1), (1, 1), (4, 2), (6, 4), (8, 92)])
def test_queens_by_their_model(n: int, number: int) -> None:
    assert counted(build(Queens(n))) == nonosat.count(Queens(n)).count == number


def test_more_queens_than_backtracking_takes() -> None:
    columns = nonosat.solve(Queens(70)).solution.columns
    puzzle = Queens(70, given=[*enumerate(columns)][:60])
    number = len(list(nonosat.solutions(puzzle)))
    assert counted(build(puzzle)) == number
    found = nonosat.count(puzzle)
    assert (found.count, found.is_exact) == (number, True)


def test_solutions_of_independent_parts_multiply() -> None:
    lits = tuple(range(1, 901))
    model = Model(900, counts=tuple(Count(lits[at : at + 3], 1, 2) for at in range(0, 900, 3)))
    assert counted(model) == 6**300


@examples(35)
@given(knights(max_squares=10))
def test_tours_with_given_numbers(puzzle: Knight) -> None:
    solutions = every_solution(puzzle)
    if solutions is not None:
        found = nonosat.count(puzzle)
        assert (found.count, found.is_exact) == (len(list(solutions)), True)


def test_loops_too_large_for_counters_are_counted_one_by_one(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(loop_positions, "MAX_CLAUSES", 10)
    knight = Knight(4, 5, given=((0, 3, 12), (1, 1, 13)))
    number = len(knight_solutions(knight))
    puzzle = Modelled(family_of(knight).build(knight))  # without the family's own methods
    found = nonosat.count(puzzle)
    assert [stage.name for stage in found.stages] == ["enumerate"]
    assert (found.count, found.is_exact) == (number, True)
    assert number > 1
    stopped = nonosat.count(puzzle, time_limit_s=1e-9)
    assert (stopped.count, stopped.is_exact) == (0, False)
    threads: list[int] = []
    enumerated = pipeline.enumerated

    def seen(problem: Problem) -> Any:
        threads.append(problem.options.num_threads)
        return enumerated(problem)

    monkeypatch.setattr(pipeline, "enumerated", seen)
    together = nonosat.count(puzzle, jobs=2)
    assert (together.count, together.is_exact, threads) == (number, True, [2])


def test_a_backbone_between_two_turns_does_not_affect_the_count(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for name in ("FIRST_WORK", "_MOST_WORK"):
        monkeypatch.setattr(counting, name, 1)
    monkeypatch.setattr(counting, "SLICE_S", 1e8)  # a later slice is longer than any limit may be
    rng = random.Random(3)
    for jobs in (1, 2):
        for _ in range(6):
            model = drawn(rng)
            found = nonosat.count(Modelled(model), jobs=jobs)
            assert (found.count, found.is_exact) == (number_of(model), True)


def test_limits_leave_a_lower_bound(clock: Clock, monkeypatch: pytest.MonkeyPatch) -> None:
    clock.step_s = 0.1
    large = Modelled(sudoku(3))
    found = nonosat.count(large, time_limit_s=0.5)
    assert (found.is_exact, found.reason) == (False, "time limit of 0.5 s")
    monkeypatch.setattr(counting, "MEMORY_MIB", 0)
    found = nonosat.count(Modelled(sudoku(2)))
    assert (found.is_exact, found.reason) == (False, "counting needs more than 0 MiB")
    assert 1 < found.count <= 288


@pytest.mark.parametrize("puzzle", [Modelled(sudoku(3)), Knight(8, 8, closed=True)], ids=str)
def test_an_interrupt_gets_through(clock: Clock, puzzle: Any) -> None:
    with interruptible(), clock.then(interrupt), pytest.raises(KeyboardInterrupt):
        nonosat.count(puzzle, time_limit_s=60)


def test_numbers_of_rules() -> None:
    assert _numbers_of([Clause((1, -2, 1)), Count((1, 2, TRUE, FALSE), 1, 3)]) == [
        *(1, 2, 1, -2, 0),
        *(0, 2, 1, 2, 0),
    ]
    assert _numbers_of([Clause((1, -1)), Clause((TRUE, 3)), Clause(())]) == [
        *(0, 0, 0),
        *(0, 1, 3, 0),
        *(1, 0, 0),
    ]


def test_kinds_go_through_encodings() -> None:
    line = Line((tuple(range(1, 6)),), (nonosat.Block(1), nonosat.Block(2)))
    loop = Loop(3, [(0, 1, 6), (1, 2, 7), (2, 0, 8), (0, 1, 9)])
    model = Model(9, lines=(line,), loops=(loop,))
    assert counted(model) == 3 * 3 == number_of(model)


def test_wrong_arguments_are_refused() -> None:
    for rules, chosen in (([1, 1, 3, 0], []), ([1, 1, 1, 1, 0], []), ([1, 1, 1], []), ([], [0])):
        with pytest.raises(ValueError, match=r"rule|chosen"):
            _core.RulesCount(2, rules, chosen, 2**20)
    with pytest.raises(ValueError, match="variables"):
        _core.RulesCount(2**31 - 1, [], [], 2**20)
