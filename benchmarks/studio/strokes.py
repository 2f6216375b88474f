"""Random strokes on the studio's page: checks of all verdicts and of memory growth.

    python benchmarks/studio/strokes.py --seconds 600

Draws with every tool, in bursts and one by one, with undo and other sizes, and compares each final
verdict with `nonosat.check` of the puzzle in the page: its own lists of clues. The memory of the
page (after garbage collection) and of the server with its children is measured between rounds. Ends
with status 1 at a wrong verdict, or if memory grew.
"""

from __future__ import annotations

import argparse
import random
import sys
import time
from collections.abc import Callable
from pathlib import Path
from statistics import median
from typing import Any, NamedTuple

sys.path.insert(0, str(Path(__file__).parents[2] / "tests"))

import nonosat
from helpers.studio import Server, Table, opened_browser, watched_pages

SIDES = (5, 8, 10, 15, 20, 25)
TOOLS = "plrbfe"  # pen, line, rectangle, filled rectangle, fill, eraser
COMMANDS = ("Control+z", "Control+z", "Control+y", "h", "v", "t", "i")
ROUND = 12  # comparisons on a board
LEAST = 16  # minimum number of comparisons of a run, on slow machines too
TITLES = {"unique": "Unique", "multiple": "Not unique", "unsolvable": "No solution"}
MOST_GROWTH = 1.5  # last quarter of a run against its second; a steady page stays below


class Seen(NamedTuple):
    """Observations after a round."""

    strokes: int
    verdicts: int
    wrong: list[str]
    heap_mib: float
    server_mib: float


class Strokes:
    """Random drawer.

    Args:
        table: The page, at the gallery.
        server: The page's server.
        seed: Seed of the strokes.
        pause_s: Pause after strokes that are judged.
    """

    def __init__(self, table: Table, server: Server, seed: int, pause_s: float) -> None:
        self._table, self._server, self._pause_s = table, server, pause_s
        self._draw = random.Random(seed)
        self._line = table.page.context.new_cdp_session(table.page)
        self.strokes = self.compared = self.verdicts = 0
        self.wrong: list[str] = []

    def round(self, is_over: Callable[[], bool]) -> Seen:
        """Draw on a new board and compare verdicts, until the round is over."""
        draw, table = self._draw, self._table
        table.page.locator("#home").click()
        width, height = draw.choice(SIDES), draw.choice(SIDES)
        table.new(width, height)
        for _ in range(ROUND):
            for _ in range(draw.choice((1, 1, 1, 4))):  # some in a burst
                self._stroke(height, width)
            self._compare()
            time.sleep(self._pause_s)
            if is_over():
                break
        self._line.send("HeapProfiler.collectGarbage")
        heap = self._line.send("Runtime.getHeapUsage")["usedSize"] / 2**20
        memory = self._server.memory_mib()
        return Seen(self.strokes, self.verdicts, self.wrong, heap, memory)

    def _stroke(self, height: int, width: int) -> None:
        draw, table = self._draw, self._table
        self.strokes += 1
        if draw.random() < 0.2:
            table.press(draw.choice(COMMANDS))
            return
        table.press(draw.choice(TOOLS))
        rows, columns = table.size()
        cells = [
            (draw.randrange(rows), draw.randrange(columns))
            for _ in range(draw.choice((1, 2, 2, 3)))
        ]
        table.stroke(*cells, button=draw.choice(("left", "left", "left", "right")))

    def _compare(self) -> None:
        table = self._table
        title = table.judged()
        puzzle = table.puzzle()
        self.compared += 1
        if title == "Draw something":
            if any(clue for clue in puzzle.rows):
                self.wrong.append(f"{title!r} for {puzzle.to_data()}")
            return
        result = nonosat.check(puzzle, time_limit_s=60)
        self.verdicts += 1
        wanted = TITLES.get(result.verdict.value)
        if wanted is None or title == wanted:  # no verdict of `check` in a minute: no comparison
            return
        self.wrong.append(f"{title!r} in place of {wanted!r} for {puzzle.to_data()}")


def drawn_for(
    table: Table, server: Server, seconds: float, seed: int, pause_s: float = 0.0
) -> list[Seen]:
    """Run rounds for some seconds, at least two; a pause leaves the machine to other processes."""
    strokes, seen = Strokes(table, server, seed, pause_s), []
    begin = time.monotonic()

    def is_over() -> bool:
        share = 1 if seen else 1 / 2  # of the first round
        is_late = time.monotonic() - begin >= seconds * share
        return is_late and strokes.compared >= LEAST * share

    while len(seen) < 2 or not is_over():
        seen.append(strokes.round(is_over))
    return seen


def growth(values: list[float]) -> float:
    """Return the ratio of the last quarter to the second one; caches are filled in the first."""
    quarter = max(1, len(values) // 4)
    return median(values[-quarter:]) / median(values[quarter : 2 * quarter] or values[:1])


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--seconds", type=float, default=600)
    parser.add_argument("--seed", type=int, default=int(time.time()))
    asked = parser.parse_args()
    server = Server()
    try:
        for browser in opened_browser():
            for pages in watched_pages(browser):
                table: Any = pages.open(address=server.address)
                seen = drawn_for(table, server, asked.seconds, asked.seed)
    finally:
        server.end()
    last = seen[-1]
    heap, memory = growth([one.heap_mib for one in seen]), growth([one.server_mib for one in seen])
    print(f"seed {asked.seed}: {last.strokes} strokes, {last.verdicts} verdicts compared")
    print(f"wrong: {last.wrong or 'none'}")
    print(f"page {seen[0].heap_mib:.1f} to {last.heap_mib:.1f} MiB, growth {heap:.2f}")
    print(f"server {seen[0].server_mib:.0f} to {last.server_mib:.0f} MiB, growth {memory:.2f}")
    return 1 if last.wrong or max(heap, memory) > MOST_GROWTH else 0


if __name__ == "__main__":
    sys.exit(main())
