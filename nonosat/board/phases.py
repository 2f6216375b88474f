"""Phases (values that an engine tries first) from belief propagation or from decimation.

Phases decide nothing: an engine that follows them to a contradiction learns as from any decision.
On puzzles of many solutions they often lead straight to one; they prove no uniqueness. The option
for them is called `hints`.

Source: hyouv's FastNonogramSolver, which sets phases of a SAT engine by belief propagation.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import asdict, fields
from time import perf_counter
from typing import Any

from nonosat.board import beliefs, decimation
from nonosat.board.presolve import PresolvedModel, Reduced
from nonosat.clauses.translate import Size
from nonosat.core import plugins
from nonosat.core.errors import UnsupportedError, meant
from nonosat.core.limits import Watch
from nonosat.core.plugins import Engine
from nonosat.core.result import Stage

How = beliefs.Settings | decimation.Settings | decimation.Decimated
_SETTINGS: dict[str, type[beliefs.Settings | decimation.Settings]] = {
    "beliefs": beliefs.Settings,
    "decimation": decimation.Settings,
}


def settings_of(text: str) -> beliefs.Settings | decimation.Settings | None:
    """Parse a text such as "beliefs:rounds=100,damping=0.3"; None stands for no phases.

    Raises:
        UnsupportedError: It is neither "none" nor "beliefs" or "decimation" with known settings in
            range.
    """
    name, colon, rest = text.partition(":")
    if text == "none":
        return None
    if name not in _SETTINGS or (colon and not rest):
        raise UnsupportedError(
            f"there are no hints {text!r}{meant(name, ('none', *_SETTINGS))}; there are: none, "
            "beliefs, decimation, and these with settings, as in beliefs:rounds=100,damping=0.3"
        )
    settings = _SETTINGS[name]
    kinds = {one.name: int if one.type == "int" else float for one in fields(settings)}
    requested: dict[str, Any] = {}
    for pair in rest.split(",") if rest else ():
        key, _, value = pair.partition("=")
        if key not in kinds or key in requested:
            raise UnsupportedError(
                f"hints have {pair!r}, expected each once of {', '.join(kinds)} as NAME=VALUE"
            )
        try:
            requested[key] = kinds[key](value)
        except ValueError:
            raise UnsupportedError(f"hints have {pair!r}, expected a number") from None
    return settings(**requested)


class Phases:
    """Source of phases for engines that solve a reduced model.

    Args:
        task: Presolved model from which the reduced one was made.
        reduced: The reduced model.
        size: Size of its translation to clauses.
        encoding: Name of the line encoding, for phases of its own variables; None for cells only.
    """

    def __init__(
        self, task: PresolvedModel, reduced: Reduced, size: Size, encoding: str | None
    ) -> None:
        self._task = task
        self._reduced = reduced
        self._of_line = plugins.find("encodings", f"line-{encoding}").phases if encoding else None
        first = reduced.model.num_vars + 1
        self._firsts = [first + before for before in size.line_firsts]
        self._seconds = 0.0
        self._name = ""
        self._detail: dict[str, Any] = {}
        self._counts: Counter[str] = Counter()  # of decimation, summed over all calls
        self.num_given = 0

    def give(self, engine: Engine, how: How, watch: Watch) -> None:
        """Compute the likelier value of each variable, and set the phases of an engine to them.

        Args:
            engine: The engine.
            how: Settings of belief propagation or of decimation, or a result of decimation.
            watch: Limits of the computation.

        Raises:
            UnsupportedError: The model has no board, or the engine supports no phases.
            LimitReached: A limit of the watch is reached.
        """
        started = perf_counter()
        found = self._found(how, watch)
        if found is not None:  # else the board has no solution, and the engine will find that
            lits = beliefs.phases(found, self._reduced, self._of_line, self._firsts)
            if not engine.set_phases(lits):
                raise UnsupportedError("the backend takes no hints; leave them out")
            settings = how.settings if isinstance(how, decimation.Decimated) else how
            self._detail = self._detail or {**asdict(settings), "suggested": len(lits)}
        self._name = self._name or ("beliefs" if isinstance(how, beliefs.Settings) else "decimate")
        self.num_given += 1
        self._seconds += perf_counter() - started

    def _found(self, how: How, watch: Watch) -> beliefs.Beliefs | None:
        """Return the beliefs; None if the board has no solution."""
        if isinstance(how, decimation.Decimated):
            return how.beliefs
        if isinstance(how, beliefs.Settings):
            return beliefs.beliefs(self._task, how, watch)
        reached = decimation.decimate(self._task, how, watch)
        if reached is None:
            return None
        self._counts.update(reached.counts, complete=int(reached.is_complete))
        return reached.beliefs

    def stage(self) -> Stage:
        """Return a record of the first settings, the number of calls, and the work done."""
        detail = {**self._detail, **self._counts, "times": self.num_given}
        return Stage(self._name, self._seconds, 0, detail)
