"""Verdicts on the classic survey puzzles, which may not be distributed.

They are read from the folder that NONOSAT_INSTANCES names; see `instances/README.md`.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest

import nonosat
from nonosat import Verdict

FOLDER = os.environ.get("NONOSAT_INSTANCES", "")
MULTIPLE = {"10810", "06739", "02556", "02712", "10088", "18297", "09892", "12548"}
BEYOND = {"knotty", "faase"}  # no solver of the survey finished them

pytestmark = pytest.mark.skipif(
    not FOLDER, reason="NONOSAT_INSTANCES names no folder with benchmark puzzles"
)


def load(name: str) -> list[nonosat.Nonogram]:
    return nonosat.load_all(str(Path(FOLDER) / name))


def test_survey() -> None:
    verdicts = {
        puzzle.about.id.removeprefix("webpbn-"): nonosat.check(puzzle).verdict
        for puzzle in load("survey.jsonl")
        if puzzle.about.id not in BEYOND
    }
    assert len(verdicts) == 27
    multiple = {name for name, verdict in verdicts.items() if verdict is Verdict.MULTIPLE}
    assert multiple == MULTIPLE
    assert {v for name, v in verdicts.items() if name not in MULTIPLE} == {Verdict.UNIQUE}


@pytest.mark.parametrize(
    ("name", "number", "multiple"), [("gecode.jsonl", 19, 1), ("minizinc.jsonl", 26, 2)]
)
@pytest.mark.parametrize("backend", ["auto", pytest.param("cadical195", marks=pytest.mark.slow)])
def test_two_routes_agree(name: str, number: int, multiple: int, backend: str) -> None:
    verdicts = [nonosat.check(puzzle, backend=backend).verdict for puzzle in load(name)]
    assert len(verdicts) == number
    assert verdicts.count(Verdict.MULTIPLE) == multiple
    assert verdicts.count(Verdict.UNIQUE) == number - multiple


def test_coloured_puzzles_have_one_solution() -> None:
    puzzles = load("colour.jsonl")
    assert [nonosat.check(puzzle).verdict for puzzle in puzzles] == [Verdict.UNIQUE] * 8


def test_goals_are_solutions() -> None:
    """Pictures drawn by the survey's authors satisfy their clues."""
    goals = [puzzle for puzzle in load("survey.jsonl") if puzzle.goal]
    assert len(goals) > 10
    assert [
        nonosat.check(puzzle).warnings for puzzle in goals if puzzle.about.id not in BEYOND
    ] == [()] * len(goals)
