"""Counts: against enumeration, against formulas, and under limits."""

from __future__ import annotations

import math
import random
import threading
import time
from itertools import product
from math import comb, factorial

import pytest
from hypothesis import given

import nonosat
from helpers.clocks import Clock, end_at_a_lower_bound
from helpers.drawing import examples
from nonosat import _core
from nonosat.core.errors import UnsupportedError
from nonosat.core.grid import Grid
from nonosat.core.limits import Limits
from nonosat.puzzles.nonogram import Nonogram, build, from_grid, mono
from nonosat.questions import counting
from nonosat.questions.counting import count, digits, solutions_text
from nonosat.testing.oracles import solutions
from nonosat.testing.strategies import puzzles

MODES = (1, 2**40)  # units of work at a time: many short calls, or a single one


def exact(puzzle: Nonogram) -> int:
    found = count(puzzle)
    assert found.is_exact
    return found.count


def noise(side: int, seed: int, share: float = 0.5) -> Nonogram:
    draw = random.Random(seed)
    return from_grid(Grid(side, side, bytes(draw.random() < share for _ in range(side * side))))


def board_of(puzzle: Nonogram) -> _core.Board:
    board = _core.Board(len(puzzle.colours), puzzle.rows, puzzle.columns)
    for row, column, colour in puzzle.given:
        board.assign(row * puzzle.width + column, colour)
    return board


def native(puzzle: Nonogram, work: int = 2**40, max_bytes: int = 2**30) -> _core.Counter:
    """Return a counter that has ended; nothing was probed before."""
    counter = _core.Counter(board_of(puzzle), max_bytes)
    while not counter.run(work):
        pass
    return counter


def total(counter: _core.Counter) -> int:
    return int.from_bytes(counter.total, "little")


# Against enumeration


@examples(60)
@given(puzzles(max_cells=25))
def test_counts_are_those_of_enumeration(puzzle: Nonogram) -> None:
    expected = len(solutions(puzzle))
    assert exact(puzzle) == expected
    assert total(native(puzzle)) == expected


@pytest.mark.parametrize("work", MODES)
def test_denser_boards_and_every_way_to_count(work: int) -> None:
    # Without presolve, and with so little memory that no frontier is wide enough and that cached
    # results
    # are soon dropped: branching alone.
    ways = set()
    for seed in range(6):
        draw = random.Random(seed)
        clues = [[None] * draw.randint(1, 2) for _ in range(9)]
        puzzle = mono(clues[:4], clues[4:])
        expected = len(solutions(puzzle))
        assert total(native(puzzle, work)) == expected
        counter = native(puzzle, work, max_bytes=1000)
        assert total(counter) == expected
        ways.add((counter.num_frontiers > 0, counter.num_nodes > 0))
    assert (False, True) in ways


@pytest.mark.parametrize("seed", range(6))
def test_random_pictures(seed: int) -> None:
    puzzle = noise(15, seed)
    assert exact(puzzle) == len(set(nonosat.solutions(puzzle, backend="search")))


# Against formulas


@pytest.mark.parametrize("side", [1, 2, 3, 7, 12, 14])
def test_rooks(side: int) -> None:
    assert exact(mono([[1]] * side, [[1]] * side)) == factorial(side)


@pytest.mark.parametrize("threads", [2, 4])
def test_threads_share_a_count(threads: int) -> None:
    for puzzle in (mono([[1]] * 16, [[1]] * 16), noise(34, 1)):
        counter = _core.Counter(board_of(puzzle), 2**28)
        assert counter.run(2**60, threads=threads)
        assert total(counter) == total(native(puzzle))


@pytest.mark.thorough
def test_eighteen_rooks_on_a_frontier() -> None:
    counter = native(mono([[1]] * 18, [[1]] * 18))
    assert (total(counter), counter.num_components) == (factorial(18), 1)


@pytest.mark.parametrize(("length", "clue"), [(9, [2, 3]), (30, [1] * 7), (300, [3, 1, 4, 1, 5])])
def test_a_line_is_stars_and_bars(length: int, clue: list[int]) -> None:
    # The other row is its complement: if it has a run more than there are blocks, both ends are
    # empty.
    puzzle = mono([clue, [None] * (len(clue) + 1)], [[1]] * length)
    slack = length - sum(clue) - (len(clue) - 1)
    assert exact(puzzle) == comb(slack - 2 + len(clue), len(clue))


def switches(number: int) -> Nonogram:
    """Puzzle with so many 2x2 switches along the diagonal."""
    cells = range(2 * number)
    given = [(row, column, 0) for row, column in product(cells, cells) if row // 2 != column // 2]
    return mono([[1]] * 2 * number, [[1]] * 2 * number, given=given)


@pytest.mark.slow
def test_independent_parts_multiply() -> None:
    assert exact(switches(200)) == 2**200


def test_parts_that_share_lines_are_independent() -> None:
    # Two 3x3 boards of rooks side by side, with two full columns between them.
    rows = [[1, 2, 1]] * 3
    columns = [[1], [1], [1], [], [3], [3], [], [1], [1], [1]]
    counter = native(mono(rows, columns))
    assert (total(counter), counter.num_components) == (factorial(3) ** 2, 2)


def test_narrow_boards_of_any_length() -> None:
    # One filled cell a row, never two in adjacent rows, equally many in each of three columns.
    each = 40
    counter = native(mono([[1]] * 3 * each, [[1] * each] * 3))
    assert total(counter) == ways_without_repetition(each, each, each)
    assert counter.num_components == 1


def ways_without_repetition(*left: int) -> int:
    """Number of words in which each letter occurs so often, and no letter follows itself."""
    layer = {(left, -1): 1}
    for _ in range(sum(left)):
        after: dict[tuple[tuple[int, ...], int], int] = {}
        for (rest, last), number in layer.items():
            for letter in range(len(rest)):
                if letter != last and rest[letter]:
                    fewer = (*rest[:letter], rest[letter] - 1, *rest[letter + 1 :])
                    after[fewer, letter] = after.get((fewer, letter), 0) + number
        layer = after
    return sum(layer.values())


def test_both_orientations_and_mirror_images_agree() -> None:
    for seed in range(8):
        puzzle = noise(14, seed, 0.45)
        turned = mono(
            [[size for size, _ in clue] for clue in puzzle.columns],
            [[size for size, _ in clue] for clue in puzzle.rows],
        )
        mirrored = mono(
            [[size for size, _ in clue[::-1]] for clue in puzzle.rows],
            [[size for size, _ in clue] for clue in puzzle.columns[::-1]],
        )
        assert exact(puzzle) == exact(turned) == exact(mirrored)


def test_work_is_deterministic() -> None:
    puzzle = noise(30, 1)
    one, other = native(puzzle), native(puzzle)
    names = ("num_components", "num_frontiers", "num_nodes", "num_recalled", "total")
    assert [getattr(one, name) for name in names] == [getattr(other, name) for name in names]


# Limits


def hard() -> Nonogram:
    """Puzzle with far too many solutions for any counter."""
    return noise(90, 7, 0.4)


def test_a_time_limit_leaves_a_lower_bound(clock: Clock, monkeypatch: pytest.MonkeyPatch) -> None:
    end_at_a_lower_bound(clock, monkeypatch, 600)
    many = mono([[None] * 4] * 30, [[None] * 4] * 30)
    found = count(many, time_limit_s=600)
    assert not found.is_exact
    assert found.count >= 2
    assert found.reason == "time limit of 600 s"
    assert str(found).endswith(f"at least {found.count} solutions ({found.reason})")


def test_limits_that_leave_no_time_to_begin() -> None:
    found = count(hard(), time_limit_s=1e-9)
    assert (found.count, found.is_exact) == (0, False)
    found = count(hard(), memory_limit_mib=1)
    assert (found.is_exact, found.reason) == (False, "memory limit of 1 MiB")


def test_stopped_counters_go_on() -> None:
    puzzle = noise(34, 1)  # stopped a dozen times
    counter = _core.Counter(board_of(puzzle), 2**28)
    calls = patience = 0

    def poll() -> bool:
        nonlocal calls
        calls += 1
        return calls > patience

    bounds = [0]
    while (ended := counter.run(2**60, None, poll)) is not True:
        assert ended is None
        assert not counter.is_exact
        bounds.append(total(counter))
        calls, patience = 0, patience + 1
    assert len(bounds) > 2
    assert total(counter) == total(native(puzzle))
    assert all(bound <= total(counter) for bound in bounds)


def test_threads_can_be_stopped_and_go_on() -> None:
    puzzle = mono([[1]] * 16, [[1]] * 16)
    counter = _core.Counter(board_of(puzzle), 2**28)
    for threads in (4, 2, 3):  # other threads may come to the end before the first one stops
        assert counter.run(2**60, None, lambda: True, threads) or not counter.is_exact
        assert total(counter) <= factorial(16)
    assert counter.run(2**60, threads=4)
    assert total(counter) == factorial(16)
    with pytest.raises(ValueError, match="1 to 1024 threads"):
        counter.run(1, threads=0)


def test_an_exception_passes_through_and_leaves_the_counter_sound() -> None:
    puzzle = noise(30, 1)
    counter = _core.Counter(board_of(puzzle), 2**28)

    def poll() -> bool:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        counter.run(2**60, None, poll)
    assert counter.run(2**60)
    assert total(counter) == total(native(puzzle))


@pytest.mark.real_time
def test_python_goes_on_while_native_code_counts() -> None:
    counter = _core.Counter(board_of(mono([[1]] * 16, [[1]] * 16)), 2**28)
    ticks = 0
    worker = threading.Thread(target=counter.run, args=(2**60,))
    worker.start()
    while worker.is_alive():
        ticks += 1
        time.sleep(0.001)
    assert ticks > 10
    assert total(counter) == factorial(16)


def test_noted_solutions_are_a_lower_bound() -> None:
    puzzle = switches(2)
    counter = _core.Counter(board_of(puzzle), 2**20)
    counter.run(0)
    assert counter.num_components == 2
    found = list(nonosat.solutions(puzzle))
    counter.note(found[0].cells)
    assert total(counter) == 1
    for grid in found:
        counter.note(grid.cells)
    assert total(counter) == 4
    assert not counter.is_exact
    with pytest.raises(ValueError, match="one byte a cell"):
        counter.note(b"")


# Python interface


def test_puzzles_decided_without_counting() -> None:
    assert [stage.name for stage in count(mono([[1]], [[1]])).stages] == ["propagate"]
    found = count(mono([[3]], [[1], [1]]))
    assert (found.count, found.is_exact) == (0, True)
    assert found.reason == "row 1 (clue 3) needs at least 3 cells, it has 2"
    assert found == nonosat.count(found.puzzle)


def test_hard_unique_puzzles_are_decided_by_their_backbone() -> None:
    found = count(nonosat.load("instances/hard.jsonl#steps-long"))
    assert (found.count, found.is_exact) == (1, True)


def test_bad_limits_are_refused() -> None:
    for limits in ({"time_limit_s": 0}, {"memory_limit_mib": 0}, {"time_limit_s": math.nan}):
        with pytest.raises(UnsupportedError):
            count(mono([[1]], [[1]]), **limits)
    assert count(mono([[1]], [[1]]), time_limit_s=math.inf).limits == Limits()


def test_numbers_of_any_length_are_printed() -> None:
    for number in (0, 7, 10**3999, 10**4000, 10**4001 + 5, 3**30000, 10**20000 - 1):
        text = digits(number)
        assert text == "0" or text[0] != "0"
        assert int_of(text) == number
    assert solutions_text(0, is_exact=True) == "no solution"
    assert solutions_text(1, is_exact=True) == "exactly one solution"
    assert solutions_text(1, is_exact=False) == "at least 1 solution"
    assert solutions_text(12, is_exact=True) == "12 solutions"


def int_of(text: str) -> int:
    value = 0
    for at in range(0, len(text), 1000):
        part = text[at : at + 1000]
        value = value * 10 ** len(part) + int(part)
    return value


def test_models_that_are_no_boards_are_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    from nonosat.core.model import Model
    from nonosat.puzzles import nonogram

    def without_board(puzzle: Nonogram) -> Model:
        whole = build(puzzle)
        return Model(whole.num_vars, tuple(whole.lines), tuple(whole.counts), whole.clauses)

    monkeypatch.setitem(vars(nonogram.PLUGIN), "build", without_board)
    assert count(mono([[1], [1]], [[1], [1]])).count == 2
    assert nonosat.backbone(mono([[1]], [[1]])).settled.chosen() == [(1,)]


@pytest.mark.parametrize("seed", range(6))
def test_a_backbone_between_two_turns_does_not_affect_the_count(
    seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One backbone decides further cells, another finds none beyond those of lines."""
    puzzle = noise(14, seed)
    expected = exact(puzzle)
    for name in ("FIRST_WORK", "_MOST_WORK"):
        monkeypatch.setattr(counting, name, 1)
    found = count(puzzle, time_limit_s=60)
    assert (found.count, found.is_exact) == (expected, True)
    assert "backbone" in [stage.name for stage in found.stages] or expected == 1


def test_no_thread_counts_beside_a_backbone_that_is_complete_soon(monkeypatch):
    def fail(*_):
        raise AssertionError("a count beside the backbone")

    monkeypatch.setattr(counting, "FIRST_WORK", 1)
    monkeypatch.setattr(counting, "SOON_S", 3600.0)
    monkeypatch.setattr(counting, "Threads", fail)
    puzzle = nonosat.nonogram([[1]] * 9, [[1]] * 9)
    assert nonosat.count(puzzle, jobs=4).count == factorial(9)
