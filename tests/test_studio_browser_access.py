"""Accessibility of the studio: axe, names, focus, reduced motion, narrow and wide windows."""

from __future__ import annotations

from collections.abc import Callable
from importlib.resources import files

import pytest

import nonosat
from helpers.images import file
from helpers.paintings import PAINTINGS
from helpers.studio import HEART, Pages, Table, expect

LOOKS = [((1280, 800), "light"), ((390, 844), "dark")]  # colours are the same in every width
BROKEN = (*HEART[:6], "..#.#####..", *HEART[7:])
LOOP = nonosat.generate_slitherlink(5, 5, seed=4)

_AXE = """async () => {
  const how = { resultTypes: ["violations"], preload: false };  // which films alone would need
  const { violations } = await axe.run(document, how);
  return violations.map(({ id, help, nodes }) => `${id}: ${help}: ${nodes.map((node) =>
    `${node.target.join(" ")} ${node.failureSummary}`).slice(0, 3).join("; ")}`);
}"""
_WIDTHS = "() => [document.documentElement.scrollWidth, innerWidth]"
_CUT = """() => [...document.querySelectorAll(".button")]
  .filter((one) => one.checkVisibility({ visibilityProperty: true }))
  .filter((one) => one.scrollWidth > one.clientWidth)
  .map((one) => one.textContent)"""
_MOVING = """() => document.getAnimations().filter(({ effect }) => {
  const { duration, iterations } = effect.getComputedTiming();
  return duration * iterations > 1;
}).map((animation) => animation.transitionProperty ?? animation.animationName)"""


def _gallery(table: Table) -> None:
    expect(table.page.locator(".groups .tile-open").first).to_be_visible()


def _draw(table: Table) -> None:
    table.open_picture(BROKEN)
    table.judged("Not unique")
    table.button("Make it unique").click()
    expect(table.button("Apply this repair")).to_be_visible()


def _clues(table: Table) -> None:
    puzzle = nonosat.nonogram([[1], [2]], [[1], [1, 1]])
    table.drop("clues.jsonl", nonosat.dumps(puzzle, "jsonl").encode())
    expect(table.page.get_by_label("Row 1", exact=True)).to_be_visible()
    table.judged()


def _explain(table: Table) -> None:
    table.open_picture(HEART)
    table.mode("Explain")
    expect(table.page.locator("#explain")).to_contain_text("Step 0 of")
    table.press("ArrowRight", "ArrowRight")


def _play(table: Table) -> None:
    table.open_picture(HEART)
    table.mode("Play")
    table.field.focus()
    table.press("h")
    expect(table.button("Show the cells")).to_be_visible()
    table.press("h")
    expect(table.button("Apply")).to_be_visible()


def _loop(table: Table) -> None:
    table.drop("loop.slitherlink", nonosat.dumps(LOOP, "slitherlink").encode())
    expect(table.page.locator("body")).to_have_attribute("data-mode", "play")


def _dialog(table: Table) -> None:
    table.open_picture(HEART)
    table.field.focus()
    table.press("?")
    expect(table.page.get_by_role("dialog")).to_be_visible()


def _menu(table: Table) -> None:
    table.open_picture(HEART)
    table.button("Export & share").click()
    expect(table.page.get_by_role("menu")).to_be_visible()


def _text(table: Table) -> None:
    table.page.locator("#home").click()
    table.button("Paste or type a text…").click()
    dialog = table.page.get_by_role("dialog")
    dialog.get_by_label("Text").fill("rows\n1\n2 x\n\ncolumns\n1\n1\n")
    dialog.get_by_role("button", name="Open", exact=True).click()
    expect(dialog.get_by_role("alert")).to_contain_text("line 3")


def _image(table: Table) -> None:
    table.drop("face.png", file(PAINTINGS["face"]()), "image/png")
    dialog = table.page.get_by_role("dialog")
    dialog.get_by_text("More", exact=True).click()
    dialog.get_by_role("combobox", name="Dithering").select_option("bayer")
    expect(dialog.get_by_text("24 × 30 cells, one colour")).to_be_visible()


STATES: dict[str, Callable[[Table], None]] = {
    "gallery": _gallery,
    "draw": _draw,
    "clues": _clues,
    "explain": _explain,
    "play": _play,
    "loop": _loop,
    "dialog": _dialog,
    "menu": _menu,
    "image": _image,
    "text": _text,
}


@pytest.mark.thorough
def test_axe_finds_nothing_and_nothing_is_cut_off(pages: Pages) -> None:
    pages.expect("status of 422")  # of the text that contains no puzzle
    table = pages.open(reduced_motion="reduce")
    axe = files("axe_playwright_python").joinpath("axe.min.js").read_text(encoding="utf-8")
    table.page.evaluate(axe)
    found: dict[str, object] = {}
    for state, go in STATES.items():
        go(table)
        for (width, height), scheme in LOOKS:
            table.page.set_viewport_size({"width": width, "height": height})
            table.page.emulate_media(color_scheme=scheme)
            table.frames()
            seen = f"{state}, {width} pixels, {scheme}"
            if violations := table.page.evaluate(_AXE):
                found[seen] = violations
            needed, there = table.page.evaluate(_WIDTHS)
            if needed > there:
                found[f"{seen} is too wide"] = [needed, there]
            if moving := table.page.evaluate(_MOVING):
                found[f"{seen} moves"] = moving
        table.press("Escape")  # closes dialogs and menus
    assert not found


@pytest.mark.slow
def test_a_screen_reader_walks_clues_and_cells(pages: Pages) -> None:
    table = pages.open()
    table.open_picture(HEART)
    table.judged("Unique")
    tree = table.page.locator("#stage").aria_snapshot()
    for told in ("Row 1: 2, 2", "Row 10: 1", "Column 1: 3", "Column 11: 3", 'application "Board'):
        assert told in tree, tree
    table.field.focus()
    for keys, told in [
        (["Control+Home"], "Row 1, column 1: empty. row clue 2, 2; column clue 3."),
        (["ArrowRight", "ArrowRight"], "Row 1, column 3: filled. row clue 2, 2; column clue 7."),
        (["End"], "Row 1, column 11: empty. row clue 2, 2; column clue 3."),
        (["Control+End"], "Row 10, column 11: empty. row clue 1; column clue 3."),
        (["k", "Space"], "protected"),
    ]:
        table.press(*keys)
        expect(table.spoken).to_contain_text(told)


@pytest.mark.thorough
def test_all_controls_have_a_name_and_show_their_focus(pages: Pages) -> None:
    table = pages.open()
    _draw(table)
    seen, rounds = set(), 0
    while rounds < 2:  # the first one begins where the focus was
        table.press("Tab")
        told = table.page.evaluate(
            """() => {
              const it = document.activeElement;
              const { outlineStyle, outlineWidth, boxShadow } = getComputedStyle(it);
              const name = it.getAttribute("aria-label") || it.innerText || it.title || it.id;
              const isOutlined = outlineStyle !== "none" && outlineWidth !== "0px";
              const isSeen = isOutlined || boxShadow !== "none" || it.matches(".board-field");
              return [name, isSeen, it.tagName];
            }"""
        )
        name, is_seen, tag = told
        if tag == "BODY":
            rounds += 1
            continue
        assert name, told
        assert is_seen, f"{name} does not show that it has the focus"
        seen.add(name)
    assert {
        "Board",
        "Export & share",
        "Make it unique",
        "Apply this repair",
        "Draw",
        "Play",
    } <= seen


@pytest.mark.slow
def test_motion_is_reduced_on_request(pages: Pages) -> None:
    table = pages.open(reduced_motion="reduce")
    _draw(table)
    table.button("Apply this repair").click()
    assert table.page.evaluate(_MOVING) == []
    durations = table.page.evaluate(
        """() => [...document.querySelectorAll("*")].flatMap((element) => {
          const { transitionDuration, animationDuration } = getComputedStyle(element);
          return [...transitionDuration.split(","), ...animationDuration.split(",")];
        }).map(parseFloat).filter((seconds) => seconds > 0.01)"""
    )
    assert durations == []


@pytest.mark.thorough
@pytest.mark.parametrize("theme", ["light", "dark"])
def test_the_switch_of_themes_outlives_a_reload(pages: Pages, theme: str) -> None:
    table = pages.open(is_dark=theme == "light")
    _gallery(table)
    root, button = table.page.locator("html"), table.page.get_by_role("button", name="Theme:")
    for _ in range(3):
        if button.get_attribute("aria-label") == f"Theme: {theme}":
            break
        button.click()
    expect(root).to_have_attribute("data-theme", theme)
    table.page.reload()
    expect(root).to_have_attribute("data-theme", theme)


@pytest.mark.thorough
def test_no_word_is_cut_on_a_button_or_in_a_title(pages: Pages) -> None:
    """Fingers need larger buttons, also on a phone in landscape."""
    table = pages.open(has_touch=True)
    table.open_picture(HEART)
    title = table.page.get_by_label("Title", exact=True)
    title.fill("Untitled")
    for width, height in ((390, 844), (844, 390), (700, 900)):
        table.page.set_viewport_size({"width": width, "height": height})
        for mode in ("Draw", "Explain", "Play"):
            table.mode(mode)
            assert table.page.evaluate(_CUT) == []
        assert title.evaluate("field => field.scrollWidth <= field.clientWidth")
