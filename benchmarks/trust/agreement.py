"""Engines and encodings compared on 100,000 random puzzles; proofs of the unique ones.

Boards up to 12x12 in one to three colours: clues of pictures, changed or shuffled clues, blocks of
unknown length, given cells. Thirteen built-in solvers answer each: native search, three SAT engines
with three encodings, CP-SAT in two formulations, prices and the default; `nonosat.testing.compare`
judges. The first unique ones are proved and verified, and their clausal proofs are checked again by
the plain checkers of `tests/helpers/proofs.py`.
"""

from __future__ import annotations

import multiprocessing
import random
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from natively import ROOT
from record import Asked, Figures, perform

from nonosat.certify import folder
from nonosat.certify.prove import prove
from nonosat.certify.verify import verify
from nonosat.core.errors import PuzzleError
from nonosat.core.model import Block, Clue
from nonosat.puzzles.nonogram.data import BLACK, Colour, Nonogram, clue_of
from nonosat.testing import Solver, compare, configured

sys.path.insert(0, str(ROOT / "tests"))
from helpers.proofs import follows_hints, read_dimacs, refutes

ENGINES = ("cadical195", "glucose421", "minisat22")
ENCODINGS = ("order", "automaton", "direct")
NAMES = (
    "auto",
    "search",
    "prices",
    "cpsat line=automaton",
    *(f"{engine} line={encoding}" for engine in ENGINES for encoding in ENCODINGS),
)
INKS = (BLACK, Colour("r", "#ff0000"), Colour("g", "#00aa00"))
PIECE = 50  # puzzles per task of a process
LONGEST = 12


@cache
def solvers() -> tuple[Solver, ...]:
    return tuple(configured(name, time_limit_s=60) for name in NAMES)


def changed(rng: random.Random, clue: Clue) -> Clue:
    """Return the clue with a block lengthened, of unknown length, or removed."""
    blocks = list(clue)
    if blocks:
        at = rng.randrange(len(blocks))
        length, colour = blocks.pop(at)
        if rng.random() < 0.8:
            length = rng.choice((None, None, (length or 0) + 1))
            blocks.insert(at, Block(length, colour))
    return tuple(blocks)


def drawn(rng: random.Random) -> Nonogram:
    """Return a random puzzle; two of three certainly have a solution.

    Raises:
        PuzzleError: A clue was changed so that it fits no line.
    """
    height, width = rng.randint(1, LONGEST), rng.randint(1, LONGEST)
    inks = rng.choice((1, 1, 1, 2, 3))
    density = rng.choice((0.0, 0.3, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0))
    cells = [rng.randint(1, inks) * (rng.random() < density) for _ in range(height * width)]
    rows = [clue_of(cells[row * width : (row + 1) * width]) for row in range(height)]
    columns = [clue_of(cells[column::width]) for column in range(width)]
    kind = rng.randrange(6)
    if kind == 0:
        rng.shuffle(rows)
    if kind in (1, 2):
        lines = rng.choice((rows, columns))
        at = rng.randrange(len(lines))
        lines[at] = changed(rng, lines[at])
    given = ()
    if rng.random() < 0.2:
        cell = rng.randrange(height * width)
        value = cells[cell] if rng.random() < 0.8 else rng.randint(0, inks)
        given = ((*divmod(cell, width), value),)
    return Nonogram(tuple(rows), tuple(columns), INKS[:inks], given=given)


def judged(piece: tuple[int, int, int]) -> tuple[Counter[str], list[str], list[Nonogram]]:
    """Compare all solvers on some puzzles; return counts, failures, and the unique puzzles."""
    seed, first, number = piece
    seen, failures, unique = Counter[str](), list[str](), list[Nonogram]()
    for index in range(first, first + number):
        try:
            puzzle = drawn(random.Random(f"{seed} {index}"))
        except PuzzleError:
            seen["clues that no line can have, refused"] += 1
            continue
        claims = {one.name: one(puzzle) for one in solvers()}
        seen["puzzles"] += 1
        seen["answers"] += sum(claim.verdict.value != "unknown" for claim in claims.values())
        verdict = claims["auto"].verdict.value
        seen[verdict] += 1
        seen["by prices"] += claims["prices"].verdict.value != "unknown"
        if disagreement := compare(puzzle, claims, ours=NAMES):
            failures.append(f"puzzle {index}: {disagreement}")
        failures += [
            f"puzzle {index}: {name} gives no verdict"
            for name, claim in claims.items()
            if claim.verdict.value == "unknown" and name != "prices" and not claim.unsupported
        ]
        if verdict == "unique":
            unique.append(puzzle)
    return seen, failures, unique


def proved(puzzle: Nonogram) -> Iterator[str]:
    """Yield sentences on mistakes in proofs that a puzzle is unique."""
    for by in ("auto", "clauses"):
        certificate = prove(puzzle, by=by)
        with tempfile.TemporaryDirectory() as scratch:
            target = Path(scratch, "proof")
            certificate.write(target)
            found = verify(target)
        if (certificate.claim, found.claim) != ("unique", "unique"):
            yield f"{by}: {certificate.claim} is proved, {found.claim} is verified: {puzzle.rows}"
    files = certificate.files
    _, clauses = read_dimacs(files[folder.FORMULA].decode())
    if not refutes(clauses, files[folder.DRAT].decode(), strict=True):
        yield f"the plain checker refuses the DRAT proof: {puzzle.rows}, {puzzle.columns}"
    if not follows_hints(clauses, files[folder.LRAT].decode()):
        yield f"the plain checker refuses the LRAT proof: {puzzle.rows}, {puzzle.columns}"


def proved_all(puzzle: Nonogram) -> list[str]:
    return list(proved(puzzle))


def check(asked: Asked) -> Figures:
    """Run comparisons, then proofs, on all cores."""
    number, most = asked.cases(100_000, 100), asked.cases(2_000, 10)
    pieces = [(asked.seed, first, min(PIECE, number - first)) for first in range(0, number, PIECE)]
    seen, failures, unique = Counter[str](), list[str](), list[Nonogram]()
    with multiprocessing.Pool() as pool:
        for counts, complaints, puzzles in pool.imap(judged, pieces):
            seen += counts
            failures += complaints
            unique += puzzles
        for complaints in pool.imap(proved_all, unique[:most], chunksize=5):
            failures += complaints
            seen["proved and verified twice"] += 1
        pool.close()
        pool.join()  # so that their seconds count
    return {"checked": dict(sorted(seen.items())), "failures": failures}


if __name__ == "__main__":
    perform("agreement", check)
