"""Base class of replies to a query about one puzzle, with their conversion to text and data."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping
from dataclasses import KW_ONLY, dataclass, field
from typing import Any, Self

from nonosat.core import hooks
from nonosat.core.limits import Limits, original_limit
from nonosat.core.presenting import Data, Drawn, Scene, puzzle_in, reading
from nonosat.core.result import Stage
from nonosat.core.versions import versions


@dataclass(frozen=True, slots=True, repr=False)
class Reply(Drawn):
    """Base class of replies to a query about one puzzle.

    Args:
        puzzle: The puzzle as it was given.
        reason: Why the reply is incomplete (a limit or an error), or why there is no solution;
            else "".
        seconds: Wall seconds of the whole query.
        stages: The stages, in order; may be empty.
        limits: Limits of the query.
    """

    puzzle: Any
    _: KW_ONLY
    reason: str = ""
    seconds: float = field(default=0.0, compare=False)
    stages: tuple[Stage, ...] = field(default=(), compare=False)
    limits: Limits = field(default=Limits(), compare=False)

    @abstractmethod
    def description(self) -> str:
        """Return the reply in words."""

    @abstractmethod
    def found_data(self) -> Data:
        """Return the reply as JSON data, with the keys of this class."""

    @classmethod
    @abstractmethod
    def found_in(cls, data: Mapping[str, Any], puzzle: Any) -> dict[str, Any]:
        """Return constructor arguments by name from the data that `found_data` returned."""

    def _summary(self) -> str:
        text = f"{self.puzzle}: {self.description()}"
        return f"{text} ({self.reason})" if self.reason else text

    def __str__(self) -> str:
        return self._summary()

    def scene(self) -> Scene:
        """Return the puzzle as it is printed, with the reply as a caption."""
        return Scene(self.puzzle, caption=self.in_a_line())

    def to_data(self, *, with_puzzle: bool = True) -> Data:
        """Return the reply as JSON data, as its command prints with `--json`.

        Args:
            with_puzzle: Include the puzzle; the command names its file instead.
        """
        data = self.found_data() | self._work_data()
        return data | ({"puzzle": hooks.data_of(self.puzzle)} if with_puzzle else {})

    @classmethod
    def from_data(cls, data: Mapping[str, Any], puzzle: Any = None) -> Self:
        """Return the reply for data of `to_data`.

        Args:
            data: Result of `to_data`, or output of `--json`.
            puzzle: The puzzle if the data do not include it.

        Raises:
            FormatError: The data are not those of such a reply.
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
        """Return seconds, stages, limits and versions as data, and `reason` if there is one."""
        limits = self.limits
        data: Data = {"reason": self.reason} if self.reason else {}
        return data | {
            "seconds": round(self.seconds, 6),
            "stages": [stage.to_data() for stage in self.stages],
            "options": {
                "time_limit_s": original_limit(limits.time_s),
                "memory_limit_mib": limits.memory_mib,
            },
            "versions": versions(),
        }
