"""Certificates of puzzles of all classes and families: each is written, read again and verified.

The proved claim must equal the verdict of `check`, and that in `instances/index.csv` for a bundled
puzzle. With NONOSAT_INSTANCES the benchmark files are among the classes. A puzzle that `check` or
`prove` leaves open at its limit is counted, not proved.
"""

from __future__ import annotations

import csv
import multiprocessing
import random
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import NamedTuple

from agreement import drawn
from record import Asked, Figures, perform

sys.path.insert(0, str(Path(__file__).parent.parent))
from common import BUNDLED, instances, noise

import nonosat
from nonosat.certify.prove import prove
from nonosat.certify.verify import verify
from nonosat.core.errors import LimitReached, NonosatError, PuzzleError
from nonosat.core.model import Block
from nonosat.core.plugins import Puzzle
from nonosat.generate.slitherlink import clues_of, grow
from nonosat.puzzles.knight import Knight
from nonosat.puzzles.nonogram import Nonogram
from nonosat.puzzles.queens import Queens
from nonosat.puzzles.slitherlink import BLANK, Slitherlink, around

LIMIT_S = 30
# Number of puzzles of a file, evenly chosen.
OWN = {
    "pictures": 50,
    "mathematics": 50,
    "special": 30,
    "colour": 50,
    "hard": 20,
    "random": 30,
    "structured": 30,
    "unique": 40,
    "slitherlink": 30,
    "queens": 30,
    "knight": 30,
}
SHARED = {
    "survey": 29,
    "taai2011": 150,
    "tcga2013": 150,
    "minizinc": 26,
    "picross-solver": 63,
    "gecode": 19,
    "colour": 8,
}
SQUARES = {30: 100, 40: 20, 60: 5}  # random squares by side


class Subject(NamedTuple):
    """A puzzle, its class, and its known verdict, if any."""

    kind: str
    puzzle: Puzzle
    known: str | None = None


def own(share: int) -> Iterator[Subject]:
    """Yield bundled puzzles, with the verdicts of the index."""
    with (BUNDLED / "index.csv").open(newline="") as file:
        known = {(row["file"], row["id"]): row["verdict"] for row in csv.DictReader(file)}
    for name, most in OWN.items():
        path = BUNDLED / f"{name}.jsonl"
        for puzzle in chosen(path, most // share):
            if puzzle.height * puzzle.width <= 200 * 200:
                yield Subject(name, puzzle, known[path.name, puzzle.about.id])


def shared() -> Iterator[Subject]:
    """Yield puzzles of the benchmark files."""
    for name, most in SHARED.items():
        for puzzle in chosen(instances() / f"{name}.jsonl", most):
            yield Subject(f"benchmark {name}", puzzle)


def chosen(path: Path, most: int) -> list[Puzzle]:
    """Return at most about `most` puzzles of a file, evenly spread."""
    puzzles = nonosat.load_all(str(path))
    step = max(1, len(puzzles) // max(1, most))
    return list(islice(puzzles[::step], most))


def random_ones(seed: int, number: int) -> Iterator[Subject]:
    """Yield small boards with changed clues, givens and colours; a third with unknown lengths."""
    index = 0
    while index < number:
        seed += 1
        rng = random.Random(f"certificates {seed}")
        try:
            puzzle = drawn(rng)
        except PuzzleError:
            continue
        index += 1
        if index % 3:
            yield Subject("small", puzzle)
        else:
            yield Subject("small, unknown lengths", blotted(puzzle, rng))


def blotted(puzzle: Nonogram, rng: random.Random) -> Nonogram:
    """Return the puzzle with a third of its blocks of unknown length."""

    def clues(lines: tuple[tuple[Block, ...], ...]) -> tuple[tuple[Block, ...], ...]:
        return tuple(
            tuple(Block(None, b.colour) if rng.random() < 1 / 3 else b for b in clue)
            for clue in lines
        )

    rows, columns = clues(puzzle.rows), clues(puzzle.columns)
    return Nonogram(rows, columns, puzzle.colours, given=puzzle.given)


def of_other_families(seed: int, number: int) -> Iterator[Subject]:
    """Yield small boards: Slitherlinks, some with a wrong clue, queens, tours with numbers."""
    for index in range(number):
        rng = random.Random(f"certificates of families {seed} {index}")
        yield Subject("small slitherlinks", slitherlink(rng))
        n = rng.randint(4, 9)
        squares = [(row, column) for row in range(n) for column in range(n)]
        blocked = rng.sample(squares, rng.randint(0, n * n // 2))
        yield Subject("small boards of queens", Queens(n, blocked=tuple(blocked)))
        yield Subject("small tours", tour(rng))


def slitherlink(rng: random.Random) -> Slitherlink:
    """Return a board with two thirds of the clues of a loop; one of three has a changed clue."""
    side = rng.randint(3, 9)
    clues = bytearray(clues_of(around(side, side, grow(side, side, rng, lambda: None))))
    for cell in rng.sample(range(side * side), side * side // 3):
        clues[cell] = BLANK
    if rng.random() < 1 / 3:
        clues[rng.randrange(side * side)] = rng.randint(0, 3)
    return Slitherlink(side, side, bytes(clues))


def tour(rng: random.Random) -> Knight:
    """Return a board with a third of the numbers of a tour; one of three has two exchanged."""
    board = rng.choice([Knight(5, 5), Knight(5, 6, closed=True), Knight(6, 6), Knight(3, 4)])
    solution = nonosat.solve(board, seed=rng.randrange(100)).solution
    visited = solution.squares()
    numbers = sorted(rng.sample(range(1, len(visited) + 1), len(visited) // 3))
    squares = [visited[number - 1] for number in numbers]
    if rng.random() < 1 / 3:
        squares[0], squares[1] = squares[1], squares[0]
    given = tuple((*square, k) for square, k in zip(squares, numbers, strict=True))
    return Knight(board.rows, board.columns, closed=board.closed, given=given)


def subjects(asked: Asked) -> Iterator[Subject]:
    """Yield the puzzles to be proved, class by class."""
    yield from random_ones(asked.seed, asked.cases(300, 12))
    yield from of_other_families(asked.seed, asked.cases(100, 3))
    yield from own(asked.cases(1, 30))
    if asked.short:
        return
    for side, number in SQUARES.items():
        yield from (Subject(f"random {side}x{side}", noise(side, seed)) for seed in range(number))
    yield from shared()


def judged(subject: Subject) -> tuple[str, list[str]]:
    """Return the outcome for a puzzle, and sentences on mistakes."""
    kind, puzzle, known = subject
    name = f"{kind}, {puzzle.about.id or nonosat.dumps(puzzle)}"
    said = nonosat.check(puzzle, time_limit_s=LIMIT_S).verdict.value
    if said == "unknown":
        return "left open by `check`", []
    failures = [] if known in (None, said) else [f"{name}: check says {said}, known is {known}"]
    try:
        certificate = prove(puzzle, time_limit_s=LIMIT_S)
    except LimitReached:
        return "left open by `prove`", failures
    with tempfile.TemporaryDirectory() as scratch:
        target = Path(scratch, "proof")
        certificate.write(target)
        try:
            found = verify(target).claim
        except NonosatError as refusal:
            found = f"refused: {refusal}"
    if (certificate.claim, found) != (said, said):
        failures.append(f"{name}: {said} by check, {certificate.claim} proved, {found} verified")
    return f"certificates, {kind}", failures


def check(asked: Asked) -> Figures:
    """Process all classes, on all cores."""
    seen, failures = Counter[str](), list[str]()
    with multiprocessing.Pool(maxtasksperchild=100) as pool:
        for what, complaints in pool.imap_unordered(judged, subjects(asked)):
            seen[what] += 1
            seen["certificates verified"] += what.startswith("certificates, ")
            failures += complaints
        pool.close()
        pool.join()  # so that their seconds count
    return {"checked": dict(sorted(seen.items())), "failures": sorted(failures)}


if __name__ == "__main__":
    perform("certificates", check)
