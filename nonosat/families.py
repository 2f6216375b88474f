"""The family of a puzzle, and the methods that it has of its own (`plugins.Family` says the rest).

The methods of the founding documents are modules of `study/methods/` and found as `study:NAME`.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from nonosat import plugins
from nonosat.errors import UnsupportedError, shown
from nonosat.plugins import Family, Method, Puzzle

STUDY = "study:"


def named(family: str | Family) -> Family:
    """A family by its name, or itself.

    Raises:
        UnsupportedError: Nothing has that name.
    """
    return family if isinstance(family, Family) else plugins.find("puzzles", family)


def family_of(puzzle: Puzzle) -> Family:
    """What builds and verifies a puzzle.

    Raises:
        UnsupportedError: It is no puzzle, or its family has no name.
    """
    family = getattr(puzzle, "family", None)
    if not isinstance(family, str | Family):
        raise UnsupportedError(
            f"{shown(puzzle)} is no puzzle; `nonosat.load` reads one from a file, and a Model is "
            "for `nonosat.solve_model`"
        )
    if not str(family):
        raise UnsupportedError("the puzzle's family has no name, expected Family(name=...)")
    return named(family)


def name_of(puzzle: Puzzle) -> str:
    """The name of a puzzle's family."""
    return str(puzzle.family)


def method(puzzle: Puzzle, name: str) -> Method | None:
    """The method that `name` stands for, or None where it is a backend's.

    Raises:
        UnsupportedError: It is a method of another family, or this puzzle is too much for it.
    """
    if name.startswith(STUDY):
        return _studied(puzzle, name)
    own = family_of(puzzle).methods.get(name)
    if own is not None:
        return own
    if name == "auto" or plugins.is_there("backends", name):
        return None
    if not (families := with_method(name)):
        plugins.find("backends", name)  # nothing has the name, and this says what there is
    raise UnsupportedError(
        f"{name!r} is a method for {' and '.join(families)}; this puzzle is of the family "
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


def neighbours(puzzle: Puzzle, solution: Any) -> Iterator[Any]:
    """Cheap candidates for a second solution, to be verified."""
    return family_of(puzzle).neighbours(puzzle, solution)


def solution_data(puzzle: Puzzle, solution: Any) -> Any:
    """A solution as JSON data."""
    return family_of(puzzle).solution_data(puzzle, solution)


def signs(puzzle: Puzzle) -> str:
    """By value of a cell, a character that names it in a clue; "" where none is needed."""
    return getattr(puzzle, "signs", "")


def legend(puzzle: Puzzle) -> dict[str, str]:
    """What the characters in that data mean, where they do not speak for themselves."""
    return family_of(puzzle).legend(puzzle)


def require(puzzle: Puzzle, family: str, what: str) -> None:
    """Raises UnsupportedError where `what` is not there for the puzzle's family."""
    if (found := name_of(puzzle)) != family:
        raise UnsupportedError(f"{what} for a {family} only; this puzzle is of the family {found}")
