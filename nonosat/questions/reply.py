"""What all replies to a question about one puzzle have in common, and how they print."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping
from dataclasses import KW_ONLY, dataclass, field
from typing import Any, Self

from nonosat.core import hooks
from nonosat.core.limits import Limits, as_asked
from nonosat.core.presenting import Data, Drawn, Scene, puzzle_in, reading
from nonosat.core.result import Stage
from nonosat.core.versions import versions


@dataclass(frozen=True, slots=True, repr=False)
class Reply(Drawn):
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

    @abstractmethod
    def found_data(self) -> Data:
        """The reply as JSON data, in the keys that are its own."""

    @classmethod
    @abstractmethod
    def found_in(cls, data: Mapping[str, Any], puzzle: Any) -> dict[str, Any]:
        """The fields of that data, by name."""

    def _brief(self) -> str:
        text = f"{self.puzzle}: {self.told()}"
        return f"{text} ({self.reason})" if self.reason else text

    def __str__(self) -> str:
        return self._brief()

    def scene(self) -> Scene:
        """The puzzle as it is printed, and the reply in a line."""
        return Scene(self.puzzle, caption=self.in_a_line())

    def to_data(self, *, with_puzzle: bool = True) -> Data:
        """The reply as JSON data: what its command prints with `--json`.

        Args:
            with_puzzle: Put the puzzle in, too; the command names its file instead.
        """
        data = self.found_data() | self._work_data()
        return data | ({"puzzle": hooks.data_of(self.puzzle)} if with_puzzle else {})

    @classmethod
    def from_data(cls, data: Mapping[str, Any], puzzle: Any = None) -> Self:
        """The reply of such data.

        Args:
            data: What `to_data` gave, or `--json` printed.
            puzzle: The puzzle where the data do not hold it.

        Raises:
            FormatError: They are no data of such a reply.
        """
        puzzle = puzzle_in(data, puzzle)
        with reading(cls):
            options = data.get("options", {})
            return cls(
                puzzle=puzzle,
                **cls.found_in(data, puzzle),
                reason=data.get("reason", ""),
                seconds=data.get("seconds", 0.0),
                stages=tuple(map(Stage.from_data, data.get("stages", ()))),
                limits=Limits(options.get("time_limit_s"), options.get("memory_limit_mib")),
            )

    def _work_data(self) -> Data:
        """How it came about; `reason` only where there is one."""
        limits = self.limits
        data: Data = {"reason": self.reason} if self.reason else {}
        return data | {
            "seconds": round(self.seconds, 6),
            "stages": [stage.to_data() for stage in self.stages],
            "options": {
                "time_limit_s": as_asked(limits.time_s),
                "memory_limit_mib": limits.memory_mib,
            },
            "versions": versions(),
        }
