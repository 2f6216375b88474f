"""The family of a puzzle, and the methods that it has of its own (`plugins.Family` says the rest).

The methods of the founding documents are modules of `study/methods/` and found as `study:NAME`.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import PurePath
from typing import Any

from nonosat.core import hooks, plugins
from nonosat.core.errors import NotAPuzzleError, UnsupportedError, shown
from nonosat.core.model import Model
from nonosat.core.plugins import Family, Method, Puzzle

STUDY = "study:"


def named(family: str | Family) -> Family:
    """A family by its name, or itself.

    Raises:
        UnsupportedError: Nothing has that name.
    """
    if isinstance(family, Family):
        return hooks.isolated(family)  # type: ignore[no-any-return]  # a record like this one
    return plugins.find("puzzles", family)


def family_of(puzzle: Puzzle) -> Family:
    """What builds and verifies a puzzle.

    Raises:
        NotAPuzzleError: It is no puzzle; the message says what to write instead.
        UnsupportedError: Its family has no name.
    """
    family = getattr(puzzle, "family", None)
    if type(family) is str and family:  # nearly always, and several times a puzzle
        return plugins.find("puzzles", family)
    family = _said_by(puzzle)
    if not str(family):
        raise UnsupportedError("the puzzle's family has no name, expected Family(name=...)")
    return named(family)


def name_of(puzzle: Puzzle) -> str:
    """The name of a puzzle's family; raises NotAPuzzleError as `family_of` does."""
    return str(_said_by(puzzle))


def _said_by(puzzle: Puzzle) -> str | Family:
    """What a puzzle says of its family."""
    family = getattr(puzzle, "family", None)
    if not isinstance(family, str | Family):
        raise NotAPuzzleError(f"{shown(puzzle)} is no puzzle; {_instead(puzzle)}")
    return family


def _instead(value: object) -> str:
    """What to write where a puzzle is expected and this was given."""
    if isinstance(value, str | PurePath):
        if "\n" in str(value):
            return "write nonosat.loads(text) to read one from a text"
        return f"write nonosat.load({shown(str(value))}) to read one from a file"
    if isinstance(value, Model):
        return "a Model is for nonosat.solve_model and nonosat.enumerate_model"
    if hasattr(value, "puzzle"):
        return "the puzzle that it is about is its `puzzle`"
    if hasattr(value, "__array__"):
        return "write nonosat.from_picture(picture) for the puzzle that a picture solves"
    if isinstance(value, Mapping):
        return "write nonosat.Nonogram.from_data(data) for the puzzle of JSON data"
    if isinstance(value, list | tuple):
        if value and all(isinstance(getattr(one, "family", None), str | Family) for one in value):
            return "it holds puzzles; ask about each of them"
        return (
            "write nonosat.nonogram(rows, columns) for one with these clues, or "
            "nonosat.from_picture(rows) for the puzzle that a picture solves"
        )
    return (
        "nonosat.load reads one from a file, nonosat.nonogram makes one from lists; a Model is for "
        "nonosat.solve_model"
    )


def method(family: Family, puzzle: Puzzle, name: str) -> Method | None:
    """Return the method that `name` stands for, or None if it is a backend's.

    Args:
        family: Family of the puzzle.
        puzzle: The puzzle.
        name: As --backend has it.

    Raises:
        UnsupportedError: It is a method of another family, or this puzzle is too much for it.
    """
    if name.startswith(STUDY):
        return _studied(puzzle, name)
    own = family.methods.get(name)
    if own is not None:
        return own
    if name == "auto" or plugins.is_there("backends", name):
        return None
    if not (able := with_method(name)):
        plugins.find("backends", name)  # nothing has the name, and this says what there is
    raise UnsupportedError(
        f"{name!r} is a method for {' and '.join(able)}; this puzzle is of the family "
        f"{name_of(puzzle)}"
    )


def _studied(puzzle: Puzzle, name: str) -> Method:
    """A method of the founding documents."""
    study = plugins.find("study", name.removeprefix(STUDY))
    if name_of(puzzle) != study.family:
        raise UnsupportedError(
            f"{name!r} is a method for {study.family}; this puzzle is of the family "
            f"{name_of(puzzle)}"
        )
    if excess := study.limit(puzzle):
        able = ", ".join(("auto", *_able(puzzle)))
        raise UnsupportedError(f"{name!r} cannot bear this puzzle: {excess}; these can: {able}")
    return study.solve


def _able(puzzle: Puzzle) -> list[str]:
    """The founding documents' methods that can bear a puzzle."""
    return [
        f"{STUDY}{name}"
        for name, other in sorted(plugins.names("study").items())
        if name_of(puzzle) == other.family and not other.limit(puzzle)
    ]


def with_method(name: str) -> list[str]:
    """The families that have a method of this name."""
    every = sorted(plugins.names("puzzles").items())
    return [family for family, record in every if name in record.methods]


def is_method(name: str, family: str | Family = "") -> bool:
    """Whether some family, or some founding document, has a method of this name.

    Args:
        name: What --backend names.
        family: The one to ask first: asking all reads entry points.

    Raises:
        UnsupportedError: No document has it.
    """
    if family and name in named(family).methods:
        return True
    if name.startswith(STUDY):
        plugins.find("study", name.removeprefix(STUDY))
        return True
    is_backend = name == "auto" or plugins.is_there("backends", name)
    return not is_backend and bool(with_method(name))


def solution_of(puzzle: Puzzle, data: Any) -> Any:
    """The solution that JSON data of its family stand for.

    Raises:
        UnsupportedError: The family does not read solutions.
    """
    family = family_of(puzzle)
    if family.solution_from_data is None:
        raise UnsupportedError(
            f"the family {name_of(puzzle)} does not read solutions: it has no `solution_from_data`"
        )
    return family.solution_from_data(puzzle, data)


def require(puzzle: Puzzle, family: str, what: str) -> None:
    """Raises UnsupportedError where `what` is not there for the puzzle's family."""
    if (found := name_of(puzzle)) != family:
        raise UnsupportedError(f"{what} for a {family} only; this puzzle is of the family {found}")
