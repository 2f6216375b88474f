"""Differences of puzzles and pictures: switches against all solutions, refusals, the command."""

from __future__ import annotations

import random
from collections import defaultdict
from dataclasses import replace
from itertools import permutations, product
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given

import nonosat
from helpers.commands import MULTIPLE, UNIQUE, put, records, run
from helpers.drawing import examples
from nonosat.core.grid import UNKNOWN, Grid
from nonosat.puzzles.nonogram import Colour, Nonogram, from_grid, mono
from nonosat.puzzles.nonogram.data import clue_of
from nonosat.questions.switches import windows
from nonosat.render import figures
from nonosat.testing.oracles import solutions
from nonosat.testing.strategies import puzzles

__all__ = ["put"]  # a fixture

PAIR = mono([[1, 1], [1, 1]], [[1], [1], [], [1], [1]])


def patched(mine: Grid, yours: Grid, cells: Any) -> bytes:
    """Return the first picture with some cells of the second."""
    changed = bytearray(mine.cells)
    for row, column in cells:
        changed[row * mine.width + column] = yours[row, column]
    return bytes(changed)


@examples(60)
@given(puzzles(max_cells=20))
def test_each_switch_leads_from_one_solution_to_another(puzzle: Nonogram) -> None:
    every = solutions(puzzle)
    grids = [Grid(puzzle.height, puzzle.width, cells) for cells in sorted(every)[:6]]
    for mine in grids:
        for yours in grids:
            found = nonosat.diff(replace(puzzle, goal=mine), replace(puzzle, goal=yours))
            assert list(found.cells) == mine.differences(yours)
            assert (found.lines, found.given, found.notes) == ((), (), ())
            assert sorted(cell for switch in found.switches for cell in switch) == list(found.cells)
            assert [*map(len, found.switches)] == sorted(map(len, found.switches))
            for switch in found.switches:
                assert patched(mine, yours, switch) in every
                assert patched(yours, mine, switch) in every


@pytest.mark.thorough
def test_switches_are_independent_and_indivisible() -> None:
    """Against all solutions: any lengths unknown, up to three colours."""
    draw = random.Random(20)
    num_pairs = 0
    while num_pairs < 400:
        puzzle = loosened(draw, *draw.choice([(2, 3), (3, 4), (1, 9), (2, 6), (4, 4)]))
        every = sorted(solutions(puzzle, 300))
        if not 2 <= len(every) < 300:
            continue
        mine, yours = draw.sample(every, 2)
        num_pairs += 1
        switches = switches_between(puzzle, mine, yours)
        changes = {
            frozenset(at for at, value in enumerate(cells) if value != mine[at])
            for cells in every
            if all(value in pair for value, *pair in zip(cells, mine, yours, strict=True))
        }
        assert [*map(len, switches)] == sorted(map(len, switches))
        assert unions(switches) <= changes
        for switch in switches:
            beside = unions([other for other in switches if other != switch])
            for piece in changes:
                if piece and piece < switch:
                    assert (
                        not {one | piece for one in beside}
                        | {one | switch - piece for one in beside}
                        <= changes
                    )


def loosened(draw: random.Random, height: int, width: int) -> Nonogram:
    """Draw a puzzle that has a solution; some of its lengths are unknown."""
    num_colours, share, filled = draw.choice([1, 1, 2, 3]), draw.choice([0, 0.3, 1]), draw.random()
    cells = [draw.randint(1, num_colours) * (draw.random() < filled) for _ in range(height * width)]
    inks = tuple(Colour(key, f"#{key * 6}") for key in "abc"[:num_colours])
    puzzle = from_grid(Grid(height, width, bytes(cells)), inks)
    rows, columns = (
        tuple(
            tuple(block._replace(length=None) if draw.random() < share else block for block in clue)
            for clue in clues
        )
        for clues in (puzzle.rows, puzzle.columns)
    )
    return replace(puzzle, rows=rows, columns=columns)


def switches_between(puzzle: Nonogram, mine: bytes, yours: bytes) -> list[frozenset[int]]:
    """Return the switches between two solutions; their cells are row-major."""
    pair = (Grid(puzzle.height, puzzle.width, cells) for cells in (mine, yours))
    found = nonosat.diff(*(replace(puzzle, goal=grid) for grid in pair))
    assert found.smallest == found.switches[0]
    return [
        frozenset(row * puzzle.width + column for row, column in switch)
        for switch in found.switches
    ]


def unions(sets: list[frozenset[int]]) -> set[frozenset[int]]:
    """Return the unions of any of the sets."""
    found = {frozenset[int]()}
    for one in sets:
        found |= {one | other for other in found}
    return found


def test_unknown_lengths_do_not_make_switches_of_parts_that_break_a_clue() -> None:
    """Cells 0,0 and 1,0 alone would leave the first row two blocks."""
    loose = mono([[None], [None]], [[1], [1], [1]])
    mine, yours = bytes([0, 0, 1, 1, 1, 0]), bytes([1, 1, 0, 0, 0, 1])
    assert switches_between(loose, mine, yours) == [{1, 4}, {0, 2, 3, 5}]
    grown = mono([[None], [None]], [[None]] * 3)
    mine, yours = bytes([0, 1, 0, 1, 1, 1]), bytes([1, 1, 1, 0, 1, 0])
    assert switches_between(grown, mine, yours) == [{0, 3}, {2, 5}]


def test_parts_of_a_window_may_be_switches() -> None:
    """Four blocks move past each other in a row, two of them by one column each."""
    puzzle = mono([[1, 1], [1, 1]], [[1], [], [1], [], [1], [], [1]])
    mine = bytes([1, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 1])
    yours = mine[7:] + mine[:7]
    assert switches_between(puzzle, mine, yours) == [{0, 4, 7, 11}, {2, 6, 9, 13}]


def test_switches_may_share_lines() -> None:
    """Blocks of a row can be exchanged in two places, as in `why-multiple`."""
    one, other = nonosat.from_picture(["#..#.", ".#..#"]), nonosat.from_picture([".#..#", "#..#."])
    found = nonosat.diff(one, other)
    assert {*found.switches} == {switch.cells for switch in nonosat.why_multiple(one).switches}
    assert len(found.smallest) == 4


def test_windows_are_those_whose_runs_agree() -> None:
    """Against the clues of the windows themselves, on all pairs of short lines."""
    for length, num_colours in ((8, 1), (6, 2)):
        alike = defaultdict(list)
        for line in map(bytes, product(range(num_colours + 1), repeat=length)):
            alike[clue_of(line)].append(line)
        for lines in alike.values():
            for mine, other in permutations(lines, 2):
                places = [at for at in range(length) if mine[at] != other[at]]
                found = [*windows(mine, other, places)]
                assert {at for one in found for at in range(*one)} >= {*places}
                cuts = [
                    at
                    for at in places[:-1]
                    if at + 1 not in places and clue_of(mine[: at + 2]) == clue_of(other[: at + 2])
                ]
                assert [stop - 2 for _, stop in found[:-1]] == cuts
                for start, stop in found:
                    assert clue_of(mine[start:stop]) == clue_of(other[start:stop])


def test_clues_and_cells_of_pictures() -> None:
    found = nonosat.diff(
        Grid(2, 3, bytes([1, 1, 0, 0, 1, 0])), Grid(2, 3, bytes([1, 0, 1, 0, 1, 0]))
    )
    assert (found.cells, found.lines, found.switches) == (((0, 1), (0, 2)), (0, 3, 4), ())
    assert found.differing_clues() == ["row 1: 2 / 1 1", "column 2: 2 / 1", "column 3: 0 / 1"]
    assert found.description() == "2 cells differ, other clues for row 1 and columns 2-3"
    assert not found.is_same
    same = nonosat.diff(PAIR, PAIR)
    assert (same.is_same, same.description()) == (True, "the clues are the same")
    one = Grid(1, 1, b"\1")
    assert nonosat.diff(one, one).description() == "no cell differs, the clues are the same"


def test_pictures_that_are_no_solutions_have_no_switches() -> None:
    mine, yours = Grid(2, 2, bytes([1, 0, 0, 1])), Grid(2, 2, bytes([1, 1, 0, 0]))
    puzzle = from_grid(mine)
    found = nonosat.diff(puzzle, replace(puzzle, goal=yours))
    assert (found.cells, found.switches) == (((0, 1), (1, 1)), ())
    (note,) = found.notes
    assert note.startswith("the picture of the second is not a solution of its clues: row 1 has ")
    bare = nonosat.diff(replace(puzzle, goal=None), puzzle)
    assert bare.notes == (
        "the first has no picture",
        "the picture of the second is a solution of the clues of the first",
    )
    fixed = nonosat.diff(replace(puzzle, given=((0, 0, 1),)), puzzle)
    assert (fixed.given, fixed.switches) == (((0, 0),), ())
    assert "1 given cell not the same" in str(fixed)
    turned = replace(puzzle, goal=Grid(2, 2, bytes([0, 1, 1, 0])))
    assert len(nonosat.diff(puzzle, turned).switches) == 1
    assert nonosat.diff(replace(puzzle, given=((0, 0, 1),)), turned).switches == ()


def test_colours_are_matched_by_similarity() -> None:
    two = {"r": "red", "b": "blue"}
    first = nonosat.from_picture(["rb", "b."], colours=two)
    second = nonosat.from_picture(["bb", "b."], colours={"b": "blue"})
    found = nonosat.diff(first, second)
    assert found.cells == ((0, 0),)
    assert found.differing_clues() == ["row 1: 1r 1b / 2b", "column 1: 1r 1b / 2b"]
    assert nonosat.diff(second, first).cells == found.cells
    turned = nonosat.from_picture(["rb", "b."], colours={"b": "blue", "r": "red"})
    assert nonosat.diff(first, turned).is_same
    green = nonosat.from_picture(["rb", "b."], colours={"r": "green", "b": "blue"})
    with pytest.raises(nonosat.PuzzleError, match=r"the colours differ: one has #\w+, #0000ff"):
        nonosat.diff(first, green)
    black, red = nonosat.from_picture(["#."]), nonosat.from_picture(["r."], colours={"r": "red"})
    assert nonosat.diff(black, red).is_same
    coloured = Grid(1, 3, bytes([1, 2, 0]))
    assert nonosat.diff(coloured, Grid(1, 3, bytes([1, 1, 0]))).cells == ((0, 1),)


def test_puzzles_that_cannot_be_compared_are_refused() -> None:
    told = "the first has 1 row x 1 column, the second 2 rows x 5 columns; expected one size"
    with pytest.raises(nonosat.PuzzleError, match=told):
        nonosat.diff(Grid(1, 1, b"\0"), PAIR)
    with pytest.raises(nonosat.PuzzleError, match="the first picture has unknown cells"):
        nonosat.diff(Grid(1, 1, bytes([UNKNOWN])), Grid(1, 1, b"\0"))
    with pytest.raises(nonosat.UnsupportedError, match="this puzzle is of the family queens"):
        nonosat.diff(PAIR, nonosat.Queens(4))  # type: ignore[arg-type]
    with pytest.raises(nonosat.NotAPuzzleError):
        nonosat.diff("a", "b")  # type: ignore[arg-type]


def test_differences_are_drawn() -> None:
    one, other = (replace(PAIR, goal=grid) for grid in nonosat.solutions(PAIR, limit=2))
    found = nonosat.diff(one, other)
    assert "<svg" in figures.svg_of(found)
    assert figures.svg_of(found) != figures.svg_of(nonosat.diff(one, one))
    assert "<svg" in figures.svg_of(nonosat.diff(PAIR, PAIR))


# The command


def test_two_pictures_side_by_side(put: Any) -> None:
    del put
    Path("a.txt").write_text("#..\n.#.\n..#\n")
    Path("b.txt").write_text(".#.\n#..\n..#\n")
    done = run("diff", "a.txt", "b.txt")
    assert (done.exit_code, done.stderr) == (0, "")
    lines = done.stdout.splitlines()
    assert [line.split() for line in lines[:2]] == [
        ["a.txt#1", "b.txt#1", "differences"],
        ["#..", ".#.", "AA."],
    ]
    assert lines[4].endswith("b.txt#1: 4 cells differ, the clues are the same, 1 switch")
    assert lines[6] == "  the switch: 1,1 1,2 2,1 2,2"
    (record,) = records(run("diff", "a.txt", "b.txt", "--json"))
    assert (record["first"]["file"], record["second"]["file"]) == ("a.txt", "b.txt")
    assert record["switches"] == [[[0, 0], [0, 1], [1, 0], [1, 1]]]


def test_output_of_solve_is_accepted_as_an_answer(put: Any) -> None:
    path = put({**MULTIPLE, "goal": "1001"})
    shown = run("solve", path, "--max-solutions", "2").stdout
    pictures = [line for line in shown.splitlines() if set(line) <= {"▀", "▄"}]
    Path("other.txt").write_text(f"{pictures[0]}\n")
    Path("goal.txt").write_text(f"{pictures[1]}\n")
    told = [run("diff", *pair).stdout for pair in (("other.txt", path), (path, "goal.txt"))]
    assert sorted("1 switch" in text for text in told) == [False, True]
    assert sorted("no cell differs" in text for text in told) == [False, True]
    Path("all.txt").write_text(run("solve", path).stdout)
    assert ", the clues are the same" in run("diff", path, "all.txt").stdout
    Path("bad.txt").write_text("▀▄▀▄▀\n")
    done = run("diff", path, "bad.txt")
    assert done.exit_code == 2
    assert "bad.txt" in done.stderr
    assert run("diff", "bad.txt", "bad.txt").exit_code == 2


def test_all_output_forms_of_solve_are_accepted(put: Any) -> None:
    """Pictures of several colours have a legend; one of whole blocks has no half ones."""
    colours = {"r": "red", "b": "blue"}
    pictures = {
        "colours": nonosat.from_picture(["rb.", ".r."], colours=colours),
        "whole": nonosat.from_picture(["....", "....", ".##.", ".##.", "....", "...."]),
        "odd": nonosat.from_picture(["#", "#", "#"]),
    }
    for name, puzzle in pictures.items():
        nonosat.save([puzzle], f"{name}.jsonl")
        Path(f"{name}.out").write_text(run("solve", f"{name}.jsonl").stdout)
        done = run("diff", f"{name}.jsonl", f"{name}.out")
        assert "no cell differs, the clues are the same" in done.stdout, (name, done.stderr)


def test_other_output_is_refused_with_a_reason(put: Any) -> None:
    path = put(MULTIPLE)
    shown = run("solve", path, "--max-solutions", "2").stdout
    Path("two.txt").write_text(shown)
    done = run("diff", path, "two.txt")
    assert (done.exit_code, done.stdout) == (2, "")
    assert "two.txt:1: 2 lines of half blocks, expected 1" in done.stderr
    done = run("diff", path, "-", input=shown)
    assert "what `solve` prints is read from a file, not from standard input" in done.stderr


def test_puzzles_without_pictures_and_of_other_sizes(put: Any) -> None:
    one, other = put(UNIQUE, name="u.jsonl"), put(MULTIPLE, name="m.jsonl")
    done = run("diff", one, other)
    assert done.exit_code == 0
    assert (
        "corner, 2 rows x 2 columns, and switch: other clues for row 1 and column 1" in done.stdout
    )
    assert "  row 1: 2 / 1\n" in done.stdout
    assert "  the first has no picture\n" in done.stdout
    large = put({"rows": [[1]], "columns": [[1]]}, name="l.jsonl")
    assert run("diff", one, large).exit_code == 2
    done = run("diff", "-", "-", input="")
    assert "standard input is read only once; A or B must be a file" in done.stderr


def test_the_command_names_the_files_of_different_sizes(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("#.\n..\n")
    (tmp_path / "b.txt").write_text("#.#\n...\n")
    done = run("diff", str(tmp_path / "a.txt"), str(tmp_path / "b.txt"))
    assert done.exit_code == 2
    assert "a.txt#1 and " in done.stderr
    assert "b.txt#1: the first has 2 rows x 2 columns, the second 2 rows" in done.stderr
