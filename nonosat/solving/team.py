"""Members at work on one model side by side, and who leads them.

Each follows phases from another start, and decides in another order; what they learn goes through
an exchange. The first one that has refuted everything but the solutions found ends the matter.

Verdicts do not depend on timing: what a member refutes follows from the clauses, and solutions that
are forbidden have been given. Which solution comes first does depend on it, unless the team goes by
rounds: then each member makes so many conflicts, or comes to its end, before mail is delivered and
solutions are looked at in the order of the members. Invariant: whatever ends `solutions`, no member
is at work afterwards.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import replace
from functools import partial
from itertools import tee

from nonosat.board.beliefs import MAX_SEED
from nonosat.limits import Watch
from nonosat.processes.threads import Threads
from nonosat.solving.auto import Turn
from nonosat.solving.member import Course, Halt, Member

ROUND_CONFLICTS = 1000  # between two deliveries, where a team goes by rounds
APART = 1000  # seeds of the phases of two members

_Stop = bytes | Halt | None  # where a course has stopped: None is its end


class Team:
    """Members that are led together; a single one works in this thread.

    Args:
        members: Their engines know the same model.
        watch: Holds for everything.
        forbid: Given all values that must not be given, tells all of them of those that are new.
        by_rounds: Whether solutions, too, shall not depend on timing.
        deliver: Called after each round.
    """

    def __init__(
        self,
        members: Sequence[Member],
        watch: Watch,
        forbid: Callable[[Sequence[bytes]], None],
        by_rounds: bool = False,
        deliver: Callable[[], None] = lambda: None,
    ) -> None:
        self.members = members
        self._watch = watch
        self._forbid = forbid
        self._by_rounds = by_rounds
        self._deliver = deliver

    @property
    def is_exhausted(self) -> bool:
        return any(member.is_exhausted for member in self.members)

    def solutions(
        self, turns: Iterable[Turn], seen: Sequence[bytes]
    ) -> Generator[bytes, None, None]:
        """Values of one solution after another, until the turns are over or there are no more.

        None at all, b"", is a pause. The same solution may be given by two members.

        Args:
            turns: What the first member does, as if it were alone. The others do the same from
                other starts.
            seen: Values that must not be given; read again after each solution.

        Raises:
            LimitReached: A limit ended it.
            BackendError: An engine failed.
        """
        lists = [iter(turns)]
        if len(self.members) > 1:
            copies = tee(turns, len(self.members))
            lists = [_own(number, copy, seen) for number, copy in enumerate(copies)]
        self._forbid(seen)
        with closing(Threads[int](len(self.members), self._watch)) as threads:
            courses = self._courses(seen, threads)
            orders: dict[int, Turn | None] = dict.fromkeys(range(len(courses)))
            num_at_work = 0
            while orders or num_at_work:
                num_at_work += len(orders)
                stops = self._stops(courses, orders, num_at_work, threads)
                num_at_work -= len(stops)
                orders = {}
                for number, stop in stops.items():
                    if stop is None:
                        if self.is_exhausted:
                            return
                        continue
                    if stop is Halt.PAUSE:
                        yield b""
                    elif isinstance(stop, bytes):
                        yield stop
                    orders[number] = next(lists[number], None) if stop is Halt.TURN else None
                self._forbid(seen)
                self._deliver()

    def _courses(self, seen: Sequence[bytes], threads: Threads[int]) -> list[Course]:
        if len(self.members) == 1:
            return [self.members[0].course(seen)]
        for member in self.members:
            member.watch = threads.watch
        budget = ROUND_CONFLICTS if self._by_rounds else None
        return [member.course(seen, budget) for member in self.members]

    def _stops(
        self,
        courses: Sequence[Course],
        orders: Mapping[int, Turn | None],
        num_at_work: int,
        threads: Threads[int],
    ) -> dict[int, _Stop]:
        """Let members go on; where those that have stopped since have come to, in their order."""
        if len(courses) == 1:
            return {number: _step(courses[number], turn) for number, turn in orders.items()}
        for number, turn in orders.items():
            threads.submit(number, partial(_step, courses[number], turn))
        num_awaited = num_at_work if self._by_rounds else 1
        return dict(sorted(threads.next() for _ in range(num_awaited)))


def _step(course: Course, turn: Turn | None) -> _Stop:
    try:
        return course.send(turn)
    except StopIteration:
        return None


def _own(number: int, turns: Iterator[Turn], seen: Sequence[bytes]) -> Iterator[Turn]:
    """The turns of a member: the first one has them as they are, others have starts of their own.

    Once there is a solution, phases have done what they can. Turns with them are left out then:
    they may have been made before, for a member that is further on.
    """
    for turn in turns:
        if turn.phases and seen:
            continue
        if number == 0:
            yield turn
        elif turn.phases:
            phases = turn.phases.restarted(number)
            phases = replace(phases, seed=(phases.seed + number * APART) % (MAX_SEED + 1))
            yield replace(turn, phases=phases, pauses=False)
        else:
            yield replace(turn, pauses=False)
