"""A way to answer a puzzle: a question with the options of a command, or another program.

Invariant: a way is what a person can repeat, so that it is named by the command that does so. The
one exception is enumeration by brute force, which no command offers.
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
class Way:
    """How a puzzle is answered.

    Args:
        question: One of `QUESTIONS`, `BRUTE_FORCE` or `PROGRAM`.
        options: Fields of `Options` that are not as they are by default.
        command: Of a program, with {file} as `nonosat.testing.commands` has it.
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
        """The name by which the way is reported: without the file."""
        if self.question == BRUTE_FORCE:
            return "brute force"
        return self.command if self.command else " ".join((self.question, *self._words()))

    def line(self, file: str) -> str:
        """The command that repeats it."""
        if self.command:
            return re.sub(r"\{\w+\}", lambda _: shlex.quote(file), self.command)
        return shlex.join(("nonosat", self.question, file, *self._words()))

    def _words(self) -> Iterator[str]:
        """The options as words of the command line."""
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
        """The engine or method; the question where it has no choice of them."""
        if self.question in ("check", "solve"):
            return str(self.options.get("backend", "auto"))
        return self.question

    def asked(self, time_limit_s: float | None) -> Options:
        """Its options and a limit.

        Raises:
            UnsupportedError: They do not go together.
        """
        usual = {"max_solutions": 2} if self.question == "check" else {}
        return Options(**{**usual, **self.options, "time_limit_s": time_limit_s})

    def plainer(self) -> Iterator[Way]:
        """Ways with one choice less, the most telling ones first."""
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
        """As JSON data; what is empty is left out."""
        data = {"question": self.question, "command": self.command}
        options = {
            name: list(value) if isinstance(value, tuple) else value
            for name, value in self.options.items()
        }
        return {name: value for name, value in {**data, "options": options}.items() if value}

    @classmethod
    def from_data(cls, data: Mapping[str, Any]) -> Way:
        """The way of such data."""
        options = {
            name: tuple(value) if isinstance(value, list) else value
            for name, value in data.get("options", {}).items()
        }
        return cls(data["question"], options, data.get("command", ""))

    @property
    def key(self) -> str:
        """Equal for equal ways."""
        return json.dumps(self.to_data(), sort_keys=True)


def _without(value: Mapping[str, Any] | tuple[str, ...], one: str) -> Any:
    if isinstance(value, Mapping):
        return {name: kept for name, kept in value.items() if name != one}
    return tuple(kept for kept in value if kept != one)


def includes(way: Way, part: Way) -> bool:
    """Whether a way chooses what is wrong with another one, which is known.

    Engines share encodings, so that a wrong encoding shows with all of them, whatever else was
    chosen; where nothing of the sort was chosen, the engines must be the same.
    """
    if way.command or part.command:
        return way.command == part.command
    asks = {"check", "solve"}
    if part.question != way.question and not (part.question == "check" and way.question in asks):
        return False
    if parts := _parts(part):
        return parts <= _parts(way)
    return part.backend == way.backend and not _parts(way)


def _parts(way: Way) -> set[tuple[str, str]]:
    """What a way tells an engine of a puzzle, and how."""
    found = {("redundant", name) for name in way.options.get("redundant", ())}
    for name in ("encoding", "formulation"):
        found |= {(name, f"{kind}={one}") for kind, one in way.options.get(name, {}).items()}
    return found
