"""Boards in a notebook's cell: their content, and their behaviour in the frame of the widget."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import Any

import pytest

import nonosat
from helpers.studio import Opened
from nonosat.studio import notebook

SWITCH = nonosat.nonogram([[1], [1]], [[1], [1]])
DIAMOND = nonosat.from_picture(["..#..", ".###.", "#####", ".###.", "..#.."])
COLOURS = nonosat.from_picture(["ab", "ba"], colours={"a": "#c03020", "b": "#2040a0"})
LOOP = nonosat.slitherlink(["2.1.", "2...", "....", "3201"])
EMBED = """([script, state]) => {
  const model = { get: (name) => state[name] };
  const source = new Blob([script], { type: "text/javascript" });
  const rendered = (cell) => cell.default.render({ model, el: document.body });
  return import(URL.createObjectURL(source)).then(rendered);
}"""


@pytest.fixture
def cell(browser: Opened) -> Iterator[Any]:
    """Return a function that shows an object like a notebook and returns the frame; no script may
    fail.
    """
    context = browser.new_profile({"offline": True})
    page = context.new_page()
    wrong: list[str] = []
    page.on("pageerror", lambda error: wrong.append(str(error)))
    page.on("console", lambda message: wrong.append(message.text))

    def shown(what: Any) -> Any:
        board = notebook.widget(what, height=400)
        state = {name: getattr(board, name) for name in ("page", "label", "height")}
        page.evaluate(EMBED, [board._esm, state])
        return page.frame_locator("iframe")

    yield shown
    context.close()
    assert wrong == []


@pytest.mark.thorough
def test_a_puzzle_is_played_with_hints(cell: Any) -> None:
    frame = cell(DIAMOND)
    for _ in nonosat.explain(DIAMOND).steps:
        if frame.get_by_role("button", name="Hint").is_disabled():
            break
        frame.get_by_role("button", name="Hint").click()
        frame.get_by_role("button", name="Show the cells").click()
        frame.get_by_role("button", name="Apply").click()
    frame.get_by_text("Solved in").wait_for()


@pytest.mark.thorough
@pytest.mark.parametrize("puzzle", [DIAMOND, COLOURS, LOOP], ids=["mono", "colours", "loop"])
def test_an_explanation_is_stepped_through(cell: Any, puzzle: Any) -> None:
    found = nonosat.explain(puzzle)
    frame = cell(found)
    frame.get_by_text(f"Step 0 of {len(found.steps)}", exact=True).wait_for()
    frame.get_by_role("button", name="Next step").click()
    frame.get_by_text(f"Step 1 of {len(found.steps)}", exact=True).wait_for()
    assert found.steps[0].sentence in frame.locator("#panel").inner_text()


@pytest.mark.thorough
@pytest.mark.parametrize("puzzle", [SWITCH, COLOURS, LOOP], ids=["mono", "colours", "loop"])
def test_a_result_is_shown(cell: Any, puzzle: Any) -> None:
    result = nonosat.check(puzzle)
    frame = cell(result)
    frame.get_by_text(str(result)).wait_for()
    frame.locator("canvas").first.wait_for()


def test_marks_of_a_result_are_the_disputed_cells() -> None:
    result = nonosat.check(SWITCH)
    mode, puzzle, data = notebook._data_of(result, {})
    assert (mode, puzzle) == ("result", SWITCH)
    assert data["found"]["differing"] == [[0, 0], [0, 1], [1, 0], [1, 1]]
    assert data["found"]["rows"] in (["#.", ".#"], [".#", "#."])


def test_goals_stay_out_of_the_page() -> None:
    board = notebook.widget(DIAMOND)
    assert '"goal"' not in board.page.partition('id="data"')[2].partition("</script>")[0]


@pytest.mark.parametrize("other", [nonosat.Queens(5), nonosat.check(nonosat.Queens(5)), 7])
def test_other_objects_are_refused(other: Any) -> None:
    with pytest.raises(nonosat.UnsupportedError, match="expected a nonogram or a Slitherlink"):
        notebook.widget(other)


def test_without_anywidget_the_sentence_names_the_package(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(sys.modules, "anywidget", None)
    with pytest.raises(nonosat.UnsupportedError, match="pip install 'anywidget"):
        notebook.widget(DIAMOND)
