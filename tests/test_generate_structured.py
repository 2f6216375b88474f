"""Structured nonograms: pictures have the declared structure, and each is the only solution."""

from __future__ import annotations

import re

import pytest

import nonosat
from helpers.commands import run
from helpers.generator import INSTANCES
from nonosat import formats
from nonosat.board.presolve import PresolvedModel
from nonosat.core.errors import LimitReached, PuzzleError
from nonosat.core.limits import Limits, Watch
from nonosat.core.result import Verdict
from nonosat.generate import structured
from nonosat.generate.structured import FAMILIES, generate_structured, staircase
from nonosat.puzzles.nonogram import build
from nonosat.testing import oracles

HARD = sorted({*FAMILIES} - {"beside-noise"})  # noise may make the staircase easy


@pytest.mark.parametrize("family", FAMILIES)
def test_small_ones_have_one_solution_by_enumeration(family):
    for n in (1, 2):
        assert len(oracles.solutions(generate_structured(family, n), 2)) == 1


@pytest.mark.thorough
@pytest.mark.parametrize("backend", ["learn", "search", "cadical195"])
@pytest.mark.parametrize("family", FAMILIES)
def test_they_have_one_solution_by_every_engine(family, backend):
    for n in (3, 4, 5) if backend != "search" else (3, 4):
        result = nonosat.check(generate_structured(family, n), backend=backend, presolve="none")
        assert result.verdict is Verdict.UNIQUE, n


@pytest.mark.parametrize("family", HARD)
def test_propagation_and_probing_leave_most_cells_open(family):
    puzzle, watch = generate_structured(family, 7), Watch(Limits())
    task = PresolvedModel.of(build(puzzle))
    assert task.propagate(watch)
    assert task.probe(watch)[0]
    most = sum(map(bool, puzzle.rows)) * sum(map(bool, puzzle.columns))  # others are empty lines
    assert task.num_open() > 3 / 4 * most


@pytest.mark.parametrize("family", FAMILIES)
def test_clues_are_those_of_the_only_solution_and_do_not_contain_it(family):
    puzzle = generate_structured(family, 6)
    assert puzzle == generate_structured(family, 6)
    assert not puzzle.goal
    assert puzzle.about.id == f"{family}-6"
    assert "6" in puzzle.about.title
    found = nonosat.check(puzzle)
    assert found.verdict is Verdict.UNIQUE
    rows = [[len(run) for run in re.findall(r"r+|b+|#+", row)] for row in _text(found)]
    for runs, clue in zip(rows, puzzle.rows, strict=True):
        said = [block.length for block in clue]
        assert [run if length else None for run, length in zip(runs, said, strict=True)] == said


def _text(found):
    return found.solution.lines(".#" if len(found.puzzle.colours) == 1 else ".rb")


@pytest.mark.thorough
def test_the_bundled_ones_have_one_solution():
    puzzles = formats.load_all(INSTANCES / "structured.jsonl")
    assert {puzzle.about.id.rpartition("-")[0] for puzzle in puzzles} == {*FAMILIES} - {"dominoes"}
    for puzzle in puzzles:
        assert nonosat.check(puzzle).verdict is Verdict.UNIQUE, puzzle.about.id


def test_pictures():
    def picture(family, n):
        return _text(nonosat.check(generate_structured(family, n)))

    assert staircase(2).lines() == ["###..", "#....", "#.###", "..#..", "..#.."]
    assert picture("dominoes", 2) == staircase(2).lines()
    assert picture("combs", 1) == ["####", "#...", "####", "#...", "####"]
    assert picture("spirals", 1) == [
        *("#######", "......#", "#####.#", "#...#.#", "#.###.#", "#.....#", "#######")
    ]
    assert picture("interleaved", 1) == ["###......", "#.....###", "#.....#..", "......#.."]
    assert picture("swapped", 1) == ["..###", "..#..", "###..", "#....", "#...."]
    assert picture("coloured", 2) == [
        *("rrr...bbb", "r.......b", "r.rrrbb.b", "..r...b..", "..r...b..")
    ]
    assert picture("knights", 2) == ["##...", ".....", ".#...", ".#.##", ".....", "....#", "....#"]
    assert picture("trominoes", 1) == ["##.", ".#.", "...", ".##", "..#"]
    assert picture("mirrored", 1) == ["#####", "#...#", "#...#"]
    top = ["..######..", "....##....", "###.##.###", "..#....#..", "..#....#.."]
    assert picture("diamonds", 2) == [*top, *reversed(top)]
    beside = picture("beside-noise", 3)
    assert [row[:8] for row in beside] == [f"{row}." for row in staircase(3).lines()]


def test_lengths_are_hidden():
    puzzle = generate_structured("unknown-lengths", 3)
    assert [[block.length for block in clue] for clue in puzzle.rows] == [
        *([3], [None], [None, 3], [None], [None, 3], [None], [None])
    ]
    assert [[block.length for block in clue] for clue in puzzle.columns] == [
        *([3], [1], [None, 3], [1], [None, 3], [1], [1])
    ]


def test_impossible_puzzles_are_refused():
    with pytest.raises(PuzzleError, match=r"'comb' is no family .* combs"):
        generate_structured("comb", 3)
    for n in (0, -1):
        with pytest.raises(PuzzleError, match="at least 1"):
            generate_structured("combs", n)
    with pytest.raises(PuzzleError, match="at most"):
        generate_structured("diamonds", 3000)
    with pytest.raises(LimitReached):
        generate_structured("beside-noise", 12, time_limit_s=1e-6)


def test_pictures_are_drawn_until_there_is_one_solution(monkeypatch):
    seen = []
    check = structured.pipeline.check

    def noted(puzzle, **options):
        seen.append(check(puzzle, **options).verdict)
        return check(puzzle, **options)

    monkeypatch.setattr(structured.pipeline, "check", noted)
    generate_structured("beside-noise", 9)
    assert seen[-1] is Verdict.UNIQUE
    assert set(seen[:-1]) == {Verdict.MULTIPLE}


def test_the_command_generates(tmp_path):
    shown = run("generate", "structured", "knights", "4")
    assert shown.exit_code == 0
    assert formats.loads(shown.stdout) == generate_structured("knights", 4)
    out = tmp_path / "new.non"
    assert run("generate", "structured", "combs", "3", "-o", str(out)).exit_code == 0
    assert formats.load_all(out)[0].rows == generate_structured("combs", 3).rows
    lines = run("generate", "structured", "combs", "2", "5").stdout.splitlines()
    assert [re.search(r'"id":"([^"]*)"', line)[1] for line in lines] == ["combs-2", "combs-5"]


def test_the_command_names_mistakes():
    for arguments, status in (
        (("combs",), 2),
        (("comb", "3"), 2),
        (("combs", "0"), 2),
        (("combs", "x"), 2),
        (("beside-noise", "12", "--time-limit", "0.001ms"), 5),
    ):
        assert run("generate", "structured", *arguments).exit_code == status


def test_the_help_names_every_family():
    text = run("generate", "structured", "--help").stdout
    text = re.sub(r"-\n\s+", "-", text)
    assert all(family in text for family in FAMILIES)
