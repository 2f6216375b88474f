"""Refusals and limits of the documents' methods for whole grids."""

from __future__ import annotations

import pytest
from click.testing import CliRunner

import nonosat
from nonosat import Verdict
from nonosat.cli import main
from nonosat.core.errors import LimitReached, UnsupportedError
from nonosat.core.limits import Limits, Watch
from nonosat.core.model import Block
from nonosat.core.plugins import Ending
from nonosat.puzzles.nonogram import BLACK, Colour, Nonogram, mono
from nonosat.study._backtracking import backtracked
from nonosat.study._grid import PlainBoard, too_many_steps
from nonosat.study._lines import Meter, metered
from test_study_grids import METHODS, SIX, methods, solved

LARGE = mono([(1,)] * 60, [(1,)] * 60)
HUGE = mono([(1, 1)] * 200, [(1, 1)] * 200)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "puzzle", "reason"),
    [
        ("brute-force", SIX, "about 10^11 grids, expected at most 33,554,432 (25 open cells)"),
        ("automata-backtracking", LARGE, "about 10^1084 grids of 3600 cells, expected at most 400"),
        ("rules", HUGE, "up to 40,400 lines of 200 cells in turn, expected at most 120 cells a li"),
        ("rules-backtracking", LARGE, "about 10^1084 grids of 3600 cells, expected at most 400"),
        ("method-1", mono([(1,) * 14] * 40, [(14,)] * 40), "steps, expected at most 33,554,432"),
        ("method-2", mono([(1,) * 10] * 30, [(10,)] * 30), "steps, expected at most 33,554,432"),
        ("optimum", HUGE, "lines of 200 cells, expected at most 120"),
        ("alternating", HUGE, "lines of 200 cells, expected at most 120"),
        ("completion", HUGE, "lines of 200 cells, expected at most 120"),
        ("greedy", HUGE, "lines of 200 cells, expected at most 120"),
        ("human", mono([(1,) * 50] * 100, [(50,)] * 100), "first pass takes up to 1"),
    ],
)
def test_large_puzzles_are_refused_with_the_estimate(
    name: str, puzzle: Nonogram, reason: str
) -> None:
    assert reason in METHODS[name].limit(puzzle)
    with pytest.raises(UnsupportedError, match=f"study:{name}' cannot handle this puzzle"):
        nonosat.solve(puzzle, backend=f"study:{name}")


def test_a_refusal_names_what_works() -> None:
    """Other methods of the documents, if they can handle the puzzle, and always `auto`."""
    with pytest.raises(UnsupportedError, match="; these can: auto, ") as refusal:
        nonosat.solve(SIX, backend="study:brute-force")
    able = str(refusal.value).partition("; these can: ")[2].split(", ")
    assert able == ["auto", *(f"study:{name}" for name in sorted(METHODS.keys() - {"brute-force"}))]
    for name in able:
        verdict = Verdict.UNKNOWN if name == "study:rules" else Verdict.SOLVED
        assert nonosat.solve(SIX, backend=name).verdict is verdict
    with pytest.raises(UnsupportedError, match=r"these can: auto$"):
        nonosat.solve(HUGE, backend="study:optimum")


@methods
def test_colours_are_refused_by_the_pipeline(name: str) -> None:
    inks = (BLACK, Colour("r", "#ff0000"))
    puzzle = Nonogram(((Block(1, 2),),), ((Block(1, 2),),), colours=inks)
    with pytest.raises(
        UnsupportedError, match=r"2 colours, the documents know only one; these can: auto$"
    ):
        nonosat.solve(puzzle, backend=f"study:{name}")


@methods
def test_the_watch_ends_every_method(name: str) -> None:
    """Long before its end: a limit of no time at all."""
    puzzle = mono([(1,)] * 5, [(1,)] * 5)
    run = METHODS[name].solve(puzzle, Watch(Limits(time_s=0)), 0)
    with pytest.raises(LimitReached, match="time limit"):
        list(run)


def test_a_method_gives_up_after_too_many_steps() -> None:
    meter = Meter(most=500)
    run = metered(backtracked(PlainBoard(SIX), meter), meter, lambda: {"more": 1})
    with pytest.raises(StopIteration) as stop:
        next(run)
    assert stop.value.value == Ending(False, "gave up after 500 steps", {"steps": 501, "more": 1})


def test_the_limits_apply_to_lines_too() -> None:
    assert too_many_steps(SIX, lambda clue, length: 10) is None
    assert too_many_steps(SIX, lambda clue, length: 10**7) == (
        "its first pass takes up to 120000000 steps, expected at most 33,554,432"
    )


def _listed() -> str:
    done = CliRunner().invoke(main, ["list", "study"])
    return done.output


@methods
def test_plug_ins_have_summaries(name: str) -> None:
    module = METHODS[name]
    assert module.summary
    assert f"study:{name} " in (listed := _listed())
    assert f"at most {module.largest}" in listed
    assert module.source.startswith("document 00")


@methods
def test_given_cells_are_kept(name: str) -> None:
    for cell, expected in (((0, 0, 1), {b"\1\0\0\1"}), ((1, 1, 0), {b"\0\1\1\0"})):
        puzzle = mono([(1,), (1,)], [(1,), (1,)], given=(cell,))
        assert solved(name, puzzle) == (set() if name == "rules" else expected)
    torn = mono([(1,), (1,)], [(1,), (1,)], given=((0, 0, 1), (0, 1, 1)))
    assert solved(name, torn) == set()
