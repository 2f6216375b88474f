"""Every encoding with every engine that takes clauses agrees with brute force on seeded puzzles.

500 puzzles, of one colour and two, blotted clues, given cells and unsolvable ones among them; each
is encoded once by every encoding of `Line` from the clues alone, and each engine decides in its
turn whether there are no, one or more solutions. NONOSAT_FUZZ=N draws N times as many.

The engines work in this process, where a formula costs microseconds: none of these is hard.
"""

from __future__ import annotations

import random
from functools import cache

import pytest

from helpers.drawing import FUZZ
from nonosat import plugins
from nonosat.backends import pysat
from nonosat.clauses.cnf import Cnf
from nonosat.clauses.translate import ENCODINGS, translate
from nonosat.errors import UnsupportedError
from nonosat.grid import Grid
from nonosat.limits import Limits, Watch
from nonosat.model import Block, Clue
from nonosat.plugins import Answer
from nonosat.puzzles import nonogram
from nonosat.puzzles.nonogram import BLACK, Colour, Nonogram, clue_of
from nonosat.testing import oracles

LINES = [name.removeprefix("line-") for name in plugins.names("encodings") if name[:5] == "line-"]
NUM_PUZZLES = 500 * FUZZ
RED = Colour("r", "#ff0000")


def blotted(clue: Clue, rng: random.Random) -> Clue:
    """The clue with some of its lengths unknown."""
    return tuple(Block(rng.choice((length, length, None)), colour) for length, colour in clue)


def draw_puzzle(seed: int) -> Nonogram:
    """A small puzzle; every third one has its rows shuffled, and mostly no solution."""
    rng = random.Random(seed)
    height, width, num_colours = rng.randint(1, 5), rng.randint(1, 5), rng.choice((1, 1, 2))
    density = rng.choice((0.2, 0.4, 0.5, 0.8))
    cells = [rng.randint(1, num_colours) * (rng.random() < density) for _ in range(height * width)]
    rows = [clue_of(cells[row * width : (row + 1) * width]) for row in range(height)]
    columns = [clue_of(cells[column::width]) for column in range(width)]
    if seed % 3 == 0:
        rng.shuffle(rows)
        rng.shuffle(columns)
    if seed % 4 == 0:
        rows = [blotted(clue, rng) for clue in rows]
    cell = rng.randrange(height * width)
    given = ((*divmod(cell, width), cells[cell]),) if seed % 5 == 0 else ()
    return Nonogram(tuple(rows), tuple(columns), (BLACK, RED)[:num_colours], given=given)


@cache
def puzzles() -> list[tuple[Nonogram, int]]:
    """Each with the number of its solutions, at most 2."""
    drawn = [draw_puzzle(seed) for seed in range(NUM_PUZZLES)]
    return [(puzzle, len(oracles.solutions(puzzle, 2))) for puzzle in drawn]


@cache
def formulas(encoding: str) -> list[Cnf | None]:
    """The puzzles' clauses; None where the encoding refuses one."""
    found: list[Cnf | None] = []
    for puzzle, _ in puzzles():
        model = nonogram.build(puzzle)
        cnf = Cnf(model.num_vars)
        try:
            translate(model, cnf, {**ENCODINGS, "line": encoding})
        except UnsupportedError:
            found.append(None)
        else:
            found.append(cnf)
    return found


def num_solutions(engine_name: str, puzzle: Nonogram, cnf: Cnf) -> int:
    """How many solutions the engine finds, at most 2, each of them verified."""
    engine = pysat.open_engine(engine_name, cnf.num_vars, 0, {})
    watch = Watch(Limits())
    found: list[Grid] = []
    engine.add_batch(cnf.buffer)
    while len(found) < 2 and engine.solve((), watch) is Answer.SAT:
        values = engine.values()
        grid = nonogram.decode(puzzle, values)
        assert nonogram.refutation(puzzle, grid) is None
        assert grid not in found
        found.append(grid)
        num_cells = nonogram.build(puzzle).num_vars
        engine.add([-v if values[v] else v for v in range(1, num_cells + 1)])
    engine.close()
    return len(found)


def test_the_drawn_puzzles_are_of_every_sort() -> None:
    counts = [count for _, count in puzzles()]
    assert min(counts.count(0), counts.count(1), counts.count(2)) > NUM_PUZZLES // 10


@pytest.mark.parametrize("encoding", LINES)
def test_an_encoding_refuses_few_puzzles(encoding: str) -> None:
    assert formulas(encoding).count(None) < NUM_PUZZLES // 2


@pytest.mark.parametrize("engine", pysat.NAMES)
@pytest.mark.parametrize("encoding", LINES)
def test_engine_and_encoding_agree_with_brute_force(encoding: str, engine: str) -> None:
    pairs = zip(puzzles(), formulas(encoding), strict=True)
    for (puzzle, expected), cnf in pairs:
        if cnf is not None:
            assert num_solutions(engine, puzzle, cnf) == expected, puzzle
