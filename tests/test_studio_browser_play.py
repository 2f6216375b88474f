"""The studio in a browser: puzzles played by touch, mouse and keys; explanations by keys."""

from __future__ import annotations

import re
from typing import Any

import pytest

import nonosat
from helpers.studio import HEART, Finger, Pages, Table, expect

SOLVED = re.compile(r"Solved in \d+:\d\d")
LOOP = nonosat.generate_slitherlink(3, 3, clues=0.9, seed=2)
HOUSE = ("..#..", ".###.", "#####", ".#.#.", ".###.")


@pytest.mark.thorough
def test_a_whole_puzzle_is_played_by_touch(pages: Pages) -> None:
    table = pages.open(width=390, height=844, has_touch=True, is_mobile=True)
    table.page.locator(".groups .tile-open").first.tap()
    expect(table.page.locator("body")).to_have_attribute("data-mode", "play")
    puzzle = table.puzzle()
    solution = nonosat.solve(puzzle).solution
    places, finger = table.places(), Finger(table)
    assert places["row"] == places["column"] == 0, "not all of the board is visible"
    for row, text in enumerate(solution.lines()):
        for run in re.finditer("#+", text):
            middles = [table.at(row, run.start(), places), table.at(row, run.end() - 1, places)]
            finger.stroke(*(middles[:1] if len(run[0]) == 1 else middles))
        if row == 0:
            clue = table.page.locator(".board-lists li").first
            expect(clue).to_have_text(re.compile("empty|done"))
    expect(table.page.locator(".play-solved")).to_contain_text(SOLVED)


@pytest.mark.slow
def test_two_fingers_zoom_and_draw_nothing(pages: Pages) -> None:
    table = pages.open(width=390, height=844, has_touch=True, is_mobile=True)
    table.open_picture(HEART)
    before, clues = table.places(), table.clues()
    finger = Finger(table)
    x, y = table.at(5, 5, before)
    finger.send("touchStart", (x - 20, y), (x + 20, y))
    for step in range(1, 9):
        finger.send("touchMove", (x - 20 - 8 * step, y), (x + 20 + 8 * step, y))
    finger.send("touchEnd")
    table.frames()
    assert table.places()["width"] > 1.5 * before["width"]
    assert table.clues() == clues
    table.button("Show all of the board").tap()
    table.frames()
    assert table.places()["width"] == pytest.approx(before["width"], abs=0.1)


@pytest.mark.slow
def test_a_game_by_keys_is_kept_over_a_reload(pages: Pages) -> None:
    table = pages.open()
    table.open_picture(HOUSE)
    table.mode("Play")
    table.field.focus()
    _fill_by_keys(table, HOUSE[:3])
    table.press("x")
    expect(table.spoken).to_contain_text("crossed out")
    before = table.clues()
    assert before[0][2] == "5 done"
    table.page.reload()
    expect(table.field).to_be_visible()
    assert table.clues() == before
    table.field.focus()
    table.press("Control+Home", *["ArrowDown"] * 3)
    _fill_by_keys(table, HOUSE[3:])
    expect(table.page.locator(".play-solved")).to_contain_text(SOLVED)
    expect(table.said).to_contain_text("Solved")


def _fill_by_keys(table: Table, rows: tuple[str, ...]) -> None:
    """Fill rows from the one at the cursor; afterwards it is below the last."""
    for text in rows:
        table.press("Home")
        for sign in text:
            table.press(*(["Space"] if sign == "#" else []), "ArrowRight")
        table.press("Home", "ArrowDown")


@pytest.mark.thorough
def test_hints_lead_to_the_end_and_mistakes_are_reported_on_request(pages: Pages) -> None:
    table = pages.open()
    table.open_picture((".###.", "#...#", "#####"))
    table.mode("Play")
    table.stroke((0, 0))  # no solution has it
    expect(table.page.locator(".play-note")).to_be_hidden()
    table.button("Check").click()
    expect(table.page.locator(".play-note")).to_contain_text("1")
    table.field.focus()
    table.press("Control+Home")
    expect(table.spoken).to_contain_text("wrong")
    table.press("Control+z")
    solved = table.page.locator(".play-solved")
    hint, do = table.button("Hint"), table.page.locator(".play-note .button")
    for _ in range(15):
        if solved.is_visible():
            break
        hint.click()
        do.click()  # shows the cells
        do.click()
    expect(solved).to_contain_text(SOLVED)


@pytest.mark.thorough
def test_a_drag_along_a_line_fills_and_crosses(pages: Pages) -> None:
    table = pages.open()
    table.open_picture(HEART)
    table.mode("Play")
    table.stroke((2, 0), (3, 10))  # along the row that it took first
    assert table.clues()[0][2:4] == ["11 done", "11"]
    table.stroke((0, 0), (0, 1), button="right")
    table.field.focus()
    table.press("Control+Home")
    expect(table.spoken).to_contain_text("Row 1, column 1: crossed out")
    table.press("Control+z")
    expect(table.spoken).to_contain_text("Row 1, column 1: open")
    table.press("Control+y")
    expect(table.spoken).to_contain_text("Row 1, column 1: crossed out")
    table.stroke((3, 0), (3, 10))
    table.drop("other.txt", b"#")  # at once
    expect(table.page.locator("body")).to_have_attribute("data-mode", "draw")
    table.page.locator("#home").click()
    table.page.get_by_role("button", name=re.compile("11 × 10.* continue playing")).click()
    expect(table.field).to_be_visible()
    assert table.clues()[0][2:4] == ["11 done", "11 done"]


def _edges(loop: Any) -> list[list[int]]:
    """Return the edges of the only solution, by their corners, in row-major order."""
    height, width = loop.height, loop.width
    across = [[r, c, r, c + 1] for r in range(height + 1) for c in range(width)]
    down = [[r, c, r + 1, c] for r in range(height) for c in range(width + 1)]
    told = nonosat.solve(loop).solution.to_data()["edges"]
    return [edge for edge, is_on in zip(across + down, told, strict=True) if is_on == "1"]


def _open_loop(table: Table) -> None:
    table.drop("loop.slitherlink", nonosat.dumps(LOOP, "slitherlink").encode())
    expect(table.page.locator("body")).to_have_attribute("data-mode", "play")
    table.frames()


@pytest.mark.thorough
def test_a_slitherlink_is_played_with_the_mouse(pages: Pages) -> None:
    table = pages.open()
    _open_loop(table)
    edges = _edges(LOOP)
    for edge in edges:
        table.page.mouse.click(*table.edge((LOOP.height, LOOP.width), edge))
    expect(table.page.locator(".play-solved")).to_contain_text(SOLVED)
    expect(table.page.locator(".play-solved")).to_contain_text("The loop is closed.")
    table.mode("Explain")
    expect(table.page.locator("#explain")).to_contain_text(re.compile(r"Step 0 of \d+"))
    table.press("End")
    expect(table.page.locator("#explain")).to_contain_text(re.compile(r"Step (\d+) of \1"))


@pytest.mark.thorough
def test_a_slitherlink_is_played_by_keys(pages: Pages) -> None:
    """By hints alone, requested and applied by keys; edges are visited and announced."""
    table = pages.open()
    _open_loop(table)
    table.field.focus()
    table.press("ArrowRight", "Space")
    expect(table.spoken).to_contain_text(re.compile("on the path|line|path"))
    table.press("Control+z")
    solved, do = table.page.locator(".play-solved"), table.button("Apply")
    for _ in range(80):
        if solved.is_visible():
            break
        table.field.focus()
        table.press("h")
        do.focus()
        table.press("Enter")
    expect(solved).to_contain_text(SOLVED)


@pytest.mark.thorough
def test_an_explanation_is_stepped_through_by_keys(pages: Pages) -> None:
    table = pages.open()
    table.open_picture(HEART)
    table.mode("Explain")
    panel = table.page.locator("#explain")
    expect(panel).to_contain_text(re.compile(r"Step 0 of \d+"))
    count = int(re.findall(r"Step 0 of (\d+)", str(panel.text_content()))[0])
    wanted = [step.sentence for step in nonosat.explain(table.puzzle()).steps]
    assert count == len(wanted)
    empty = table.pixels((2, 5))
    for number, sentence in enumerate(wanted, 1):
        if number == count // 2:
            table.field.focus()  # arrows move the cursor, and letters are announced
        table.press("n" if number >= count // 2 else "ArrowRight")
        expect(panel).to_contain_text(f"Step {number} of {count}")
        expect(panel.locator(".explain-sentence")).to_have_text(sentence)
        expect(table.said).to_contain_text(f"Step {number} of {count}. {sentence}")
    assert table.pixels((2, 5)) != empty
    table.button("To the start", "#explain").focus()
    table.press("n")  # letters apply to the board alone
    expect(panel).to_contain_text(f"Step {count} of {count}")
    table.press("Home")
    expect(panel).to_contain_text(f"Step 0 of {count}")
    assert table.pixels((2, 5)) == empty
    table.press("End", "ArrowLeft")
    expect(panel).to_contain_text(f"Step {count - 1} of {count}")
    expect(table.page).to_have_url(re.compile(f"#step-{count - 1}$"))
    table.page.reload()
    expect(panel).to_contain_text(f"Step {count - 1} of {count}")
    table.mode("Draw")
    expect(table.page).not_to_have_url(re.compile("#"))
    table.mode("Explain")
    table.field.focus()
    table.press("Control+Home", "Enter")  # why is this cell as it is?
    expect(panel.get_by_role("button", name="This cell")).to_be_visible()
    expect(panel).to_contain_text(re.compile("clue"))


@pytest.mark.thorough
def test_slow_work_shows_progress_and_can_be_cancelled(pages: Pages) -> None:
    """By a button, or by going on; answers are held back here."""
    table = pages.open()
    table.open_picture(HEART)
    held: list[Any] = []

    def hold(route: Any) -> None:
        held.append(route)

    table.page.route("**/api/beliefs", hold)
    table.page.route("**/api/hint", hold)
    table.judged("Unique")
    table.page.get_by_text("More", exact=True).click()
    table.button("How certain").click()
    weighing = table.page.get_by_text("Estimating the cells")
    expect(weighing).to_be_visible()
    table.button("Stop", "#verdict").click()
    expect(weighing).to_be_hidden()
    expect(table.button("How certain")).to_have_attribute("aria-disabled", "false")
    table.mode("Play")
    for name, text, calls_off in (
        ("Hint", "Searching for the next step", lambda: table.button("Stop", "#play").click()),
        ("Check", "Checking the marks", lambda: table.stroke((2, 0))),
        ("Hint", "Searching for the next step", lambda: table.mode("Draw")),
    ):
        table.button(name, "#play").click()
        expect(table.page.get_by_text(text)).to_be_visible()
        calls_off()
        expect(table.page.get_by_text(text)).to_be_hidden()
    assert len(held) == 4
    table.page.route("**/api/reason", hold)
    table.mode("Explain")
    expect(table.page.locator("#explain")).to_contain_text(re.compile(r"Step 0 of \d+"))
    table.stroke((2, 5))
    looking = table.page.get_by_text("Searching for the smallest reason")
    expect(looking).to_be_visible()
    table.button("Stop", "#explain").click()
    expect(looking).to_be_hidden()
    table.mode("Play")
    table.page.unroute("**/api/hint")
    table.button("Hint", "#play").click()
    expect(table.page.locator(".play-note")).to_contain_text("follow from")
