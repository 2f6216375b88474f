"""Well-known pictures in any size: as many rows as requested, or the next smaller picture."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import partial
from math import cos, inf, nextafter, sin

import pytest

import nonosat
from helpers.clocks import Clock
from helpers.commands import run
from helpers.generator import INSTANCES
from nonosat.core.errors import LimitReached, PuzzleError
from nonosat.generate import patterns
from nonosat.generate.patterns import MOST_ROWS, PATTERNS, generate_pattern
from nonosat.puzzles.nonogram.data import clues_of


@pytest.mark.parametrize("name", PATTERNS)
def test_every_pattern_is_the_largest_that_fits(name: str) -> None:
    least = PATTERNS[name].least
    heights = []
    for size in (least, least + 1, 31, 32, 60):
        puzzle = generate_pattern(name, size)
        assert puzzle.height <= size
        assert (puzzle.rows, puzzle.columns) == clues_of(puzzle.goal)
        assert 0 < sum(puzzle.goal.cells) < len(puzzle.goal.cells) or size < 5
        assert puzzle.about.id == f"{name}-{puzzle.height}"
        heights.append(puzzle.height)
    assert heights[0] == least
    assert heights == sorted(heights)
    assert heights[-1] > 25
    assert generate_pattern(name, heights[-1]) == generate_pattern(name, 60)
    with pytest.raises(PuzzleError, match=f"expected {least} to {MOST_ROWS}"):
        generate_pattern(name, least - 1)


def test_dark_pictures_are_filled_where_the_others_are_empty() -> None:
    plain, dark = (generate_pattern("rose", 15, dark=dark) for dark in (False, True))
    assert [a + b for a, b in zip(plain.goal.cells, dark.goal.cells, strict=True)] == [1] * 225
    assert dark.about.id == "rose-15-dark"


@pytest.mark.parametrize("name", ["spirograph", "pentagrid"])
def test_last_digits_of_sines_have_no_effect(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Machines differ in them."""
    drawn = {}
    for end in (-inf, inf):
        for wave in (sin, cos):
            near = partial(_near, wave, end)
            monkeypatch.setattr(patterns, wave.__name__, near)
        drawn[end] = [generate_pattern(name, size).goal for size in (9, 10, 24, 39, 60)]
    assert drawn[-inf] == drawn[inf]


def _near(wave: Callable[[float], float], end: float, angle: float) -> float:
    return nextafter(wave(angle), end)


def test_the_bundled_pictures_are_these() -> None:
    by_size = {"sierpinski": "pascal-16", "triangles": "triangles-24"}
    for name, bundled in by_size.items():
        puzzle = nonosat.load(f"{INSTANCES / 'hard.jsonl'}#{bundled}")
        assert generate_pattern(name, puzzle.height).rows == puzzle.rows


def test_impossible_sizes_are_refused(clock: Clock) -> None:
    clock.step_s = 0.002
    with pytest.raises(
        PuzzleError, match=r"'sierpinsky' is not a pattern \(did you mean sierpinski"
    ):
        generate_pattern("sierpinsky", 9)
    for size in (MOST_ROWS + 1, 10**30, True, 9.0):
        with pytest.raises(PuzzleError, match="expected 5 to"):
            generate_pattern("rose", size)  # type: ignore[arg-type]
    with pytest.raises(LimitReached):
        generate_pattern("mandelbrot", 900, time_limit_s=0.01)


def test_the_command_draws_and_its_help_names_all() -> None:
    done = run("generate", "pattern", "hilbert", "--size", "10")
    assert done.stdout.splitlines() == generate_pattern("hilbert", 10).goal.lines(".#")
    told = " ".join(run("generate", "pattern", "--help").stdout.split())
    listed = re.search(r"NAME is (.*?)\. Some", told)
    assert listed is not None
    assert re.split(", | or ", listed[1]) == [*PATTERNS]
    done = run("generate", "pattern", "hilbert", "--size", "2")
    assert done.exit_code == 2
    assert "hilbert of 2 rows, expected 3 to 1000" in done.stderr
