"""Frequency of random pictures with unique clues, by size, density and grade.

    python benchmarks/making/uniqueness.py            # print one line per size and density
    python benchmarks/making/uniqueness.py --record   # also write results/uniqueness.json and .svg

Each cell is filled with the same probability, the density. The grade is that of `nonosat rate`, the
difficulty of the puzzle for a person. The plot needs matplotlib (the extra `report`).
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent))
from common import Figures, surroundings

import nonosat

RESULTS = Path(__file__).parent / "results"
SIDES = (5, 10, 15, 20, 25, 30)
DENSITIES = tuple(percent / 100 for percent in range(20, 91, 5))
NUM_PICTURES = 200  # for each size and density
LIMIT_S = 20  # of one check, and of one rating
GRADES = range(9)  # 0: empty; 8: requires a guess
SEVERAL, UNKNOWN = "several solutions", "unknown"
# From light to dark in lightness, so that they differ in grey as well.
COLOURS = ("#eeeeee", "#fde725", "#a0da39", "#4ac16d", "#1fa187", "#277f8e", "#365c8d", "#46327e")
COLOURS += ("#440154",)


def grade_of(side: int, density: float, seed: int) -> str:
    """Return the grade of a random picture as text, or its lack of a unique solution."""
    puzzle = nonosat.generate_nonogram(side, side, density, seed)
    verdict = nonosat.check(puzzle, time_limit_s=LIMIT_S).verdict
    if verdict is nonosat.Verdict.MULTIPLE:
        return SEVERAL
    if verdict is nonosat.Verdict.UNKNOWN:
        return UNKNOWN
    difficulty = nonosat.rate(puzzle, time_limit_s=LIMIT_S).difficulty
    return UNKNOWN if difficulty is None else str(int(difficulty))


def measured(side: int, density: float, number: int) -> Figures:
    """Return the number of pictures with each grade."""
    counts = Counter(grade_of(side, density, seed) for seed in range(number))
    return {
        "side": side,
        "density": density,
        "pictures": number,
        "grades": dict(sorted(counts.items())),
    }


def num_unique(row: Figures) -> int:
    """Return the number of decided pictures that are the only solution of their clues."""
    return sum(number for grade, number in row["grades"].items() if grade not in (SEVERAL, UNKNOWN))


def summary(rows: list[Figures]) -> str:
    """Return percentages of unique pictures, as Markdown."""
    sides = sorted({row["side"] for row in rows})
    share = {(row["side"], row["density"]): 100 * num_unique(row) / row["pictures"] for row in rows}
    lines = ["| density | " + " | ".join(f"{side}x{side}" for side in sides) + " |"]
    lines.append("| --- |" + " --- |" * len(sides))
    for density in sorted({row["density"] for row in rows}):
        cells = (f"{share[side, density]:g} %" for side in sides)
        lines.append(f"| {density:.2f} | " + " | ".join(cells) + " |")
    return "\n".join(lines)


def plot(rows: list[Figures], target: Path) -> None:
    """Plot grades over densities, one panel per size; white is several solutions."""
    import matplotlib as mpl
    from matplotlib import pyplot
    from matplotlib.patches import Patch

    mpl.rcParams |= {"svg.hashsalt": "nonosat", "svg.fonttype": "none", "font.size": 9}
    figure, panels = pyplot.subplots(2, 3, figsize=(9, 5), sharex=True, sharey=True)
    key: dict[str, Patch] = {}
    for panel, side in zip(panels.flat, SIDES, strict=True):
        mine = {row["density"]: row for row in rows if row["side"] == side}
        below = dict.fromkeys(mine, 0.0)
        for grade, colour in zip(map(str, GRADES), COLOURS, strict=True):
            share = {
                at: 100 * row["grades"][grade] / row["pictures"]
                for at, row in mine.items()
                if grade in row["grades"]
            }
            if any(grade in row["grades"] for row in rows):
                heights, starts = list(share.values()), [below[at] for at in share]
                panel.bar(list(share), heights, 0.045, starts, color=colour)
                key[grade] = Patch(color=colour, label=f"grade {grade}")
            for at, more in share.items():
                below[at] += more
        panel.set_title(f"{side}x{side}", fontsize=10)
        panel.set_axisbelow(True)
        panel.grid(axis="y", color="#dddddd")
        panel.set_ylim(0, 100)
    for panel in panels[:, 0]:
        panel.set_ylabel("% of pictures")
    for panel in panels[-1]:
        panel.set_xlabel("density")
    figure.legend(
        handles=[*key.values()], loc="outside right upper", frameon=False, title="one solution"
    )
    figure.tight_layout(rect=(0, 0, 0.87, 1))
    figure.savefig(target, metadata={"Date": None})


def main() -> None:
    """Measure, print, record and draw."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--record", action="store_true", help="write the record and the plot")
    parser.add_argument("--plot", action="store_true", help="only draw the recorded figures")
    parser.add_argument("--pictures", type=int, default=NUM_PICTURES, metavar="N")
    options = parser.parse_args()
    record = RESULTS / "uniqueness.json"
    if not options.plot:
        began, rows = surroundings(), []
        for side in SIDES:
            for density in DENSITIES:
                rows.append(measured(side, density, options.pictures))
                print(json.dumps(rows[-1]), flush=True)
        if options.record:
            lines = ",\n".join(json.dumps(row) for row in rows)
            of = json.dumps(began)
            record.write_text(f'{{"of": {of},\n"rows": [\n{lines}\n]}}\n')
    if options.record or options.plot:
        plot(json.loads(record.read_text())["rows"], record.with_suffix(".svg"))


if __name__ == "__main__":
    main()
