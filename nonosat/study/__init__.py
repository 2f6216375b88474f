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

from nonosat.limits import Watch
from nonosat.plugins import Ending


class Study(Protocol):
    """A module `study/<name>.py`."""

    FAMILY: str  # whose puzzles it solves
    SUMMARY: str
    SOURCE: str  # the document, by its number and subject, and which of its methods
    LARGEST: str  # what `limit` lets pass, in words

    def limit(self, puzzle: Any) -> str | None:
        """Why the puzzle is beyond what the method can bear, with the estimate; else None."""

    def solve(self, puzzle: Any, watch: Watch, seed: int) -> Generator[Any, None, Ending]:
        """Solutions, as a family's own methods give them; looks at the watch all along."""
