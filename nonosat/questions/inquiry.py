"""Questions about many cells of one puzzle, by one engine or by several side by side.

Each question names cells and is answered by a solution that differs from a known one in some of
them, or by None. Engines in other threads are opened once there were some questions; they are told
what others have settled. The order of answers depends on timing where there are several.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Generator, Sequence
from contextlib import closing
from functools import partial

from nonosat.core.limits import Watch
from nonosat.processes.threads import Threads
from nonosat.questions.asker import Questioned, Subject

ALONE = 8  # questions before a second engine is opened; most boards need no more

Answered = tuple[list[int], bytes | None]  # the cells, and values of a solution


class Inquiry:
    """Questions about one puzzle.

    Args:
        subject: What engines are told; stays as it is.
        values: The known solution, a byte a cell.

    Attributes:
        num_asked: Questions so far.
    """

    def __init__(self, subject: Subject, values: bytes) -> None:
        self.num_asked = 0
        self._subject = subject
        self._values = values

    def answers(
        self, choose: Callable[[Container[int]], list[int]], jobs: int
    ) -> Generator[Answered, None, None]:
        """Answers as they come.

        Args:
            choose: The cells of the next question, without those that are given to it; none where
                there is nothing to ask by now.
            jobs: Engines.

        Raises:
            LimitReached: The watch or the budget ended it.
        """
        asker = self._subject.open(self._subject.watch)
        try:
            while cells := choose(()):
                if self._is_over() or (jobs > 1 and self.num_asked >= ALONE):
                    break
                self.num_asked += 1
                yield cells, asker.differing(cells, self._values)
            if jobs > 1:
                yield from self._side_by_side(choose, jobs, asker)
        finally:
            asker.close()

    def _is_over(self) -> bool:
        return self.num_asked >= self._subject.budget.questions

    def _side_by_side(
        self, choose: Callable[[Container[int]], list[int]], jobs: int, first: Questioned
    ) -> Generator[Answered, None, None]:
        seats: list[_Seat] = []
        busy: dict[int, list[int]] = {}  # what each seat is asked about
        try:
            with closing(Threads[int](jobs, self._subject.watch)) as threads:
                first.watch = threads.watch
                for asker in (first, *[None] * (jobs - 1)):
                    seats.append(_Seat(self._subject.copy(), threads.watch, asker))
                while self._hand_out(choose, seats, busy, threads):
                    number, values = threads.next()
                    cells = busy.pop(number)
                    if values is None:
                        for other in {*range(jobs)} - {number}:
                            seats[other].news += cells
                    yield cells, values
        finally:
            for seat in seats[1:]:
                seat.close()

    def _hand_out(
        self,
        choose: Callable[[Container[int]], list[int]],
        seats: Sequence[_Seat],
        busy: dict[int, list[int]],
        threads: Threads[int],
    ) -> bool:
        """Give a question to every seat that has none; whether somebody is at work then."""
        for number, seat in enumerate(seats):
            asked = {cell for cells in busy.values() for cell in cells}
            if number not in busy and not self._is_over() and (cells := choose(asked)):
                busy[number] = cells
                self.num_asked += 1
                threads.submit(number, partial(seat.ask, cells, self._values))
        return bool(busy)


class _Seat:
    """An engine that is asked in whatever thread, one question at a time.

    Attributes:
        asker: None until it is needed.
        news: Cells that others have settled since it was asked last.
    """

    def __init__(self, subject: Subject, watch: Watch, asker: Questioned | None) -> None:
        self.asker = asker
        self.news: list[int] = []
        self._subject = subject
        self._watch = watch

    def ask(self, cells: list[int], values: bytes) -> bytes | None:
        if self.asker is None:
            self.asker = self._subject.open(self._watch)
        news, self.news = self.news, []
        self.asker.settle(news, values)
        return self.asker.differing(cells, values)

    def close(self) -> None:
        if self.asker is not None:
            self.asker.close()
