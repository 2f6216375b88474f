"""Loop over pieces of work: each is done once, and the results are stored in their places."""

from __future__ import annotations

from collections import deque
from itertools import pairwise

import pytest

from nonosat.core.errors import BackendError
from nonosat.processes.driver import WAIT_S, Driver
from nonosat.processes.pools import FinishedPiece


class Pool:
    """Pool that squares numbers; the last submitted task is done first, on waiting.

    Args:
        num_workers: See `nonosat.processes.pools.Pool`.
        at_once: Number of pieces that are done together.
    """

    def __init__(self, num_workers: int = 2, at_once: int = 1) -> None:
        self.num_workers = num_workers
        self.tasks: list[tuple[int, deque[tuple[int, int]]]] = []
        self.sizes: list[int] = []
        self.patience: list[float] = []
        self.most = 0
        self.is_cancelled = self.is_ending = False
        self._at_once = at_once

    def submit(self, number, pieces):
        self.tasks.append((number, deque(enumerate(pieces))))
        self.sizes.append(len(pieces))
        self.most = max(self.most, len(self.tasks))

    def no_more(self):
        self.is_ending = True

    def done(self, patience_s):
        self.patience.append(patience_s)
        found = []
        while patience_s and self.tasks and len(found) < self._at_once:
            number, left = self.tasks[-1]
            place, piece = left.pop()
            found.append(FinishedPiece(number, place, piece * piece))
            if not left:
                self.tasks.pop()
        return found

    def cancel(self):
        self.is_cancelled = True


class Squares(Driver):
    """Work: square numbers, each of which is sent as its negative."""

    def __init__(self, pool, overhead_s, seconds=0.01):
        super().__init__(pool, overhead_s)
        self.squares = []
        self.num_told = 0
        self._seconds = seconds

    def _sent(self, piece):
        return -piece

    def _take(self, ended):
        self.squares += [(piece, done.outcome) for piece, done in ended]
        return [self._seconds] * len(ended)

    def _report(self):
        self.num_told += 1

    def run(self, pieces):
        self._drive(pieces)
        return sorted(self.squares)


@pytest.mark.parametrize("overhead_s", [None, 0.0])
@pytest.mark.parametrize("at_once", [1, 7])
def test_every_piece_is_taken_once(overhead_s, at_once):
    pool = Pool(at_once=at_once)
    driver = Squares(pool, overhead_s)
    assert driver.run(iter(range(200))) == [(number, number**2) for number in range(200)]
    assert driver.num_told >= 200 / (4 * 50)
    assert pool.is_cancelled


def test_tasks_of_one_piece_fill_the_places_and_no_more():
    pool = Pool(num_workers=3)
    Squares(pool, None).run(range(20))
    assert set(pool.sizes) == {1}
    assert pool.most == 3


@pytest.mark.parametrize(("seconds", "size"), [(0.09, 5), (0.0, 128), (9.0, 1)])
def test_tasks_grow_to_half_a_second(seconds, size):
    pool = Pool()
    Squares(pool, 0.001, seconds).run(range(3000))
    assert max(pool.sizes) >= size
    assert pool.most == 4
    assert all(after <= 2 * before for before, after in pairwise(pool.sizes))
    if seconds:
        assert max(pool.sizes) == size


@pytest.mark.parametrize("num_workers", [1, 4, 16])
def test_no_task_is_a_large_share_of_all_pieces(num_workers):
    pool = Pool(num_workers, at_once=100)
    Squares(pool, 0.0, 0.001).run(range(5000))
    shares = [size * num_workers / sum(pool.sizes[: at + 1]) for at, size in enumerate(pool.sizes)]
    assert all(share <= 1 / 8 for share, size in zip(shares, pool.sizes, strict=True) if size > 1)
    assert max(pool.sizes) >= 5000 // (16 * num_workers)


def test_other_work_goes_on_while_reading_takes_long():
    pool = Pool(num_workers=1)
    driver = Squares(pool, 0.0)
    assert len(driver.run([0, None, None, None, 1])) == 2
    assert pool.patience[:3] == [0.0, 0.0, 0.0]
    assert pool.patience[-1] == WAIT_S


def test_empty_work_ends_at_once():
    pool = Pool()
    assert Squares(pool, None).run([]) == []
    assert pool.patience == [0.0] * len(pool.patience)


@pytest.mark.parametrize("method", ["submit", "done"])
def test_any_exception_ends_the_work(monkeypatch, method):
    def fail(*_):
        raise BackendError("gone")

    pool = Pool()
    monkeypatch.setattr(pool, method, fail)
    with pytest.raises(BackendError, match="gone"):
        Squares(pool, None).run(range(3))
    assert pool.is_cancelled
