"""Does the runs that a book of results lacks: one by one here, in batches on a cluster.

On this machine each run is a task of its own, and stands on the disk before the next one begins in
its place. A cluster is given batches of about half a second of work, in the order of the book, so
that configurations are interleaved there as well.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby, islice
from time import monotonic
from typing import Any

from nonosat.batch.environment import environment
from nonosat.bench.book import Book, Job, Reply, crash, message_of
from nonosat.bench.process import Message, Zygote
from nonosat.bench.records import Status
from nonosat.core.errors import NonosatError
from nonosat.processes.driver import Driver
from nonosat.processes.pools import Done, Pool
from nonosat.processes.tools import Work

# The work on runs: each goes to a zygote (`process.py`), here or on a cluster.
#
# A zygote that dies is replaced and its run is done again; a run during which zygotes die three
# times is recorded as a crash. A zygote holds its runs to their limits by itself.


@dataclass(frozen=True, slots=True)
class Running(Work[Message, Zygote]):
    """Work whose pieces are messages, and whose outcomes are replies.

    Args:
        configurations: Their options, to import what they need.
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
        del seconds  # of several tries
        return crash(str(error))


OVERHEAD_S = 0.015  # of a run, at most


class Crew(Driver[Job]):
    """Does all the runs that a book lacks.

    Args:
        book: The results.
        pool: Where runs are done; the caller closes it.
        tell: Called after every task and several times a second.
        is_batched: Whether tasks are batches.

    Attributes:
        total: Runs there were to do.
        statuses: Those that are done, by status.
        started: When the work began, by the monotonic clock.
    """

    def __init__(
        self,
        book: Book,
        pool: Pool[Message],
        tell: Callable[[Crew], None],
        is_batched: bool = False,
    ) -> None:
        super().__init__(pool, OVERHEAD_S if is_batched else None)
        self._book = book
        self._show = tell
        self._jobs = book.missing()
        self.total = len(self._jobs)
        self.statuses: Counter[Status] = Counter()
        self.started = monotonic()

    @property
    def done(self) -> int:
        """How many runs are recorded."""
        return self.statuses.total()

    def running(self) -> list[tuple[Job, float]]:
        """The jobs at work and since when, by the monotonic clock; the slowest first.

        The first job of a batch stands for the whole batch.
        """
        tasks = islice(self._under_way.values(), self._pool.num_workers)
        return [(next(iter(jobs.values())), since) for jobs, since in tasks]

    def run(self) -> None:
        """Do all runs; on any exception everything that was at work has ended.

        Raises:
            NonosatError: There is nobody who can do them.
        """
        if self.total:
            self._book.begin(self._pool.on_hosts(environment))
            self._drive(self._jobs)

    def _sent(self, piece: Job) -> Message:
        return message_of(self._book.suite, piece)

    def _take(self, ended: Sequence[tuple[Job, Done]]) -> list[float]:
        seconds = []
        for host, found in groupby(ended, lambda pair: pair[1].host):
            if host and host not in self._book.header.hosts:  # it has joined since
                self._book.begin({host: {}, **self._pool.on_hosts(environment)})
            runs = self._book.write([(job, done.outcome) for job, done in found], host)
            self.statuses.update(run.status for run in runs)
            seconds += [run.wall_s for run in runs]
        return seconds

    def _tell(self) -> None:
        self._show(self)
