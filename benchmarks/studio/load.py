"""Many editors of one studio at once, each with its own board and socket.

    python benchmarks/studio/load.py                 50 editors, a stroke a second each, 60 s
    python benchmarks/studio/load.py --editors 1 --pause 0.3 --strokes 200 --unique

Starts a studio on this machine, and the editors in this process. An editor has a drawing of some
blobs, 30 x 30 by default (with --unique a bundled puzzle of that size that is unique and hard,
another one every ten strokes); a stroke changes one to six cells in a row. It sends the picture,
waits for the verdict (later messages are read, too), and pauses. The report contains the round trip
from a stroke to its verdict, and the seconds reported by the server; a verdict that does not arrive
is lost. The CPU time of a stroke is that of the server's process, of its children at the end
(including work after a verdict), and of the editors. With --check every verdict is compared with
`nonosat.check` at the end.

It connects only to 127.0.0.1, for at most ten minutes with at most 100 editors.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import random
import re
import subprocess
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import cycle, islice, repeat
from pathlib import Path
from statistics import quantiles
from time import perf_counter, process_time
from typing import Any

import websockets

import nonosat

MOST_EDITORS, MOST_S = 100, 600.0
INK = {"a": "#000000"}
PATIENCE_S = 60.0
STROKES_EACH = 10  # on each bundled puzzle
UNIQUE = Path(__file__).parents[2] / "instances" / "unique.jsonl"


@dataclass
class Seen:
    """Observations of the editors.

    Attributes:
        trips: Seconds from a stroke to its verdict.
        works: Seconds reported by the server.
        verdicts: Pictures as rows, each with its verdict.
        num_open: Number of verdicts that were unknown.
        lost: Strokes without a verdict.
    """

    trips: list[float] = field(default_factory=list)
    works: list[float] = field(default_factory=list)
    verdicts: list[tuple[list[str], str]] = field(default_factory=list)
    num_open: int = 0
    lost: int = 0


class Drawing:
    """A picture under edit.

    Args:
        size: Rows and columns.
        draw: Random numbers for strokes.
    """

    def __init__(self, size: int, draw: random.Random) -> None:
        self._cells = [bytearray(size) for _ in range(size)]
        self._size, self._draw = size, draw
        for _ in range(size // 4):
            self._blob(draw.randint(2, size // 4))

    @classmethod
    def of(cls, rows: Iterable[bytes], draw: random.Random) -> Drawing:
        """Return a drawing that starts with a square picture of one colour."""
        made = cls(1, draw)
        made._cells = [bytearray(row) for row in rows]
        made._size = len(made._cells)
        return made

    def _blob(self, radius: int) -> None:
        middle = [self._draw.randrange(self._size) for _ in range(2)]
        for row in range(self._size):
            for column in range(self._size):
                if (row - middle[0]) ** 2 + (column - middle[1]) ** 2 < radius**2:
                    self._cells[row][column] = 1

    def stroke(self) -> None:
        """Fill or clear a few cells in a row."""
        row, column = (self._draw.randrange(self._size) for _ in range(2))
        value = 1 - self._cells[row][column]
        for place in range(column, min(self._size, column + self._draw.randint(1, 6))):
            self._cells[row][place] = value

    def rows(self) -> list[str]:
        """Return the picture in the form that is sent."""
        return ["".join(".a"[cell] for cell in row) for row in self._cells]


def drawings(asked: argparse.Namespace, draw: random.Random) -> Iterator[Drawing]:
    """Yield an editor's drawing for each stroke, without end."""
    if not asked.unique:
        yield from repeat(Drawing(asked.size, draw))
    puzzles = [one for one in nonosat.load_all(UNIQUE) if one.height == one.width == asked.size]
    for puzzle in cycle(puzzles):
        solved = nonosat.solve(puzzle).solution
        yield from repeat(Drawing.of(map(bytes, solved), draw), STROKES_EACH)


async def edit(
    address: str, boards: Iterable[Drawing], strokes: int, pause_s: float, seen: Seen
) -> None:
    """Draw, and record the verdicts."""
    base, token = address.split("/?t=")
    port = base.rpartition(":")[2]
    uri, told = f"ws://127.0.0.1:{port}/live", {"Cookie": f"nonosat-{port}={token}"}
    async with websockets.connect(uri, origin=base, additional_headers=told, proxy=None) as line:
        for number, drawing in enumerate(islice(boards, strokes)):
            drawing.stroke()
            rows, begun = drawing.rows(), perf_counter()
            puzzle = {"picture": rows, "colours": INK}
            await line.send(json.dumps({"edit": number, "puzzle": puzzle}))
            try:
                verdict = await asyncio.wait_for(first_verdict(line, number), PATIENCE_S)
            except (TimeoutError, websockets.ConnectionClosed):
                seen.lost += 1
                continue
            seen.trips.append(perf_counter() - begun)
            seen.works.append(verdict.get("seconds", 0.0))
            seen.num_open += verdict["verdict"] == "unknown"
            seen.verdicts.append((rows, verdict["verdict"]))
            await read_on(line, max(0.0, begun + pause_s - perf_counter()))


async def first_verdict(line: Any, number: int) -> dict[str, Any]:
    """Return the first message on an edit that contains a verdict."""
    while True:
        message: dict[str, Any] = json.loads(await line.recv())
        if message["edit"] == number and "verdict" in message:
            return message


async def read_on(line: Any, seconds: float) -> None:
    """Read further messages, as a page does."""
    end = perf_counter() + seconds
    while (left := end - perf_counter()) > 0:
        try:
            await asyncio.wait_for(line.recv(), left)
        except TimeoutError:
            return


async def draw_all(address: str, asked: argparse.Namespace) -> Seen:
    """Run all editors."""
    seen = Seen()

    async def one(index: int) -> None:
        draw = random.Random(f"{asked.seed} {index}")
        await asyncio.sleep(draw.random() * asked.pause)  # not all at the same moment
        await edit(address, drawings(asked, draw), asked.strokes, asked.pause, seen)

    editors = asyncio.gather(*(one(index) for index in range(asked.editors)))
    await asyncio.wait_for(editors, MOST_S)
    return seen


def line_of(name: str, values: list[float]) -> str:
    """Return percentiles as a row of a table, in milliseconds."""
    ways = quantiles(values, n=100, method="inclusive") if len(values) > 1 else values * 99
    cells = [ways[49], ways[94], ways[98], max(values)]
    return f"| {name} | " + " | ".join(f"{1000 * cell:.1f}" for cell in cells) + " |"


def cpu_s(pid: int) -> float:
    """Return CPU seconds of a process so far."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def used_s(server: int) -> list[float]:
    """Return CPU seconds so far of the server, of its present children, and of this process."""
    return [cpu_s(server), sum(map(cpu_s, children_of(server))), process_time()]


def children_of(pid: int) -> list[int]:
    """Return the living child processes of a process."""
    listed = (path.read_text() for path in Path(f"/proc/{pid}/task").glob("*/children"))
    return [int(child) for text in listed for child in text.split()]


def report(asked: argparse.Namespace, seen: Seen, work_s: list[float]) -> str:
    """Return the observations as a table."""
    each = [f"{1000 * seconds / max(1, len(seen.trips)):.1f}" for seconds in work_s]
    board = f"{asked.size} x {asked.size}{' unique' if asked.unique else ''}"
    what = f"{asked.editors} editors, {board}, {asked.strokes} strokes each"
    return "\n".join(
        [
            f"{what}, one each {asked.pause:g} s: {len(seen.trips)} verdicts, {seen.lost} lost, "
            f"{seen.num_open} told to be open",
            "| ms | median | 95 % | 99 % | at most |",
            "|---|---|---|---|---|",
            line_of("round trip", seen.trips),
            line_of("server", seen.works),
            "",
            f"CPU ms a stroke: server {each[0]}, children {each[1]}, editors {each[2]}",
        ]
    )


def wrong(seen: Seen) -> list[list[str]]:
    """Return pictures with a verdict that differs from that of `nonosat.check`."""
    return [
        rows
        for rows, verdict in seen.verdicts
        if verdict != "unknown"
        and nonosat.check(
            nonosat.from_picture([row.replace("a", "#") for row in rows])
        ).verdict.value
        != verdict
    ]


def asked_of(words: list[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Many editors of one studio at once.")
    parser.add_argument("--editors", type=int, default=50)
    parser.add_argument("--strokes", type=int, default=60)
    parser.add_argument("--pause", type=float, default=1.0, help="seconds from stroke to stroke")
    parser.add_argument("--size", type=int, default=30)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--unique", action="store_true", help="draw on hard bundled puzzles")
    parser.add_argument("--check", action="store_true", help="compare all verdicts with check")
    asked = parser.parse_args(words)
    if not (1 <= asked.editors <= MOST_EDITORS and asked.strokes * asked.pause <= MOST_S):
        parser.error(f"at most {MOST_EDITORS} editors and {MOST_S:g} s")
    return asked


def main(words: list[str] | None = None) -> int:
    asked = asked_of(words)
    command = [sys.executable, "-m", "nonosat", "studio", "--no-browser"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
        try:
            assert server.stdout is not None
            found = re.search(r"http://\S+", server.stdout.readline())
            assert found is not None, "the studio does not tell its address"
            begun = used_s(server.pid)
            seen = asyncio.run(draw_all(found[0], asked))
            work_s = [now - then for now, then in zip(used_s(server.pid), begun, strict=True)]
        finally:
            server.terminate()
    print(report(asked, seen, work_s))
    bad = wrong(seen) if asked.check else []
    if asked.check:
        print(f"{len(bad)} verdicts are wrong")
    return 1 if bad or seen.lost else 0


if __name__ == "__main__":
    sys.exit(main())
