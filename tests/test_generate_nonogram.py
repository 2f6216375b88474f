"""Random nonograms: puzzles called unique are unique, and the seed determines everything."""

from __future__ import annotations

import hashlib
from itertools import product

import pytest

import nonosat
from helpers.clocks import Clock
from helpers.commands import run
from helpers.mending import is_line_solvable
from nonosat.core.errors import PuzzleError
from nonosat.formats import tournament
from nonosat.generate.nonogram import generate_nonogram, generate_tournament
from nonosat.testing.oracles import solutions

WISHES = [
    *({"unique": True} | more for more in ({}, {"symmetric": True}, {"colours": 3})),
    *({"logic_only": True} | more for more in ({}, {"symmetric": True}, {"colours": 3})),
    *({"grade": 2} | more for more in ({}, {"symmetric": True}, {"colours": 3})),
    {"grade": 5},
]


@pytest.mark.slow
@pytest.mark.parametrize("how", WISHES)
def test_requested_puzzles_are_made(how: dict[str, int]) -> None:
    size = (9, 9) if how.get("grade") else (5, 6)
    for seed in range(2):
        puzzle = generate_nonogram(*size, 0.45, seed, **how)
        assert (puzzle.height, puzzle.width) == size
        assert nonosat.solve(puzzle, max_solutions=2).solutions == (puzzle.goal,)
        if "grade" in how:
            assert int(nonosat.rate(puzzle).difficulty) == how["grade"]
        if "logic_only" in how:
            assert is_line_solvable(puzzle.goal, len(puzzle.colours))
        if "symmetric" in how:
            rows = [puzzle.goal.row(row) for row in range(puzzle.height)]
            assert rows == [row[::-1] for row in rows]
        assert len(puzzle.colours) == how.get("colours", 1)


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("size", "how"),
    [
        ((10, 10), {}),
        ((13, 16), {"density": 0.6}),
        ((9, 17), {"symmetric": True}),
        ((9, 12), {"colours": 3}),
    ],
)
def test_the_hardest_grade_is_made(size: tuple[int, int], how: dict[str, int]) -> None:
    pictures = set()
    for seed in range(3):
        puzzle = generate_nonogram(*size, seed=seed, grade=7, **how)
        assert (puzzle.height, puzzle.width) == size
        assert int(nonosat.rate(puzzle).difficulty) == 7
        other = nonosat.check(puzzle, backend="cadical195", hints="none")
        assert (other.verdict.value, other.solution) == ("unique", puzzle.goal)
        rows = [puzzle.goal.row(row) for row in range(puzzle.height)]
        assert (rows == [row[::-1] for row in rows]) == ("symmetric" in how)
        assert len(puzzle.colours) == how.get("colours", 1)
        pictures.add(puzzle.goal)
    assert len(pictures) > 1


def test_a_small_board_is_too_small_for_the_hardest_grade() -> None:
    for size, is_symmetric, told in (
        (
            (8, 30),
            False,
            "a puzzle of grade 7 of 8 rows x 30 columns, .* 9 rows x 9 columns",
        ),
        ((30, 8), False, "30 rows x 8 columns"),
        ((9, 16), True, "a symmetric puzzle of grade 7 of 9 rows x 16 columns, .* 17 columns"),
    ):
        with pytest.raises(PuzzleError, match=told):
            generate_nonogram(*size, grade=7, symmetric=is_symmetric)


def test_unique_means_unique_by_enumeration() -> None:
    for seed in range(30):
        puzzle = generate_nonogram(4, 4, 0.3, seed, unique=True)
        assert solutions(puzzle) == {puzzle.goal.cells}


def test_a_seed_determines_everything() -> None:
    """The hash is the same on every machine."""
    cells = b"".join(
        generate_nonogram(12, 10, 0.45, seed, unique=True, colours=2).goal.cells
        for seed in range(5)
    )
    assert hashlib.sha256(cells).hexdigest()[:16] == "4836985a97969a8b"


def test_numbers_that_are_equal_make_the_same_puzzle() -> None:
    assert generate_nonogram(4, 4, 1, colours=3) == generate_nonogram(4, 4, 1.0, colours=3)


def test_without_options_it_is_a_random_picture() -> None:
    puzzle = generate_nonogram(60, 80, 0.3)
    assert 0.27 < sum(puzzle.goal.cells) / 4800 < 0.33
    assert set(generate_nonogram(3, 4, 0).goal.cells) == {0}
    assert set(generate_nonogram(3, 4, 1, colours=1, unique=True).goal.cells) == {1}
    assert generate_nonogram(1, 1, 1, symmetric=True, unique=True).goal.cells == b"\1"


def test_sets_of_tournaments_are_emptied_puzzle_by_puzzle() -> None:
    made = [generate_tournament(number, 4, 20, seed=3) for number in range(1, 5)]
    assert [sum(puzzle.goal.cells) for puzzle in made] == [200, 180, 160, 140]
    assert [puzzle.about.id for puzzle in made] == list("1234")
    assert made[1] == generate_tournament(2, 4, 20, seed=3)
    assert made[1] != generate_tournament(2, 4, 20, seed=4)
    assert sum(generate_tournament(1, 1, 3).goal.cells) == 4
    firsts = [generate_tournament(1, size=2, seed=seed).goal.cells for seed in range(300)]
    assert {*firsts} == {bytes(cells) for cells in product((0, 1), repeat=4) if sum(cells) == 2}
    with pytest.raises(PuzzleError, match="puzzle 5 of 4, expected 1 to the count"):
        generate_tournament(5, 4)


def test_a_set_is_written_as_a_question_file() -> None:
    done = run("generate", "tournament", "--count", "3", "--size", "5", "--seed", "1")
    read = tournament.read(done.stdout.encode())
    expected = [generate_tournament(number, 3, 5, seed=1) for number in (1, 2, 3)]
    assert [(one.rows, one.columns) for one in read] == [(p.rows, p.columns) for p in expected]


def test_harder_densities_are_mended_in_time() -> None:
    for size, density in ((25, 0.4), (40, 0.5)):
        puzzle = generate_nonogram(size, size, density, 2, unique=True, time_limit_s=600)
        assert nonosat.is_unique(puzzle)


@pytest.mark.parametrize(
    ("named", "told"),
    [
        ({"density": 1.5}, "a density of 1.5, expected 0 to 1"),
        ({"density": "x"}, "a density of 'x', expected 0 to 1"),
        ({"colours": 2.5}, "2.5 colours, expected 1 to 7"),
        ({"grade": 2.5}, "grade is 2.5, expected 1 to 7"),
        ({"grade": 8}, "grade is 8, expected 1 to 7"),
        ({"grade": 6, "logic_only": True}, "grade 6 by line logic alone, expected at most 4"),
        ({"colours": 8}, "8 colours, expected 1 to 7"),
        ({"grade": 6}, "none of 500 pictures was of grade 6"),
    ],
)
def test_impossible_options_are_refused(named: dict[str, float], told: str) -> None:
    with pytest.raises(PuzzleError, match=told):
        generate_nonogram(2, 2, **named)


def test_the_command_makes_several(clock: Clock, tmp_path: object) -> None:
    out = f"{tmp_path}/a.jsonl"
    words = ["generate", "nonogram", "8", "6", "--unique", "--seed", "4", "--count", "3"]
    assert run(*words, "-o", out).exit_code == 0
    made = nonosat.load_all(out)
    assert [puzzle.about.id for puzzle in made] == ["8x6-0.5-4", "8x6-0.5-5", "8x6-0.5-6"]
    assert [puzzle.goal for puzzle in made] == [
        generate_nonogram(8, 6, seed=seed, unique=True).goal for seed in (4, 5, 6)
    ]
    clock.step_s = 4
    done = run("generate", "nonogram", "60", "60", "--grade", "7", "--time-limit", "60")
    assert (done.exit_code, done.stdout) == (5, "")
    assert "time limit of 60 s: nothing is written" in done.stderr
    assert run("generate", "nonogram", "0", "4").exit_code == 2
    done = run("generate", "nonogram", "4", "4", "--count", "2", "--to", "nin")
    assert (done.exit_code, "nin holds one puzzle, not 2" in done.stderr) == (2, True)
