"""The studio in a browser: a picture is drawn, checked, repaired, kept; two tabs; keys alone."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

import pytest

import nonosat
from helpers.studio import HEART, Pages, Table, expect

BROKEN = (6, 3)  # without this cell the heart's clues have two solutions


def _without(rows: tuple[str, ...], row: int, column: int) -> nonosat.Nonogram:
    lines = [list(text) for text in rows]
    lines[row][column] = "."
    return nonosat.from_picture("\n".join("".join(line) for line in lines))


def _differing(puzzle: nonosat.Nonogram) -> set[tuple[int, int]]:
    """Return the cells that differ between solutions, from all of them."""
    first, *others = nonosat.solutions(puzzle)
    return {cell for other in others for cell in first.differences(other)}


@pytest.mark.thorough
def test_a_heart_is_drawn_broken_repaired_and_undone(pages: Pages) -> None:
    table = pages.open()
    table.new(11, 10)
    table.draw(HEART)
    table.judged("Unique")
    heart, shown = nonosat.from_picture("\n".join(HEART)), table.puzzle()
    assert (shown.rows, shown.columns) == (heart.rows, heart.columns)
    whole = table.pixels((5, 3), (0, 0))

    table.stroke(BROKEN)  # a touch of a filled cell erases it
    table.judged("Not unique")
    broken = _without(HEART, *BROKEN)
    tinted = _differing(broken)
    expect(table.sentence).to_have_text(
        f"The clues have 2 solutions. {len(tinted)} cells differ between them."
    )
    _disputed_cells_are_shown_and_announced(table, tinted)

    table.button("Make it unique").click()
    proven = table.page.get_by_text("Proved smallest: no repair changes fewer cells.")
    expect(proven).to_be_visible()
    table.button("Apply this repair").click()
    table.judged("Unique")
    assert nonosat.check(table.puzzle()).verdict.value == "unique"
    table.button("Undo", "#tools").click()
    table.judged("Not unique")
    table.button("Undo", "#tools").click()
    table.judged("Unique")
    assert table.pixels(*whole) == whole


def _disputed_cells_are_shown_and_announced(table: Table, tinted: set[tuple[int, int]]) -> None:
    """Check that disputed cells differ in style from others of their colour, and are announced."""
    plain = {False: (0, 0), True: (3, 5)}
    seen = table.pixels(*plain.values(), *tinted)
    for row, column in tinted:
        is_filled = HEART[row][column] == "#" and (row, column) != BROKEN
        assert seen[row, column] != seen[plain[is_filled]]
        assert _is_hatched(seen[row, column])
    table.field.focus()
    row, column = min(tinted)
    table.press("Control+Home", *["ArrowDown"] * row, *["ArrowRight"] * column)
    what = "filled" if HEART[row][column] == "#" else "empty"
    expect(table.spoken).to_contain_text(
        f"Row {row + 1}, column {column + 1}: {what}, differs between solutions"
    )


@pytest.mark.slow
def test_another_solution_is_hatched_where_it_differs_from_the_drawing(pages: Pages) -> None:
    """One of six solutions is shown; cells that differ only in others are not hatched."""
    rows = ("#..", ".#.", "..#")
    table = pages.open()
    table.open_picture(rows)
    table.judged("Not unique")
    expect(table.sentence).to_have_text("The clues have 6 solutions. 9 cells differ between them.")
    drawn = table.pixels(*_cells(rows))
    assert all(map(_is_hatched, drawn.values()))
    table.button("Other solution").click()
    expect(table.page.locator("#verdict")).to_contain_text("Hatched cells differ from the drawing")
    shown = table.pixels(*_cells(rows))
    hatched = {cell for cell, pixels in shown.items() if _is_hatched(pixels)}
    others = [
        {cell for cell in _cells(rows) if solution[cell] != (rows[cell[0]][cell[1]] == "#")}
        for solution in nonosat.solutions(nonosat.from_picture("\n".join(rows)))
    ]
    assert hatched in [other for other in others if other]
    table.button("Back to the drawing").click()
    assert table.pixels(*_cells(rows)) == drawn


def _cells(rows: tuple[str, ...]) -> list[tuple[int, int]]:
    return [(row, column) for row, text in enumerate(rows) for column in range(len(text))]


def _is_hatched(pixels: bytes) -> bool:
    return len(set(zip(*[iter(pixels)] * 4, strict=False))) > 2


@pytest.mark.slow
def test_the_solution_of_clues_can_be_viewed(pages: Pages) -> None:
    table = pages.open()
    table.drop("clues.txt", b"rows\n2\n1\ncolumns\n1\n2\n")
    table.judged("Unique")
    before = table.pixels((0, 0))
    table.button("Solution").click()
    expect(table.page.get_by_text("The board shows the only solution.")).to_be_visible()
    seen = table.pixels((0, 0), (0, 1), (1, 0), (1, 1))
    assert seen[0, 0] != before[0, 0]
    assert [pixels == seen[0, 0] for pixels in seen.values()] == [1, 1, 0, 1]
    table.button("Back to the clues").click()
    assert table.pixels((0, 0)) == before


@pytest.mark.thorough
def test_a_reload_in_between_loses_nothing(pages: Pages) -> None:
    table = pages.open()
    table.new(11, 10)
    table.draw(HEART[:6])
    table.stroke((8, 8), (8, 9))
    table.button("Undo", "#tools").click()
    field = table.page.get_by_label("Title", exact=True)
    field.fill("Half a heart")
    field.press("Enter")
    before = table.clues()
    table.page.reload()
    expect(table.field).to_be_visible()
    assert table.clues() == before
    expect(field).to_have_value("Half a heart")
    for _ in range(2):  # the title, then the last run
        table.button("Undo", "#tools").click()
    expect(field).to_have_value("")
    assert table.clues()[0][5] == "empty"
    for _ in range(2):
        table.button("Redo", "#tools").click()
    assert table.clues() == before


@pytest.mark.thorough
def test_two_tabs_do_not_disturb_each_other(pages: Pages) -> None:
    one = pages.open()
    one.open_picture(HEART)
    two = pages.open()
    two.new(5, 5)
    two.stroke((0, 0), (0, 4))
    two.judged("Unique")
    one.stroke(BROKEN)
    one.judged("Not unique")
    assert two.judged() == "Unique"
    assert len(two.clues()[0]) == 5
    for table, height in ((one, 10), (two, 5)):
        clues = table.clues()  # which focuses it
        table.page.reload()
        expect(table.field).to_be_visible()
        assert table.clues() == clues
        assert len(clues[0]) == height


@pytest.mark.thorough
def test_the_same_drawing_in_two_tabs_becomes_two(pages: Pages) -> None:
    one = pages.open()
    one.open_picture(("#####", *["....."] * 4))
    one.judged("Unique")
    two = pages.open()
    two.page.get_by_role("button", name=re.compile("continue drawing")).click()
    expect(two.field).to_be_visible()
    assert two.clues() == one.clues()
    _plays_apart(one, two)
    two.stroke((4, 0), (4, 4))
    assert two.clues()[0][4] == "5"
    assert one.clues()[0][4] == "empty"
    for table in (one, two):
        clues = table.clues()  # which focuses it
        table.page.reload()
        expect(table.field).to_be_visible()
        assert table.clues() == clues


def _plays_apart(one: Table, two: Table) -> None:
    """Games of one puzzle do not disturb each other, either, after a reload."""
    for table, last in ((one, 4), (two, 2)):
        table.page.bring_to_front()
        table.mode("Play")
        table.stroke((0, 0), (0, last))
    own = "() => Object.keys(sessionStorage).some((key) => key.startsWith('nonosat-play-own'))"
    two.page.wait_for_function(own)  # until it has noticed that the puzzle is played in another tab
    for table, clue in ((one, "5 done"), (two, "5")):
        table.page.bring_to_front()
        table.page.reload()
        expect(table.field).to_be_visible()
        assert table.clues()[0][0] == clue
        table.mode("Draw")


@pytest.mark.thorough
def test_a_long_repair_shows_its_bound_and_offers_the_best_so_far(pages: Pages) -> None:
    table = pages.open()
    table.open_picture(("#..", ".#.", "..#"))
    table.judged("Not unique")
    held: list[Any] = []
    best = {"changes": [[0, 1, "#"], [1, 2, "#"]], "picture": ["##.", ".##", "..#"]}
    known = [{"repairs": [], "least": 1}, {"repairs": [best], "least": 2}]

    def tell(route: Any) -> None:
        route.fulfill(json={"answer": known[0] if len(known) == 1 else known.pop(0)})

    table.page.route("**/api/repair", lambda route: held.append(route))
    table.page.route("**/api/progress?of=*", tell)
    table.button("Make it unique").click()
    panel = table.page.locator("#mend")
    expect(panel).to_contain_text("Searching for repairs, ")
    expect(panel).to_contain_text("At least 2 cells must change; the best so far changes 2.")
    table.button("Show the best so far").click()
    expect(panel).to_contain_text("Changes 2 cells: row 1, column 2 becomes filled")
    expect(panel).not_to_contain_text("Searching for repairs")
    table.button("Apply this repair").click()
    expect(table.page.locator(".board-lists li").first).to_have_text("Row 1: 2")
    assert len(held) == 1
    table.page.unroute_all()


@pytest.mark.slow
def test_a_picture_is_mended_towards_a_difficulty(pages: Pages) -> None:
    table = pages.open()
    table.open_picture(("#.#.#", ".###.", "#####", ".###.", "..#.."))  # very easy
    table.judged("Unique")
    table.page.get_by_label("Target difficulty").select_option("2")
    table.button("Make it easy").click()
    table.button("Apply this repair").click()
    table.judged("Unique")
    assert nonosat.rate(table.puzzle()).name == "easy"


@pytest.mark.slow
def test_what_is_typed_into_a_puzzle_of_clues_is_undone_by_buttons(pages: Pages) -> None:
    table = pages.open()
    clues = nonosat.nonogram([[1], [2]], [[1], [1, 1]])
    table.drop("clues.jsonl", nonosat.dumps(clues, "jsonl").encode())
    table.judged("No solution")
    row = table.page.get_by_label("Row 1", exact=True)
    row.fill("2")
    row.press("Enter")
    expect(row).to_have_value("2")
    undo, redo = (table.button(name, "#tools") for name in ("Undo", "Redo"))
    expect(table.page.locator("#tools").get_by_role("button")).to_have_count(3)  # and help
    undo.click()
    expect(row).to_have_value("1")
    redo.click()
    expect(row).to_have_value("2")


@pytest.mark.thorough
def test_keys_alone_draw_check_and_repair(pages: Pages) -> None:
    table = pages.open()
    _tab_to(table, "Draw a new picture")
    table.press("Enter")
    expect(table.field).to_be_visible()
    _tab_to(table, "Board", role="application")
    table.press("Space", "Shift+ArrowRight", "Shift+ArrowRight")  # a run of three
    assert table.clues()[0][0] == "3"
    expect(table.spoken).to_contain_text("Row 1, column 3: filled")
    table.press("b", "ArrowDown", "ArrowDown", "Enter", "ArrowDown", "ArrowLeft", "Enter")
    assert table.clues()[0][:4] == ["3", "empty", "2", "2"]
    table.press("Shift+Space", "Enter")  # erases with the rectangle that begins and ends here
    table.press("Control+z")
    expect(table.said).to_contain_text("Undone")
    table.press("p", "Control+a", "Delete")
    assert set(table.clues()[0]) == {"empty"}
    table.press("Control+Home", "Space", "ArrowDown", "ArrowRight", "Space")  # two diagonal cells
    table.judged("Not unique")
    expect(table.said).to_contain_text("Not unique. The clues have 2 solutions.")
    _tab_to(table, "Make it unique")
    table.press("Enter")
    _tab_to(table, "Apply this repair")
    table.press("Enter")
    table.judged("Unique")
    expect(table.said).to_contain_text("Unique")


@pytest.mark.thorough
def test_keys_alone_go_from_mode_to_mode(pages: Pages) -> None:
    table = pages.open()
    table.open_picture(HEART)
    _tab_to(table, "Explain")
    table.press("Enter")
    expect(table.said).to_contain_text("Step 0 of")
    table.press("ArrowRight")
    expect(table.said).to_contain_text("Step 1 of")
    _tab_to(table, "Play")
    table.press("Enter")
    _tab_to(table, "Board", role="application")
    table.press("Control+Home", "x")
    expect(table.spoken).to_contain_text("Row 1, column 1: crossed out")
    _tab_to(table, "Export & share")
    table.press("Enter", "End", "Home", "Escape")
    expect(table.button("Export & share")).to_be_focused()
    table.page.locator("#home").focus()
    table.press("Enter")
    expect(table.page.get_by_role("button", name=re.compile("^Draw a new"))).to_be_visible()


def _tab_to(table: Table, name: str, role: str = "button") -> None:
    """Press the Tab key until an element of this name has the focus."""
    wanted = table.page.get_by_role(role, name=name, exact=True)
    expect(wanted).to_be_visible()
    for _ in range(60):
        if wanted.evaluate("(element) => element === document.activeElement"):
            return
        table.press("Tab")
    raise AssertionError(f"the Tab key does not lead to {name}")


@pytest.mark.thorough
def test_a_clue_typed_wrong_is_marked(pages: Pages) -> None:
    table = pages.open()
    table.button("Type clues…").click()
    dialog = table.page.get_by_role("dialog")
    dialog.get_by_label("Columns").fill("3")
    dialog.get_by_label("Rows").fill("2")
    dialog.get_by_role("button", name="Type clues").click()
    for name, text in [("Row 1", "3"), ("Row 2", "1"), ("Column 1", "1"), ("Column 2", "2")]:
        table.page.get_by_label(name, exact=True).fill(text)
        table.page.get_by_label(name, exact=True).press("Enter")
    table.page.get_by_label("Column 3", exact=True).fill("1")
    table.judged("Unique")
    wrong = table.page.get_by_label("Row 2", exact=True)
    wrong.fill("two")
    expect(wrong).to_have_attribute("aria-invalid", "true")
    expect(table.page.locator("#clue-rows-1-problem")).not_to_be_empty()
    wrong.fill("4")
    table.judged("No solution") if table.judged() == "No solution" else table.judged(
        "This cannot be checked"
    )
    expect(wrong).to_have_attribute("aria-invalid", "true")
    wrong.fill("1")
    table.judged("Unique")
    expect(wrong).to_have_attribute("aria-invalid", "false")


def _clues_alone(rows: tuple[str, ...]) -> bytes:
    """Return a file with the clues of a picture and without the picture."""
    drawn = nonosat.from_picture("\n".join(rows))
    return nonosat.dumps(replace(drawn, goal=None), "jsonl").encode()


@pytest.mark.slow
@pytest.mark.parametrize(("width", "height"), [(390, 844), (768, 1024), (1280, 800)])
def test_the_picture_of_given_clues_is_one_click_away(
    pages: Pages, width: int, height: int
) -> None:
    table = pages.open(width=width, height=height)
    table.drop("heart.jsonl", _clues_alone(HEART))
    expect(table.page.locator("body")).to_have_attribute("data-mode", "draw")
    table.judged("Unique")
    edit = table.button("Edit the picture")
    expect(edit).to_be_in_viewport(ratio=1)
    sizes = table.page.locator("button:visible").evaluate_all(
        "(all) => all.map((one) => [one.offsetWidth * one.offsetHeight, one.textContent])"
    )
    assert max(sizes)[1] == "Edit the picture"
    edit.click()
    expect(edit).to_be_hidden()
    table.frames()
    table.stroke((0, 0))
    expect(table.page.locator(".board-lists li").first).to_have_text("Row 1: 1, 2, 2")


@pytest.mark.slow
def test_the_goal_of_a_file_is_the_picture_that_is_edited(pages: Pages) -> None:
    """The author's solution opens, not another one; with given cells it opens as clues."""
    drawn = nonosat.from_picture("#.\n.#")
    given = replace(drawn, given=((0, 1, 0),))
    table = pages.open()
    table.drop("given.jsonl", nonosat.dumps(given, "jsonl").encode())
    table.button("Edit the picture").click()
    expect(table.button("Edit the picture")).to_be_hidden()
    table.judged("Not unique")
    assert table.pixels((0, 0))[0, 0] != table.pixels((0, 1))[0, 1]
    table.stroke((0, 0))
    assert table.clues()[0] == ["empty", "1"]


@pytest.mark.thorough
def test_typed_clues_begin_in_the_first_field_and_are_not_checked_empty(pages: Pages) -> None:
    table = pages.open()
    table.button("Type clues…").click()
    table.page.get_by_role("dialog").get_by_role("button", name="Type clues").click()
    expect(table.page.get_by_label("Row 1", exact=True)).to_be_focused()
    expect(table.title).to_have_text("Nothing typed yet")
    expect(table.page.locator("#verdict .chip")).to_be_hidden()
    expect(table.page.locator("#mend")).to_contain_text("There is nothing typed yet.")
    table.mode("Play")
    expect(table.page.locator("#play")).to_contain_text("There are no clues yet.")
    table.mode("Draw")
    table.page.get_by_label("Row 1", exact=True).fill("1")
    table.judged("No solution")
    table.button("Type clues").click()
    expect(table.page.get_by_label("Row 1", exact=True)).to_be_focused()


@pytest.mark.thorough
def test_sixteen_colours_are_added_and_drawn_by_keys(pages: Pages) -> None:
    """A colour that was just added is used for drawing; a seventeenth is refused with a reason."""
    table = pages.open()
    table.new(16, 1)
    table.field.focus()
    table.press("Control+Home", "Space")
    for _ in range(15):
        table.press("a", "ArrowRight", "Space")
    (row,), _ = table.clues()
    assert len(set(row.split(", "))) == 16
    expect(table.page.get_by_role("radiogroup").get_by_role("radio")).to_have_count(17)
    table.press("a")
    expect(table.toasts).to_contain_text("A picture has at most 16 colours.")
    expect(table.page.get_by_role("radiogroup").get_by_role("radio")).to_have_count(17)
    table.judged("Unique")
