"""The studio in a browser: a stroke by touch fills exactly the touched cells."""

from __future__ import annotations

import re

import pytest

import nonosat
from helpers.studio import HEART, Finger, Pages, Table, expect

SIZES = [
    (320, 568),
    (360, 740),
    (390, 844),
    (844, 390),
    (600, 960),
    (768, 1024),
    (820, 1180),
    (834, 1194),
    (1180, 820),
    (1280, 800),
]
PUZZLE = nonosat.from_picture("\n".join(HEART))
_BOX = "() => JSON.stringify(document.querySelector('#board').getBoundingClientRect())"


def _runs() -> list[tuple[tuple[int, int], tuple[int, int]]]:
    """First and last cell of each run of the heart, from top to bottom."""
    found = [(row, run) for row, text in enumerate(HEART) for run in re.finditer("#+", text)]
    return [((row, run.start()), (row, run.end() - 1)) for row, run in found]


def _opened(pages: Pages, width: int, height: int) -> Table:
    table = pages.open(width=width, height=height, has_touch=True, is_mobile=True)
    table.new(11, 10)
    return table


@pytest.mark.thorough
def test_a_heart_drawn_by_touch_is_a_heart(pages: Pages) -> None:
    """Each stroke waits for the verdict on the one before, which changes all texts."""
    table, wrong = _opened(pages, *SIZES[0]), {}
    finger = Finger(table)
    for width, height in SIZES:
        table.page.set_viewport_size({"width": width, "height": height})
        table.field.focus()
        table.press("Control+a", "Delete", "Escape")
        expect(table.title).to_have_text("Draw something")
        table.frames()
        places = table.places()
        boxes = {table.page.evaluate(_BOX)}
        for first, last in _runs():
            ends = [first, last] if first != last else [first]
            finger.stroke(*(table.at(*cell, places) for cell in ends))
            table.judged()
            boxes.add(table.page.evaluate(_BOX))
        shown = table.puzzle()
        is_heart = (shown.rows, shown.columns) == (PUZZLE.rows, PUZZLE.columns)
        if not is_heart or len(boxes) > 1:
            wrong[width, height] = (is_heart, boxes)
    assert not wrong


@pytest.mark.thorough
def test_a_window_that_shrinks_during_a_stroke_moves_no_cell(pages: Pages) -> None:
    """The address bar, or a keyboard, appears while a finger is down."""
    table = _opened(pages, 820, 1180)
    finger, places = Finger(table), table.places()
    finger.send("touchStart", table.at(2, 0, places))
    table.page.set_viewport_size({"width": 820, "height": 900})
    table.frames()
    finger.send("touchMove", table.at(5, 0, places))
    finger.send("touchMove", table.at(5, 7, places))
    finger.send("touchEnd")
    rows, columns = table.clues()
    assert rows == ["empty"] * 2 + ["1"] * 3 + ["8"] + ["empty"] * 4
    assert columns == ["4"] + ["1"] * 7 + ["empty"] * 3
    # Then the board fits its new place.
    expect(table.page.locator(".board-canvas")).to_have_js_property(
        "clientHeight", table.page.evaluate("() => document.querySelector('#board').clientHeight")
    )


@pytest.mark.thorough
def test_gutters_grow_when_a_drawing_pauses_and_not_before(pages: Pages) -> None:
    """If clues need more space, cells must not move under the next touch."""
    table = pages.open(width=390, height=844, has_touch=True, is_mobile=True)
    table.new(20, 5)
    finger, places = Finger(table), table.places()
    table.page.clock.install()
    table.page.clock.pause_at(table.page.evaluate("() => Date.now() + 1000"))
    for column in range(0, 20, 2):
        finger.stroke(table.at(1, column, places))
        table.page.clock.run_for(250)
    finger.stroke(table.at(3, 0, places), table.at(3, 19, places))
    table.page.clock.run_for(250)
    shown = table.page.evaluate("() => document.querySelector('.board-lists').textContent")
    assert "Row 4: 20" in shown
    before = places["width"]
    table.page.clock.run_for(1000)
    table.page.clock.resume()
    assert table.places()["width"] < before
