"""Short form of the check of the learning search."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[1] / "benchmarks/trust"))
import formulas
import natively
from record import Asked


@pytest.mark.slow
def test_the_short_form_finds_no_mistake():
    with natively.program("fuzz_assumptions") as fuzzer:
        figures = formulas.check(Asked(short=True, seed=0), fuzzer)
    assert figures["failures"] == []
    checked = figures["checked"]
    assert checked["formulas"] == 4000
    assert checked["of these refuted"] > 10_000
    assert checked["proofs checked step by step"] > 300
