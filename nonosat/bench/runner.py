"""Runs what a book of results lacks, on this machine: so many zygotes side by side, one thread.

Every run is on the disk before its zygote is given the next one. A zygote that dies is replaced and
its job done again; a job with which zygotes die three times is recorded as a crash.
"""

from __future__ import annotations

import select
from collections import Counter, deque
from collections.abc import Callable
from contextlib import suppress
from time import monotonic

from nonosat.bench.book import Book, Job, Reply, death_of_zygote, message_of
from nonosat.bench.process import Zygote, ZygoteDied
from nonosat.bench.records import Run, Status
from nonosat.errors import BackendError

MOST_DEATHS = 3
TELL_EVERY_S = 0.2


class Crew:
    """Zygotes at work on the runs that a book lacks.

    Args:
        book: The results.
        num_workers: Runs side by side.
        tell: Called after every run and several times a second.

    Attributes:
        total: Runs there were to do.
        statuses: Those that are done, by status.
        started: When the work began, by the monotonic clock.
    """

    def __init__(self, book: Book, num_workers: int, tell: Callable[[Crew], None]) -> None:
        self._book = book
        self._tell = tell
        self._jobs = deque(book.missing())
        self.total = len(self._jobs)
        self.statuses: Counter[Status] = Counter()
        self.started = monotonic()
        self._deaths: Counter[tuple[str, str, int]] = Counter()
        count = min(num_workers, self.total)
        self._workers = [_Worker(book) for _ in range(count)]

    @property
    def done(self) -> int:
        """How many runs are recorded."""
        return self.statuses.total()

    def running(self) -> list[tuple[Job, float]]:
        """The jobs at work and since when, by the monotonic clock; the slowest first."""
        jobs = [(one.job, one.since) for one in self._workers if one.job is not None]
        return sorted(jobs, key=lambda pair: pair[1])

    def run(self) -> None:
        """Do all runs; on any exception everything below the zygotes has ended.

        Raises:
            BackendError: Zygotes do not even start.
        """
        try:
            while self.done < self.total:
                self._turn()
                self._tell(self)
        finally:
            for worker in self._workers:
                worker.stop()

    def _turn(self) -> None:
        """Wait for something to happen, and see to it."""
        poller = select.poll()
        by_fd = {worker.start(): worker for worker in self._workers if not worker.is_idle}
        for fd in by_fd:
            poller.register(fd, select.POLLIN)
        for fd, _ in poller.poll(1000 * TELL_EVERY_S):
            self._serve(by_fd[fd])

    def _serve(self, worker: _Worker) -> None:
        """Take what a worker has to say, and give it the next job."""
        job = worker.job
        try:
            reply = worker.take()
        except ZygoteDied as death:
            worker.stop()
            self._mourn(worker, job, death)
            return
        worker.num_false_starts = 0
        if job is not None:
            self._record(job, reply)
        worker.give(self._jobs.popleft() if self._jobs else None)

    def _mourn(self, worker: _Worker, job: Job | None, death: ZygoteDied) -> None:
        """A zygote has died: its job is done again, or given up."""
        if job is None:
            worker.num_false_starts += 1
            if worker.num_false_starts == MOST_DEATHS:
                raise BackendError(f"the process that forks runs does not start: {death}")
            return
        self._deaths[job.key] += 1
        if self._deaths[job.key] == MOST_DEATHS:
            self._record(job, death_of_zygote(str(death)))
        else:
            self._jobs.appendleft(job)
        if not self._jobs:
            worker.is_idle = True

    def _record(self, job: Job, reply: Reply) -> None:
        runs: list[Run] = self._book.write([(job, reply)])
        self.statuses.update(run.status for run in runs)


class _Worker:
    """A zygote, or none yet, and the job that it has."""

    def __init__(self, book: Book) -> None:
        self._suite = book.suite
        self._zygote: Zygote | None = None
        self.job: Job | None = None
        self.since = 0.0
        self.is_idle = False
        self.num_false_starts = 0

    def start(self) -> int:
        """See to it that there is a zygote; returns what to poll."""
        if self._zygote is None:
            self._zygote = Zygote([dict(one.options) for one in self._suite.configurations])
        return self._zygote.fileno()

    def take(self) -> Reply:
        """What the zygote says; raises ZygoteDied."""
        assert self._zygote is not None
        return self._zygote.finish()

    def give(self, job: Job | None) -> None:
        """Begin a job; None when there is none left."""
        self.job, self.since, self.is_idle = job, monotonic(), job is None
        if job is not None and self._zygote is not None:
            with suppress(ZygoteDied):  # noticed when its answer is taken
                self._zygote.begin(message_of(self._suite, job))

    def stop(self) -> None:
        """End the zygote with all that is below it."""
        zygote, self._zygote, self.job = self._zygote, None, None
        if zygote is not None:
            zygote.close()
