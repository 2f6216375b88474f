"""Check that an engine and enumeration agree on a puzzle of any family."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

import nonosat
from nonosat.core.result import Verdict


def agrees(puzzle: Any, every: Collection[Any], **options: Any) -> None:
    """Check that an engine returns each solution once, and the verdict that follows from them."""
    found = list(nonosat.solutions(puzzle, **options))
    assert len(found) == len(every)
    assert {*found} == {*every}
    verdict = nonosat.check(puzzle, **options).verdict
    assert verdict is (Verdict.UNSOLVABLE, Verdict.UNIQUE, Verdict.MULTIPLE)[min(len(every), 2)]
