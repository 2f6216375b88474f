"""Readings of made photographs, plain and corrected, compared with the truth.

    python benchmarks/paper/measure.py 1 101          # a line per photograph of these seeds
    python benchmarks/paper/measure.py 1 101 --record # also write results.jsonl and results.svg

A photograph is right if every clue is. CPU seconds of the reading, children included; the peak is
the largest resident memory of a process that read one of the photographs so far.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Iterable, Sequence
from io import BytesIO
from pathlib import Path
from resource import RUSAGE_CHILDREN, getrusage
from typing import Any

from PIL import Image

sys.path.insert(0, str(Path(__file__).parent))
from photographs import NEW_FONTS, photographed

import nonosat

RECORD = Path(__file__).with_name("results.jsonl")
_CHART = RECORD.with_suffix(".svg")
_LIMIT_S = 300.0


def measured(seed: int) -> dict[str, Any]:
    """Return the outcome of the photograph of a seed."""
    photo = photographed(seed)
    camera = photo.camera
    record: dict[str, Any] = {
        "seed": seed,
        "height": photo.puzzle.height,
        "width": photo.puzzle.width,
        "font": photo.font,
        "blur": round(camera.blur, 2),
        "cell": round(camera.cell, 1),
    }
    before = _cpu_s()
    try:
        found = nonosat.read_photo(Image.open(BytesIO(photo.data)), time_limit_s=_LIMIT_S)
    except nonosat.NonosatError as error:
        return record | {"status": "refused", "plain": False, "right": False, "why": str(error)}
    truth = [[block.length for block in clue] for clue in _lines(photo.puzzle)]
    looks: list[list[int]] = [[] for _ in _lines(found.puzzle)]
    for number in found.numbers:
        if number.looks:
            looks[number.line].append(number.looks)
    return record | {
        "status": found.status,
        "plain": looks == truth,
        "right": [[block.length for block in clue] for clue in _lines(found.puzzle)] == truth,
        "numbers": len(found.numbers),
        "changed": len(found.changed),
        "cpu_s": round(_cpu_s() - before, 2),
        "peak_mib": getrusage(RUSAGE_CHILDREN).ru_maxrss // 1024,
        "why": found.reason,
    }


def _lines(puzzle: nonosat.Nonogram) -> Sequence[Any]:
    return [*puzzle.rows, *puzzle.columns]


def _cpu_s() -> float:
    times = os.times()
    return times.user + times.children_user


def summary(records: Sequence[dict[str, Any]]) -> Iterable[str]:
    """Yield lines of a table: photographs, shares of right readings, and wrong certain ones."""
    yield "| photographs | number | plain right | corrected and certain | certain but wrong |"
    yield "| --- | --- | --- | --- | --- |"
    groups = {
        "all": records,
        "blur below 0.8 pixels": [one for one in records if one["blur"] < 0.8],
        "blur 0.8 to 1.2 pixels": [one for one in records if 0.8 <= one["blur"] < 1.2],
        "blur above 1.2 pixels": [one for one in records if one["blur"] >= 1.2],
        "up to 12 rows": [one for one in records if one["height"] <= 12],
        "13 to 25 rows": [one for one in records if 12 < one["height"] <= 25],
        "26 to 50 rows": [one for one in records if one["height"] > 25],
        "fonts of phones and books": [one for one in records if one["font"] in NEW_FONTS],
    }
    for name, some in groups.items():
        certain = [one for one in some if one["status"] == "read"]
        right = sum(one["right"] for one in certain)
        plain = sum(one["plain"] for one in some)
        yield f"| {name} | {len(some)} | {plain} | {right} | {len(certain) - right} |"


def chart(records: Sequence[dict[str, Any]]) -> None:
    """Draw the errors by blur and size, before and after the correction."""
    import matplotlib

    matplotlib.use("svg")
    from matplotlib import pyplot

    figure, axes = pyplot.subplots(1, 2, figsize=(8, 3.4), sharey=True)
    for axis, key, title in zip(axes, ("plain", "right"), ("plain", "corrected"), strict=True):
        for good, colour, mark in ((True, "#5b9bd5", "o"), (False, "#c62828", "x")):
            some = [
                one
                for one in records
                if (one[key] and (key == "plain" or one["status"] == "read")) == good
            ]
            axis.scatter(
                [one["blur"] for one in some],
                [max(one["height"], one["width"]) for one in some],
                c=colour, marker=mark, s=18, label="right" if good else "wrong or uncertain",
            )  # fmt: skip
        axis.set_title(title)
        axis.set_xlabel("blur in pixels")
    axes[0].set_ylabel("rows or columns")
    figure.legend(*axes[0].get_legend_handles_labels(), fontsize=8, ncols=2, loc="lower center")
    figure.tight_layout(rect=(0, 0.07, 1, 1))
    figure.savefig(_CHART, metadata={"Date": None})


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("first", type=int)
    parser.add_argument("end", type=int)
    parser.add_argument("--record", action="store_true")
    chosen = parser.parse_args()
    records = []
    for seed in range(chosen.first, chosen.end):
        records.append(measured(seed))
        print(json.dumps(records[-1]), flush=True)
        if chosen.record:
            RECORD.write_text("".join(json.dumps(one) + "\n" for one in records))
    print("\n".join(summary(records)))
    if chosen.record:
        chart(records)


if __name__ == "__main__":
    main()
