"""Strategies for users: drawn puzzles belong to their class, and shrink to the smallest."""

from __future__ import annotations

import inspect
import re
import subprocess
import sys
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest
from hypothesis import HealthCheck, Phase, find, given, settings
from hypothesis import strategies as st

import nonosat
from nonosat import formats
from nonosat.board.presolve import PresolvedModel
from nonosat.core import families, plugins
from nonosat.core.limits import Limits, Watch
from nonosat.puzzles.nonogram import build, obstacle
from nonosat.testing import oracles, registration, strategies
from nonosat.testing.fuzzing.drawing import by_seed_alone
from nonosat.testing.strategies.models import solutions_of

RECIPE = Path(__file__).parent.parent / ".docs" / "recipes" / "solver.md"
SHRINKING = settings(
    max_examples=2000,
    database=None,
    derandomize=True,
    phases=[Phase.generate, Phase.shrink],
    suppress_health_check=list(HealthCheck),
)
UNSHRUNK = settings(SHRINKING, phases=[Phase.generate])
# As in a user's test, without settings of health checks.
PLAIN = settings(max_examples=20, database=None, derandomize=True, suppress_health_check=[])


def smallest(strategy, is_wanted, seed=0):
    with by_seed_alone():
        return find(strategy, is_wanted, settings=SHRINKING, random=Random(seed))


def verdict(puzzle):
    found = len(oracles.solutions(puzzle, limit=2))
    return ("unsolvable", "unique", "multiple")[found]


def size(puzzle):
    return puzzle.height, puzzle.width


def blocks(puzzle):
    return [block for clue in puzzle.rows + puzzle.columns for block in clue]


def is_settled_by_lines(puzzle):
    task = PresolvedModel.of(build(puzzle))
    return not task.propagate(Watch(Limits())) or not task.num_open()


# Shrinking


@pytest.mark.thorough
def test_two_solutions_are_the_switch():
    strategy = strategies.puzzles(max_cells=100, unknown=False)
    puzzle = smallest(strategy, lambda one: verdict(one) == "multiple")
    assert (puzzle.rows, puzzle.columns) == (((nonosat.Block(1),),) * 2,) * 2
    assert not puzzle.given


@pytest.mark.slow
def test_an_unknown_length_is_one_block():
    is_unknown = lambda one: any(block.length is None for block in blocks(one))  # noqa: E731
    puzzle = smallest(strategies.puzzles(max_cells=100), is_unknown)
    assert size(puzzle) == (1, 1)
    assert len(blocks(puzzle)) <= 2


@pytest.mark.slow
def test_an_unsolvable_one_is_one_cell():
    puzzle = smallest(strategies.puzzles(max_cells=100), lambda one: verdict(one) == "unsolvable")
    assert size(puzzle) == (1, 1)
    assert len(blocks(puzzle)) + len(puzzle.given) == 1  # one of them does not fit


@pytest.mark.thorough
def test_an_unsolvable_one_without_an_obvious_contradiction():
    puzzle = smallest(
        strategies.puzzles(max_colours=1, unknown=False, given=False),
        lambda one: not obstacle(one) and verdict(one) == "unsolvable",
        seed=1,
    )
    assert puzzle.height * puzzle.width <= 6


@pytest.mark.thorough
def test_two_colours_are_two_cells():
    puzzle = smallest(
        strategies.puzzles(), lambda one: len({colour for _, colour in blocks(one)}) > 1
    )
    assert puzzle.height * puzzle.width <= 2
    assert len(puzzle.colours) == 2


@pytest.mark.slow
def test_a_row_with_an_empty_column():
    puzzle = smallest(
        strategies.puzzles(), lambda one: one.height == 1 and any(one.rows) and () in one.columns
    )
    assert size(puzzle) == (1, 2)


@pytest.mark.slow
def test_a_given_cell_that_is_wrong():
    puzzle = smallest(
        strategies.puzzles(),
        lambda one: (
            one.given
            and verdict(one) == "unsolvable"
            and verdict(replace(one, given=())) == "unique"
        ),
    )
    assert size(puzzle) == (1, 1)
    assert len(puzzle.given) == 1


@pytest.mark.thorough
def test_a_unique_one_that_lines_do_not_decide():
    puzzle = smallest(
        strategies.unique_puzzles(max_colours=1, unknown=False, given=False),
        lambda one: not is_settled_by_lines(one),
        seed=6,
    )
    assert sorted(size(puzzle)) == [2, 4]


@pytest.mark.thorough
def test_three_blocks_of_a_10x10():
    puzzle = smallest(
        strategies.puzzles(max_cells=100, max_colours=1),
        lambda one: any(len(clue) >= 3 for clue in one.rows),
    )
    assert puzzle.height * puzzle.width <= 5
    assert sorted(len(clue) for clue in puzzle.rows)[-1] == 3


@pytest.mark.slow
def test_a_cell_next_to_a_diagonal_one():
    grid = smallest(
        strategies.grids(max_cells=100, max_colours=1),
        lambda one: any(
            one[row, column] and one[row + 1, column + 1] and not one[row, column + 1]
            for row in range(one.height - 1)
            for column in range(one.width - 1)
        ),
    )
    assert (grid.height, grid.width) == (2, 2)
    assert sum(map(bool, grid.cells)) <= 3


@pytest.mark.thorough
@pytest.mark.parametrize("seed", [0, 3])
def test_a_solver_that_never_backtracks_is_wrong_on_2x2_for_any_seed(seed):
    recipe = r"^def solve\(puzzle\):.*?^    return grid$"
    (code,) = re.findall(recipe, RECIPE.read_text(), re.MULTILINE | re.DOTALL)
    names: dict = {}
    exec(code, names)  # the page's wrong solver

    def is_wrong(puzzle):
        found, true = names["solve"](puzzle), nonosat.solve(puzzle).solution
        if found is None or true is None:
            return true is not None
        grid = nonosat.Grid(puzzle.height, puzzle.width, b"".join(map(bytes, found)))
        return families.family_of(puzzle).refutation(puzzle, grid)

    strategy = strategies.puzzles(max_cells=100, max_colours=1, unknown=False, given=False)
    assert size(smallest(strategy, is_wrong, seed)) == (2, 2)


@pytest.mark.thorough
@pytest.mark.parametrize("seed", [1])
def test_a_solver_that_ignores_given_cells_is_wrong_on_one_cell(seed):
    def is_wrong(puzzle):
        ignoring = replace(puzzle, given=(), goal=None)
        return puzzle.given and nonosat.check(puzzle).verdict != nonosat.check(ignoring).verdict

    assert size(smallest(strategies.puzzles(max_cells=100), is_wrong, seed)) == (1, 1)


@pytest.mark.thorough
def test_a_solver_that_ignores_empty_given_cells_is_wrong_on_one_cell():
    """A cell that is needed on the 2x2 switch contradicts its clue while shrinking to one cell."""

    def is_wrong(puzzle):
        filled = tuple(cell for cell in puzzle.given if cell[2])
        if filled == puzzle.given:
            return False
        ignoring = replace(puzzle, given=filled, goal=None)
        return nonosat.check(puzzle).verdict != nonosat.check(ignoring).verdict

    strategy = strategies.puzzles(max_cells=100, max_colours=1, unknown=False)
    assert size(smallest(strategy, is_wrong, 3)) == (1, 1)


def test_a_hard_one_is_the_switch():
    assert size(smallest(strategies.hard_puzzles(), lambda one: True)) == (2, 2)


@pytest.mark.slow
def test_models_shrink_to_the_relevant_part():
    model = smallest(strategies.models(), lambda one: not solutions_of(one))
    assert model.num_vars == 1
    assert sum(1 for _ in model.constraints()) <= 2
    assert len(smallest(strategies.models(), lambda one: bool(one.loops)).loops) == 1


def test_boards_shrink():
    board = smallest(
        strategies.slitherlinks(), lambda one: len(oracles.slitherlink_solutions(one)) > 1
    )
    assert board.height * board.width == 2
    assert smallest(strategies.queens(), lambda one: len(one.given) == 1).n <= 2
    assert smallest(strategies.knights(), lambda one: True).num_squares == 1


# Classes


@PLAIN
@given(strategies.unique_puzzles())
def test_unique_ones_have_their_goal_as_the_only_solution(puzzle):
    assert oracles.solutions(puzzle) == {puzzle.goal.cells}


@PLAIN
@given(strategies.multiple_puzzles())
def test_multiple_ones_have_another_solution(puzzle):
    assert verdict(puzzle) == "multiple"


@PLAIN
@given(strategies.unsolvable_puzzles())
def test_unsolvable_ones_have_none(puzzle):
    assert verdict(puzzle) == "unsolvable"


@PLAIN
@given(strategies.hard_puzzles(max_cells=150))
def test_hard_ones_have_a_solution_and_are_not_decided_by_lines(puzzle):
    assert not is_settled_by_lines(puzzle)
    assert nonosat.solve(puzzle).solution is not None


@PLAIN
@given(strategies.puzzles(max_colours=1, unknown=False, given=False, height=3, width=4))
def test_only_requested_features_are_drawn(puzzle):
    assert size(puzzle) == (3, 4)
    assert len(puzzle.colours) == 1
    assert not puzzle.given
    assert all(block.length for block in blocks(puzzle))


@PLAIN
@given(strategies.partial_lines(consistent=True))
def test_consistent_lines_have_a_filling(line):
    assert oracles.line_support(line.clue, line.known)


# Files


@pytest.mark.thorough
@pytest.mark.parametrize("name", sorted(plugins.names("formats")))
def test_whole_files_are_read(name):
    @settings(PLAIN, max_examples=3)
    @given(strategies.files(name), strategies.files(name, damage=True))
    def check(whole, broken):
        assert formats.read(whole, format=name)
        with suppress(nonosat.FormatError):
            formats.read(broken, format=name)

    check()


@pytest.mark.parametrize(
    ("name", "asked"),
    [
        ("puzzles", {"max_cells": 0}),
        ("puzzles", {"max_cells": 10**6}),
        ("puzzles", {"max_cells": "9"}),
        ("puzzles", {"max_colours": 27}),
        ("puzzles", {"height": 0}),
        ("unique_puzzles", {"width": -1}),
        ("multiple_puzzles", {"max_cells": 3}),
        ("unsolvable_puzzles", {"max_cells": 2.0}),
        ("hard_puzzles", {"max_cells": 3}),
        ("hard_puzzles", {"max_colours": 0}),
        ("grids", {"max_colours": 128}),
        ("grids", {"height": 0}),
        ("range_nonograms", {"max_cells": 0}),
        ("range_nonograms", {"max_colours": 9}),
        ("lane_nonograms", {"max_cells": 5}),
        ("lane_nonograms", {"max_colours": 0}),
        ("slitherlinks", {"max_cells": 0}),
        ("queens", {"max_n": 0}),
        ("knights", {"max_squares": 26}),
        ("clues", {"max_length": 0}),
        ("blocks", {"max_colours": True}),
        ("partial_lines", {"max_length": 0}),
        ("lines", {"max_colours": 256}),
        ("models", {"max_vars": 0}),
    ],
)
def test_empty_strategies_are_refused_at_once(name, asked):
    ((argument, value),) = asked.items()
    told = rf"{argument} is {value!r}, expected a whole number from \d+ to \d+"
    with pytest.raises(nonosat.UnsupportedError, match=told):
        getattr(strategies, name)(**asked)


def test_the_classes_show_their_arguments():
    for name in ("unique_puzzles", "multiple_puzzles", "unsolvable_puzzles"):
        strategy = getattr(strategies, name)
        asked = inspect.signature(strategy).parameters
        assert list(asked) == ["max_cells", "max_colours", "unknown", "given", "height", "width"]
        assert all(f"        {one}: " in strategy.__doc__ for one in asked)
        assert strategy.__name__ == name


def test_files_of_no_format_are_refused():
    with pytest.raises(nonosat.UnsupportedError):
        strategies.files("nothing")


# Integration with hypothesis and Python


@pytest.mark.parametrize(("module", "name"), sorted(registration.STRATEGIES))
def test_hypothesis_knows_our_types(module, name):
    kind = getattr(sys.modules[module], name)
    assert kind.__module__ == module  # by which `registration` finds it
    assert isinstance(find(st.from_type(kind), lambda one: True, settings=UNSHRUNK), kind)


@pytest.mark.parametrize(
    "name", ["puzzles", "range_nonograms", "lane_nonograms", "slitherlinks", "queens", "knights"]
)
def test_a_failing_puzzle_is_printed_as_code_that_makes_it(name):
    seen = []

    @settings(PLAIN, max_examples=1, phases=[Phase.generate])  # other tests show that it shrinks
    @given(getattr(strategies, name)())
    def fails(puzzle):
        seen.append(puzzle)
        raise AssertionError

    with pytest.raises(AssertionError) as caught:
        fails()
    (call,) = re.findall(r"puzzle=(nonosat\.loads\(.*\)),", "\n".join(caught.value.__notes__))
    assert eval(call).about_with(id="") == seen[-1]


def test_importing_is_light_and_names_missing_packages():
    code = (
        "import sys, hypothesis\n"
        "assert not [m for m in sys.modules if m.startswith('nonosat.p')]\n"
        "import nonosat\n"
        "from hypothesis import strategies as st\n"
        "st.from_type(nonosat.Nonogram).validate()\n"
        "for name in [m for m in sys.modules if m.startswith(('hypothesis', 'nonosat.testing'))]:\n"
        "    del sys.modules[name]\n"
        "sys.modules['hypothesis'] = None\n"
        "from nonosat.testing import check_plugin, oracles\n"
        "try:\n    import nonosat.testing.strategies\n"
        "except ModuleNotFoundError as error:\n"
        '    assert "pip install \'hypothesis<" in str(error)\n'
        "else:\n    raise SystemExit('imported')\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
