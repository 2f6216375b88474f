"""Pages with the steps of explanations, from a user's point of view: screen, reader, mouse."""

from __future__ import annotations

import re
from base64 import b64decode
from pathlib import Path
from typing import Any
from zlib import crc32

from helpers.browser import Viewer
from helpers.studio_scripts import FRAMES, PIXELS, PLACES

ACCENT, INK, BAD, HINT = (11, 110, 105), (38, 35, 29), (179, 38, 30), (179, 107, 0)
Rgb = tuple[int, int, int]
# The board draws the cursor once a frame.
_HEAR = """async ([rows, columns]) => {
  const field = document.querySelector(".board-field");
  const press = (key) => new Promise((done) => {
    field.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true }));
    requestAnimationFrame(done);
  });
  const told = [];
  for (let row = 0; row < rows; row += 1) {
    for (let column = 0; column < columns; column += 1) {
      told.push(document.querySelector(".board-spoken").textContent);
      if (column < columns - 1) await press("ArrowRight");
    }
    await press("Home");
    if (row < rows - 1) await press("ArrowDown");
  }
  return told;
}"""
_POINTS = """(places) => {
  const canvas = document.querySelector(".board-canvas");
  const [box, { width, height }] = [canvas.getBoundingClientRect(), canvas];
  const context = new OffscreenCanvas(width, height).getContext("2d", { willReadFrequently: true });
  context.drawImage(canvas, 0, 0);
  const { data } = context.getImageData(0, 0, width, height);
  const by = width / box.width;
  return places.map(([x, y]) => {
    const at = Math.floor((y - box.top) * by) * width + Math.floor((x - box.left) * by);
    return Array.from(data.subarray(4 * at, 4 * at + 3));
  });
}"""
_GO = """(address) => {
  history.replaceState(null, "", address || location.pathname);
  dispatchEvent(new HashChangeEvent("hashchange"));
}"""
_COUNT = """([red, green, blue]) => {
  const { width, height } = document.querySelector(".board-canvas");
  const context = new OffscreenCanvas(width, height).getContext("2d", { willReadFrequently: true });
  context.drawImage(document.querySelector(".board-canvas"), 0, 0);
  const { data } = context.getImageData(0, 0, width, height);
  let count = 0;
  for (let at = 0; at < data.length; at += 4)
    count += data[at] === red && data[at + 1] === green && data[at + 2] === blue;
  return count;
}"""


class Stepping:
    """Open page, whose scripts reported no error.

    Args:
        viewer: The browser. If it shows this page already it only opens the address.
        html: The page.
        folder: Folder of its file.
        address: The part of the address after its name.
        width: Width of the window, which is 640 high.
        dark: True if the system is dark.
        anew: True if the page must be opened again in any case.
    """

    def __init__(
        self,
        viewer: Viewer,
        folder: Path,
        html: str,
        address: str = "",
        *,
        width: int = 960,
        dark: bool = False,
        anew: bool = False,
    ) -> None:
        self.page = viewer.page
        self.page.set_viewport_size({"width": width, "height": 640})
        self.page.emulate_media(color_scheme="dark" if dark else "light", media="screen")
        is_here = not anew and self.page.evaluate("window.opened") == crc32(html.encode())
        if is_here:
            self.page.evaluate(_GO, address)
        else:
            path = folder / "steps.html"
            path.write_text(html, encoding="utf-8")
            viewer.browse(path, address)
            self.page.evaluate(f"window.opened = {crc32(html.encode())}")
        self.field = self.page.locator(".board-field")
        self.frames()
        assert not viewer.console

    def frames(self) -> None:
        """Wait until all requested changes are painted."""
        self.page.evaluate(FRAMES)

    def press(self, *keys: str) -> None:
        for key in keys:
            self.page.keyboard.press(key)
        self.frames()

    def button(self, name: str) -> Any:
        return self.page.get_by_role("button", name=name)

    def text(self, rule: str) -> str:
        return str(self.page.locator(rule).text_content())

    def count(self) -> str:
        """Text of the counter, such as "Step 3 of 47"."""
        found = re.search(r"Step \d+ of \d+", self.page.inner_text("#panel"))
        assert found
        return found[0]

    def sentence(self) -> str:
        return self.text(".explain-sentence")

    def heard(self, rows: int, columns: int) -> dict[tuple[int, int], str]:
        """Return the texts for a screen reader at each cell of the first rows and columns."""
        self.field.focus()
        self.press("Control+Home")
        told: list[str] = self.page.evaluate(_HEAR, [rows, columns])
        self.page.evaluate("() => document.activeElement.blur()")
        self.frames()
        places = [divmod(at, columns) for at in range(rows * columns)]
        found = dict(zip(places, told, strict=True))
        for (row, column), words in found.items():
            assert words.startswith(f"Row {row + 1}, column {column + 1}: ")
        return found

    # Pixels of the window

    def places(self) -> dict[str, float]:
        """Return "row column left top width height" of the first cell."""
        found: dict[str, float] = self.page.evaluate(PLACES)
        self.frames()
        return found

    def seen(self, x: float, y: float, width: float = 1, height: float = 1) -> list[Rgb]:
        """Colours of a part of the window."""
        (told,) = self.page.evaluate(PIXELS, [[x, y, width, height]])
        data = b64decode(told)
        return [(data[at], data[at + 1], data[at + 2]) for at in range(0, len(data), 4)]

    def points(self, places: list[tuple[float, float]]) -> list[Rgb]:
        """Colours of points of the window."""
        return [(red, green, blue) for red, green, blue in self.page.evaluate(_POINTS, places)]

    def count_of(self, colour: Rgb) -> int:
        """Return the number of pixels of the board that have a colour."""
        return int(self.page.evaluate(_COUNT, colour))

    def middle(self, row: float, column: float, places: dict[str, float]) -> tuple[float, float]:
        """Middle of a cell in the window."""
        x = places["left"] + (column - places["column"] + 0.5) * places["width"]
        y = places["top"] + (row - places["row"] + 0.5) * places["height"]
        return x, y

    def cell(self, row: int, column: int, places: dict[str, float]) -> list[Rgb]:
        """Colours of the inner part of a cell."""
        x, y = self.middle(row, column, places)
        w, h = places["width"] * 0.7, places["height"] * 0.7
        return self.seen(x - w / 2, y - h / 2, w, h)


def is_near(one: Rgb, other: Rgb, most: int = 3) -> bool:
    """True if colours are equal except for the rounding of a canvas."""
    return all(abs(a - b) <= most for a, b in zip(one, other, strict=True))


def settled(step: Any) -> set[tuple[int, int]]:
    """Cells that a step decides."""
    return {(row, column) for row, column, _ in step.settled}
