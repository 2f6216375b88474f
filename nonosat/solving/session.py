"""One engine at work on the cells that presolve left open."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator, Mapping, Sequence
from time import perf_counter
from types import MappingProxyType
from typing import TYPE_CHECKING

from nonosat import plugins
from nonosat.backends import answer_of, open_backend, values_of
from nonosat.blame import Suspects
from nonosat.board.presolve import Task
from nonosat.clauses.cnf import check_num_vars
from nonosat.clauses.translate import Tally, translate
from nonosat.errors import LimitReached
from nonosat.limits import Watch
from nonosat.plugins import Answer, Engine, Refiner
from nonosat.result import Options, Stage
from nonosat.solving.auto import Turn
from nonosat.solving.choices import Choices, native_kinds

if TYPE_CHECKING:
    from nonosat.board.phases import Phases


class Session:
    """An engine that knows the model over the open cells.

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
        self._seconds = 0.0
        self._num_open = self._num_narrowed = task.num_open()
        self._decided = 0
        self._phases: Phases | None = None
        self._refiners: list[Refiner] = []
        self._num_cuts = 0
        self._engine: Engine
        if self._backend.open_on_board is not None:
            task.reserve(watch)
            self._reduced = task.whole()
            self._engine = self._backend.open_on_board(task, dict(own))
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
            self._refiners = size.refiners
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
        self._phases = Phases(self._task, reduced, size, encoding, watch)

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
        num_forbidden, is_led = self._forbid(seen), False
        for turn in turns:
            if self._phases and turn.phases and not seen:
                self._phases.give(self._engine, turn.phases)
                is_led = True
            elif is_led and not turn.phases:
                self._engine.suggest(())
                is_led = False
            while (answer := self._ask(turn)) is Answer.SAT:
                values = self._values()
                self._decided = self._num_open
                yield self._reduced.lift(values)
                num_forbidden += self._forbid(seen[num_forbidden:])
                if turn.phases:  # a second solution is often close to the first
                    self._engine.suggest([v if values[v] else -v for v in range(1, len(values))])
                    turn = turn.near_solution()
            if answer is Answer.UNSAT:
                self.is_exhausted = True
                self._decided = self._num_open
                return
            if self._watch.reason():
                raise self._watch.limit()
            if turn.budget is None:
                raise LimitReached(self._engine.reason() or f"{self._name} gave up")
            if turn.pauses:
                yield b""
                num_forbidden += self._forbid(seen[num_forbidden:])
        # Its turns are over, another engine goes on, from a board that it may have changed.
        self._decided = self._num_open - self._task.num_open()

    def _ask(self, turn: Turn) -> Answer:
        """The engine's answer, asked again as long as a refiner has something to add."""
        started = perf_counter()
        try:
            while True:
                said = self._engine.solve((), self._watch, turn.budget)
                answer = answer_of(self._name, said)
                if answer is not Answer.SAT or not self._refine():
                    return answer
                self._watch.check()
        finally:
            self._seconds += perf_counter() - started

    def _values(self) -> bytes:
        return values_of(self._name, self._engine.values(), self._reduced.model.num_vars)

    def _refine(self) -> bool:
        """Add the clauses that the engine's model violates; whether there were any."""
        values = self._values() if self._refiners else b""
        cuts = [cut for refiner in self._refiners for cut in refiner(values)]
        for cut in cuts:
            self._engine.add(cut)
        self._num_cuts += len(cuts)
        return bool(cuts)

    def _forbid(self, solutions: Sequence[bytes]) -> int:
        model = self._reduced.model
        for values in solutions:
            if model.blocked_on is None:
                self._engine.add([-lit for lit in self._reduced.restrict(values)])
            elif model.blocked_by_true:
                self._engine.add([-lit for lit in model.blocked_on if values[lit]])
            else:
                self._engine.add([-v if values[v] else v for v in model.blocked_on])
        return len(solutions)

    def narrow(self) -> None:
        """Tell an engine of clauses what has been ruled out on the board since it was opened."""
        board, shape, num_open = self._task.board, self._task.shape, self._task.num_open()
        is_on_board = self._backend.open_on_board is not None  # such an engine sees the board
        if is_on_board or board is None or shape is None or num_open == self._num_narrowed:
            return
        self._num_narrowed = num_open
        cells = board.cells()
        planes = [board.plane(value) for value in range(1 + shape.num_colours)]
        units = array("i")
        for var, original in enumerate(self._reduced.origin[1:], start=1):
            cell, colour = shape.place(original)
            if cells[cell] == colour:
                units.extend((var, 0))
            elif not planes[colour][cell]:
                units.extend((-var, 0))
        self._engine.add_batch(units)

    def end(self) -> None:
        """Note that the cells are decided: another engine has ended the matter."""
        self._decided = self._num_open

    def stages(self) -> list[Stage]:
        """The stages since it was opened: beliefs, then search or solving."""
        beliefs = [self._phases.stage()] if self._phases and self._phases.num_given else []
        name = self._name if self._backend.on_board else "solve"
        cuts = {"cuts": self._num_cuts} if self._refiners else {}
        detail = {"engine": self._name, **cuts, **self._engine.statistics()}
        return [*beliefs, Stage(name, self._seconds, self._decided, detail)]

    def close(self) -> None:
        """Free the engine."""
        with self._watch.shield:  # half done, some engine would be freed twice
            self._engine.close()
