"""What the Python face of prices asks of native code, and what it makes of the answers.

A scripted search stands for the native one where a real one would answer so only by chance: at
the end of a time limit above all.
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
from nonosat.board.prices import Outcome, Priced, Table
from nonosat.core.errors import LimitReached
from nonosat.core.limits import Limits, Watch
from nonosat.puzzles.nonogram import build, mono
from nonosat.testing.oracles import solutions

SWITCH = mono([[1], [1]], [[1], [1]])
ONE, OTHER = b"\1\0\0\1", b"\0\1\1\0"
REACHED, BUDGET = _core.Prices.Outcome.REACHED, _core.Prices.Outcome.BUDGET


class Scripted:
    """Answers as it is told, and notes what it is asked."""

    def __init__(self, answer: Any, bound: int = 0, scale: int = 1, num_sweeps: int = 12) -> None:
        self.answer, self.bound, self.scale = answer, bound, scale
        self.num_sweeps = num_sweeps
        self.asked: list[tuple[Any, ...]] = []

    def __getattr__(self, name: str) -> Callable[..., Any]:
        def call(*arguments: Any) -> Any:
            self.asked.append((name, *arguments))
            return self.answer

        return call

    def prices(self, poll: Callable[[], bool]) -> list[tuple[int, int, int]]:
        assert poll() is False
        return [(0, 1, 5), (3, 2, -1)]


def priced(native: Scripted, outcome: Outcome = Outcome.OPEN, **more: Any) -> Priced:
    return Priced(outcome, native, **more)  # type: ignore[arg-type]  # it stands for a search


def ended() -> Watch:
    return Watch(Limits(1e-9))


def test_bounds_are_rounded_down():
    for bound, cells in ((7, 3), (8, 4), (-1, -1), (-9, -5)):
        assert priced(Scripted(None, bound, scale=2)).bound == cells


def test_a_table_is_by_cell_and_value_and_may_pause():
    paused: list[int] = []
    found = priced(Scripted(None, bound=9, scale=4)).table(lambda: paused.append(1))
    assert found == Table({(0, 1): 5, (3, 2): -1}, scale=4, bound=9)
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
        lambda task, found, watch: found.impossible(watch),
    ],
)
def test_a_search_that_was_stopped_is_a_limit(call: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    native = Scripted(None)
    monkeypatch.setattr(prices, "_open", lambda *_: native)
    with pytest.raises(LimitReached, match=r"time limit of 1e-09 s"):
        call(task_of(SWITCH), priced(native), ended())
    assert len(native.asked) == 1


def test_regions_that_were_stopped_are_a_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_core, "regions", lambda *_: None)
    with pytest.raises(LimitReached, match="time limit"):
        prices.settle(task_of(SWITCH), priced(Scripted([])), ended())


@pytest.mark.parametrize("search", [prices.find, prices.refute])
@pytest.mark.parametrize(
    ("answer", "bound", "outcome"),
    [(BUDGET, -1, Outcome.OPEN), (REACHED, -1, Outcome.REFUTED), (REACHED, 0, Outcome.SOLUTION)],
)
def test_the_outcomes_of_a_search(
    search: Any, answer: Any, bound: int, outcome: Outcome, monkeypatch: pytest.MonkeyPatch
) -> None:
    native, clock = Scripted(answer, bound), watch(60)
    monkeypatch.setattr(prices, "_open", lambda *_: native)
    if search is prices.refute and outcome is Outcome.SOLUTION:
        return  # it looks for none
    found = search(task_of(SWITCH), clock, work=7)
    assert (found.outcome, found.native, found.solution) == (outcome, native, None)
    (asked,) = native.asked
    assert asked[:2] == (search.__name__, 7)
    assert 0 < asked[-2] <= 60
    assert asked[-1] == clock.poll


def test_searches_are_stubborn_where_that_is_asked(monkeypatch: pytest.MonkeyPatch) -> None:
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
    assert others == Priced(Outcome(outcome), native, ONE, 4)  # type: ignore[arg-type]
    (know, lower) = native.asked
    assert know[:2] == ("set_solution", ONE)
    assert know[2]() is False
    assert lower[:4] == ("lower", 4, 7, False)


def test_what_a_poll_does_at_the_end_of_time() -> None:
    """Native code without an answer for "stopped" is ended by what its poll raises."""
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
        if found.outcome is Outcome.REFUTED:
            num_refuted += 1
            assert not solutions(puzzle, 1)
    assert num_refuted > 5


# What prices tell of single cells


@pytest.mark.parametrize(
    ("outcome", "num_sweeps", "is_told"),
    [
        (Outcome.OPEN, 11, False),
        (Outcome.OPEN, 12, True),
        (Outcome.SOLUTION, 0, True),
        (Outcome.REFUTED, 0, True),
    ],
)
def test_cells_are_told_of_after_some_sweeps(
    outcome: Outcome, num_sweeps: int, is_told: bool
) -> None:
    native = Scripted([(0, 1)], num_sweeps=num_sweeps)
    found, others = priced(native, outcome), priced(native, outcome, solution=ONE, goal=4)
    assert found.impossible(watch()) == ([(0, 1)] if is_told else [])
    assert others.impossible(watch()) == ([(0, 1)] if is_told else [])
    assert [asked[0] for asked in native.asked] == ["impossible", "ruled_out"] * is_told
    assert all(asked[1] == 4 for asked in native.asked if asked[0] == "ruled_out")


def told(*pairs: tuple[int, int], outcome: Outcome = Outcome.OPEN, **more: Any) -> Priced:
    return priced(Scripted([*pairs]), outcome, **more)


@pytest.fixture
def regions(monkeypatch: pytest.MonkeyPatch) -> list[Priced]:
    """What searches of regions come to; there are as many regions."""
    found: list[Priced] = []
    monkeypatch.setattr(prices, "_regions", lambda task, _: [task] * len(found))
    monkeypatch.setattr(prices, "_in_region", lambda *_: found[0])
    return found


def test_what_is_ruled_out_leaves_the_board(regions: list[Priced]) -> None:
    task = task_of(SWITCH)
    assert prices.settle(task, told(), watch())
    assert task.num_open() == 4
    assert prices.settle(task, told((0, 0)), watch())
    assert task.board is not None
    assert task.board.cells() == ONE
    other = task_of(SWITCH)
    assert not prices.settle(other, told((0, 0), (1, 0)), watch())


def test_a_region_settles_cells_where_the_whole_board_is_open(regions: list[Priced]) -> None:
    regions.append(told((1, 0)))
    for outcome, num_open in ((Outcome.SOLUTION, 4), (Outcome.REFUTED, 4), (Outcome.OPEN, 0)):
        task = task_of(SWITCH)
        assert prices.settle(task, told(outcome=outcome), watch())
        assert task.num_open() == num_open


def test_a_region_without_a_solution_refutes_the_board(regions: list[Priced]) -> None:
    regions.append(told(outcome=Outcome.REFUTED))
    assert prices.settle(task_of(SWITCH), told(), watch()) is False
    # Beside a known solution it has no other one, and the board may have others elsewhere.
    regions[0] = told((0, 0), outcome=Outcome.REFUTED, solution=ONE)
    task = task_of(SWITCH)
    assert prices.settle(task, told(), watch())
    assert task.num_open() == 0


def test_a_known_solution_settles_what_prices_for_all_leave() -> None:
    """The switch has two solutions; beside dominoes, only what tells them apart stays open."""
    grid = dominoes(6)
    task = task_of(puzzle_of(grid))
    alone = task_of(puzzle_of(grid))
    prices.settle(alone, prices.find(alone, watch(), work=1), watch(), work=1)
    assert alone.num_open() > 0
    prices.settle_beside(task, grid.cells, watch(), prices.WORK)
    assert task.board is not None
    assert task.board.cells() == grid.cells


def test_beside_a_solution_prices_are_made_for_all_and_for_the_others(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    calls: list[Any] = []

    def noting(name: str, answer: Any) -> None:
        def call(*arguments: Any, **more: Any) -> Any:
            calls.append((name, more.get("work")))
            return answer

        monkeypatch.setattr(prices, name, call)

    for name in ("find", "refute_others"):
        noting(name, priced(Scripted([])))
    noting("settle", True)
    prices.settle_beside(task_of(SWITCH), ONE, watch(), 7)
    assert calls == [("find", 7), ("settle", 7), ("refute_others", 7), ("settle", 7)]
    calls.clear()
    prices.settle_beside(task_of(mono([[1]], [[1]])), b"\1", watch(), 7)
    assert calls == [("find", 7), ("settle", 7)]
    noting("settle", False)
    with pytest.raises(AssertionError):
        prices.settle_beside(task_of(SWITCH), ONE, watch(), 7)


# Regions


def test_a_region_is_searched_for_a_solution_and_then_for_others() -> None:
    task = task_of(puzzle_of(dominoes(3)))
    inside = prices._in_region(task, None, watch(), prices.WORK)
    assert (inside.outcome, inside.solution) == (Outcome.REFUTED, dominoes(3).cells)
    given = prices._in_region(task, dominoes(3).cells, watch(), prices.WORK)
    assert given.solution == dominoes(3).cells


def test_a_region_that_is_hopeless_stays_open() -> None:
    task = task_of(random_puzzle(40, 40, 1))
    inside = prices._in_region(task, None, watch(), prices.WORK)
    assert (inside.outcome, inside.solution) == (Outcome.OPEN, None)


def test_a_solution_is_that_of_the_regions_open_cells() -> None:
    """Cells of other regions are known in a region's board, whatever the solution says of them."""
    task = task_of(SWITCH)
    assert task.board is not None
    task.board.assign(0, 1)
    assert task.board.propagate()
    inside = prices._in_region(task, OTHER, watch(), prices.WORK)
    assert inside.solution == ONE
    for known in (ONE, OTHER):
        assert prices._in_region(task_of(SWITCH), known, watch(), 1).solution == known


def test_the_search_of_a_region_is_stubborn(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[dict[str, Any]] = []
    found = told(outcome=Outcome.SOLUTION)
    found.native.answer = ONE  # type: ignore[attr-defined]
    monkeypatch.setattr(prices, "find", lambda *_, **more: asked.append(more) or found)
    monkeypatch.setattr(prices, "refute_others", lambda *_, **more: asked.append(more) or "others")
    assert prices._in_region(task_of(SWITCH), None, watch(), 7) == "others"
    assert asked == [{"work": 7}, {"work": 7, "stubborn": True}]


def test_regions_are_neither_small_nor_most_of_the_board(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[tuple[Any, ...]] = []
    monkeypatch.setattr(_core, "regions", lambda *given: asked.append(given) or [given[0]])
    task = task_of(puzzle_of(dominoes(4)))
    (region,) = prices._regions(task, watch())
    ((board, least, most, number, *_),) = asked
    assert region.board is board is task.board
    assert (least, most, number) == (32, task.num_open() * 9 // 10, 16)


@pytest.mark.parametrize("colours", [1, 2])
def test_memory_is_asked_for_before_prices_are_made(colours: int) -> None:
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
