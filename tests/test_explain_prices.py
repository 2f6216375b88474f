"""Price steps: their tables hold by enumeration, and they replace guesses.

60,000 small puzzles are priced and each table verified with
NONOSAT_FUZZ=100 python -m pytest tests/test_explain_prices.py; a quick run takes a hundred.
"""

from __future__ import annotations

import random
import re
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import nonosat
from helpers.drawing import FUZZ, examples
from helpers.explained import State, assert_explained, assert_paid
from helpers.staircases import staircase
from nonosat.board import prices
from nonosat.core.grid import UNKNOWN, Grid
from nonosat.core.limits import Limits, Watch
from nonosat.core.model import Block, Clue
from nonosat.core.result import Verdict
from nonosat.explain import Explanation, explain, hint, rate
from nonosat.explain.nonogram import pricing
from nonosat.explain.nonogram.data import printed
from nonosat.explain.nonogram.knowledge import Impossible, Knowledge, task_of
from nonosat.explain.nonogram.pricing import (
    NEVER,
    Argument,
    Ledger,
    argument_of,
    earnings,
    price_table,
)
from nonosat.explain.nonogram.solver import Reasoner
from nonosat.explain.nonogram.step import Step
from nonosat.puzzles.nonogram.data import Colour, Nonogram, from_grid, mono
from nonosat.testing import oracles
from nonosat.testing.strategies import clues, puzzles

INSTANCES = Path(__file__).parent.parent / "instances"
PRICED = (43, 84, 146, 192, 305, 447, 482, 529, 720)  # drawn puzzles for which prices yield more
INKS = (Colour("a", "#000000"), Colour("b", "#ff0000"))


def watch() -> Watch:
    return Watch(Limits())


def at_fixpoint(puzzle: Nonogram) -> tuple[Reasoner, State] | None:
    """Return the knowledge after propagation of lines; None if a line cannot be completed."""
    reasoner = Reasoner(puzzle, Knowledge(puzzle), watch())
    try:
        while reasoner.line_step():
            pass
    except Impossible:
        return None
    state = State(puzzle)
    for place, value in reasoner.known.removed():
        state.may[divmod(place, puzzle.width)] -= {value}
    return reasoner, state


def priced(puzzle: Nonogram) -> tuple[Step, State] | None:
    """First price step after the deductions from single lines."""
    found = at_fixpoint(puzzle)
    if found is None:
        return None
    reasoner, state = found
    task = task_of(puzzle, reasoner.known, watch())
    task.propagate(watch())
    argument = pricing.argument(reasoner.known, task, watch())
    return None if argument is None else (reasoner.price_step(argument), state)


def unsure(puzzle: Nonogram, seed: int) -> Nonogram:
    """Make some lengths of its blocks unknown."""
    rng = random.Random(seed)

    def blotted(lines: tuple[Clue, ...]) -> tuple[Clue, ...]:
        return tuple(
            tuple(b._replace(length=None) if rng.random() < 0.2 else b for b in clue)
            for clue in lines
        )

    return replace(puzzle, rows=blotted(puzzle.rows), columns=blotted(puzzle.columns))


# Lines


@given(clue=clues(max_length=7, max_colours=2), data=st.data())
@examples(35)
def test_earnings_are_those_of_all_fillings(clue: Clue, data: st.DataObject) -> None:
    length = data.draw(st.integers(1, 7))
    some = st.sets(st.integers(0, 2), min_size=1).map(frozenset)
    known = data.draw(st.lists(some, min_size=length, max_size=length))
    price = st.integers(-4, 4)
    prices_ = data.draw(st.lists(st.lists(price, min_size=length, max_size=length), min_size=3))
    points = [
        [own if value in left else NEVER for own, left in zip(prices_[value], known, strict=True)]
        for value in range(3)
    ]
    found = earnings(clue, points)
    fits = [cells for cells in oracles.fillings(clue, length) if oracles.agrees(cells, known)]
    if not fits:
        assert found is None
        return
    assert found is not None
    worth = {bytes(cells): sum(points[v][at] for at, v in enumerate(cells)) for cells in fits}
    assert found.most == max(worth.values()) == worth[found.filling]
    for value in range(3):
        for at in range(length):
            rest = [own for cells, own in worth.items() if cells[at] == value]
            if rest:
                assert found.losses[value][at] == found.most - max(rest)
            else:
                assert found.losses[value][at] > -NEVER // 4


# Steps


@given(puzzle=puzzles(max_cells=30, max_colours=2))
@examples(30)
def test_prices_of_small_puzzles_are_sound(puzzle: Nonogram) -> None:
    """One colour, several colours, unknown lengths and given cells, any number of solutions."""
    solutions = oracles.solutions(puzzle)
    try:
        found = priced(puzzle)
    except Impossible:
        assert not solutions
        return
    if found is None:
        return
    step, state = found
    assert_paid(state, step)
    for row, column, value in step.settled:
        assert all(cells[row * puzzle.width + column] == value for cells in solutions)
    for row, column, value in step.ruled_out:
        assert all(cells[row * puzzle.width + column] != value for cells in solutions)


def drawn(seed: int) -> Nonogram:
    """Puzzle of a random picture, of any kind: prices decide something in one of forty."""
    rng = random.Random(seed)
    num_colours, density = 1 + seed % 2, rng.choice((0.2, 0.3, 0.4, 0.5))
    height, width = rng.randint(3, 8), rng.randint(3, 8)
    size = height * width
    cells = bytes(rng.randint(1, num_colours) if rng.random() < density else 0 for _ in range(size))
    puzzle = from_grid(Grid(height, width, cells), INKS[:num_colours])
    if seed % 5 == 0:
        place = rng.randrange(size)
        puzzle = replace(puzzle, given=((*divmod(place, width), cells[place]),))
    return unsure(puzzle, seed) if seed % 3 == 0 else puzzle


def test_prices_find_something_in_puzzles_of_every_kind() -> None:
    """Tables of colours, unknown lengths and given cells, with one solution and with several."""
    kinds = set()
    for seed in (*PRICED, *range(600 * (FUZZ - 1))):
        puzzle = drawn(seed)
        found = priced(puzzle)
        if found is None:
            continue
        assert_paid(found[1], found[0])
        blocks = [block for clue in (*puzzle.rows, *puzzle.columns) for block in clue]
        kinds.add((len(puzzle.colours), any(block.length is None for block in blocks)))
        kinds |= {nonosat.check(puzzle).verdict, bool(puzzle.given)}
    every = {(num, is_blotted) for num in (1, 2) for is_blotted in (False, True)}
    assert kinds == {*every, Verdict.UNIQUE, Verdict.MULTIPLE, False, True}


@pytest.mark.thorough
@pytest.mark.parametrize("num", range(5, 15))
def test_staircases_are_explained_by_counting(num: int) -> None:
    """By prices of 1 and -1 alone, without a guess; a guess cost 50 conflicts and more."""
    found = explain(from_grid(staircase(num)))
    assert_explained(found)
    assert found.verdict is Verdict.UNIQUE
    by_prices = [step.prices for step in found.steps if step.prices is not None]
    assert by_prices
    assert not [step for step in found.steps if step.technique == "guess"]
    for table in by_prices:
        assert {abs(price) for *_, price in table.prices} == {1}
        assert table.earned == table.paid


@pytest.mark.thorough
@pytest.mark.parametrize("name", ["steps-8", "steps-10", "steps-long", "steps-mixed"])
def test_structured_puzzles_need_no_guess(name: str) -> None:
    puzzle = nonosat.load(INSTANCES / f"hard.jsonl#{name}")
    found = rate(puzzle)
    assert found.verdict is Verdict.UNIQUE
    assert found.difficulty is not None
    assert int(found.difficulty) == 7
    assert "guess" not in found.steps
    assert found == rate(puzzle)


def test_the_bundled_staircase_is_ours() -> None:
    bundled, ours = nonosat.load(INSTANCES / "domino.jsonl#domino-12"), from_grid(staircase(12))
    assert (bundled.rows, bundled.columns) == (ours.rows, ours.columns)


def test_a_switch_next_to_a_staircase_stays_open() -> None:
    """If there are two solutions, prices never decide cells in which they differ."""
    stairs = staircase(5)
    side = stairs.width + 3
    cells = bytearray(side * side)
    for row in range(stairs.height):
        for column in range(stairs.width):
            cells[row * side + column] = stairs.cells[row * stairs.width + column]
    cells[-1] = cells[-side - 2] = 1
    puzzle = from_grid(Grid(side, side, bytes(cells)))
    found = explain(puzzle)
    assert_explained(found)
    assert found.verdict is Verdict.MULTIPLE
    differing = {at for at, value in enumerate(found.grid.cells) if value == UNKNOWN}
    assert len(differing) == 4


def test_a_table_below_its_slack_claims_nothing() -> None:
    """With all prices 0 nothing follows; in a switch nothing follows from any prices."""
    puzzle = mono([[1], [1]], [[1], [1]])
    known = Knowledge(puzzle)
    assert Ledger(known, {}, watch()).removals() == []
    for signs in range(81):
        table = {(place, 1): signs // 3**place % 3 - 1 for place in range(4)}
        assert Ledger(known, table, watch()).removals() == []


@pytest.mark.parametrize("shape", [(1, 9), (9, 1), (1, 1)])
def test_single_lines_need_no_prices(shape: tuple[int, int]) -> None:
    puzzle = from_grid(Grid(*shape, bytes(at % 3 == 0 for at in range(shape[0] * shape[1]))))
    assert_explained(explain(puzzle))
    assert priced(puzzle) is None


def test_lines_of_one_cell_are_priced() -> None:
    """Prices in a single row of open blocks: the columns have to decide it, one by one."""
    puzzle = mono([[None]], [[None], [], [None]])
    known = Knowledge(puzzle)
    ledger = Ledger(known, {(1, 1): 3}, watch())
    assert (ledger.earned(), ledger.paid()) == (3, 0)
    assert ledger.removals() == [(1, 1)]


def test_prices_refute_a_puzzle() -> None:
    found = rate(nonosat.load(INSTANCES / "special.jsonl#broken-steps"))
    assert found.verdict is Verdict.UNSOLVABLE
    told = re.fullmatch(
        r"at some prices from (-\d+) to (\d+), rows can earn (-?\d+) together at most, but columns "
        r"have to pay (-?\d+) at least",
        found.reason,
    )
    assert told
    assert int(told[3]) < int(told[4])


# Bounds


def test_noise_is_abandoned(monkeypatch: pytest.MonkeyPatch) -> None:
    """After some sweeps of a small board, without a table."""
    looks = []
    find = prices.find

    def counting(*args: object, **options: object) -> prices.PriceResult:
        found = find(*args, **options)  # type: ignore[arg-type]
        looks.append((found.outcome, found.num_sweeps))
        return found

    monkeypatch.setattr(prices, "find", counting)
    monkeypatch.setattr(pricing, "Ledger", None)
    found = rate(nonosat.load(INSTANCES / "random.jsonl#random-20-21"))
    assert "prices" not in found.steps
    assert looks
    assert all(outcome is prices.PriceOutcome.OPEN for outcome, _ in looks)
    assert max(num_sweeps for _, num_sweeps in looks) < 200


# Data and texts


def test_tables_are_kept_in_data() -> None:
    found = explain(from_grid(staircase(5)))
    data = found.to_data()
    (told,) = [step["prices"] for step in data["steps"] if "prices" in step]
    (step,) = [step for step in found.steps if step.prices is not None]
    assert step.prices is not None
    assert told["table"] == [[r, c, "#", price] for r, c, _, price in step.prices.prices]
    assert (told["earned"], told["paid"]) == (step.prices.earned, step.prices.paid)
    assert Explanation.from_data(data) == found


def test_records_from_before_prices_are_read() -> None:
    data = explain(nonosat.load(INSTANCES / "pictures.jsonl#smile")).to_data()
    assert not any("prices" in step for step in data["steps"])
    assert all(step.prices is None for step in Explanation.from_data(data).steps)


def test_a_price_step_is_explained() -> None:
    found = hint(from_grid(staircase(5)))
    assert found.step is not None
    assert found.step.technique == "prices"
    assert found.sentence == (
        "By prices of cells: rows earn the prices of their filled cells and columns pay them, so "
        "in a solution both sums are equal. Together the rows can earn at most 0, and the columns "
        "must pay at least 0, so every row earns its maximum and every column pays its minimum: "
        "53 cells are settled, 5 filled and 48 empty."
    )


def test_a_price_step_with_slack_is_explained() -> None:
    """A row of two cells that cost 2 each, of which the solution can afford 1."""
    puzzle = mono([[1], [1]], [[1], [1]])
    reasoner = Reasoner(puzzle, Knowledge(puzzle), watch())
    step = reasoner.price_step(Argument({(0, 1): 2}, 2, 1, (), [(0, 1)]))
    assert step.sentence == (
        "By prices of cells: rows earn the prices of their filled cells and columns pay them, so "
        "in a solution both sums are equal. Together the rows can earn at most 2, and the columns "
        "must pay at least 1, so all lines together can miss these bounds by at most 1, and no "
        "cell has a value that costs its row and its column more than that: cell (1, 1) is empty."
    )


def test_tables_are_printed() -> None:
    puzzle = mono([[1], [1]], [[1], [1]])
    known = Knowledge(puzzle)
    found = argument_of(Ledger(known, {(0, 1): 12, (3, 1): -1}, watch()))
    found = found._replace(removals=[(0, 1), (1, 0)])
    step = Reasoner(puzzle, Knowledge(puzzle), watch()).price_step(found)
    assert printed(puzzle, step) == [
        "   Prices, with # and x for the cells that they decide:",
        "    12x  .#| 12",
        "     .  -1 |  0",
        "   --------",
        "     0  -1 |",
    ]
    assert step.prices is not None
    best = step.prices.best
    assert [own[:2] for own in best] == [(0, 12), (1, 0), (2, 0), (3, -1)]
    assert best[0].filling == bytes([1, 0])


def test_each_colour_has_a_table() -> None:
    puzzle = Nonogram(((Block(1, 1), Block(1, 2)),), ((Block(1, 1),), (), (Block(1, 2),)), INKS)
    found = argument_of(Ledger(Knowledge(puzzle), {(1, 1): 3, (1, 2): -4}, watch()))
    table = price_table(found, puzzle.width)
    step = Step("prices", (0, 2), ((0, 1, 0),), (), "by prices", prices=table)
    assert printed(puzzle, step) == [
        "   Prices of a cells, with x for the cells that they decide:",
        "     .   3x  . |  3",
        "   Prices of b cells, with x for the cells that they decide:",
        "     .  -4x  . |  3",
        "   ------------",
        "     .   0   . |",
    ]


def test_wide_tables_are_only_mentioned() -> None:
    puzzle = from_grid(staircase(20))
    found = priced(puzzle)
    assert found is not None
    step, _ = found
    assert step.prices is not None
    (line,) = printed(puzzle, step)
    assert line == (
        f"   The table has {len(step.prices.prices)} prices from -1 to 1; a page (HTML) draws "
        "it and JSON has it."
    )


def test_a_hint_shows_its_table() -> None:
    """From a state that is filled in partly, too: its marks are known before the step."""
    puzzle = from_grid(staircase(6))
    found = explain(puzzle)
    numbers = [at for at, step in enumerate(found.steps) if step.prices is not None]
    known = Knowledge(puzzle)
    for step in found.steps[: numbers[1]]:
        known.learn(step)
    hinted = hint(puzzle, Grid(puzzle.height, puzzle.width, bytes(known.cells)))
    assert hinted.step == found.steps[numbers[1]]
    assert hinted.table() == printed(puzzle, hinted.step)
    assert hinted.table()[0].startswith("   Prices")
    assert hint(nonosat.load(INSTANCES / "pictures.jsonl#smile")).table() == []
