"""What a family may offer beyond `plugins.Family`, and what holds where it offers nothing.

`METHODS` are methods of its own by the name that a backend would have; `auto(puzzle,
max_solutions)` names what the backend `auto` does, methods and engines in order; `ENCODINGS` and
`FORMULATIONS` are its defaults by constraint kind; `neighbours(puzzle, solution)` are candidates
for a second solution; `count(puzzle, watch)` is the number of solutions and True, or a lower bound
and False where a limit was hit; `solution_data(puzzle, solution)` is a solution as JSON data.
`from_data(data)` makes the puzzle of what `to_data` gave, whatever other keys there are, or raises
PuzzleError (nonograms are read by `formats.jsonl`). The methods of the founding documents are
modules of `study/` and found as `study:NAME`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from nonosat import plugins
from nonosat.errors import UnsupportedError
from nonosat.plugins import Method

STUDY = "study:"


def family_of(puzzle: Any) -> Any:
    """The module that builds and verifies a puzzle."""
    return plugins.find("puzzles", puzzle.family)


def method(puzzle: Any, name: str) -> Method | None:
    """The method that `name` stands for, or None where it is a backend's.

    Raises:
        UnsupportedError: It is a method of another family, or this puzzle is too much for it.
    """
    if name.startswith(STUDY):
        return _studied(puzzle, name)
    own: Method | None = table_of(puzzle.family, "METHODS").get(name)
    if own is not None:
        return own
    if name == "auto" or plugins.is_there("backends", name):
        return None
    if not (families := with_method(name)):
        plugins.find("backends", name)  # nothing has the name, and this says what there is
    raise UnsupportedError(
        f"{name!r} is a method for {' and '.join(families)}, not for a puzzle of {puzzle.family}"
    )


def _studied(puzzle: Any, name: str) -> Method:
    """A method of the founding documents."""
    module = plugins.find("study", name.removeprefix(STUDY))
    if puzzle.family != module.FAMILY:
        raise UnsupportedError(
            f"{name!r} is a method for {module.FAMILY}, not for a puzzle of {puzzle.family}"
        )
    if excess := module.limit(puzzle):
        able = ", ".join(("auto", *_able(puzzle)))
        raise UnsupportedError(f"{name!r} cannot bear this puzzle: {excess}; these can: {able}")
    found: Method = module.solve
    return found


def _able(puzzle: Any) -> list[str]:
    """The founding documents' methods that can bear a puzzle."""
    return [
        f"{STUDY}{name}"
        for name, other in sorted(plugins.names("study").items())
        if puzzle.family == other.FAMILY and not other.limit(puzzle)
    ]


def with_method(name: str) -> list[str]:
    """The families that have a method of this name."""
    every = sorted(plugins.names("puzzles").items())
    return [family for family, module in every if name in getattr(module, "METHODS", {})]


def is_method(name: str, family: str = "") -> bool:
    """Whether some family, or some founding document, has a method of this name.

    Args:
        name: What --backend names.
        family: The one to ask first: asking all reads entry points.

    Raises:
        UnsupportedError: No document has it.
    """
    if family and name in table_of(family, "METHODS"):
        return True
    if name.startswith(STUDY):
        plugins.find("study", name.removeprefix(STUDY))
        return True
    is_backend = name == "auto" or plugins.is_there("backends", name)
    return not is_backend and bool(with_method(name))


def table_of(family: str, name: str) -> Mapping[str, Any]:
    """The family's own `ENCODINGS`, `FORMULATIONS` or `METHODS`; empty where it has none."""
    found: Mapping[str, Any] = getattr(plugins.find("puzzles", family), name, {})
    return found


def neighbours(puzzle: Any, solution: Any) -> Iterator[Any]:
    """Cheap candidates for a second solution, to be verified."""
    offered = getattr(family_of(puzzle), "neighbours", None)
    return iter(()) if offered is None else offered(puzzle, solution)


def solution_data(puzzle: Any, solution: Any) -> Any:
    """A solution as JSON data."""
    offered = getattr(family_of(puzzle), "solution_data", None)
    return solution.lines() if offered is None else offered(puzzle, solution)


def legend(puzzle: Any) -> dict[str, str]:
    """What the characters in that data mean, where they do not speak for themselves."""
    found: dict[str, str] = getattr(puzzle, "legend", {})
    return found


def require(puzzle: Any, family: str, what: str) -> None:
    """Raises UnsupportedError where `what` is not there for the puzzle's family."""
    if puzzle.family != family:
        raise UnsupportedError(f"{what} for a {family} only, this is a puzzle of {puzzle.family}")
