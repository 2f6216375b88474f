"""The studio in a browser: half a minute of random strokes, correct verdicts, constant memory."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from helpers.studio import Pages, shared_server

sys.path.insert(0, str(Path(__file__).parents[1] / "benchmarks/studio"))
import strokes

SECONDS = 30
PAUSE_S = 1.0  # tests that run at the same time need the processors, too


@pytest.mark.thorough
@pytest.mark.begins_first  # it takes half a minute, with little processor time
def test_random_strokes_are_checked_correctly_in_constant_memory(pages: Pages) -> None:
    seen = strokes.drawn_for(pages.open(), shared_server(), SECONDS, 1, PAUSE_S)
    assert seen[-1].wrong == []
    assert seen[-1].verdicts > 10
    heap = [one.heap_mib for one in seen]
    memory = [one.server_mib for one in seen]
    # In so short a run the first round is compared with the last, because caches are still filled.
    assert heap[-1] < heap[0] + 8
    assert memory[-1] < memory[0] + 64


def test_growth_is_of_the_last_quarter() -> None:
    assert strokes.growth([9, 1, 1, 1, 2, 2, 2, 2]) == 2
    assert strokes.growth([5]) == 1
