"""Performs the missing runs of a results file: one by one locally, in batches on a cluster.

Locally each run is a separate task, and is on disk before its worker starts the next one. A cluster
receives batches of about half a second of work, in the order of the file, so that configurations
are interleaved there as well.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby, islice
from typing import Any

from nonosat.batch.environment import environment
from nonosat.bench.book import Job, Reply, RunBook, crash, message_of
from nonosat.bench.process import Message, Zygote
from nonosat.bench.records import Status
from nonosat.core import hooks
from nonosat.core.errors import NonosatError
from nonosat.processes.driver import Driver
from nonosat.processes.pools import FinishedPiece, Pool
from nonosat.processes.tools import Work

# The work on runs: each goes to a zygote (`process.py`), here or on a cluster.
#
# A zygote that dies is replaced and its run is repeated; a run during which zygotes die three times
# is recorded as a crash. A zygote enforces the limits of its runs.


@dataclass(frozen=True, slots=True)
class Running(Work[Message, Zygote]):
    """Work for a pool of zygotes: a piece is a job as a message, its outcome the zygote's reply.

    Args:
        configurations: Options of the configurations, whose modules are imported in advance.
    """

    configurations: Sequence[Mapping[str, Any]]

    name = "processes that fork runs"
    most_deaths = 3

    def start(self) -> Zygote:
        return Zygote([dict(options) for options in self.configurations])

    def give(self, process: Zygote, pieces: Sequence[Message]) -> None:
        (message,) = pieces
        process.begin(message)

    def take(self, process: Zygote) -> tuple[Reply, bool]:
        return process.finish(), False

    def ended(self, error: NonosatError, seconds: float) -> Reply:
        del seconds  # measured over several attempts
        return crash(str(error))


OVERHEAD_S = 0.015  # upper bound per run


class RunDriver(Driver[Job]):
    """Driver of all missing runs of a book.

    Args:
        book: The results.
        pool: The workers; the caller closes it.
        report: Called after every task and several times a second.
        is_batched: True if tasks are batches.

    Attributes:
        total: Number of missing runs at the start.
        statuses: Number of finished runs by status.
        started: Start of the work by the monotonic clock.
    """

    def __init__(
        self,
        book: RunBook,
        pool: Pool[Message],
        report: Callable[[RunDriver], None],
        is_batched: bool = False,
    ) -> None:
        super().__init__(pool, OVERHEAD_S if is_batched else None)
        self._book = book
        self._show = report
        self._jobs = book.missing()
        self.total = len(self._jobs)
        self.statuses: Counter[Status] = Counter()
        self.started = hooks.clock()

    @property
    def done(self) -> int:
        """Number of recorded runs."""
        return self.statuses.total()

    def running(self) -> list[tuple[Job, float]]:
        """Return the jobs in progress and their start by the monotonic clock, the slowest first.

        The first job of a batch represents the whole batch.
        """
        tasks = islice(self._under_way.values(), self._pool.num_workers)
        return [(next(iter(jobs.values())), since) for jobs, since in tasks]

    def run(self) -> None:
        """Do all runs; after an exception no job is left running.

        Raises:
            NonosatError: There are no workers.
        """
        if self.total:
            self._book.begin(self._pool.on_hosts(environment))
            self._drive(self._jobs)

    def _sent(self, piece: Job) -> Message:
        return message_of(self._book.suite, piece)

    def _take(self, ended: Sequence[tuple[Job, FinishedPiece]]) -> list[float]:
        seconds = []
        for host, found in groupby(ended, lambda pair: pair[1].host):
            if host and host not in self._book.header.hosts:  # joined during the run
                self._book.begin({host: {}, **self._pool.on_hosts(environment)})
            runs = self._book.write([(job, done.outcome) for job, done in found], host)
            self.statuses.update(run.status for run in runs)
            seconds += [run.wall_s for run in runs]
        return seconds

    def _report(self) -> None:
        self._show(self)
