"""Every CP-SAT formulation of `Line`: its solutions are the line's fillings, each once.

Every clue of lines up to 7 cells in one colour and 4 in two, every state of knowledge up to 3 cells
and 2, and every third of the next length: `NONOSAT_FUZZ=10 python -m pytest
tests/test_formulations.py` takes all, and goes on to 6 cells and 4, which takes an hour.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from itertools import islice, product

import pytest
from ortools.sat.python.cp_model import CpModel

from helpers.drawing import FUZZ
from helpers.formulated import FORMULATIONS, LINES, formulate
from nonosat.core import plugins
from nonosat.core.model import FALSE, TRUE, Block, Clue, Count, Line
from nonosat.formulations import Context
from nonosat.puzzles.nonogram.data import clue_of
from nonosat.testing import check_plugin, formulations, oracles
from nonosat.testing.formulations import solutions


@pytest.fixture(scope="module", autouse=True)
def models_without_old_names() -> Iterator[None]:
    """Skip the old names of methods that CP-SAT gives each model, which takes as long as solving a
    line.
    """
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(CpModel, "_add_pre_pep8_methods", lambda _: None, raising=False)
        yield


def drawn(seed: int, count: int, longest: int, num_colours: int) -> Iterator[tuple[Clue, bytes]]:
    """Seeded fillings with their clues, some blocks of unknown length."""
    rng = random.Random(seed)
    for _ in range(count):
        values = [0, *range(1, num_colours + 1), rng.randint(0, num_colours)]
        cells = bytes(rng.choice(values) for _ in range(rng.randint(1, longest)))
        unknown = rng.random() < 0.4
        yield (
            tuple(
                Block(None if unknown and rng.random() < 0.6 else length, colour)
                for length, colour in clue_of(cells)
            ),
            cells,
        )


def check_line(
    name: str, clue: Clue, known: list[frozenset[int]], num_colours: int, each_once: bool = True
) -> None:
    found = plugins.find("formulations", name)
    assert formulations.check_line(found, clue, known, num_colours, each_once)


@pytest.mark.slow
@pytest.mark.parametrize("name", FORMULATIONS)
def test_a_formulation_keeps_its_contract(name):
    check_plugin(name, "formulations")


# beyond the lines that `check_plugin` takes
OPEN = [(6, 1), (7, 1), (8, 1), (4, 2), (5, 2)]
PARTLY_KNOWN = [(2, 1), (3, 1), (4, 1), (2, 2)]
THINNED = {(8, 1), (5, 2), (4, 1)} if FUZZ < 10 else set()  # the longest of their kinds
if FUZZ >= 10:
    PARTLY_KNOWN += [(5, 1), (6, 1), (3, 2), (4, 2)]


@pytest.mark.thorough
@pytest.mark.parametrize("name", LINES)
@pytest.mark.parametrize(("length", "num_colours"), OPEN)
def test_solutions_of_an_open_line_are_its_fillings(name, length, num_colours):
    """This implies it under any assumptions, which leave some of the solutions."""
    clues = oracles.clues(length, num_colours, unknown=True)
    for clue in islice(clues, 0, None, 3 if (length, num_colours) in THINNED else 1):
        check_line(name, clue, oracles.free(length, num_colours), num_colours)


@pytest.mark.thorough
@pytest.mark.parametrize("name", LINES)
@pytest.mark.parametrize(("length", "num_colours"), PARTLY_KNOWN)
def test_solutions_of_a_partly_known_line(name, length, num_colours):
    clues = list(oracles.clues(length, num_colours, unknown=True))
    cases = product(oracles.partials(length, num_colours), clues)
    for known, clue in islice(cases, 0, None, 3 if (length, num_colours) in THINNED else 1):
        check_line(name, clue, known, num_colours)


@pytest.mark.thorough
@pytest.mark.parametrize("name", LINES)
@pytest.mark.parametrize("num_colours", [1, 2, 3])
def test_solutions_of_drawn_lines(name, num_colours):
    rng = random.Random(3)
    for clue, cells in drawn(5, 24 * FUZZ, 10, num_colours):
        check_line(name, clue, oracles.free(len(cells), num_colours), num_colours)
        known = [
            frozenset({value, *rng.choices(range(num_colours + 1), k=rng.randint(0, 2))})
            for value in cells
        ]
        check_line(name, clue, known, num_colours)


@pytest.mark.parametrize("name", LINES)
@pytest.mark.parametrize(
    ("cells", "filled"), [((FALSE, FALSE, 1), ()), ((TRUE, FALSE, TRUE), ()), ((FALSE, 1, 2), (0,))]
)
def test_a_line_without_fillings_has_no_solution(name, cells, filled):
    context = Context(2)
    formulate(name, Line((cells,), (Block(2),), frozenset(filled)), context)
    assert solutions(context) == []


@pytest.mark.parametrize("name", LINES)
def test_rows_and_columns_share_their_cells(name):
    """All clues are 1 on a square: the permutations, each once."""
    context = Context(16)
    for row in range(4):
        cells = range(1 + 4 * row, 5 + 4 * row)
        formulate(name, Line((cells,), (Block(1),)), context)
        formulate(name, Line((range(1 + row, 17, 4),), (Block(1),)), context)
    found = solutions(context)
    assert len(found) == len(set(found)) == 24


@pytest.mark.parametrize("name", LINES)
def test_coloured_rows_and_columns(name):
    """Two rows and columns, one cell of either colour in each: both diagonals, in two ways each."""
    context = Context(8)
    clue = (Block(1, 1), Block(1, 2))
    for cells, blocks in (
        ((range(1, 3), range(5, 7)), clue),
        ((range(3, 5), range(7, 9)), clue[::-1]),
        ((range(1, 5, 2), range(5, 9, 2)), clue),
        ((range(2, 5, 2), range(6, 9, 2)), clue[::-1]),
    ):
        formulate(name, Line(cells, blocks), context)
    for cell in range(1, 5):
        formulate("count-linear", Count((cell, cell + 4), 0, 1), context)
    assert solutions(context) == [(1, 0, 0, 1, 0, 1, 1, 0)]


BOOLEANS = [name for name in plugins.names("encodings") if name.startswith("line-")]


@pytest.mark.parametrize("name", BOOLEANS)
@pytest.mark.parametrize("num_colours", [1, 2])
def test_lines_by_any_encoding(name, num_colours):
    """Each filling once or, if the encoding leaves variables open, more often."""
    for clue, cells in drawn(6, 12, 7, num_colours):
        known = oracles.free(len(cells), num_colours)
        check_line(f"line-booleans:{name.removeprefix('line-')}", clue, known, num_colours, False)
