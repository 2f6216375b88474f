"""Short form of the check of all pictures of small boards."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[1] / "benchmarks/trust"))
import natively
import pictures
from record import Asked


@pytest.mark.slow
def test_the_short_form_finds_no_mistake(monkeypatch):
    monkeypatch.setitem(pictures.KNOWN_UNIQUE, 3, 385)  # a wrong number is the only mistake
    with natively.program("pictures") as enumerator:
        figures = pictures.check(Asked(short=True, seed=0), enumerator)
    assert figures["failures"] == ["384 unique 3x3, expected 385"]
    boards = figures["boards"]
    assert [boards[f"{n}x{n}"]["unique"] for n in (1, 2, 3)] == [2, 14, 384]
    assert {"1x11", "11x1", "2x5", "5x2", "1x5 in 3 colours"} <= set(boards)
    assert boards["2x2"]["sets of clues"] == 3**4  # of which most have no picture
    assert boards["2x2"]["unsolvable"] == 3**4 - 15
