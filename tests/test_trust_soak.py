"""Short form of the soak test: one family, a few puzzles."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[1] / "benchmarks/trust"))
import soak


@pytest.mark.thorough
def test_a_soak_reports_puzzles_and_memory():
    found, workers, own = soak.soaked(
        0, "--seconds", "60", "--cases", "2", "--jobs", "1", "--sort", "any", "--family", "queens"
    )
    assert found["cases"] >= 2
    assert found["failures"] == []
    assert workers
    assert min(*workers, max(own)) > 5  # the first measurement may come before Python has begun


def test_quarters_show_growth():
    assert soak.quarters([1, 2, 3, 4, 5, 6, 7, 8]) == [2, 4, 6, 8]
    assert soak.quarters([5]) == [5]
