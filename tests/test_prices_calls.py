"""Calls of native code by the Python interface of prices, and the use of their results.

A scripted search replaces the native one if a real one would give such an answer only by chance:
mostly at the end of a time limit.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from helpers.believing import random_puzzle, task_of, watch
from helpers.priced import dominoes, drawn, puzzle_of
from nonosat import _core
from nonosat.board import prices
from nonosat.board.presolve import PresolvedModel
from nonosat.board.prices import PriceBound, PriceOutcome, PriceResult
from nonosat.core.errors import LimitReached
from nonosat.core.limits import Limits, Watch
from nonosat.puzzles.nonogram import build, mono
from nonosat.testing.oracles import solutions

SWITCH = mono([[1], [1]], [[1], [1]])
ONE, OTHER = b"\1\0\0\1", b"\0\1\1\0"
REACHED, BUDGET = _core.Prices.Outcome.REACHED, _core.Prices.Outcome.BUDGET


class Scripted:
    """Search with scripted answers that records its arguments."""

    def __init__(self, answer: Any, bound: int = 0, scale: int = 1, num_sweeps: int = 12) -> None:
        self.answer, self.bound, self.scale = answer, bound, scale
        self.num_sweeps = num_sweeps
        self.asked: list[tuple[Any, ...]] = []

    def __getattr__(self, name: str) -> Callable[..., Any]:
        def call(*arguments: Any, **named: Any) -> Any:
            self.asked.append((name, *arguments, *named.values()))
            return self.answer

        return call

    def prices(self, poll: Callable[[], bool]) -> list[tuple[int, int, int]]:
        assert poll() is False
        return [(0, 1, 5), (3, 2, -1)]


def priced(native: Scripted, outcome: PriceOutcome = PriceOutcome.OPEN, **more: Any) -> PriceResult:
    return PriceResult(outcome, native, **more)  # type: ignore[arg-type]  # a stub of a search


def ended() -> Watch:
    return Watch(Limits(1e-9))


def test_bounds_are_rounded_down():
    for bound, cells in ((7, 3), (8, 4), (-1, -1), (-9, -5)):
        assert priced(Scripted(None, bound, scale=2)).bound == cells


def test_a_table_is_by_cell_and_value_and_may_pause():
    paused: list[int] = []
    found = priced(Scripted(None, bound=9, scale=4)).table(lambda: paused.append(1))
    assert found == PriceBound({(0, 1): 5, (3, 2): -1}, scale=4, bound=9)
    assert paused == [1]


def test_shrinking_makes_prices_smaller_and_keeps_the_bound():
    task = task_of(puzzle_of(dominoes(8)))
    others = prices.refute_others(task, dominoes(8).cells, watch(), stubborn=True)
    before = others.table()
    others.shrink(4, watch())
    after = others.table()
    assert others.bound < 4
    assert sum(map(abs, after.prices.values())) < sum(map(abs, before.prices.values()))


@pytest.mark.parametrize(
    "call",
    [
        lambda task, found, watch: prices.find(task, watch),
        lambda task, found, watch: prices.refute(task, watch),
        lambda task, found, watch: prices.refute_others(task, ONE, watch),
        lambda task, found, watch: found.ruled_out(4, watch),
        lambda task, found, watch: prices.run(found.native, watch),
    ],
)
def test_a_search_that_was_stopped_is_a_limit(call: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    native = Scripted(None)
    monkeypatch.setattr(prices, "_open", lambda *_: native)
    with pytest.raises(LimitReached, match=r"time limit of 1e-09 s"):
        call(task_of(SWITCH), priced(native), ended())
    assert len(native.asked) == 1


@pytest.mark.parametrize("search", [prices.find, prices.refute])
@pytest.mark.parametrize(
    ("answer", "bound", "outcome"),
    [
        (BUDGET, -1, PriceOutcome.OPEN),
        (REACHED, -1, PriceOutcome.REFUTED),
        (REACHED, 0, PriceOutcome.SOLUTION),
    ],
)
def test_the_outcomes_of_a_search(
    search: Any, answer: Any, bound: int, outcome: PriceOutcome, monkeypatch: pytest.MonkeyPatch
) -> None:
    native, clock = Scripted(answer, bound), watch(60)
    monkeypatch.setattr(prices, "_open", lambda *_: native)
    if search is prices.refute and outcome is PriceOutcome.SOLUTION:
        return  # it searches for none
    found = search(task_of(SWITCH), clock, work=7)
    assert (found.outcome, found.native, found.solution) == (outcome, native, None)
    (asked,) = native.asked
    assert asked[:2] == (search.__name__, 7)
    assert 0 < asked[-2] <= 60
    assert asked[-1] == clock.poll


def test_searches_are_stubborn_on_request(monkeypatch: pytest.MonkeyPatch) -> None:
    native = Scripted(BUDGET)
    monkeypatch.setattr(prices, "_open", lambda *_: native)
    for stubborn in (False, True):
        prices.find(task_of(SWITCH), watch(), stubborn=stubborn)
        prices.refute_others(task_of(SWITCH), ONE, watch(), stubborn=stubborn)
    prices.find(task_of(SWITCH), watch())
    prices.refute_others(task_of(SWITCH), ONE, watch())
    given = [asked[-3] for asked in native.asked]
    assert given == [False, False, True, True, False, False]


@pytest.mark.parametrize(("answer", "outcome"), [(REACHED, "refuted"), (BUDGET, "open")])
def test_the_search_that_found_a_solution_goes_on_from_it(answer: Any, outcome: str) -> None:
    native = Scripted(answer)
    others = prices.refute_others(task_of(SWITCH), ONE, watch(), found=priced(native), work=7)
    assert others == PriceResult(PriceOutcome(outcome), native, ONE, 4)  # type: ignore[arg-type]
    (know, lower) = native.asked
    assert know[:2] == ("set_solution", ONE)
    assert know[2]() is False
    assert lower[:4] == ("lower", 4, 7, False)


def test_a_poll_raises_at_the_time_limit() -> None:
    """Native code without a result for "stopped" is ended by the exception of its poll."""
    native, clock = Scripted(REACHED), ended()
    prices.refute_others(task_of(SWITCH), ONE, clock, found=priced(native))
    priced(native).shrink(3, clock)
    assert native.asked[2][:2] == ("shrink", 3)
    for poll in (native.asked[0][-1], native.asked[2][-1]):
        with pytest.raises(LimitReached):
            poll()


def test_puzzles_without_a_solution_are_refuted() -> None:
    num_refuted = 0
    for seed in range(300):
        puzzle = drawn(seed)
        task = PresolvedModel.of(build(puzzle))
        if not task.propagate(watch()) or not task.num_open():
            continue
        found = prices.refute(task, watch(), work=100_000)
        if found.outcome is PriceOutcome.REFUTED:
            num_refuted += 1
            assert not solutions(puzzle, 1)
    assert num_refuted > 5


@pytest.mark.parametrize("colours", [1, 2])
def test_memory_is_reserved_before_prices_are_made(colours: int) -> None:
    class Reserving(Watch):
        reserved = 0

        def reserve(self, num_bytes: int) -> None:
            self.reserved += num_bytes

    task, clock = task_of(random_puzzle(20, 20, 1, colours)), Reserving(Limits())
    prices.find(task, clock, work=1)
    whole, clock.reserved = clock.reserved, 0
    task.reserve(clock)
    assert task.num_open() > 20
    assert whole - clock.reserved == 400 * colours * task.num_open()
