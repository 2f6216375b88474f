"""Batches of puzzles on a Dask cluster: each is a task, done as `LocalExecutor` does it.

The puzzles of a batch that workers die of, again and again, become tasks of their own: the one
that workers still die of is recorded as `crash`, the others have their answers.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from time import monotonic
from typing import Any

from nonosat.batch.deciding import Asked, Record, end_data
from nonosat.batch.executors import Answer, Batch, LocalExecutor
from nonosat.processes.cluster.pool import ClusterPool
from nonosat.processes.pools import WorkerDiedError


class ClusterExecutor:
    """Workers of a Dask cluster, each with the processes that `LocalExecutor` has.

    Args:
        address: See `ClusterPool`, which raises an error where it is of no use.
        asked: What is wanted of every puzzle.
    """

    def __init__(self, address: str, asked: Asked) -> None:
        self._pool: ClusterPool[Batch] = ClusterPool(address, Deciding(asked))
        self._tasks: dict[int, _Task] = {}
        self._num_tasks = 0
        self.num_workers = self._pool.num_workers

    def submit(self, batch: Batch) -> None:
        """See `Executor`."""
        self._begin(batch, range(len(batch.puzzles)))

    def answers(self, patience_s: float) -> list[Answer]:
        """See `Executor`; those of a batch come together, unless workers have died of it."""
        found: list[Answer] = []
        for done in self._pool.done(patience_s):
            task = self._tasks.pop(done.number)
            records = done.outcome
            if isinstance(records, WorkerDiedError):
                if len(task.indices) > 1:
                    for index in task.indices:
                        self._begin(task.batch, (index,))
                    continue
                records = [(0, end_data("crash", str(records), monotonic() - task.since))]
            elif isinstance(records, Exception):
                raise records
            number, indices = task.batch.number, task.indices
            found += [Answer(number, indices[place], record) for place, record in records]
        return found

    def _begin(self, batch: Batch, indices: Sequence[int]) -> None:
        """Submit a batch, or the puzzles of it that have these places."""
        self._num_tasks += 1
        self._tasks[self._num_tasks] = _Task(batch, indices, monotonic())
        puzzles = tuple(batch.puzzles[index] for index in indices)
        self._pool.submit(self._num_tasks, Batch(batch.number, puzzles))

    def cancel(self) -> None:
        """See `Executor`."""
        self._tasks.clear()
        self._pool.cancel()

    def close(self) -> None:
        """See `Executor`."""
        self._pool.close()


@dataclass(frozen=True, slots=True)
class _Task:
    """A batch that is at work, or a part of it, and the moment it was submitted."""

    batch: Batch
    indices: Sequence[int]
    since: float


@dataclass(frozen=True, slots=True)
class Deciding:
    """The work on batches of puzzles; see `nonosat.processes.pools.Work`.

    Args:
        asked: What is wanted of every puzzle.
    """

    asked: Asked

    def open(self) -> _Decider:
        return _Decider(self.asked)


class _Decider:
    """A tool that decides batch after batch in one process."""

    def __init__(self, asked: Asked) -> None:
        self._executor = LocalExecutor(1, asked)
        self._num_puzzles = 0
        self._found: list[tuple[int, Record]] = []

    def begin(self, task: Batch) -> None:
        self._executor.submit(task)
        self._num_puzzles, self._found = len(task.puzzles), []

    def wait(self, patience_s: float) -> Any | None:
        """Index and record of every puzzle."""
        self._found += [(one.index, one.record) for one in self._executor.answers(patience_s)]
        return self._found if len(self._found) == self._num_puzzles else None

    def close(self) -> None:
        self._executor.close()
