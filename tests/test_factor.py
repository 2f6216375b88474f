"""Meanings of the variables that bounded variable addition introduces in a proof."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

sys.path.append(str(Path(__file__).parents[1] / "benchmarks" / "encodings"))
import factor  # after its folder is on the path

STARTS = {10 + place: (0, place, 4) for place in range(4)} | {14: (1, 0, 1)}


def of(*lemmas: str) -> dict[str, int]:
    return dict(factor.meanings([f"{lemma} 0" for lemma in lemmas], 14, STARTS))


@pytest.mark.parametrize(
    ("lemmas", "meaning"),
    [
        (("20 -10", "20 -11", "-20 -14 3"), "bound"),
        (("20 -12", "20 -13", "20 4", "-20 -14 3"), "bound"),  # cells are ignored
        (("20 -11", "20 -12", "-20 -14 3"), "interval"),
        (("20 -10", "20 -12", "-20 -14 3"), "block"),
        (("20 -10", "20 -14", "-20 -14 3"), "other"),
        (("20 10", "20 11", "-20 -14 3"), "other"),
    ],
)
def test_sets_of_starts(lemmas: tuple[str, ...], meaning: str) -> None:
    assert of("1 2", *lemmas, "-10 -14") == {meaning: 1}


def test_new_variables_stand_for_their_starts() -> None:
    first = ("20 -10", "20 -11", "-20 -14 3")
    assert of(*first, "d 1 2", "21 -20", "21 -12", "-21 5 6") == {"bound": 2}
    assert of(*first, "21 -20", "21 -13", "-21 5 6") == {"bound": 1, "block": 1}


def test_pairs_of_runs_make_a_table() -> None:
    run = {"class": "a", "id": "b", "encoding": "direct", "cpu_s": 1.0, "conflicts": 2000}
    run |= {"propagations": 3, "proof_bytes": 4_000_000, "variables": 5, "new": {}}
    records = [{**run, "factor": 0}, {**run, "factor": 1, "new": {"bound": 2, "other": 1}}]
    (row,) = factor.report(records).splitlines()[2:]
    assert row == (
        "| a | direct | 1 / 1 of 1 | 1.0 / 1.0 | 2,000 / 2,000 | 3 / 3 | 4.0 / 4.0 | 5 + 3 | "
        "2, 0, 0, 1 |"
    )
