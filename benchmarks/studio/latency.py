"""Delay between a stroke and its verdict in the page: a real browser, real pointer events.

    python benchmarks/studio/latency.py --strokes 300 --record

Three kinds of 30 x 30 drawings: pictures drawn on an empty board; drawings of the gallery, four on
a board, that are edited; and, as the hardest ones, unique random puzzles that are edited. A stroke
is a press, a move along up to eight cells, and a release. The page measures the time from the
release to the appearance of the verdict in the document (0 if it was there before: strokes are
judged during drawing, too), and the time from the stroke's last change of the picture. A verdict
that takes longer than a second must be shown as open in the meantime. `--record` writes the figures
into this folder's README.md, below the line that names this command.
"""

from __future__ import annotations

import argparse
import os
import random
import re
import sys
from collections.abc import Sequence
from pathlib import Path
from statistics import quantiles
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[2] / "tests"))

import nonosat
from helpers.studio import Server, Table, opened_browser, watched_pages

HERE = Path(__file__).parent
SIDE = 30
INSTANCES = HERE.parents[1] / "instances"
README = HERE / "README.md"
BEGIN, END = "<!-- latency.py writes this -->", "<!-- to here -->"

# The box has the class "old" from a change of the picture until its verdict is shown.
_WATCH = """() => {
  const box = document.querySelector(".verdict-box");
  const looking = document.querySelector(".verdict-busy");
  const clock = { released: null, asked: null, told: null, isOpenTold: false };
  const isOld = () => box.classList.contains("old");
  window.clock = clock;
  addEventListener("pointerup", () => (clock.released = performance.now()), true);
  new MutationObserver(() => {
    if (isOld()) [clock.asked, clock.told] = [performance.now(), null];
    else if (clock.asked !== null) clock.told = performance.now();
  }).observe(box, { attributes: true, attributeFilter: ["class"] });
  new MutationObserver(() => {
    if (looking.textContent) clock.isOpenTold = true;
  }).observe(looking, { childList: true, characterData: true, subtree: true });
}"""
_BEGIN = """() => {
  Object.assign(window.clock, { released: null, asked: null, told: null, isOpenTold: false });
}"""
_IS_TOLD = "() => window.clock.asked === null || window.clock.told !== null"
_READ = "() => ({ ...window.clock })"


class Clocked:
    """Milliseconds of many strokes."""

    def __init__(self) -> None:
        self.released: list[float] = []
        self.asked: list[float] = []
        self.late: list[float] = []  # strokes that took more than a second
        self.silent = 0  # of these, not shown as open

    def add(self, clock: dict[str, Any]) -> None:
        if clock["asked"] is None:  # the stroke changed nothing
            return
        released = max(0.0, clock["told"] - clock["released"])
        self.released.append(released)
        self.asked.append(clock["told"] - clock["asked"])
        if released > 1000:
            self.late.append(released)
            self.silent += not clock["isOpenTold"]

    def row(self, name: str) -> str:
        cells = [*_ways(self.released), *_ways(self.asked)]
        told = " | ".join(f"{cell:.0f}" for cell in cells)
        return f"| {name} | {len(self.asked)} | {told} | {len(self.late)} | {self.silent} |"


def _ways(values: list[float]) -> list[float]:
    ways = quantiles(values, n=100, method="inclusive")
    return [ways[49], ways[94], max(values)]


def _stroke(table: Table, draw: random.Random, clocked: Clocked) -> None:
    row, column = draw.randrange(SIDE), draw.randrange(SIDE)
    length = draw.randrange(8)
    down, across = draw.choice(((0, 1), (1, 0), (1, 1)))
    end = (min(SIDE - 1, row + down * length), min(SIDE - 1, column + across * length))
    table.page.evaluate(_BEGIN)
    table.stroke((row, column), end, button="right" if draw.random() < 0.2 else "left")
    table.frames()
    table.judged()
    table.page.wait_for_function(_IS_TOLD)
    clocked.add(table.page.evaluate(_READ))


def grown(table: Table, draw: random.Random, strokes: int) -> Clocked:
    """Return the times of strokes on initially empty boards, sixty on each."""
    clocked = Clocked()
    for number in range(strokes):
        if number % 60 == 0:
            table.page.locator("#home").click()
            table.new(SIDE, SIDE)
        _stroke(table, draw, clocked)
    return clocked


def drawings() -> list[tuple[str, ...]]:
    """Return boards with four drawings of the gallery each, cropped to fit."""
    half = SIDE // 2
    parts = []
    for puzzle in nonosat.load_all(INSTANCES / "pictures.jsonl"):
        rows = nonosat.solve(puzzle).solution.lines(".#")[:half]
        rows += ["." * half] * (half - len(rows))
        parts.append([row[:half].ljust(half, ".") for row in rows])
    boards = []
    for number in range(len(parts)):
        a, b, c, d = (parts[(number + step) % len(parts)] for step in (0, 1, 3, 7))
        halves = (zip(a, b, strict=True), zip(c, d, strict=True))
        boards.append(tuple(left + right for each in halves for left, right in each))
    return boards


def unique() -> list[tuple[str, ...]]:
    """Return solutions of random puzzles with one solution each."""
    puzzles = nonosat.load_all(INSTANCES / "unique.jsonl")
    square = [each for each in puzzles if each.height == each.width == SIDE]
    return [tuple(nonosat.solve(each).solution.lines()) for each in square]


def edited(
    table: Table, draw: random.Random, strokes: int, boards: Sequence[tuple[str, ...]]
) -> Clocked:
    """Return the times of strokes on pictures, ten on each."""
    clocked = Clocked()
    for number in range(strokes):
        if number % 10 == 0:
            table.open_picture(boards[number // 10 % len(boards)])
            table.frames()
            table.judged()
        _stroke(table, draw, clocked)
    return clocked


def main() -> None:
    parser = argparse.ArgumentParser(description="Milliseconds from a stroke to its verdict.")
    parser.add_argument("--strokes", type=int, default=300, help="of each sort")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--record", action="store_true", help="write README.md")
    asked = parser.parse_args()
    rows = []
    server = Server()
    try:
        for browser in opened_browser():
            for pages in watched_pages(browser):
                table = pages.open(address=server.address)
                table.page.evaluate(_WATCH)
                draw = random.Random(asked.seed)
                rows.append(grown(table, draw, asked.strokes).row("grown from nothing"))
                for name, boards in (("drawings", drawings()), ("random, unique", unique())):
                    clocked = edited(table, draw, asked.strokes, boards)
                    rows.append(clocked.row(f"{name}, drawn on"))
    finally:
        server.end()
    text = report(rows, asked.strokes)
    print(text)
    if asked.record:
        before = README.read_text()
        place = re.compile(f"{BEGIN}.*?{END}", re.DOTALL)
        README.write_text(place.sub(lambda _: f"{BEGIN}\n{text}\n{END}", before))


def report(rows: list[str], strokes: int) -> str:
    head = (
        "| ms | strokes | from the release: median | 95 % | at most | from the last change: median "
        "| 95 % | at most | over 1 s | of these not said to be open |"
    )
    load = os.getloadavg()[0]
    return "\n".join(
        [
            f"`python benchmarks/studio/latency.py --strokes {strokes} --record`, load average "
            f"{load:.1f} on {os.cpu_count()} cores, at the end:",
            "",
            head,
            "|---" * 10 + "|",
            *rows,
        ]
    )


if __name__ == "__main__":
    main()
