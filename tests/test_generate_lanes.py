"""Random boards of lanes: reproducible, of the requested density, unique if requested."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import nonosat
from helpers.clocks import Clock
from helpers.commands import run
from nonosat.core.errors import LimitReached, PuzzleError
from nonosat.core.model import Block
from nonosat.generate.lanes import generate_lanes
from nonosat.puzzles.lanes import Shape, grids, outline, triddler
from nonosat.testing.oracles import every_solution


@pytest.mark.parametrize(
    "shape", [triddler(2), triddler(0, 2, 0, 2, 0, 2), outline("###", "#.#"), grids((0, 0, 3, 3))]
)
def test_unique_boards_have_one_solution(shape: Shape) -> None:
    for seed in range(4):
        puzzle = generate_lanes(shape, 0.4, seed, unique=True)
        assert len({*(every_solution(puzzle) or ())}) == 1
        assert puzzle == generate_lanes(shape, 0.4, seed, unique=True)
        assert puzzle.shape == shape


def test_cells_have_the_density_and_depend_on_the_seed() -> None:
    puzzles = [generate_lanes(triddler(8), 0.3, seed) for seed in range(5)]
    rows = sum(puzzle.shape.layout.groups[0] for puzzle in puzzles)
    filled = [
        block.length or 0
        for puzzle in puzzles
        for clue in next(puzzle.grouped(puzzle.clues))
        for block in clue
    ]
    assert rows == 5 * 16
    assert 0.25 < sum(filled) / (5 * 384) < 0.35
    assert len(set(puzzles)) == 5
    assert {*generate_lanes(triddler(2), 0).clues} == {()}
    assert generate_lanes(triddler(1), 1).clues == ((Block(3),),) * 6


@pytest.mark.parametrize("density", [-0.1, 1.1, "half", None])
def test_invalid_densities_are_refused(density: Any) -> None:
    with pytest.raises(PuzzleError, match="a density of"):
        generate_lanes(triddler(2), density)


def test_a_limit_ends_the_search_for_a_unique_board(clock: Clock) -> None:
    clock.step_s = 1.0
    with pytest.raises(LimitReached, match="time limit"):
        generate_lanes(triddler(12), 0.3, unique=True, time_limit_s=2)


def test_the_command_makes_several(tmp_path: Path) -> None:
    file = tmp_path / "a.jsonl"
    line = ["generate", "triddler", "3", "--density", "0.4", "--unique", "--count", "3", "-o"]
    assert run(*line, str(file)).exit_code == 0
    puzzles = nonosat.load_all(file)
    assert [puzzle.about.id for puzzle in puzzles] == [f"triddler-3-0.4-{at}" for at in range(3)]
    assert all(map(nonosat.is_unique, puzzles))
    refused = run("generate", "triddler", "3", "4")
    assert refused.exit_code == 2
    assert "expected six lengths" in refused.stderr
