"""Short form of the check that engines and encodings agree."""

from __future__ import annotations

import random
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[1] / "benchmarks/trust"))
import agreement

from nonosat.core.result import Verdict
from nonosat.testing.claims import Claim, Solver


@pytest.mark.slow
def test_ours_agree_and_proofs_hold():
    seen, failures, unique = agreement.judged((0, 0, 60))
    assert failures == []
    assert min(seen["unique"], seen["multiple"], seen["unsolvable"], seen["by prices"]) >= 5
    assert seen["answers"] > 10 * seen["puzzles"]
    assert [one for puzzle in unique[:6] for one in agreement.proved(puzzle)] == []


def test_a_wrong_engine_is_reported(monkeypatch):
    liar = Solver("search", lambda puzzle: Claim(Verdict.UNIQUE))
    honest = [one for one in agreement.solvers() if one.name in ("auto", "prices")]
    monkeypatch.setattr(agreement, "solvers", lambda: (*honest, liar))
    seen, failures, _ = agreement.judged((0, 0, 20))
    assert len(failures) == seen["multiple"] + seen["unsolvable"] > 0
    assert "search is wrong" in failures[0]


def test_the_puzzles_are_of_every_sort():
    drawn = []
    for index in range(300):
        try:
            drawn.append(agreement.drawn(random.Random(f"0 {index}")))
        except agreement.PuzzleError:
            continue
    assert {len(puzzle.colours) for puzzle in drawn} == {1, 2, 3}
    assert any(puzzle.height == 1 for puzzle in drawn)
    assert any(puzzle.given for puzzle in drawn)
    clues = [clue for puzzle in drawn for clue in (*puzzle.rows, *puzzle.columns)]
    assert () in clues
    assert any(block.length is None for clue in clues for block in clue)
