"""Random solutions: each exactly once by its index, uniform, verified, and cut short by limits."""

from __future__ import annotations

import json
from collections import Counter
from contextlib import closing
from itertools import product
from typing import Any

import pytest

import nonosat
from helpers.clocks import Clock
from helpers.commands import MULTIPLE, UNIQUE, UNSOLVABLE, put, run
from helpers.tripping import Trip
from nonosat.core.errors import UnsupportedError
from nonosat.core.families import family_of
from nonosat.core.result import Options
from nonosat.questions import counting, sampling
from nonosat.solving.problem import Problem

__all__ = ["put"]  # a fixture

COLOURS = {"a": "red", "b": "blue"}
PUZZLES: dict[str, Any] = {
    "latin": nonosat.nonogram([[1]] * 4, [[1]] * 4),
    "unknown lengths": nonosat.nonogram([[None]] * 3, [[None]] * 3),
    "open": nonosat.nonogram([[None], [2], [1, 1], [2]], [[None, 1], [None], [None], [None]]),
    "parts": nonosat.nonogram([[1]] * 3 + [[]] + [[2]] * 2, [[1]] * 3 + [[]] + [[1]] * 4),
    "wide": nonosat.nonogram([[1, 1]] * 3, [[1], [1], [], [1], [1], [], [1], [1]]),
    "colours": nonosat.from_picture(["a..b..", ".a..b.", "..a..b"], colours=COLOURS),
    "unique": nonosat.nonogram([[2], [1]], [[1], [2]]),
    "queens": nonosat.Queens(6),
    "slitherlink": nonosat.slitherlink(["3..", "..."]),
    "tours": nonosat.Knight(3, 4, start=(0, 0)),
}


@pytest.mark.parametrize("name", PUZZLES)
def test_each_index_is_another_solution(name: str) -> None:
    puzzle = PUZZLES[name]
    problem = Problem(puzzle, Options())
    assert all(done.is_consistent for done in problem.presolve())
    countable = sampling.countable_of(problem)
    with closing(sampling.solutions_of(problem, countable)) as solutions:
        number = solutions.count
        every = {
            family_of(puzzle).decode(puzzle, solutions.values(index)) for index in range(number)
        }
    assert number == nonosat.count(puzzle).count
    assert every == {*nonosat.solutions(puzzle)}


def chi_squared(drawn: Counter[Any], number: int) -> float:
    """Return the statistic of the hypothesis that all solutions are equally probable."""
    expected = drawn.total() / number
    missing = expected * (number - len(drawn))
    return missing + sum((times - expected) ** 2 / expected for times in drawn.values())


def quantile(freedom: int) -> float:
    """Return the 0.999 quantile of the distribution (Wilson and Hilferty 1931)."""
    part = 2 / (9 * freedom)
    return float(freedom * (1 - part + 3.09 * part**0.5) ** 3)


@pytest.mark.parametrize("name", sorted(PUZZLES.keys() - {"unique"}))
def test_samples_are_uniform(name: str) -> None:
    puzzle = PUZZLES[name]
    number = nonosat.count(puzzle).count
    found = nonosat.sample(puzzle, 20 * number, seed=1)
    assert (found.count, len(found.solutions), found.reason) == (number, 20 * number, "")
    refutation = family_of(puzzle).refutation
    assert not any(refutation(puzzle, one) for one in {*found.solutions})
    assert chi_squared(Counter(found.solutions), number) < quantile(number - 1)


def test_a_biased_choice_would_be_noticed() -> None:
    """Repeatedly chosen values of single cells, as a walk without numbers would choose them."""
    few = Counter({"a": 30, "b": 15, "c": 15})
    assert chi_squared(few, 3) > 7 > chi_squared(Counter({"a": 21, "b": 19, "c": 20}), 3)


def test_huge_numbers_are_exact() -> None:
    outside = [(i, j, 0) for i, j in product(range(42), repeat=2) if i // 6 != j // 6]
    board = nonosat.nonogram([[1]] * 42, [[1]] * 42, given=outside)  # seven independent squares
    found = nonosat.sample(board, 2, seed=3)
    assert found.count == 720**7 > 2**64
    assert len({*found.solutions}) == 2
    assert nonosat.sample(board, 2, seed=3) == found
    assert nonosat.sample(board, 2, seed=4) != found
    assert nonosat.sample(board, 1, seed=3).solutions == found.solutions[:1]


def test_a_backbone_settles_places(monkeypatch: pytest.MonkeyPatch) -> None:
    """A count with a tiny budget continues with a backbone; its samples stay uniform."""
    monkeypatch.setattr(counting, "FIRST_WORK", 1)
    unique = nonosat.load("instances/unique.jsonl#noise-35-6")
    drawn = nonosat.sample(unique, 2)
    assert drawn.solutions == nonosat.check(unique).solutions * 2
    assert "backbone" in [stage.name for stage in drawn.stages]
    for name in ("parts", "queens", "slitherlink"):
        every = {*nonosat.solutions(PUZZLES[name])}
        found = nonosat.sample(PUZZLES[name], 20 * len(every))
        assert {*found.solutions} == every


def test_unsolvable_puzzles_have_no_samples() -> None:
    hidden = nonosat.nonogram([[1, 1], [1], [2], [1]], [[1, 1], [2], []])
    for puzzle in (hidden, nonosat.Queens(3), nonosat.nonogram([[2], [2]], [[2], []])):
        found = nonosat.sample(puzzle, 5)
        assert (found.count, found.solutions) == (0, ())
        assert found.reason


@pytest.mark.parametrize("name", ["parts", "queens", "slitherlink"])
def test_limits_keep_the_samples_before_them(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    puzzle = PUZZLES[name]
    whole = nonosat.sample(puzzle, 4)
    sizes = set()
    for found in Trip(monkeypatch).each(lambda: nonosat.sample(puzzle, 4)):
        sizes.add(len(found.solutions))
        assert found.count in (None, whole.count)
        assert found.solutions == whole.solutions[: len(found.solutions)]
        assert bool(found.reason) == (len(found.solutions) < 4)
    assert {0, 4} <= sizes


def test_a_limit_holds_while_samples_are_drawn(clock: Clock) -> None:
    clock.step_s = 0.001
    found = nonosat.sample(PUZZLES["unique"], 10**9, time_limit_s=2)
    assert "time limit" in found.reason
    assert 1 < len(found.solutions) < 10**5


def test_numbers_out_of_range_and_large_puzzles_are_refused(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for wrong in (0, -1, 1.5, True):
        with pytest.raises(UnsupportedError, match="expected at least 1"):
            nonosat.sample(PUZZLES["latin"], wrong)  # type: ignore[arg-type]  # the point

    def refuse(*_: object) -> None:
        raise UnsupportedError("a loop of a million edges")

    monkeypatch.setattr(sampling, "ModelCountable", refuse)
    with pytest.raises(UnsupportedError, match=r"a loop of a million edges.*max_solutions"):
        nonosat.sample(nonosat.Queens(6))


def test_memory_of_numbers_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = nonosat.sample(PUZZLES["open"], 9)
    monkeypatch.setattr(sampling, "MOST_KNOWN", 3)
    assert nonosat.sample(PUZZLES["open"], 9) == whole


def test_the_command_shows_pictures_or_json(put: Any) -> None:
    path = put(MULTIPLE, UNIQUE, UNSOLVABLE)
    done = run("sample", path, "-n", "2", "--seed", "5")
    assert done.exit_code == 4
    assert done.stdout.count("solution 2 of 2:") == 2
    assert "2 samples of 2 solutions" in done.stdout
    assert "2 samples of exactly one solution" in done.stdout
    assert "no solution (" in done.stdout
    lines = run("sample", path, "-n", "2", "--seed", "5", "--json").stdout.splitlines()
    first, second, third = map(json.loads, lines)
    assert (first["count"], len(first["solutions"])) == ("2", 2)
    assert second["solutions"][0] == second["solutions"][1]
    assert (third["count"], third["solutions"]) == ("0", [])
    cut = run("sample", path, "-n", "2", "--time-limit", "1e-9")
    assert cut.exit_code == 5
