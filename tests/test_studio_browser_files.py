"""The studio in a browser: dropped files are opened or refused, exported files are complete."""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
from base64 import b64encode
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

import nonosat
from helpers import studio_scripts as scripts
from helpers.studio import HEART, Pages, Table, expect, wait_until

COLOURED = ("aa.b", "ccc.", ".bbb")
INKS = {"a": "#c8372d", "b": "#2f6fb5", "c": "#3b8a4a"}
LOOP = "2 2\n33\n..\n"
REFUSED = "status of 422"


@cache
def _disc() -> Image.Image:
    """Disc with a bright spot, in shades, larger than any board."""
    image = Image.new("L", (240, 180), 255)
    for x in range(240):
        for y in range(180):
            distance = ((x - 120) ** 2 + (y - 90) ** 2) ** 0.5
            spot = ((x - 95) ** 2 + (y - 70) ** 2) ** 0.5
            if distance < 75:
                image.putpixel((x, y), 250 if spot < 18 else int(30 + distance))
    return image


def _image(path: Path) -> bytes:
    """The disc as a file."""
    _disc().save(path)
    return path.read_bytes()


@pytest.mark.thorough
def test_an_image_dropped_becomes_a_picture(pages: Pages, tmp_path: Path) -> None:
    path = tmp_path / "disc.png"
    table = pages.open()
    table.drop("disc.png", _image(path), "image/png")
    dialog = table.page.get_by_role("dialog")
    expect(dialog.get_by_text("30 × 23 cells, one colour")).to_be_visible()
    slider = dialog.get_by_role("slider", name="Columns")
    slider.fill("24")
    expect(dialog.get_by_text("24 × 18 cells, one colour")).to_be_visible()
    dialog.get_by_role("button", name="Apply").click()
    expect(table.page.get_by_label("Title", exact=True)).to_have_value("disc")
    wanted, shown = nonosat.from_image(path, columns=24), table.puzzle()
    assert (shown.rows, shown.columns) == (wanted.rows, wanted.columns)
    assert table.judged() in ("Unique", "Not unique")


@pytest.mark.thorough
def test_images_texts_and_selections_are_pasted(pages: Pages, tmp_path: Path) -> None:
    table = pages.open(permissions=["clipboard-read", "clipboard-write"])
    image = b64encode(_image(tmp_path / "disc.png")).decode()
    table.page.evaluate(scripts.PASTE_IMAGE, image)
    table.page.get_by_role("dialog").get_by_role("button", name="Apply").click()
    expect(table.page.get_by_label("Title", exact=True)).to_have_value("image")
    table.page.evaluate("navigator.clipboard.writeText('rows: 2, 1; columns: 1, 2')")
    table.press("Control+v")
    expect(table.page.locator(".board-lists li")).to_have_count(4)
    assert table.clues() == (["2", "1"], ["1", "2"])
    table.page.locator("#home").click()
    table.new(6, 5)
    table.draw((".#", "##"))
    table.press("s")
    table.stroke((0, 0), (1, 1))
    table.press("Control+c", "Escape", "ArrowDown", "ArrowDown", "ArrowRight", "Control+v")
    expect(table.page.locator(".board-lists li").nth(3)).to_have_text("Row 4: 2")
    assert table.clues()[0] == ["1", "2", "1", "2", "empty"]


@pytest.mark.thorough
def test_an_image_is_dithered_by_keyboard(pages: Pages, tmp_path: Path) -> None:
    path = tmp_path / "disc.png"
    table = pages.open()
    table.drop("disc.png", _image(path), "image/png")
    dialog = table.page.get_by_role("dialog")
    preview = dialog.get_by_role("img", name="Preview of the picture")
    expect(dialog.get_by_text("30 × 23 cells, one colour")).to_be_visible()
    looks = [preview.evaluate("canvas => canvas.toDataURL()")]
    dialog.get_by_text("More", exact=True).click()
    dialog.get_by_role("combobox", name="Dithering").focus()
    for _ in range(2):
        table.page.keyboard.press("ArrowDown")
        wait_until(
            lambda: preview.evaluate("canvas => canvas.toDataURL()") != looks[-1], "another picture"
        )
        looks.append(preview.evaluate("canvas => canvas.toDataURL()"))
    table.page.keyboard.press("ArrowUp")
    dialog.get_by_role("button", name="Apply").click()
    expect(table.page.get_by_label("Title", exact=True)).to_have_value("disc")
    wanted, shown = nonosat.from_image(path, columns=30, dither="floyd-steinberg"), table.puzzle()
    assert (shown.rows, shown.columns) == (wanted.rows, wanted.columns)


def _settings(dialog: Any) -> dict[str, str]:
    """Return the values of the controls of an image."""
    shown: dict[str, str] = dialog.evaluate(
        """(dialog) => Object.fromEntries(
          [...dialog.querySelectorAll(".image-controls label")].map((label) => {
            const input = label.querySelector("input, select");
            return [label.querySelector("span")?.firstChild.textContent ?? label.textContent,
              input.type === "checkbox" ? String(input.checked) : input.value];
          }))"""
    )
    return shown


@pytest.mark.slow
def test_nothing_moves_beneath_the_slider_of_colours(pages: Pages, tmp_path: Path) -> None:
    table = pages.open(width=390, height=844)
    table.drop("disc.png", _image(tmp_path / "disc.png"), "image/png")
    dialog = table.page.get_by_role("dialog")
    dialog.get_by_text("More", exact=True).click()
    slider = dialog.get_by_role("slider", name="Colours")
    expect(dialog.get_by_text("30 × 23 cells, one colour")).to_be_visible()
    before = slider.bounding_box()
    slider.fill("3")
    expect(dialog.get_by_text("30 × 23 cells, 2 colours")).to_be_visible()
    expect(dialog.get_by_role("checkbox")).to_have_count(0)
    assert slider.bounding_box() == before
    slider.fill("1")
    expect(dialog.get_by_role("checkbox")).to_have_count(2)


@pytest.mark.thorough
def test_settings_of_an_image_stay_for_the_next_one(pages: Pages, tmp_path: Path) -> None:
    data = _image(tmp_path / "disc.png")
    tall = Image.open(tmp_path / "disc.png").rotate(90, expand=True)
    tall.save(tmp_path / "tall.png")
    table = pages.open()
    dialog = table.page.get_by_role("dialog")
    table.drop("disc.png", data, "image/png")
    expect(dialog.get_by_text("30 × 23 cells, one colour")).to_be_visible()
    expect(dialog.get_by_role("slider", name="Columns")).to_be_focused()
    dialog.get_by_text("More", exact=True).click()
    usual = _settings(dialog)
    dialog.get_by_role("slider", name="Columns").fill("40")
    dialog.get_by_label("Dithering").select_option("bayer")
    dialog.get_by_label("Find the threshold").uncheck()
    dialog.get_by_role("slider", name="Threshold").fill("0.3")
    dialog.get_by_label("Fill light areas").check()
    wished = _settings(dialog)
    dialog.get_by_role("button", name="Apply").click()
    expect(dialog).not_to_be_visible()
    taken = table.puzzle()
    table.page.reload()
    table.wait()
    table.drop("disc.png", data, "image/png")
    expect(dialog.get_by_text("40 × 30 cells, one colour")).to_be_visible()
    assert _settings(dialog) == wished
    dialog.get_by_role("button", name="Cancel").click()
    table.drop("tall.png", (tmp_path / "tall.png").read_bytes(), "image/png")
    expect(dialog.get_by_text("30 × 40 cells, one colour")).to_be_visible()
    dialog.get_by_role("button", name="Usual settings").click()
    expect(dialog.get_by_text("23 × 31 cells, one colour")).to_be_visible()
    assert _settings(dialog) == usual | {"Columns": "23"}
    dialog.get_by_role("button", name="Cancel").click()  # a dismissed setting is not kept
    table.drop("disc.png", data, "image/png")
    dialog.get_by_role("button", name="Apply").click()
    expect(dialog).not_to_be_visible()
    again = table.puzzle()
    assert (again.rows, again.columns) == (taken.rows, taken.columns)


@pytest.mark.slow
def test_a_puzzle_file_dropped_is_opened(pages: Pages, tmp_path: Path) -> None:
    path = tmp_path / "heart.non"
    heart = nonosat.from_picture("\n".join(HEART), title="A heart")
    nonosat.save(heart, path)
    table = pages.open()
    table.drop("heart.non", path.read_bytes())
    expect(table.page.get_by_label("Title", exact=True)).to_have_value("A heart")
    table.judged("Unique")
    shown = table.puzzle()
    assert (shown.rows, shown.columns) == (heart.rows, heart.columns)


@pytest.mark.thorough
def test_unreadable_files_are_reported_and_nothing_is_lost(pages: Pages) -> None:
    pages.expect(REFUSED)
    table = pages.open()
    table.open_picture(HEART)
    before = table.clues()
    broken = b'<?xml version="1.0"?><puzzleset><puzzle type="grid"><clues type="rows"><line>'
    table.drop("broken.xml", broken)
    told = table.toasts.get_by_text("broken.xml cannot be opened")
    expect(told).to_be_visible()
    expect(told).to_contain_text("line 1")  # with its place
    table.drop_large("large.non", 20 * 2**20)
    told = table.toasts.get_by_text("large.non has 20 MiB")
    expect(told).to_contain_text("at most 8 MiB")
    table.drop("empty.non", b"")
    expect(table.toasts.get_by_text("empty.non is empty")).to_be_visible()
    table.drop("noise.png", b"\x89PNG\r\n\x1a\n" + bytes(range(256)), "image/png")
    expect(table.toasts.get_by_text("noise.png cannot be shown")).to_be_visible()
    assert table.clues() == before
    table.judged("Unique")
    table.page.locator("#home").click()
    table.button("Paste or type a text…").click()
    dialog = table.page.get_by_role("dialog")
    dialog.get_by_label("Text").fill("hello, this is not a puzzle")
    dialog.get_by_role("button", name="Open", exact=True).click()
    told = dialog.get_by_role("alert")
    expect(told).to_contain_text("This text holds no puzzle")
    expect(told).to_contain_text("You can paste clues")
    expect(told).not_to_contain_text("--")


_SELECTED = """() => {
  const area = document.activeElement;
  return area.value.slice(area.selectionStart, area.selectionEnd);
}"""


@pytest.mark.thorough
def test_a_text_with_an_error_stays_with_its_line_marked(pages: Pages) -> None:
    pages.expect(REFUSED)
    table = pages.open()
    table.button("Paste or type a text…").click()
    dialog = table.page.get_by_role("dialog")
    text = dialog.get_by_label("Text")
    wrong = "rows\n1\n2 x\n\ncolumns\n1\n1\n"
    text.fill(wrong)
    dialog.get_by_role("button", name="Open", exact=True).click()
    expect(dialog.get_by_role("alert")).to_contain_text("line 3")
    expect(text).to_be_focused()
    expect(text).to_have_value(wrong)
    expect(text).to_have_attribute("aria-invalid", "true")
    assert table.page.evaluate(_SELECTED) == "2 x"
    text.fill(wrong.replace("2 x", "1"))
    expect(text).to_have_attribute("aria-invalid", "false")
    dialog.get_by_role("button", name="Open", exact=True).click()
    expect(dialog).to_be_hidden()
    table.judged("Not unique")


@pytest.mark.thorough
def test_a_pasted_text_with_an_error_is_shown_for_correction(pages: Pages) -> None:
    pages.expect(REFUSED)
    table = pages.open()
    table.open_picture(HEART)
    before = table.clues()
    for text, says in [
        ("rows\n1\n2 x\n\ncolumns\n1\n1\n", "line 3"),
        ("nonosat:1:damaged", "The text is damaged."),
    ]:
        table.page.evaluate(_PASTE_TEXT, text)
        dialog = table.page.get_by_role("dialog")
        expect(dialog.get_by_role("alert")).to_contain_text(says)
        expect(dialog.get_by_label("Text")).to_have_value(text)
        dialog.get_by_role("button", name="Cancel").click()
        expect(dialog).to_be_hidden()
    assert table.clues() == before


_PASTE_TEXT = """(text) => {
  const clipboardData = new DataTransfer();
  clipboardData.setData("text/plain", text);
  const event = { clipboardData, bubbles: true, cancelable: true };
  document.body.dispatchEvent(new ClipboardEvent("paste", event));
}"""


def _export(table: Table, item: str) -> Any:
    """Return the download of an item of the menu."""
    table.button("Export & share").click()
    wanted = table.page.get_by_role("menuitem", name=re.compile(rf"^{re.escape(item)}\s*(\.|$)"))
    with table.page.expect_download() as download:
        wanted.first.click()
    return download.value


def _offered(table: Table) -> list[str]:
    """Return the formats in the menu."""
    table.button("Export & share").click()
    expect(table.page.get_by_role("menu")).to_be_visible()
    texts: list[str] = table.page.evaluate(
        """() => {
          const all = [...document.querySelector("[role=menu]").children];
          const from = all.findIndex((item) => item.textContent === "Formats");
          return all.slice(from + 1).map((item) => item.firstChild.textContent);
        }"""
    )
    table.press("Escape")
    return texts


@pytest.mark.thorough
def test_each_format_is_exported_and_opened_again(pages: Pages, tmp_path: Path) -> None:
    table = pages.open()
    table.open_picture(HEART)
    offered = _offered(table)
    about = table.page.evaluate("fetch('api/about').then((reply) => reply.json())")["answer"]
    holding = [each for each in about["formats"] if "nonogram" in each["families"]]
    assert offered == [each["name"] for each in holding if each["writes"]]
    assert len(offered) > 15
    before = table.clues()
    # All at first: the result may be clues alone, which not every format supports.
    taken = {name: _taken(table, name, tmp_path) for name in offered}
    for name, file in taken.items():
        _comes_back(table, name, file, before)


def _taken(table: Table, name: str, tmp_path: Path) -> Path:
    """Return the file of a format; each has a folder, because some have the same suffix."""
    download = _export(table, name)
    file = tmp_path / name / download.suggested_filename
    download.save_as(file)
    return file


def _comes_back(table: Table, name: str, file: Path, before: Any) -> None:
    table.page.locator("#home").click()
    kind = f"image/{name}" if name in ("png", "gif", "bmp", "webp") else ""
    table.drop(file.name, file.read_bytes(), kind)
    if kind:
        table.page.get_by_role("dialog").get_by_role("button", name="Apply").click()
    expect(table.field).to_be_visible()
    if table.page.locator("body").get_attribute("data-mode") != "draw":
        table.mode("Draw")  # a shared puzzle opens in Play
    assert table.clues() == before, name
    table.judged("Unique")


@pytest.mark.thorough
def test_colours_come_back(pages: Pages, tmp_path: Path) -> None:
    path = tmp_path / "coloured.xml"
    puzzle = nonosat.from_picture("\n".join(COLOURED), colours=INKS)
    nonosat.save(puzzle, path)
    table = pages.open()
    table.drop(path.name, path.read_bytes())
    expect(table.field).to_be_visible()
    before = table.clues()
    assert before[0][0] == "2 red, 1 blue"
    for name in ("webpbn", "jsonl", "non", "share"):
        _comes_back(table, name, _taken(table, name, tmp_path), before)
    assert table.page.get_by_role("radiogroup").get_by_role("radio").count() == 4


@pytest.mark.thorough
def test_loops_come_back(pages: Pages, tmp_path: Path) -> None:
    loop = nonosat.generate_slitherlink(4, 4, seed=3)
    table = pages.open()
    table.drop("loop.slitherlink", nonosat.dumps(loop, "slitherlink").encode())
    expect(table.field).to_be_visible()
    for name in ("slitherlink", "loopy", "puzzlink", "jsonl"):
        file = _taken(table, name, tmp_path)
        assert nonosat.load(file).to_data()["rows"] == loop.to_data()["rows"], name
        table.page.locator("#home").click()
        table.drop(file.name, file.read_bytes())
        expect(table.page.locator("body")).to_have_attribute("data-mode", "play")


@pytest.mark.thorough
def test_a_shared_text_holds_the_whole_puzzle(pages: Pages) -> None:
    table = pages.open()
    table.open_picture(HEART)
    before = table.clues()
    table.button("Export & share").click()
    table.page.get_by_role("menuitem", name=re.compile("^Share text")).click()
    text = table.page.get_by_label("Share text").input_value()
    assert nonosat.loads(text).goal == nonosat.from_picture("\n".join(HEART)).goal
    other = pages.open()
    other.button("Paste or type a text…").click()
    dialog = other.page.get_by_role("dialog")
    dialog.get_by_label("Text").fill(f"Try this: {text} it is nice")
    dialog.get_by_role("button", name="Open", exact=True).click()
    expect(other.page.locator("body")).to_have_attribute("data-mode", "play")
    assert [re.sub(" done", "", clue) for clue in other.clues()[0]] == before[0]


@pytest.mark.thorough
def test_sheets_and_pictures_have_their_declared_kind(pages: Pages, tmp_path: Path) -> None:
    table = pages.open()
    table.open_picture(HEART)
    heads = {"Sheet with solution page": b"%PDF-", "Picture, large": b"\x89PNG"}
    for item, head in heads.items():
        _export(table, item).save_as(tmp_path / "taken")
        assert (tmp_path / "taken").read_bytes().startswith(head), item
    large = Image.open(tmp_path / "taken").convert("L")
    cell = large.width // 11
    for row, text in enumerate(HEART):
        for column, sign in enumerate(text):
            place = (column * cell + cell // 2, row * cell + cell // 2)
            assert (large.getpixel(place) < 128) == (sign == "#")


@pytest.mark.thorough
def test_a_certificate_is_verified_by_the_enclosed_command(pages: Pages, tmp_path: Path) -> None:
    table = pages.open()
    table.open_picture(HEART)
    table.judged("Unique")
    table.page.get_by_text("More", exact=True).click()
    with table.page.expect_download() as download:
        table.button("Certificate").click()
    download.value.save_as(tmp_path / download.value.suggested_filename)
    command = table.page.locator("#verdict code").text_content()
    unzip, verify = (shlex.split(part) for part in str(command).split("&&"))
    assert unzip[:1] == ["unzip"]
    packed = [sys.executable, "-m", "zipfile", "-e", unzip[1], "."]
    subprocess.run(packed, cwd=tmp_path, check=True)
    assert verify[0] == "nonosat"
    asked = [sys.executable, "-m", *verify]
    done = subprocess.run(asked, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.thorough
def test_a_page_to_play_needs_no_server(pages: Pages, tmp_path: Path) -> None:
    rows = (".###.", "#...#", "#####")
    table = pages.open()
    table.open_picture(rows)
    download = _export(table, "Page to play")
    path = tmp_path / "play.html"
    download.save_as(path)
    context = pages.context()
    context.set_offline(True)
    page = context.new_page()
    page.goto(path.as_uri())
    page.locator(".board-field").focus()
    page.get_by_role("button", name="Hint").click()
    expect(page.locator(".play-note")).to_contain_text("follow from row 3")
    page.get_by_role("button", name="Hint").click()
    expect(page.locator(".play-note")).to_contain_text("Row 3 (clue 5)")
    page.locator(".board-field").focus()
    for row, text in enumerate(rows):
        page.keyboard.press("Home")
        for sign in text:
            if sign == "#":
                page.keyboard.press("Space")
            page.keyboard.press("ArrowRight")
        if row < len(rows) - 1:
            page.keyboard.press("ArrowDown")
    expect(page.get_by_text("Solved in")).to_be_visible()


@pytest.mark.slow
def test_slow_files_show_progress_and_can_be_cancelled(pages: Pages) -> None:
    """Answers are held back here."""
    table = pages.open()
    held: list[Any] = []

    def hold(route: Any) -> None:
        held.append(route)

    table.page.route("**/api/read*", hold)
    table.page.route("**/api/sheet", hold)
    table.drop("large.non", b"width 1\nheight 1\nrows\n1\ncolumns\n1\n")
    opening = table.toasts.get_by_text("Opening large.non …")
    expect(opening).to_be_visible()
    table.button("Stop", "#toasts").click()
    expect(opening).to_be_hidden()
    table.page.unroute("**/api/read*")
    table.open_picture(HEART)
    table.button("Export & share").click()
    table.page.get_by_role("menuitem", name="Sheet with solution page").click()
    making = table.toasts.get_by_text("Creating the file …")
    expect(making).to_be_visible()
    table.button("Stop", "#toasts").click()
    expect(making).to_be_hidden()
    assert len(held) == 2
    assert table.toasts.get_by_text("cannot").count() == 0
