"""A way to answer a puzzle: a question with the options of a command, or an external program.

Invariant: the name of a way is the command with which a user can repeat it, except for enumeration
by brute force, for which there is no command.
"""

from __future__ import annotations

import json
import re
import shlex
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from nonosat.core.result import FrozenDict, Options

QUESTIONS = ("check", "solve", "count", "backbone")
BRUTE_FORCE, PROGRAM = "brute-force", "program"
MOST_SOLUTIONS = 60  # of a puzzle whose solutions are enumerated
_FLAGS = {"redundant": "redundant", "max_solutions": "max-solutions"}


@dataclass(frozen=True, slots=True)
class AnswerMethod:
    """Method of answering a puzzle.

    Args:
        question: One of `QUESTIONS`, `BRUTE_FORCE` or `PROGRAM`.
        options: Fields of `Options` with values other than the defaults.
        command: Command of a program, with {file} as in `nonosat.testing.commands`.
    """

    question: str = "check"
    options: Mapping[str, Any] = field(default_factory=FrozenDict)
    command: str = ""

    def __post_init__(self) -> None:
        options = {
            name: FrozenDict(value) if isinstance(value, Mapping) else value
            for name, value in sorted(self.options.items())
        }
        object.__setattr__(self, "options", FrozenDict(options))

    def __str__(self) -> str:
        """Return the name of the method in reports, without the file."""
        if self.question == BRUTE_FORCE:
            return "brute force"
        return self.command if self.command else " ".join((self.question, *self._words()))

    def line(self, file: str) -> str:
        """Return the command that answers the puzzle in `file` in this way."""
        if self.command:
            return re.sub(r"\{\w+\}", lambda _: shlex.quote(file), self.command)
        return shlex.join(("nonosat", self.question, file, *self._words()))

    def _words(self) -> Iterator[str]:
        """Yield the options as words of the command line."""
        for name, value in self.options.items():
            flag = f"--{_FLAGS.get(name, name)}"
            if isinstance(value, Mapping):
                for kind, one in value.items():
                    yield from (flag, f"{kind}={one}")
            else:
                for one in value if isinstance(value, tuple) else (value,):
                    yield from (flag, str(one))

    @property
    def backend(self) -> str:
        """Name of the engine, method or counter; that of the question if it does not use one."""
        usual = "auto" if self.question in ("check", "solve") else self.question
        return str(self.options.get("backend", usual))

    def requested(self, time_limit_s: float | None) -> Options:
        """Return the options of the way, with a time limit.

        Raises:
            UnsupportedError: The options are incompatible.
        """
        usual = {"max_solutions": 2} if self.question == "check" else {}
        return Options(**{**usual, **self.options, "time_limit_s": time_limit_s})

    def plainer(self) -> Iterator[AnswerMethod]:
        """Yield methods with one option less, the most significant ones first."""
        for name, value in self.options.items():
            if isinstance(value, Mapping | tuple) and len(value) > 1:
                for one in value:
                    yield replace(self, options={**self.options, name: _without(value, one)})
            left = {other: kept for other, kept in self.options.items() if other != name}
            yield replace(self, options=left)
        if self.question == "solve":
            left = {name: kept for name, kept in self.options.items() if name != "max_solutions"}
            yield replace(self, question="check", options=left)

    def to_data(self) -> dict[str, Any]:
        """Return JSON data without empty values."""
        data = {"question": self.question, "command": self.command}
        options = {
            name: list(value) if isinstance(value, tuple) else value
            for name, value in self.options.items()
        }
        return {name: value for name, value in {**data, "options": options}.items() if value}

    @classmethod
    def from_data(cls, data: Mapping[str, Any]) -> AnswerMethod:
        """Return the method from the data that `to_data` returns."""
        options = {
            name: tuple(value) if isinstance(value, list) else value
            for name, value in data.get("options", {}).items()
        }
        return cls(data["question"], options, data.get("command", ""))

    @property
    def key(self) -> str:
        """Text that is equal for equal methods."""
        return json.dumps(self.to_data(), sort_keys=True)


def _without(value: Mapping[str, Any] | tuple[str, ...], one: str) -> Any:
    if isinstance(value, Mapping):
        return {name: kept for name, kept in value.items() if name != one}
    return tuple(kept for kept in value if kept != one)


def includes(way: AnswerMethod, part: AnswerMethod) -> bool:
    """Return True if a way includes the choices that may be at fault in the failing way `part`.

    Engines share encodings, so a wrong encoding fails with all of them: if `part` chooses one, the
    engine is ignored. If it does not, both ways must use the same engine.
    """
    if way.command or part.command:
        return way.command == part.command
    both = {"check", "solve"}
    if part.question != way.question and not (part.question == "check" and way.question in both):
        return False
    if parts := _parts(part):
        return parts <= _parts(way)
    return part.backend == way.backend and not _parts(way)


def _parts(way: AnswerMethod) -> set[tuple[str, str]]:
    """Return the choices of redundant constraints, encodings and formulations of a way."""
    found = {("redundant", name) for name in way.options.get("redundant", ())}
    for name in ("encoding", "formulation"):
        found |= {(name, f"{kind}={one}") for kind, one in way.options.get(name, {}).items()}
    return found
