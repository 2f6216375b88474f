"""Does a partially solved board have a forced cell? By size, density and share of known cells.

    python benchmarks/research/forced.py            # print a line per size, density and share
    python benchmarks/research/forced.py --record   # also write forced.json and forced.svg
    python benchmarks/research/forced.py --plot     # only draw the record

A picture has filled cells with a probability, the density; each of its cells is known with another
one. A cell is forced if its line alone decides it, from the clue and the known cells. Propagation
of lines is complete, so that it decides a cell if and only if one is forced. Then it goes on: the
record also has the share of boards that lines decide completely. The question is that of Foote and
Krizanc (arXiv 2507.07283). The plot needs matplotlib (the extra `report`).
"""

from __future__ import annotations

import argparse
import json
import random
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent))
from common import Figures, surroundings

from nonosat import _core
from nonosat.core.grid import UNKNOWN
from nonosat.puzzles.nonogram import clue_of

RECORD = Path(__file__).parent / "forced.json"
SIDES = (5, 10, 20, 40, 80, 160)
DENSITIES = tuple(percent / 100 for percent in range(5, 100, 5))
SHARES = (0.0, 0.25, 0.5, 0.75)  # of cells that are known
NUM_BOARDS = 60  # for each size, density and share
COLOURS = ("#fde725", "#7ad151", "#22a884", "#2a788e", "#414487", "#440154")


def board_of(side: int, density: float, share: float, draw: random.Random) -> _core.Board:
    """Return the board of a random picture with some of its cells known."""
    rows = [[int(draw.random() < density) for _ in range(side)] for _ in range(side)]
    clues = [
        [[(block.length, 1) for block in clue_of(line)] for line in lines]
        for lines in (rows, [*zip(*rows, strict=True)])
    ]
    board = _core.Board(1, *clues)
    values = bytes(value if draw.random() < share else UNKNOWN for row in rows for value in row)
    board.assign_cells(values)
    return board


def measured(side: int, density: float, share: float, number: int) -> Figures:
    """Return the numbers of boards with a forced cell, and of boards that lines complete."""
    draw = random.Random(f"{side} {density} {share}")
    num_forced = num_complete = 0
    for _ in range(number):
        board = board_of(side, density, share, draw)
        before = board.cells().count(UNKNOWN)
        board.propagate()
        num_forced += board.cells().count(UNKNOWN) < before
        num_complete += board.is_complete
    return {
        "side": side,
        "density": density,
        "known": share,
        "boards": number,
        "forced": num_forced,
        "complete": num_complete,
    }


def summary(rows: list[Figures], known: float = 0.0) -> str:
    """Return percentages of boards with a forced cell, and completed by lines, as Markdown."""
    some = {(row["side"], row["density"]): row for row in rows if row["known"] == known}
    sides = sorted({side for side, _ in some})
    lines = ["| density | " + " | ".join(f"{side}x{side}" for side in sides) + " |"]
    lines.append("| --- |" + " --- |" * len(sides))
    for density in sorted({density for _, density in some}):
        cells = [
            " / ".join(f"{100 * row[key] / row['boards']:.0f}" for key in ("forced", "complete"))
            for row in (some[side, density] for side in sides)
        ]
        lines.append(f"| {density:.2f} | " + " | ".join(cells) + " |")
    return "\n".join(lines)


def plot(rows: list[Figures], target: Path) -> None:
    """Plot both shares over densities, one panel per share of known cells."""
    import matplotlib as mpl
    from matplotlib import pyplot

    mpl.rcParams |= {"svg.hashsalt": "nonosat", "svg.fonttype": "none", "font.size": 9}
    figure, panels = pyplot.subplots(2, 2, figsize=(9, 6), sharex=True, sharey=True)
    for panel, known in zip(panels.flat, SHARES, strict=True):
        for side, colour in zip(SIDES, COLOURS, strict=True):
            mine = [row for row in rows if (row["side"], row["known"]) == (side, known)]
            for key, style in (("forced", "-"), ("complete", ":")):
                shares = [100 * row[key] / row["boards"] for row in mine]
                label = f"{side}x{side}" if key == "forced" else None
                panel.plot(
                    [row["density"] for row in mine], shares, style, color=colour, label=label
                )
        panel.set_title(f"{100 * known:g} % of the cells known", fontsize=10)
        panel.grid(color="#dddddd")
        panel.set_ylim(-3, 103)
    for panel in panels[:, 0]:
        panel.set_ylabel("% of boards")
    for panel in panels[-1]:
        panel.set_xlabel("density")
    handles = panels[0, 0].get_legend_handles_labels()
    figure.legend(*handles, loc="outside right upper", frameon=False)
    figure.text(0.86, 0.6, "solid:\na forced cell\n\ndotted:\nlines decide\nall cells")
    figure.tight_layout(rect=(0, 0, 0.85, 1))
    figure.savefig(target, metadata={"Date": None})


def main() -> None:
    """Measure, print, record and draw."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--record", action="store_true", help="write the record and the plot")
    parser.add_argument("--plot", action="store_true", help="only draw the recorded figures")
    parser.add_argument("--boards", type=int, default=NUM_BOARDS, metavar="N")
    options = parser.parse_args()
    if options.boards < 1:
        parser.error("--boards needs at least one")
    if not options.plot:
        began, rows = surroundings(), []
        for share in SHARES:
            for side in SIDES:
                rows += [measured(side, density, share, options.boards) for density in DENSITIES]
            print(summary(rows, share), flush=True)
        if options.record:
            lines = ",\n".join(json.dumps(row) for row in rows)
            RECORD.write_text(f'{{"of": {json.dumps(began)},\n"rows": [\n{lines}\n]}}\n')
    if options.record or options.plot:
        plot(json.loads(RECORD.read_text())["rows"], RECORD.with_suffix(".svg"))


if __name__ == "__main__":
    main()
