"""What all replies to a question about one puzzle have in common, and how they print."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import KW_ONLY, dataclass, field
from typing import Any

from nonosat.limits import Limits
from nonosat.result import Stage


@dataclass(frozen=True, slots=True)
class Reply(ABC):
    """What all replies to a question about one puzzle have in common.

    Args:
        puzzle: The puzzle as it was given.
        reason: Why the question is not answered in full: a limit was hit, or what is wrong; or
            why there is no solution; else "".
        seconds: Wall seconds, everything included.
        stages: The steps taken, in order; empty where the question takes none.
        limits: What was allowed.
    """

    puzzle: Any
    _: KW_ONLY
    reason: str = ""
    seconds: float = field(default=0.0, compare=False)
    stages: tuple[Stage, ...] = field(default=(), compare=False)
    limits: Limits = field(default=Limits(), compare=False)

    @abstractmethod
    def told(self) -> str:
        """The reply in words."""

    def __str__(self) -> str:
        text = f"{self.puzzle}: {self.told()}"
        return f"{text} ({self.reason})" if self.reason else text
