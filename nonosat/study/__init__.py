"""The methods of the documents that this project began with, in plain, readable Python.

They are slow on purpose: each is its document's method, step by step, with the document's slips
corrected and said so. They are reachable as backends, `study:NAME`, and their solutions pass the
same verifier as any other's, so that they can be compared with what replaced them.

A method is a module of this package, found by its name (`queens_rows.py` is `study:queens-rows`),
that fits the protocol `Study`. Other packages add theirs by entry points of `nonosat.study`.
"""

from __future__ import annotations

from collections.abc import Generator
from typing import Any, Protocol

from nonosat import plugins
from nonosat.errors import UnsupportedError
from nonosat.limits import Watch
from nonosat.plugins import Ending


class Study(Protocol):
    """A module `study/<name>.py`."""

    FAMILY: str  # whose puzzles it solves
    SUMMARY: str
    SOURCE: str  # the document, by its number and subject, and which of its methods

    def limit(self, puzzle: Any) -> str | None:
        """Why the puzzle is beyond what the method can bear, with the estimate; else None."""

    def solve(self, puzzle: Any, watch: Watch, seed: int) -> Generator[Any, None, Ending]:
        """Solutions, as a family's own methods give them; looks at the watch all along."""


def find(name: str, family: str) -> Study:
    """The method `name`.

    Args:
        name: What stands behind "study:".
        family: Of the puzzle that it is to solve.

    Raises:
        UnsupportedError: Nothing has that name (the message lists what there is), or it solves
            puzzles of another family (the message lists those that would do).
    """
    module: Study = plugins.find("study", name)
    if family != module.FAMILY:
        able = [other for other, one in plugins.names("study").items() if family == one.FAMILY]
        would = f"these do: {', '.join(sorted(able))}" if able else "none does"
        raise UnsupportedError(
            f"study:{name} solves {module.FAMILY}, not {family}; of the documents' methods {would}"
        )
    return module


def run(name: str, puzzle: Any, watch: Watch, seed: int) -> Generator[Any, None, Ending]:
    """Solutions by the method `name`, unless the puzzle is beyond it.

    Raises:
        UnsupportedError: As `find`, or the puzzle is too large for the method.
        LimitReached: The watch ended it.
    """
    method = find(name, puzzle.family)
    if reason := method.limit(puzzle):
        raise UnsupportedError(f"study:{name} does not try this: {reason}")
    return (yield from method.solve(puzzle, watch, seed))
