"""Members at work on one model side by side, and who leads them.

Each follows phases from another start, and decides in another order; what they learn goes through
an exchange. The first one that has refuted everything but the solutions found ends the matter.

Verdicts do not depend on timing: what a member refutes follows from the clauses, and solutions that
are forbidden have been given. Which solution comes first does depend on it, unless the team goes by
rounds: then each member makes so many conflicts, or comes to its end, before mail is delivered and
solutions are looked at in the order of the members. A team may grow: a member that has stopped gets
twins, which do the turn that it is at from other starts. Invariant: whatever ends `solutions`, no
member is at work afterwards.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Mapping, Sequence
from contextlib import closing
from dataclasses import replace
from functools import partial

from nonosat.board.beliefs import MAX_SEED
from nonosat.core.limits import Watch
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
        recruit: Called when a member has been called, with that; returns those who join the team.
    """

    def __init__(
        self,
        members: Sequence[Member],
        watch: Watch,
        forbid: Callable[[Sequence[bytes]], None],
        by_rounds: bool = False,
        deliver: Callable[[], None] = lambda: None,
        recruit: Callable[[Member], Sequence[Member]] = lambda _: (),
    ) -> None:
        self.members = list(members)
        self._watch = watch
        self._forbid = forbid
        self._by_rounds = by_rounds
        self._deliver = deliver
        self._recruit = recruit
        self._runs: list[_Run] = []

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
        list_, self._runs = _Turns(turns), []
        self._forbid(seen)
        with closing(Threads[int](len(self.members), self._watch)) as threads:
            orders: dict[int, Turn | None] = dict.fromkeys(self._enter(list_, 0, seen, threads))
            num_at_work = 0
            while orders or num_at_work:
                num_at_work += len(orders)
                stops = self._stops(orders, num_at_work, threads)
                num_at_work -= len(stops)
                orders = {}
                for number, stop in stops.items():
                    if stop is None:
                        if self.is_exhausted:
                            return
                        continue
                    run = self._runs[number]
                    if stop is Halt.PAUSE:
                        yield b""
                    elif stop is Halt.CALLED:
                        self.members += self._recruit(self.members[number])
                        orders |= dict.fromkeys(self._enter(list_, run.place - 1, seen, threads))
                    elif isinstance(stop, bytes):
                        yield stop
                    is_alone = len(self._runs) == 1
                    orders[number] = run.next(seen, is_alone) if stop is Halt.TURN else None
                self._forbid(seen)
                self._deliver()

    def _enter(
        self, turns: _Turns, place: int, seen: Sequence[bytes], threads: Threads[int]
    ) -> range:
        """Let members that have no course yet begin at a place in the list; their numbers."""
        if len(self.members) > 1:
            threads.number = len(self.members)
            for member in self.members:
                member.watch = threads.watch
        budget = ROUND_CONFLICTS if self._by_rounds else None
        new = range(len(self._runs), len(self.members))
        for number in new:
            course = self.members[number].course(seen, budget)
            self._runs.append(_Run(number, course, turns, place))
        return new

    def _stops(
        self, orders: Mapping[int, Turn | None], num_at_work: int, threads: Threads[int]
    ) -> dict[int, _Stop]:
        """Let members go on; where those that have stopped since have come to, in their order."""
        if len(self._runs) == 1:
            return {number: self._runs[number].step(turn) for number, turn in orders.items()}
        for number, turn in orders.items():
            threads.submit(number, partial(self._runs[number].step, turn))
        num_awaited = num_at_work if self._by_rounds else 1
        return dict(sorted(threads.next() for _ in range(num_awaited)))


class _Turns:
    """A list of turns, made as far as somebody has asked for it."""

    def __init__(self, turns: Iterable[Turn]) -> None:
        self._rest = iter(turns)
        self._made: list[Turn] = []

    def at(self, place: int) -> Turn | None:
        while len(self._made) <= place:
            if (turn := next(self._rest, None)) is None:
                return None
            self._made.append(turn)
        return self._made[place]


class _Run:
    """A member on its way through the turns.

    Attributes:
        place: Of its next turn in the list.
    """

    def __init__(self, number: int, course: Course, turns: _Turns, place: int) -> None:
        self.place = place
        self._number = number
        self._course = course
        self._turns = turns

    def step(self, turn: Turn | None) -> _Stop:
        """Go on to where it stops next."""
        try:
            return self._course.send(turn)
        except StopIteration:
            return None

    def next(self, seen: Sequence[bytes], is_alone: bool) -> Turn | None:
        """Its next turn: the first member has them as they are, others have starts of their own.

        Once there is a solution, phases have done what they can. In a team turns with them are left
        out then: they may have been made before, for a member that is further on. Close to that
        solution the first member alone looks for another.
        """
        while (turn := self._turns.at(self.place)) is not None:
            self.place += 1
            is_first = self._number == 0
            if turn.is_near and not is_first:
                continue
            if turn.phases and not turn.is_near and seen and not is_alone:
                continue
            if is_first:
                return turn
            if turn.phases:
                phases = turn.phases.restarted(self._number)
                phases = replace(phases, seed=(phases.seed + self._number * APART) % (MAX_SEED + 1))
                turn = replace(turn, phases=phases)
            return replace(turn, pauses=False)
        return None
