"""An engine that is told constraints piece by piece, each through its encoding or as it is.

The variables of whoever tells are 1, 2, ... in the order of their making; the engine's may be
others, since encodings make variables of their own in between.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from nonosat.backends import RemoteEngine, answer_of, open_backend, values_of
from nonosat.clauses.cnf import check_num_vars
from nonosat.clauses.translate import Size, translate
from nonosat.core import families, plugins
from nonosat.core.blame import Suspects
from nonosat.core.errors import BackendError, UnsupportedError
from nonosat.core.limits import Watch
from nonosat.core.model import FALSE, TRUE, Clause, Count, Line, Loop, Model, Values
from nonosat.core.plugins import Answer, Engine
from nonosat.core.result import Options
from nonosat.solving.auto import ENGINE
from nonosat.solving.choices import Choices, choices_of, native_kinds


def engine_of(options: Options) -> str:
    """The engine that `options` name for a model.

    Raises:
        UnsupportedError: It takes no models, or nothing has the name.
    """
    name = ENGINE if options.backend == "auto" else options.backend
    if families.is_method(name):
        raise UnsupportedError(
            f"{name!r} is a method for {' and '.join(families.with_method(name)) or 'puzzles'}, "
            f"not for models; {ENGINE!r} is one for models"
        )
    backend = plugins.find("backends", name)
    if backend.on_board or backend.hints != "none":
        raise UnsupportedError(
            f"backend {name!r} needs a puzzle with rows and columns of clues, not a model; "
            f"{ENGINE!r} is one for models, and so are engines without hints, as in "
            "portfolio:learn,cadical195"
        )
    return name


def engine_choices(options: Options) -> Choices:
    """The encodings and formulations that `options` stand for; raises what `engine_of` raises."""
    return choices_of(replace(options, backend=engine_of(options)))


def names_failed(name: str) -> bool:
    """Whether an engine says which assumptions it refuted."""
    return plugins.find("backends", name).explains


class LiveModel:
    """An engine and what it has been told.

    Args:
        num_vars: The variables that there are at first.
        options: Backend, encodings, formulations and seed.
        watch: Holds for everything that is told to an engine in a child.

    Attributes:
        name: The engine's.
        size: What encodings have made so far.
        encoding: The encodings or formulations used so far, by constraint kind.
        num_cuts: Clauses that refiners have added.

    Raises:
        UnsupportedError: Options that do not go together; the message lists what would work.
    """

    def __init__(self, num_vars: int, options: Options, watch: Watch) -> None:
        self.name = engine_of(options)
        choices = engine_choices(options)
        backend = plugins.find("backends", self.name)
        self._encodings = choices.encodings
        self._used = choices.formulations if backend.formulates else choices.encodings
        self._kind = "formulations" if backend.formulates else "encodings"
        self._native = native_kinds(self.name, choices)
        self.size = Size()
        self.encoding: dict[str, str] = {}
        self.num_cuts = 0
        self._watch = watch
        check_num_vars(num_vars)
        own = choices.formulations if backend.formulates else {}
        self._engine: Engine = open_backend(self.name, num_vars, options.seed, own, watch)
        self._vars = list(range(num_vars + 1))  # the engine's, by ours
        # Formulations know the variables that an engine was opened with, and no others.
        self.may_grow = not backend.formulates

    @property
    def is_lost(self) -> bool:
        """Whether its process was ended by a limit or an interruption."""
        engine = self._engine
        return isinstance(engine, RemoteEngine) and not (engine.child and engine.child.is_alive)

    @property
    def suspects(self) -> Suspects:
        """What gives the answers."""
        return Suspects(self.name, self._kind, dict(self.encoding))

    @property
    def num_vars(self) -> int:
        """Ours are 1 .. num_vars."""
        return len(self._vars) - 1

    def sizes(self) -> dict[str, int]:
        """What encodings have made, as a stage tells it."""
        size = self.size
        return {
            "auxiliaries": size.num_auxiliaries,
            "clauses": size.num_clauses,
            "literals": size.num_lits,
        }

    def grow(self, num_vars: int) -> None:
        """Make variables until there are so many."""
        count = num_vars + 1 - len(self._vars)
        if count > 0:
            first = self._engine.new_vars(count)
            self._vars += range(first, first + count)

    def tell(self, model: Model) -> None:
        """Constraints over the variables that there are.

        Raises:
            UnsupportedError: An encoding cannot.
            LimitReached: The watch ended it.
        """
        size = translate(
            self._renamed(model),
            self._engine,
            self._encodings,
            native=self._native,
            lazy=True,
            pause=self._watch.check,
        )
        self.size.num_auxiliaries += size.num_auxiliaries
        self.size.num_clauses += size.num_clauses
        self.size.num_lits += size.num_lits
        self.size.refiners += size.refiners
        self.encoding.update((kind, self._used[kind]) for kind in model.kinds())

    def forbid(self, lits: Iterable[int]) -> None:
        """These do not all hold."""
        self._engine.add([-self._own(lit) for lit in lits])

    def suggest(self, lits: Iterable[int]) -> None:
        """Prefer these in decisions, where the engine can."""
        self._engine.suggest([self._own(lit) for lit in lits])

    def ask(self, assumptions: Sequence[int], watch: Watch, budget: int | None = None) -> Answer:
        """The engine's answer, asked again as long as a refiner has something to add.

        Raises:
            LimitReached: The watch ended it between two questions.
            UnsupportedError: The engine takes no assumptions, or keeps to no budget.
        """
        if FALSE in assumptions:
            return Answer.UNSAT
        own = [self._own(lit) for lit in assumptions if lit != TRUE]
        while True:
            answer = answer_of(self.name, self._engine.solve(own, watch, budget))
            if answer is not Answer.SAT or not self._refine():
                return answer
            watch.check()

    def _refine(self) -> bool:
        """Tell the engine what its values violate; whether there was anything."""
        refiners = self.size.refiners
        values = self._found() if refiners else b""
        cuts = [cut for refiner in refiners for cut in refiner(values)]
        for cut in cuts:
            self._engine.add(cut)
        self.num_cuts += len(cuts)
        return bool(cuts)

    def _found(self) -> bytes:
        return values_of(self.name, self._engine.values(), self._vars[-1])

    def values(self) -> Values:
        """After SAT."""
        found, last = self._found(), len(self._vars) - 1
        if self._vars[last] == last:
            return Values(b"\0" + bytes(found[1 : last + 1]))
        return Values(b"\0" + bytes(found[var] for var in self._vars[1:]))

    def failed(self, assumptions: Sequence[int]) -> tuple[int, ...]:
        """After UNSAT under assumptions: those that cannot hold together, in their order.

        Raises:
            BackendError: The engine names others.
        """
        if FALSE in assumptions:
            return (FALSE,)
        named = set(self._engine.failed())
        found = tuple(lit for lit in dict.fromkeys(assumptions) if self._own(lit) in named)
        if len(found) != len(named):
            raise BackendError(
                f"{self.name} names failed assumptions that were not made",
                advice=self.suspects.advice(),
            )
        return found

    def statistics(self) -> dict[str, int]:
        """The engine's counters, with the cuts where there are lazy encodings."""
        cuts = {"cuts": self.num_cuts} if self.size.refiners else {}
        return {**cuts, **self._engine.statistics()}

    def close(self) -> None:
        """Free the engine."""
        with self._watch.shield:  # half done, some engine would be freed twice
            self._engine.close()

    # Variables

    def _own(self, lit: int) -> int:
        """The engine's literal."""
        if abs(lit) == TRUE:
            return lit
        return self._vars[lit] if lit > 0 else -self._vars[-lit]

    def _renamed(self, model: Model) -> Model:
        """The model over the engine's variables."""
        last = len(self._vars) - 1
        if self._vars[last] == last:
            return model
        model.refuse_others("the addition to an engine", Clause, Count, Line, Loop)
        return Model(
            self._vars[last],
            lines=tuple(self._line(line) for line in model.lines),
            counts=tuple(replace(count, lits=self._all(count.lits)) for count in model.counts),
            clauses=tuple(Clause(self._all(clause.lits)) for clause in model.clauses),
            loops=tuple(self._loop(loop) for loop in model.loops),
        )

    def _all(self, lits: Iterable[int]) -> tuple[int, ...]:
        return tuple(map(self._own, lits))

    def _line(self, line: Line) -> Line:
        return replace(line, cells=tuple(map(self._all, line.cells)))

    def _loop(self, loop: Loop) -> Loop:
        faces = None
        if loop.faces is not None:
            faces = [(self._own(left), self._own(right)) for left, right in loop.faces]
        return replace(
            loop, edges=[(u, v, self._own(lit)) for u, v, lit in loop.edges], faces=faces
        )
