"""The studio in a browser: half a minute of random strokes, judged rightly, in steady memory."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from helpers.studio import Pages, opened_browser, shared_server, watched_pages

sys.path.insert(0, str(Path(__file__).parents[1] / "benchmarks/studio"))
import strokes

SECONDS = 30


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    yield from opened_browser()


@pytest.fixture
def pages(browser: Any) -> Iterator[Pages]:
    yield from watched_pages(browser)


def test_random_strokes_are_judged_rightly_in_steady_memory(pages: Pages) -> None:
    seen = strokes.drawn_for(pages.open(), shared_server(), SECONDS, seed=1)
    assert seen[-1].wrong == []
    assert seen[-1].verdicts > 10
    heap = [one.heap_mib for one in seen]
    memory = [one.server_mib for one in seen]
    # Of so short a run the first round is compared with the last: caches are still filled.
    assert heap[-1] < heap[0] + 8
    assert memory[-1] < memory[0] + 64


def test_growth_is_of_the_last_quarter() -> None:
    assert strokes.growth([9, 1, 1, 1, 2, 2, 2, 2]) == 2
    assert strokes.growth([5]) == 1
