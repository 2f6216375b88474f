"""Short form of the check of proof checkers; it detects a checker that accepts everything."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[1] / "benchmarks/trust"))
import natively
import proofs
from record import Asked

from nonosat.certify.price_check import ClaimResult


@pytest.mark.slow
def test_the_short_form_finds_no_mistake():
    with natively.program("fuzz_mutations") as fuzzer:
        figures = proofs.check(Asked(short=True, seed=0), fuzzer)
    assert figures["failures"] == []
    checked = figures["checked"]
    assert checked["mutations"] >= 4000
    assert checked["proofs of false claims accepted"] == 0
    assert checked["proofs of false claims refused"] > 200
    assert checked["price tables of true claims accepted"] > 50
    assert checked["price tables of false claims refused"] > 20
    assert "price tables of false claims accepted" not in checked


def test_a_checker_that_accepts_everything_is_detected(monkeypatch):
    monkeypatch.setattr(proofs, "natively", lambda *_: ClaimResult(True, 1, 0))
    failures = proofs.check_prices(100, seed=0)["failures"]
    assert sum("a false claim passes" in failure for failure in failures) > 5
    assert any("do not agree" in failure for failure in failures)
