"""Limits that are hit at a chosen step of the work, in place of limits of time."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, TypeVar

import pytest

from nonosat.core.limits import Watch
from nonosat.questions.fillings import BoardFillings, ModelFillings
from nonosat.questions.solution_oracle import SolutionOracle
from nonosat.solving import oracle

T = TypeVar("T")
REASON = "time limit of 1 s"
STEPS: tuple[tuple[type, str], ...] = (
    (SolutionOracle, "solved"),
    (BoardFillings, "count"),
    (BoardFillings, "components"),
    (ModelFillings, "count"),
)


class Trip:
    """Limit that is hit at the n-th step of all watches.

    A step is a call of `Watch.check` or `Watch.poll`, a query to an engine, or a native count.
    Engines are `learn`, which starts without a helper process.

    Args:
        monkeypatch: Restores what is replaced.

    Attributes:
        share: Step, from 1, at which only the watch of that step reaches its limit, like a part of
            the work that has a share of the time.
        whole: Step from which on every watch has reached its limit.
        num_steps: Steps so far.
    """

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.share = self.whole = self.num_steps = 0
        reason, remaining_s, open_backend = Watch.reason, Watch.remaining_s, oracle.open_backend

        def new_reason(watch: Watch, pid: int | None = None) -> str | None:
            if self.is_over:
                watch._reason = watch._reason or REASON
            return reason(watch, pid)

        def new_remaining_s(watch: Watch) -> float | None:
            return 0.0 if self.is_over else remaining_s(watch)

        def new_poll(watch: Watch) -> bool:
            self._step(watch)
            return watch.reason() is not None

        def new_check(watch: Watch) -> None:
            if watch.poll():
                raise watch.limit()

        monkeypatch.setattr(oracle, "open_backend", lambda _, *rest: open_backend("learn", *rest))
        new = {"reason": new_reason, "remaining_s": new_remaining_s, "poll": new_poll}
        for name, method in {**new, "check": new_check}.items():
            monkeypatch.setattr(Watch, name, method)
        for owner, name in STEPS:
            monkeypatch.setattr(owner, name, _checked(getattr(owner, name)))

    @property
    def is_over(self) -> bool:
        """True if every watch has reached its limit."""
        return 0 < self.whole <= self.num_steps

    def _step(self, watch: Watch) -> None:
        self.num_steps += 1
        if self.num_steps == self.share:
            watch._reason = watch._reason or REASON

    def each(self, ask: Callable[[], T], stride: int = 1) -> Iterator[T]:
        """Yield the replies for a limit at each step in turn.

        Args:
            ask: Makes the query, with deterministic work.
            stride: Steps between the limits of the whole that follow the limit of a share.
        """
        self.share = 0
        while True:
            self.share, self.whole = self.share + 1, self.share + 1
            while True:
                self.num_steps = 0
                yield ask()
                if self.num_steps < self.whole:
                    break
                self.whole += stride
            if self.num_steps < self.share:
                break
        self.share = self.whole = 0


def _checked(call: Callable[..., T]) -> Callable[..., T]:
    """Return a method that checks its object's watch first."""

    def checked(owner: Any, *args: Any) -> T:
        watch: Watch = getattr(owner, "watch", None) or owner._watch
        watch.check()
        return call(owner, *args)

    return checked
