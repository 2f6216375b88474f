"""Batches of puzzles on a Dask cluster: each is a task, done as `LocalExecutor` does it."""

from __future__ import annotations

from dataclasses import dataclass
from time import monotonic
from typing import Any

from nonosat.cluster.pool import ClusterPool
from nonosat.deciding import Asked, Record, end_data
from nonosat.executors import Answer, Batch, LocalExecutor
from nonosat.pools import WorkerDiedError


class ClusterExecutor:
    """Workers of a Dask cluster, each with the processes that `LocalExecutor` has.

    Args:
        address: See `ClusterPool`, which raises an error where it is of no use.
        asked: What is wanted of every puzzle.
    """

    def __init__(self, address: str, asked: Asked) -> None:
        self._pool: ClusterPool[Batch] = ClusterPool(address, Deciding(asked))
        self._batches: dict[int, tuple[Batch, float]] = {}  # with the moment it was submitted
        self.num_workers = self._pool.num_workers

    def submit(self, batch: Batch) -> None:
        """See `Executor`."""
        self._batches[batch.number] = (batch, monotonic())
        self._pool.submit(batch.number, batch)

    def answers(self, patience_s: float) -> list[Answer]:
        """See `Executor`; those of a batch come together."""
        found: list[Answer] = []
        for done in self._pool.done(patience_s):
            batch, since = self._batches.pop(done.number)
            records = done.outcome
            if isinstance(records, WorkerDiedError):
                record = end_data("crash", str(records), monotonic() - since)
                records = [(index, record) for index in range(len(batch.puzzles))]
            elif isinstance(records, Exception):
                raise records
            found += [Answer(done.number, index, record) for index, record in records]
        return found

    def cancel(self) -> None:
        """See `Executor`."""
        self._batches.clear()
        self._pool.cancel()

    def close(self) -> None:
        """See `Executor`."""
        self._pool.close()


@dataclass(frozen=True, slots=True)
class Deciding:
    """The work on batches of puzzles; see `nonosat.pools.Work`.

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
