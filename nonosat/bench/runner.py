"""Does the runs that a book of results lacks: on this machine one by one, elsewhere in batches.

One run is a task of its own on this machine, and on the disk before its place is given the next. To
a cluster go batches of about half a second of work, in the order of the book, hence interleaved as
well; a batch that workers die of is done run by run, and what they still die of is a crash.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable, Sequence
from itertools import islice
from time import monotonic

from nonosat.batch.environment import environment
from nonosat.batch.pace import Pace
from nonosat.bench.book import Book, Job, death_of_zygote, message_of
from nonosat.bench.process import Message
from nonosat.bench.records import Status
from nonosat.processes.pools import Done, Pool, WorkerDiedError

OVERHEAD_S = 0.015  # of a run, at most
TELL_EVERY_S = 0.2


class Crew:
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
        pool: Pool[Sequence[Message]],
        tell: Callable[[Crew], None],
        is_batched: bool = False,
    ) -> None:
        self._book = book
        self._pool = pool
        self._tell = tell
        self._jobs = deque(book.missing())
        self._again: deque[Job] = deque()  # each to be a task of its own
        self._under_way: dict[int, tuple[list[Job], float]] = {}  # with the moment it was begun
        self._num_tasks = 0
        self._most_tasks = pool.num_workers * (2 if is_batched else 1)
        self._pace = Pace(OVERHEAD_S) if is_batched else None
        self.total = len(self._jobs)
        self.statuses: Counter[Status] = Counter()
        self.started = monotonic()

    @property
    def done(self) -> int:
        """How many runs are recorded."""
        return self.statuses.total()

    def running(self) -> list[tuple[Job, float]]:
        """The jobs at work and since when, by the monotonic clock; the slowest first.

        Of a batch it is the first job that stands for all.
        """
        tasks = islice(self._under_way.values(), self._pool.num_workers)
        return [(jobs[0], since) for jobs, since in tasks]

    def run(self) -> None:
        """Do all runs; on any exception everything that was at work has ended.

        Raises:
            BackendError: There is nobody to do them.
        """
        if self.total:
            self._book.begin(self._pool.on_hosts(environment))
        try:
            while self.done < self.total:
                self._hand_out()
                for done in self._pool.done(TELL_EVERY_S):
                    self._take(done)
                self._tell(self)
        finally:
            self._pool.cancel()

    def _hand_out(self) -> None:
        while len(self._under_way) < self._most_tasks and (jobs := self._next()):
            self._num_tasks += 1
            self._under_way[self._num_tasks] = (jobs, monotonic())
            messages = tuple(message_of(self._book.suite, job) for job in jobs)
            self._pool.submit(self._num_tasks, messages)

    def _next(self) -> list[Job]:
        """The jobs of the next task; none if there are none left."""
        if self._again:
            return [self._again.popleft()]
        if self._pace is None:
            size = 1
        else:
            self._pace.begin()
            size = self._pace.size
        return [self._jobs.popleft() for _ in range(min(size, len(self._jobs)))]

    def _take(self, done: Done) -> None:
        """Record what became of a task."""
        jobs, _ = self._under_way.pop(done.number)
        replies = done.outcome
        if isinstance(replies, WorkerDiedError):
            if len(jobs) > 1:
                self._again.extend(jobs)
                return
            replies = [death_of_zygote(f"({replies})")]
        elif isinstance(replies, Exception):
            raise replies
        if done.host and done.host not in self._book.header.hosts:  # it has joined since
            self._book.begin({done.host: {}, **self._pool.on_hosts(environment)})
        runs = self._book.write(list(zip(jobs, replies, strict=True)), done.host)
        self.statuses.update(run.status for run in runs)
        if self._pace is not None:
            for run in runs:
                self._pace.learn(run.wall_s)
