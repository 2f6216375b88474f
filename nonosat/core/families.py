"""Lookup of a puzzle's family, and of the methods that the family has (see `plugins.Family`).

The modules of `study/methods/`, named `study:NAME`, are methods, too. They come from the documents
that this project began with.
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


def family_of(puzzle: Puzzle) -> Family:
    """Return the family of a puzzle.

    Raises:
        NotAPuzzleError: The value is not a puzzle; the message shows the call to write instead.
        UnsupportedError: Its family has no name.
    """
    family = getattr(puzzle, "family", None)
    if type(family) is str and family:  # the usual case, reached several times a puzzle
        return plugins.find("puzzles", family)
    family = _attribute_of(puzzle)
    if not str(family):
        raise UnsupportedError("the puzzle's family has no name, expected Family(name=...)")
    if isinstance(family, Family):
        return hooks.isolated(family)  # type: ignore[no-any-return]  # a record like this one
    return plugins.find("puzzles", family)


def name_of(puzzle: Puzzle) -> str:
    """Return the name of a puzzle's family; raises NotAPuzzleError as `family_of` does."""
    return str(_attribute_of(puzzle))


def _attribute_of(puzzle: Puzzle) -> str | Family:
    """Return the attribute `family` of a puzzle, unresolved; raises NotAPuzzleError without one."""
    family = getattr(puzzle, "family", None)
    if not isinstance(family, str | Family):
        raise NotAPuzzleError(f"{shown(puzzle)} is not a puzzle; {_instead(puzzle)}")
    return family


def _instead(value: object) -> str:
    """Return the call to write instead of passing a value that is not a puzzle."""
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
            return "it holds puzzles; pass one of them"
        return (
            "write nonosat.nonogram(rows, columns) for one with these clues, or "
            "nonosat.from_picture(rows) for the puzzle that a picture solves"
        )
    return (
        "nonosat.load reads one from a file, nonosat.nonogram makes one from lists; a Model is for "
        "nonosat.solve_model"
    )


def method(family: Family, puzzle: Puzzle, name: str) -> Method | None:
    """Return the method with a name, or None if the name belongs to a backend.

    Args:
        family: Family of the puzzle.
        puzzle: The puzzle.
        name: Name as in --backend.

    Raises:
        UnsupportedError: The method belongs to another family, or the puzzle is too large for it.
    """
    if name.startswith(STUDY):
        return _studied(puzzle, name)
    own = family.methods.get(name)
    if own is not None:
        return own
    if name == "auto" or plugins.is_there("backends", name):
        return None
    if not (able := with_method(name)):
        plugins.find("backends", name)  # raises an error that lists the known names
    raise UnsupportedError(
        f"{name!r} is a method for {' and '.join(able)}; this puzzle is of the family "
        f"{name_of(puzzle)}"
    )


def _studied(puzzle: Puzzle, name: str) -> Method:
    """Return a method of `study/methods/` by its name, `study:NAME`."""
    study = plugins.find("study", name.removeprefix(STUDY))
    if name_of(puzzle) != study.family:
        raise UnsupportedError(
            f"{name!r} is a method for {study.family}; this puzzle is of the family "
            f"{name_of(puzzle)}"
        )
    if excess := study.limit(puzzle):
        able = ", ".join(("auto", *_able(puzzle)))
        raise UnsupportedError(f"{name!r} cannot handle this puzzle: {excess}; these can: {able}")
    return study.solve


def _able(puzzle: Puzzle) -> list[str]:
    """Return the names of the methods of `study/methods/` that accept a puzzle."""
    return [
        f"{STUDY}{name}"
        for name, other in sorted(plugins.names("study").items())
        if name_of(puzzle) == other.family and not other.limit(puzzle)
    ]


def with_method(name: str) -> list[str]:
    """Return the families that have a method of this name."""
    every = sorted(plugins.names("puzzles").items())
    return [family for family, record in every if name in record.methods]


def is_method(name: str, family: Family | None = None) -> bool:
    """Return True if a family has a method of this name, or `study/methods/` has it.

    Args:
        name: Name as in --backend.
        family: Family to check first: checking all of them reads entry points.

    Raises:
        UnsupportedError: The name begins with `study:`, and there is no such method.
    """
    if family is not None and name in family.methods:
        return True
    if name.startswith(STUDY):
        plugins.find("study", name.removeprefix(STUDY))
        return True
    is_backend = name == "auto" or plugins.is_there("backends", name)
    return not is_backend and bool(with_method(name))


def solution_of(puzzle: Puzzle, data: Any) -> Any:
    """Return the solution for the JSON data of its family.

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
    """Raise UnsupportedError if the puzzle's family lacks `what`, which only `family` has."""
    if (found := name_of(puzzle)) != family:
        raise UnsupportedError(f"{what} for a {family} only; this puzzle is of the family {found}")
