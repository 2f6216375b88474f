"""One engine at work on the cells that presolve left open."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import replace
from itertools import chain
from time import perf_counter
from types import MappingProxyType
from typing import TYPE_CHECKING

from nonosat.backends import open_backend
from nonosat.board.presolve import Task
from nonosat.clauses.cnf import check_num_vars
from nonosat.clauses.translate import Tally, translate
from nonosat.core import plugins
from nonosat.core.blame import Suspects
from nonosat.core.limits import Watch
from nonosat.core.plugins import Engine, Exchange, Refiner
from nonosat.core.result import MAX_JOBS, Options, Stage
from nonosat.solving.auto import Turn
from nonosat.solving.choices import Choices, native_kinds
from nonosat.solving.member import Member
from nonosat.solving.team import Team

if TYPE_CHECKING:
    from nonosat.board.phases import Phases

ALONE_CONFLICTS = 500  # of an engine before it has twins


class Session:
    """An engine that knows the model over the open cells, or a team of them.

    Attributes:
        encoding: The encodings or formulations that it uses; none on the board.
        opening: The stage "encode", which opening it took; none on the board.
        is_exhausted: There are no further solutions.
    """

    def __init__(
        self,
        name: str,
        task: Task,
        options: Options,
        choices: Choices,
        watch: Watch,
        own: Mapping[str, str] = MappingProxyType({}),
    ) -> None:
        """Open the engine `name`; on the board it has options of its own."""
        self.encoding: Mapping[str, str] = {}
        self.is_exhausted = False
        self._name = name
        self._task = task
        self._options = options
        self._choices = choices
        self._watch = watch
        self._backend = plugins.find("backends", name)
        self.opening: list[Stage] = []
        self._num_open = self._num_narrowed = task.num_open()
        self._decided = 0
        self._engine: Engine
        self._exchange: Exchange | None = None  # of a team
        self._num_forbidden = 0
        self._members: list[Member] = []
        if self._backend.open_on_board is not None:
            task.reserve(watch)
            self._reduced = task.whole()
            self._engine = self._backend.open_on_board(task, dict(own))
            self._members = [self._member(None, ())]
        else:
            self._open_encoded()

    def _open_encoded(self) -> None:
        """An engine that knows the model over the open cells, redundant clauses included."""
        from nonosat.board import redundant
        from nonosat.board.phases import Phases

        started = perf_counter()
        watch, backend = self._watch, self._backend
        propagated = self._options.presolve != "none"
        self._reduced = reduced = self._task.reduce(watch.check, propagated=propagated)
        num_vars = reduced.model.num_vars
        check_num_vars(num_vars)
        choices = self._choices.formulations if backend.formulates else self._choices.encodings
        options = self._choices.formulations if backend.formulates else {}
        engine = open_backend(self._name, num_vars, self._options.seed, options, watch)
        self._engine = engine
        try:
            model = redundant.widened(reduced.model, self._options.redundant)
            self.encoding = {kind: choices[kind] for kind in model.kinds()}
            native = native_kinds(self._name, self._choices)
            size = translate(
                model,
                engine,
                self._choices.encodings,
                native=native,
                lazy=True,
                pause=watch.check,
            )
            more = Tally(engine)
            added = redundant.add_clauses(
                self._options.redundant, self._task, reduced, more, watch.check
            )
        except BaseException:
            self.close()
            raise
        detail = {
            "variables": num_vars,
            "auxiliaries": size.num_auxiliaries + more.size.num_auxiliaries,
            "clauses": size.num_clauses + more.size.num_clauses,
            "literals": size.num_lits + more.size.num_lits,
            **({"redundant": self._options.redundant, **added} if self._options.redundant else {}),
        }
        self.opening.append(Stage("encode", perf_counter() - started, 0, detail))
        # Beliefs about blocks are beliefs about their feasible starts.
        knows_blocks = not backend.formulates and "all-starts" not in self._options.redundant
        encoding = self._choices.encodings["line"] if knows_blocks else None
        self._members = [self._member(Phases(self._task, reduced, size, encoding), size.refiners)]

    def _member(self, phases: Phases | None, refiners: Sequence[Refiner]) -> Member:
        num_vars = self._reduced.model.num_vars
        return Member(self._name, self._engine, num_vars, phases, refiners, self._watch)

    @property
    def suspects(self) -> Suspects:
        """What gives the answers."""
        kind = "formulations" if self._backend.formulates else "encodings"
        return Suspects(self._name, kind, self.encoding)

    @property
    def reason(self) -> str:
        """Why the engine has refuted the model, where it can say so."""
        return self._engine.reason() if self.is_exhausted else ""

    def solutions(self, turns: Iterable[Turn], seen: Sequence[bytes]) -> Iterator[bytes]:
        """Values of the whole model, one solution after another, until the turns are over.

        None at all, b"", is a pause between two turns.

        Args:
            turns: The goes that the engine may have.
            seen: Values that the engine must not give; read again after each solution.

        Raises:
            LimitReached: A limit ended it.
        """
        lone = Team(self._members, self._watch, self._forbid, recruit=self._recruited)
        if self._watch.cores is not None and self._backend.has_teams:
            self._members[0].is_called = lambda: self._num_wanted() > len(self._members)
        if self._options.num_threads == 1 or not self._backend.has_teams:
            yield from self._led(lone, turns, seen)
            return
        alone, turns = _begun(iter(turns))
        if alone:
            yield from self._led(lone, alone, seen)
        if not self.is_exhausted:
            yield from self._led(self._team(self._options.num_threads), turns, seen)

    def _led(self, team: Team, turns: Iterable[Turn], seen: Sequence[bytes]) -> Iterator[bytes]:
        """The solutions of a team, which may have a single member."""
        with closing(team.solutions(turns, seen)) as run:
            for own in run:
                values = own and self._reduced.lift(own)
                if values and self._exchange and values in seen:  # another member was faster
                    continue
                if values:
                    self._decided = self._num_open
                yield values
        self.is_exhausted = team.is_exhausted
        # Where its turns are over, another engine goes on, from a board that it may have changed.
        num_left = 0 if self.is_exhausted else self._task.num_open()
        self._decided = self._num_open - num_left

    def _team(self, size: int) -> Team:
        """Twins of the engine, each with phases of its own."""
        by_rounds = self._options.deterministic
        exchange = self._begin_team(size, is_prompt=not by_rounds)
        self._grow(self._members[0], size)
        return Team(self._members, self._watch, self._forbid, by_rounds, exchange.deliver)

    def _begin_team(self, most: int, *, is_prompt: bool) -> Exchange:
        """Make the engine the first of a team, which may have so many in the end."""
        (first,) = self._members
        self._exchange = self._engine.lead(most, is_prompt=is_prompt)
        if first.phases:
            first.phases.detach()
        return self._exchange

    def _grow(self, of: Member, size: int) -> Sequence[Member]:
        """Twins of a member that is not at work, until the team has the size."""
        new: list[Member] = []
        while len(self._members) < size:
            new.append(of.twin(of.engine.recruit(self._exchange, len(self._members))))
            self._members.append(new[-1])
        return new

    def _recruited(self, called: Member) -> Sequence[Member]:
        """Those who join a team, now that there are cores for them."""
        if self._exchange is None:
            self._begin_team(MAX_JOBS, is_prompt=True)
        new = self._grow(called, self._num_wanted())
        self._num_forbidden = 0  # the one they are twins of may not have heard of all of them
        return new

    def _num_wanted(self) -> int:
        """How many members there may be by now; memory has to suffice for twice what they have."""
        num_now = len(self._members)
        wanted = 1 if self._watch.cores is None else min(self._watch.cores(), MAX_JOBS)
        return self._watch.num_affordable(wanted, num_now) if wanted > num_now else wanted

    def _say(self, clause: Sequence[int]) -> None:
        """What the engine, or every one of a team, must know from now on."""
        if self._exchange is None:
            self._engine.add(clause)
        else:
            self._exchange.tell(clause)

    def _forbid(self, seen: Sequence[bytes]) -> None:
        """Forbid the solutions that are not forbidden yet."""
        model = self._reduced.model
        for values in seen[self._num_forbidden :]:
            if model.blocked_on is None:
                self._say([-lit for lit in self._reduced.restrict(values)])
            elif model.blocked_by_true:
                self._say([-lit for lit in model.blocked_on if values[lit]])
            else:
                self._say([-v if values[v] else v for v in model.blocked_on])
            self._num_forbidden += 1

    def narrow(self) -> None:
        """Tell an engine of clauses what has been ruled out on the board since it was opened."""
        board, shape, num_open = self._task.board, self._task.shape, self._task.num_open()
        is_on_board = self._backend.open_on_board is not None  # such an engine sees the board
        if is_on_board or board is None or shape is None or num_open == self._num_narrowed:
            return
        self._num_narrowed = num_open
        cells = board.cells()
        planes = [board.plane(value) for value in range(1 + shape.num_colours)]
        for var, original in enumerate(self._reduced.origin[1:], start=1):
            cell, colour = shape.place(original)
            if cells[cell] == colour:
                self._say([var])
            elif not planes[colour][cell]:
                self._say([-var])

    def end(self) -> None:
        """Note that the cells are decided: another engine has ended the matter."""
        self._decided = self._num_open

    def stages(self) -> list[Stage]:
        """The stages since it was opened: beliefs, then search or solving."""
        first, *others = self._members
        phases, counts = first.phases, Counter(self._engine.statistics())
        for twin in others:
            counts.update(twin.engine.statistics())
            if phases and twin.phases:
                phases.add(twin.phases)
        beliefs = [phases.stage()] if phases and phases.num_given else []
        name = self._name if self._backend.on_board else "solve"
        cuts = {"cuts": sum(one.num_cuts for one in self._members)} if first.refiners else {}
        threads = {"threads": len(self._members)} if others else {}
        detail = {"engine": self._name, **threads, **cuts, **counts}
        seconds = max(member.seconds for member in self._members)
        return [*beliefs, Stage(name, seconds, self._decided, detail)]

    def close(self) -> None:
        """Free the engine, or the team."""
        with self._watch.shield:  # half done, some engine would be freed twice
            self._engine.close()
            for twin in self._members[1:]:
                twin.engine.close()


def _begun(turns: Iterator[Turn]) -> tuple[Sequence[Turn], Iterator[Turn]]:
    """What an engine does alone, before it has twins, and what is left for all of them.

    Easy puzzles end there; a thread and a twin would cost them more than they save. Where the first
    turn decimates for longer than on small boards, that alone takes long.
    """
    from nonosat.board import decimation

    first = next(turns)
    how = first.phases
    if isinstance(how, decimation.Settings) and how.effort > decimation.FURTHER.effort:
        return (), chain([first], turns)
    if first.budget is not None and first.budget <= ALONE_CONFLICTS:
        return (first,), turns
    return (replace(first, budget=ALONE_CONFLICTS, pauses=False),), chain([first], turns)
