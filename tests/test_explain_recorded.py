"""Explanations are those that were recorded: steps, order, sentences, evidence and difficulty.

The record was made by an earlier implementation of the techniques, in Python. The digests cover all
fields of all steps, so that a change of any of them is deliberate: the record is then made anew, by
`python tests/test_explain_recorded.py` (with `tests` as the current folder, and PYTHONPATH=.).
"""

from __future__ import annotations

import hashlib
import json
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import nonosat
from nonosat.core.limits import Limits, Watch
from nonosat.explain.explainers import explainer_of
from nonosat.puzzles.nonogram.data import Nonogram

RECORD = Path(__file__).parent / "data" / "explanations.json"
NUM_PUZZLES = 300
INKS = {"a": "#ff0000", "b": "#00aa00", "c": "#0000ff"}


def puzzles() -> Iterator[Nonogram]:
    """Black and coloured, with given cells and unknown lengths; some without solution."""
    for seed in range(NUM_PUZZLES):
        rng = random.Random(seed)
        keys = "abc"[: (1, 1, 1, 2, 3)[seed % 5]]
        most = 9 if len(keys) > 1 or seed % 3 != 2 else 15
        height, width = rng.randint(1, most), rng.randint(1, most)
        density = rng.choice([0.3, 0.5, 0.6, 0.7])
        cells = [
            [rng.randint(1, len(keys)) if rng.random() < density else 0 for _ in range(width)]
            for _ in range(height)
        ]
        yield _puzzle(cells, keys, seed, rng)


def _puzzle(cells: list[list[int]], keys: str, seed: int, rng: random.Random) -> Nonogram:
    rows = [_clue(line, keys) for line in cells]
    columns = [_clue([*line], keys) for line in zip(*cells, strict=True)]
    data: dict[str, Any] = {"rows": rows, "columns": columns}
    if len(keys) > 1:
        data["colors"] = {key: INKS[key] for key in keys}
    if seed % 7 == 5:
        places = {(rng.randrange(len(rows)), rng.randrange(len(columns))) for _ in range(3)}
        signs = [0, *keys] if len(keys) > 1 else [0, 1]
        data["given"] = [[row, at, signs[cells[row][at]]] for row, at in sorted(places)]
    if seed % 7 == 6 and len(rows) > 1:
        one, other = rng.sample(range(len(rows)), 2)
        rows[one], rows[other] = rows[other], rows[one]
    if seed % 11 == 0 and rows[0]:
        rows[0][0] = None if len(keys) == 1 else [None, rows[0][0][1]]
    puzzle: Nonogram = nonosat.loads(json.dumps(data))
    return puzzle


def _clue(line: list[int], keys: str) -> list[Any]:
    blocks: list[list[int]] = []
    before = 0
    for value in line:
        if value and value == before:
            blocks[-1][0] += 1
        elif value:
            blocks.append([1, value])
        before = value
    return [length if len(keys) == 1 else [length, keys[value - 1]] for length, value in blocks]


def digests() -> list[str]:
    """Digest of each explanation, and the techniques that it uses."""
    found = []
    for puzzle in puzzles():
        told = explainer_of(puzzle).explain(puzzle, Watch(Limits()))
        data = told.to_data(with_puzzle=False)
        kept = [data[key] for key in ("verdict", "difficulty", "grid", "steps")]
        text = json.dumps([*kept, told.reason], sort_keys=True)
        found.append(hashlib.sha256(text.encode()).hexdigest()[:16])
    return found


def test_explanations_are_as_recorded() -> None:
    recorded = json.loads(RECORD.read_text())
    found = digests()
    different = [seed for seed in range(NUM_PUZZLES) if found[seed] != recorded[seed]]
    assert not different


if __name__ == "__main__":
    RECORD.write_text(json.dumps(digests(), indent=0) + "\n")
