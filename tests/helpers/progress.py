"""Access to the progress that work reports through its watches."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from nonosat.core.limits import progress


@contextmanager
def reported() -> Iterator[list[tuple[str, int, int]]]:
    """Yield a list of the reports of work in the block: activity, amount done, total."""
    told: list[tuple[str, int, int]] = []
    token = progress.set(lambda *report: told.append(report))
    try:
        yield told
    finally:
        progress.reset(token)
