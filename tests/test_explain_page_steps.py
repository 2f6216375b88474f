"""Price steps, and steps of Slitherlinks, on the page of an explanation in a real browser."""

from __future__ import annotations

from typing import Any

import pytest

import nonosat
from helpers.browser import needs_browser
from helpers.staircases import staircase
from helpers.stepping import ACCENT, HINT, is_near, settled
from nonosat.core.model import Block
from nonosat.explain import Explanation, explain
from nonosat.explain.nonogram.step import Best, PriceTable, Step
from nonosat.puzzles.nonogram.data import Colour, Nonogram, from_grid
from nonosat.studio.alone import explained_page

pytestmark = needs_browser
LOOK_AHEAD = ["3.2.12", "..3...", "0.11..", "..12.1", "...2..", "00.3.2"]


@pytest.fixture(scope="module")
def stairs() -> Explanation:
    return explain(from_grid(staircase(5)))


@pytest.fixture(scope="module")
def priced(stairs: Explanation) -> str:
    return explained_page(stairs, "a title", "its end")


@pytest.mark.slow
def test_a_step_by_prices_is_a_picture_of_its_table(
    stepping: Any, stairs: Explanation, priced: str
) -> None:
    """Every price is in its cell; the sums that lines earn and pay are next to them."""
    first = stairs.steps[0].prices
    assert first is not None
    size = stairs.puzzle.height
    shown = stepping(priced, "#step-1")
    heard = shown.heard(4, size)
    prices = {(row, column): price for row, column, _, price in first.prices}
    assert {
        place: int(told.partition("price ")[2].split(".")[0])
        for place, told in heard.items()
        if "price" in told
    } == {place: price for place, price in prices.items() if place[0] < 4}
    amounts = {own.line: own.amount for own in first.best}
    for at in range(4):
        row, column = amounts.get(at), amounts.get(size + at)
        told = heard[at, at].partition(". ")[2]
        assert (f"can earn {row} at most" in told) == (row is not None)
        assert (f"has to pay {column} at least" in told) == (column is not None)
    assert sum(amount for line, amount in amounts.items() if line < size) == first.earned
    assert sum(amount for line, amount in amounts.items() if line >= size) == first.paid
    assert "The number of a cell is its price" in shown.text(".explain-read")
    places = shown.places()
    open_cells = {cell: prices[cell] for cell in prices if cell not in settled(stairs.steps[0])}
    middles = [shown.middle(*cell, places) for cell in open_cells]
    corners = [(x - 0.3 * places["width"], y + 0.35 * places["height"]) for x, y in middles]
    tints = shown.points(corners)
    for price, (red, _, blue) in zip(open_cells.values(), tints, strict=True):
        assert (blue > red + 50) if price > 0 else (red > blue + 50)
    shown.press("ArrowRight")
    assert not any("price" in told for told in shown.heard(2, size).values())
    assert "A cross is a cell" in shown.text(".explain-read")
    assert not shown.page.locator(".explain-line").is_visible()


def test_sums_are_next_to_their_lines(stepping: Any, stairs: Explanation, priced: str) -> None:
    first = stairs.steps[0].prices
    assert first is not None
    size = stairs.puzzle.height
    shown = stepping(priced, "#step-1")
    places = shown.places()
    right, below = (places[name] + size * places["width"] for name in ("left", "top"))
    for at in range(size):
        x, y = shown.middle(at, at, places)
        beside, beneath = (
            shown.seen(right + 1, y - 7, 45, 14),
            shown.seen(x - 8, below + 18, 16, 20),
        )
        sums = [any(is_near(colour, ACCENT, 40) for colour in part) for part in (beside, beneath)]
        lines = [own.line for own in first.best]
        assert sums == [at in lines, size + at in lines]
    corner = shown.seen(right + 4, below + 4, 40, 32)
    assert any(is_near(colour, ACCENT, 40) for colour in corner)  # the total of all of them


def test_a_line_shows_its_best_filling(stepping: Any, stairs: Explanation, priced: str) -> None:
    """By pointer, key or tap; the words add it up, and the cells of the filling are framed."""
    first = stairs.steps[0].prices
    assert first is not None
    size = stairs.puzzle.height
    shown = stepping(priced, "#step-1", anew=True)
    assert shown.text(".explain-line").startswith("Point at a line's clue or sum")
    places = shown.places()
    prices = {(row, column): price for row, column, _, price in first.prices}
    row = next(own for own in first.best if own.line == 3)
    column = next(own for own in first.best if own.line == size + 6)

    def earned(places: list[tuple[int, int]]) -> list[int]:
        return [prices[place] for place in places if place in prices]

    def added(amount: int) -> str:
        return str(amount).replace("-", "\u2212")

    filled = [(3, at) for at, value in enumerate(row.filling) if value]
    assert sum(earned(filled)) == row.amount
    _, y = shown.middle(3, 0, places)
    shown.page.mouse.move(places["left"] - 8, y)
    shown.frames()
    told = shown.text(".explain-line")
    assert told.startswith(f"Row 4 can earn {added(row.amount)} at most: ")
    assert told.count(" in column ") == len(earned(filled))
    framed = []
    for at in range(size):
        x, y = shown.middle(3, at, places)
        edge = shown.seen(x - 0.42 * places["width"], y, 0.12 * places["width"], 1)
        framed += [(3, at)] if any(is_near(colour, ACCENT, 9) for colour in edge) else []
    assert framed == filled
    down = [(at, 6) for at, value in enumerate(column.filling) if value]
    shown.field.focus()
    shown.press("Control+Home", *["ArrowRight"] * 6, "c")
    told = shown.text(".explain-line")
    assert told.startswith(f"Column 7 has to pay {added(column.amount)} at least")
    assert told.count(" in row ") == len(earned(down))
    shown.press("ArrowDown", "ArrowDown", "ArrowDown", "r")
    assert shown.text(".explain-line").startswith("Row 4 can earn")
    x, _ = shown.middle(0, 6, places)
    shown.page.mouse.click(x, places["top"] + size * places["height"] + 8)
    assert shown.text(".explain-line").startswith("Column 7 has to pay")
    shown.press("n", "p")
    assert shown.text(".explain-line").startswith("Point at a line's clue")


@pytest.mark.slow
def test_small_cells_have_no_figures_until_they_are_zoomed(stepping: Any) -> None:
    found = explain(from_grid(staircase(14)))
    table = found.steps[0].prices
    assert table is not None
    shown = stepping(explained_page(found, "a title", "its end"), "#step-1", width=390)
    row, column, *_ = next(one for one in table.prices if one[:2] not in settled(found.steps[0]))
    assert len(set(shown.cell(row, column, shown.places()))) == 1
    for _ in range(6):
        shown.button("Zoom in").click()
    shown.field.focus()
    shown.press("Control+Home", *["ArrowRight"] * column, *["ArrowDown"] * row)
    shown.page.evaluate("() => document.activeElement.blur()")
    assert len(set(shown.cell(row, column, shown.places()))) > 2
    scrolled, inner = shown.page.evaluate("[document.documentElement.scrollWidth, innerWidth]")
    assert scrolled <= inner


def test_colours_have_prices_of_their_own(stepping: Any) -> None:
    """A cell of two colours with two prices shows both, each with a stripe of its ink."""
    puzzle = Nonogram(
        rows=((Block(1, 1), Block(1, 2)), ()),
        columns=((Block(1, 1),), (), (Block(1, 2),)),
        colours=(Colour("a", "#112233"), Colour("b", "#ff0000")),
    )
    table = PriceTable(((0, 1, 1, 3), (0, 1, 2, -4)), 3, 0, (Best(0, 3, bytes([0, 1, 2])),))
    step = Step("prices", table.lines(2), ((1, 0, 0),), (), "by prices", prices=table)
    found = explain(puzzle)
    found = Explanation(puzzle, (step,), found.grid, found.verdict)
    shown = stepping(explained_page(found, "a title", "its end"), "#step-1")
    assert "price 3 if dark blue, price -4 if red." in shown.heard(1, 2)[0, 1]
    places = shown.places()
    x, y = shown.middle(0, 1, places)
    left, quarter = x - 0.44 * places["width"], places["height"] / 4
    stripes = [shown.seen(left, y - quarter)[0], shown.seen(left, y + quarter)[0]]
    assert stripes == [(0x11, 0x22, 0x33), (255, 0, 0)]


# Steps of Slitherlinks

_EDGES = """async (keys) => {
  const field = document.querySelector(".board-field");
  const told = [];
  for (const key of keys) {
    field.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true }));
    await new Promise(requestAnimationFrame);
    told.push(document.querySelector(".board-spoken").textContent);
  }
  return told;
}"""


def heard(shown: Any) -> set[str]:
    """Return the texts for a screen reader on a walk over all edges of a board of 6 x 6 cells."""
    shown.field.focus()
    there, back = ["ArrowRight"] * 13, ["ArrowLeft"] * 13
    told = shown.page.evaluate(_EDGES, ["ArrowUp"] + [*there, *back, *["ArrowDown"] * 2] * 7)
    shown.page.evaluate("() => document.activeElement.blur()")
    return set(told)


@pytest.mark.thorough
def test_the_page_steps_through_edges(stepping: Any) -> None:
    """Every edge is read in its state after the steps; trials and new marks are announced."""
    found = explain(nonosat.slitherlink(LOOK_AHEAD))
    at = next(at for at, step in enumerate(found.steps) if step.chain)
    step = found.steps[at]
    shown = stepping(explained_page(found, "a title", "its end"), f"#step-{at + 1}", width=600)
    assert shown.sentence() == step.sentence
    told = heard(shown)
    assert len(told) == 84
    assert sum("just settled" in words for words in told) == len(step.settled) == 1
    tried = {mark[:4] for mark in (step.assumed, *step.chain) if mark}
    assert sum("would be" in words for words in told) == len(tried)
    known = {mark[:4]: mark[4] for one in found.steps[: at + 1] for mark in one.settled}
    assert sum(": on the path" in words for words in told) == sum(known.values())
    assert sum(": crossed" in words for words in told) == [*known.values()].count(0)
    assert shown.count_of(HINT) > 0
    shown.press("End")
    assert shown.count_of(HINT) == 0
    assert shown.button("Next step").is_disabled()
    shown.field.focus()
    shown.press("ArrowUp")
    assert "would be" not in shown.text(".board-spoken")


@pytest.mark.slow
def test_an_edge_links_to_the_step_that_decides_it(stepping: Any) -> None:
    found = explain(nonosat.slitherlink(LOOK_AHEAD))
    shown = stepping(explained_page(found, "a title", "its end"))
    shown.field.focus()
    shown.press("ArrowUp", "Enter")  # at the top edge of the first cell
    mark = (0, 0, 0, 1)
    at = next(at for at, step in enumerate(found.steps, 1) if mark in {m[:4] for m in step.settled})
    assert shown.count() == f"Step {at} of {len(found.steps)}"
