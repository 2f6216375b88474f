"""The page without a server in a browser: a pack, its hidden titles, options of a game."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

import nonosat
from helpers.browser import needs_browser, new_profile
from helpers.web_host import hosted, win
from nonosat.studio import static

pytestmark = [
    needs_browser,
    pytest.mark.slow,
    pytest.mark.skipif(
        not (static.BUILT / "app.js").is_file(), reason="the page is not built: .ci/page"
    ),
]
HEART = nonosat.from_picture(
    ".#.#.\n#####\n#####\n.###.\n..#..", title="A heart", author="Ada", description="For you."
)
CORNER = nonosat.nonogram([[2], [1]], [[2], [1]], title="A corner")


def test_a_pack_reveals_titles_when_its_puzzles_are_solved(chromium: Any, tmp_path: Path) -> None:
    static.write(tmp_path / "site")
    nonosat.save([HEART, CORNER], tmp_path / "shapes.jsonl")
    context = new_profile(chromium, service_workers="block")
    page = context.new_page()
    wrong: list[str] = []
    page.on("pageerror", lambda error: wrong.append(str(error)))
    with hosted(tmp_path / "site") as address:
        page.goto(address)
        with page.expect_file_chooser() as chooser:
            page.get_by_role("button", name="Open…").last.click()
        chooser.value.set_files(tmp_path / "shapes.jsonl")
        page.get_by_role("button", name="Play as a pack").click()
        page.get_by_text("0 of 2 solved").wait_for()
        assert page.get_by_text("A heart").count() == 0
        page.get_by_role("button", name="Puzzle 1").click()
        assert page.title() == "shapes, Puzzle 1 - nonosat studio"
        page.get_by_text("Options").click()
        page.get_by_label("Show mistakes at once").check()
        page.get_by_role("application").focus()
        page.keyboard.press("Space")  # row 1, column 1 is empty in the solution
        page.locator("#announcer", has_text="One mark is wrong").wait_for(state="attached")
        page.keyboard.press("Control+z")
        win(page)
        lines = page.locator(".play-solved").inner_text().split("\n")
        assert [line for line in lines if line][1:3] == ["A heart by Ada", "For you."]
        opened = "document.body.appendChild(document.createElement('dialog')).showModal()"
        page.evaluate(opened)
        page.go_back()  # to the gallery
        page.get_by_text("1 of 2 solved").wait_for()
        assert page.locator("dialog[open]").count() == 0
        page.go_forward()
        page.get_by_role("button", name="Edit the picture").click()
        page.get_by_role("toolbar", name="Drawing tools").wait_for()
        page.locator("#home").click()
        page.get_by_role("button", name=re.compile("^A heart.*solved")).wait_for()
        page.get_by_role("button", name="Puzzle 2").wait_for()
    assert wrong == []
    context.close()


def test_explanations_and_difficulty_are_those_of_the_library(
    chromium: Any, tmp_path: Path
) -> None:
    puzzle = nonosat.load("bundled:smile")  # needs an assumption
    static.write(tmp_path / "site")
    nonosat.save([puzzle], tmp_path / "smile.jsonl")
    context = new_profile(chromium, service_workers="block")
    page = context.new_page()
    wrong: list[str] = []
    asked: list[str] = []
    page.on("pageerror", lambda error: wrong.append(str(error)))
    page.on("request", lambda request: asked.append(request.url.rpartition("/")[2]))
    with hosted(tmp_path / "site") as address:
        page.goto(address)
        with page.expect_file_chooser() as chooser:
            page.get_by_role("button", name="Open…").last.click()
        chooser.value.set_files(tmp_path / "smile.jsonl")
        page.get_by_role("application").wait_for()
        assert "explain.wasm" not in asked  # loaded when it is needed
        page.get_by_role("button", name="Explain", exact=True).click()
        panel = page.locator("#explain")
        for step in nonosat.explain(puzzle).steps:
            panel.get_by_role("button", name="Next step").click()
            panel.locator(".explain-sentence", has_text=step.sentence).wait_for()
        panel.get_by_text("lead to the only solution.").wait_for()
        panel.get_by_text("Difficulty", exact=True).click()
        panel.get_by_text("5.0 · hard").wait_for()
        page.screenshot(path=tmp_path / "explain.png")
        page.locator("#home").click()
        page.get_by_role("button", name=re.compile("^Loop, 100%")).click()
        page.get_by_role("button", name="Play", exact=True).wait_for()
        assert not page.get_by_role("button", name="Explain", exact=True).is_visible()
    assert wrong == []
    assert asked.count("explain.wasm") == 1
    context.close()


def _inks(page: Any, name: str) -> int:
    """Number of colours in the small picture of a tile."""
    count: int = page.get_by_role("button", name=name).evaluate(
        """(tile) => {
          const canvas = tile.querySelector("canvas");
          const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
          return new Set(new Uint32Array(data.buffer)).size;
        }"""
    )
    return count


def test_back_and_forward_follow_documents_and_the_gallery(chromium: Any, tmp_path: Path) -> None:
    static.write(tmp_path / "site")
    context = new_profile(chromium, service_workers="block")
    page = context.new_page()
    wrong: list[str] = []
    page.on("pageerror", lambda error: wrong.append(str(error)))

    def shows(mode: str) -> None:
        page.locator(f"body[data-mode={mode}]").wait_for()

    with hosted(tmp_path / "site") as address:
        page.goto(address)
        page.get_by_role("button", name="Little heart").click()
        shows("play")
        page.get_by_role("button", name="Rules").click()
        page.get_by_role("dialog").get_by_text("Each number is a block").wait_for()
        page.keyboard.press("Escape")
        page.get_by_role("button", name="Hint").click()
        page.get_by_role("button", name="Show the cells").click()
        page.get_by_role("button", name="Apply", exact=True).click()
        page.locator("#home").click()
        shows("gallery")
        assert _inks(page, "continue playing") == 2  # the marks of the game
        shows("gallery")
        page.get_by_role("button", name="Draw a new picture").click()
        shows("draw")
        page.get_by_role("application").focus()
        page.keyboard.press("Space")
        page.locator("#home").click()
        shows("gallery")
        assert _inks(page, "continue drawing") == 2  # paper and ink
        for mode in ("draw", "gallery", "play", "gallery"):
            page.go_back()
            shows(mode)
        for mode in ("play", "gallery", "draw", "gallery"):
            page.go_forward()
            shows(mode)
        page.get_by_role("button", name="continue playing").click()
        shows("play")
        page.reload()
        shows("play")
        page.go_back()
        shows("gallery")
        page.get_by_role("button", name="continue drawing").click()
        shows("draw")
    assert wrong == []
    context.close()


@pytest.mark.slow
def test_a_hint_far_away_scrolls_into_view(chromium: Any, tmp_path: Path) -> None:
    """One row is full; the other rows have a block of one cell, and many solutions."""
    static.write(tmp_path / "site")
    rows = ["." * row + "#" + "." * (199 - row) for row in range(200)]
    rows[150] = "#" * 200
    nonosat.save([nonosat.from_picture("\n".join(rows))], tmp_path / "large.jsonl")
    context = new_profile(chromium, service_workers="block")
    page = context.new_page()
    page.set_viewport_size({"width": 390, "height": 780})
    with hosted(tmp_path / "site") as address:
        page.goto(address)
        with page.expect_file_chooser() as chooser:
            page.locator("#gallery").get_by_role("button", name="Open…").click()
        chooser.value.set_files(tmp_path / "large.jsonl")
        page.get_by_role("button", name="Play", exact=True).click()
        page.get_by_role("button", name="Hint").click()
        page.get_by_text("follow from row 151").first.wait_for()
        box = page.locator(".board-field").bounding_box()
        assert box is not None
        page.mouse.move(box["x"] + 0.7 * box["width"], box["y"] + 0.9 * box["height"])
        page.locator("#readout", has_text=re.compile("Row 1[345]\\d")).wait_for()
    context.close()


def test_a_large_picture_is_readable_with_a_map_and_images_are_cropped(
    chromium: Any, tmp_path: Path
) -> None:
    """The right half of the image is black."""
    static.write(tmp_path / "site")
    rows = ["#." * 100, ".#" * 100] * 100
    nonosat.save([nonosat.from_picture("\n".join(rows))], tmp_path / "large.jsonl")
    image = Image.new("RGB", (20, 10), "white")
    image.paste("black", (10, 0, 20, 10))
    image.putpixel((15, 5), (255, 255, 255))
    image.save(tmp_path / "half.png")
    context = new_profile(chromium, service_workers="block")
    page = context.new_page()
    page.set_viewport_size({"width": 390, "height": 780})
    wrong: list[str] = []
    page.on("pageerror", lambda error: wrong.append(str(error)))

    def take(name: str) -> None:
        with page.expect_file_chooser() as chooser:
            page.locator("#gallery").get_by_role("button", name="Open…").click()
        chooser.value.set_files(tmp_path / name)

    def inside(name: str, across: float, down: float) -> tuple[float, float]:
        box = page.locator(name).bounding_box()
        assert box is not None
        return box["x"] + across * box["width"], box["y"] + down * box["height"]

    with hosted(tmp_path / "site") as address:
        page.goto(address)
        take("large.jsonl")
        page.locator(".board-map").wait_for()
        page.mouse.click(*inside(".board-map", 0.5, 0.75))
        page.mouse.move(*inside(".board-field", 0.8, 0.8))
        page.locator("#readout", has_text=re.compile("Row 1[45]\\d")).wait_for()
        before = page.locator(".board-field").bounding_box()
        page.get_by_role("button", name="Fold the panels").click()
        page.wait_for_function(
            "least => document.querySelector('.board-field').clientHeight > least",
            arg=1.3 * before["height"],
        )
        page.locator("#home").click()
        take("half.png")
        page.get_by_text("20 × 10 cells, one colour").wait_for()
        page.mouse.move(*inside(".image-source", 0.52, 0.01))
        page.mouse.down()
        page.mouse.move(*inside(".image-source", 0.99, 0.99))
        page.mouse.up()
        page.get_by_text("10 × 10 cells, one colour").wait_for()
        page.get_by_role("button", name="Apply").click()
        page.locator(".board-lists li", has_text="Row 6: 5, 4").wait_for(state="attached")
        page.locator("body[data-mode=draw]").wait_for()
    assert wrong == []
    context.close()
