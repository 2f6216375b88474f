"""`check_plugin` finds faults of engines: wrong answers, ignored assumptions, hangs, exits."""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from threading import Event
from time import sleep
from typing import Any

import pytest

from nonosat.backends import learn
from nonosat.core.limits import Watch
from nonosat.core.plugins import Answer, Backend
from nonosat.testing import check_plugin, engines


def backend_of(engine: type[learn.LearningEngine], **changes: Any) -> Backend:
    def open_engine(name: str, num_vars: int, seed: int, options: dict[str, str]) -> Any:
        return engine(num_vars, seed, options.get("proof") == "yes")

    return learn.PLUGINS["learn"].replaced(open_engine=open_engine, **changes)


class IgnoresAssumptions(learn.LearningEngine):
    """Ignores its assumptions."""

    def solve(self, assumptions: Sequence[int], watch: Watch, budget: int | None = None) -> Answer:
        return super().solve((), watch, budget)


class Lossy(learn.LearningEngine):
    """Ignores batches."""

    def add_batch(self, clauses: array[int]) -> None:
        pass


class WrongModels(learn.LearningEngine):
    """Engine whose models are inverted."""

    def values(self) -> bytes:
        return bytes(1 - value for value in super().values())


class IgnoresBudget(learn.LearningEngine):
    """Ignores its budget."""

    def solve(self, assumptions: Sequence[int], watch: Watch, budget: int | None = None) -> Answer:
        return super().solve(assumptions, watch)


class Stuck(learn.LearningEngine):
    """Ignores limits; only `interrupt` ends it."""

    def solve(self, assumptions: Sequence[int], watch: Watch, budget: int | None = None) -> Answer:
        self.is_stopped = Event()
        self.is_stopped.wait()
        return Answer.UNKNOWN

    def interrupt(self) -> None:
        self.is_stopped.set()


class Slow(learn.LearningEngine):
    """Answers only after its time limit."""

    def solve(self, assumptions: Sequence[int], watch: Watch, budget: int | None = None) -> Answer:
        while not watch.poll():
            sleep(0.001)
        return Answer.UNKNOWN


class Leaving(learn.LearningEngine):
    def solve(self, assumptions: Sequence[int], watch: Watch, budget: int | None = None) -> Answer:
        raise SystemExit(3)


class WrongCore(learn.LearningEngine):
    """Returns an assumption in its core that was not made."""

    def failed(self) -> list[int]:
        return [77]


class Proofless(learn.LearningEngine):
    def proof(self) -> bytes:
        return b"1 2"


@pytest.mark.parametrize(
    ("backend", "message"),
    [
        (backend_of(IgnoresAssumptions), r"it answers Answer.SAT under \(.*expected Answer.UNSAT"),
        (backend_of(Lossy), r"which \[\[1, 2, 3\].* forbid .*clauses in batches"),
        (backend_of(WrongModels), "TRUE and FALSE in clauses"),
        (backend_of(IgnoresBudget), "a hard formula within five units"),
        (backend_of(Leaving), "SystemExit: 3"),
        (backend_of(WrongCore, explains=True), r"\[77\] failed, expected some of the assumptions"),
        (backend_of(Proofless), "expected lines of DRAT"),
        (
            backend_of(IgnoresAssumptions).replaced(open_engine=lambda *arguments: object()),
            "expected an engine of a class that derives from nonosat.plugins.Engine",
        ),
    ],
)
def test_wrong_engines_are_found(backend: Backend, message: str) -> None:
    with pytest.raises(AssertionError, match=message):
        check_plugin(backend, "backends", "mine")


@pytest.mark.parametrize(
    ("engine", "message"),
    [
        (Stuck, r"`solve` still runs 0.01 s after its time limit of 0.02 s"),
        (Slow, r"`solve` has not answered after 0.02 s"),
    ],
)
def test_a_hanging_engine_is_abandoned(
    engine: type[learn.LearningEngine], message: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(engines, "PATIENCE_S", 0.02)
    monkeypatch.setattr(engines, "GRACE_S", 0.01 if engine is Stuck else 60.0)
    with pytest.raises(AssertionError, match=message):
        check_plugin(backend_of(engine), "backends", "mine")
