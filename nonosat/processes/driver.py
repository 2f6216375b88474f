"""Loop that sends pieces of work to a pool and processes their outcomes.

Pieces are grouped into tasks of at most half a second, so that distribution costs little, or sent
one by one, if an outcome must be processed before the next piece begins. Invariant: when `_drive`
returns, every piece was processed once; when it raises, all running work has ended.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Generic, TypeVar

from nonosat.core import hooks
from nonosat.processes.pools import FinishedPiece, Pool

# A batch that is a large share of the collection would keep one worker busy while the others are
# idle (1000 tournament puzzles on 16 workers took 5.4 s, 0.8 s of work for each). Since the number
# of pieces is unknown until the last one has been read, the bound refers to the pieces distributed
# so far.
# Source: C. Polychronopoulos, D. Kuck (1987), guided self-scheduling.
BATCH_S = 0.5  # work in a batch
MOST_IN_BATCH = 1000
WEIGHT = 0.02  # weight of one piece in the mean
SHARES = 8  # a batch has at most this fraction of the average number given to a worker


class Pace:
    """Rule for the number of pieces in a batch: half a second of work, and a small share of all.

    Args:
        overhead_s: Seconds that a piece takes in addition to those that `learn` receives.
        num_workers: Workers that share the batches.

    Attributes:
        size: Number of pieces for the next batch.
    """

    def __init__(self, overhead_s: float, num_workers: int) -> None:
        self.size = 1
        self._overhead_s = overhead_s
        self._num_workers = num_workers
        self._num_handed_out = 0
        self._mean_s: float | None = None

    def begin(self, num_pieces: int) -> None:
        """Count a batch that has been distributed; batches grow by a factor of two at most."""
        self._num_handed_out += num_pieces
        if self._mean_s is not None:
            fitting = int(BATCH_S / (self._mean_s + self._overhead_s))
            share = self._num_handed_out // (SHARES * self._num_workers)
            self.size = max(1, min(fitting, share, 2 * self.size, MOST_IN_BATCH))

    def learn(self, seconds: float) -> None:
        """Include the seconds of a piece in the mean."""
        if self._mean_s is None:
            self._mean_s = seconds
        self._mean_s += WEIGHT * (seconds - self._mean_s)


WAIT_S = 0.2  # maximum wait for a piece, then `_report` is called
_Piece = TypeVar("_Piece")


class Driver(ABC, Generic[_Piece]):
    """Base of drivers, which send pieces to a pool.

    Args:
        pool: The pool; the caller closes it.
        overhead_s: Seconds that a piece takes in addition to those that `_take` yields; None to
            send each piece as a task of its own, and process its outcome before the next piece is
            sent.
    """

    def __init__(self, pool: Pool[Any], overhead_s: float | None) -> None:
        self._pool = pool
        self._pace = None if overhead_s is None else Pace(overhead_s, pool.num_workers)
        self._most_tasks = pool.num_workers * (1 if self._pace is None else 2)
        # By the task's number: its unfinished pieces, by index, and the time of its submission.
        self._under_way: dict[int, tuple[dict[int, _Piece], float]] = {}
        self._num_tasks = 0

    @abstractmethod
    def _sent(self, piece: _Piece) -> Any:
        """Return the form of a piece that is sent to the pool."""

    @abstractmethod
    def _take(self, ended: Sequence[tuple[_Piece, FinishedPiece]]) -> Iterable[float]:
        """Process the outcomes of pieces; yield the seconds of each."""

    @abstractmethod
    def _report(self) -> None:
        """Report progress; called after every end of pieces, and several times a second."""

    def _drive(self, pieces: Iterable[_Piece | None]) -> None:
        """Run all pieces.

        Args:
            pieces: The pieces, read when a worker is free; None if the next one is not ready yet,
                so that outcomes are processed meanwhile.

        Raises:
            NonosatError: The pool has no workers left.
        """
        tasks = self._tasks(pieces)
        is_more = True
        try:
            while True:
                if is_more and self._has_place():
                    is_more = self._submit(next(tasks, None))
                    if not is_more:
                        self._pool.no_more()
                if not (is_more or self._under_way):
                    return
                is_reading = is_more and self._has_place()
                self._collect(self._pool.done(0.0 if is_reading else WAIT_S))
                self._report()
        finally:
            self._pool.cancel()

    def _has_place(self) -> bool:
        return len(self._under_way) < self._most_tasks

    def _tasks(self, pieces: Iterable[_Piece | None]) -> Iterator[list[_Piece]]:
        """Group pieces into tasks; yield an empty task for each None."""
        found: list[_Piece] = []
        for piece in pieces:
            if piece is None:
                yield []
                continue
            found.append(piece)
            if self._pace is None or len(found) >= self._pace.size:
                yield found
                found = []
        if found:
            yield found

    def _submit(self, task: list[_Piece] | None) -> bool:
        """Submit a task unless it is empty; return False if it is None, the end of the tasks."""
        if task:
            if self._pace is not None:
                self._pace.begin(len(task))
            self._num_tasks += 1
            self._under_way[self._num_tasks] = (dict(enumerate(task)), hooks.clock())
            self._pool.submit(self._num_tasks, tuple(map(self._sent, task)))
        return task is not None

    def _collect(self, ended: Sequence[FinishedPiece]) -> None:
        if not ended:
            return
        taken: list[tuple[_Piece, FinishedPiece]] = []
        for done in ended:
            left, _ = self._under_way[done.number]
            taken.append((left.pop(done.place), done))
            if not left:
                del self._under_way[done.number]
        for seconds in self._take(taken):
            if self._pace is not None:
                self._pace.learn(seconds)
