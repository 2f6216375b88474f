"""Checkers of proofs applied to changed proofs and claims: no false claim may pass.

Clausal proofs (DRAT, LRAT) of small formulas and puzzles, by `tests/native/fuzz_mutations.cpp`;
price tables of small puzzles, by the native checker and, every tenth, by the one in Python, which
must agree. The reference is brute force.
"""

from __future__ import annotations

import random
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

from natively import ROOT, figures, program
from record import Asked, Figures, perform

from nonosat.certify import folder, price_table
from nonosat.certify.price_check import ClaimedPrices, outcome
from nonosat.certify.price_table import natively
from nonosat.certify.prove import prove
from nonosat.core.errors import CertificateError, PuzzleError
from nonosat.core.limits import Limits, Watch
from nonosat.core.model import Block
from nonosat.puzzles.nonogram.data import Nonogram
from nonosat.testing.oracles import solutions

sys.path.insert(0, str(ROOT / "tests"))
from helpers.price_certificates import SMALL, staircase

Clue = tuple[Block, ...]


class Proven(NamedTuple):
    """A puzzle, a claim about it, and tables that prove it."""

    puzzle: Nonogram
    solution: bytes | None
    tables: list[ClaimedPrices]


@lru_cache(1000)
def truth(puzzle: Nonogram) -> tuple[bytes, ...]:
    """Return two solutions, or all if there are fewer."""
    return tuple(solutions(puzzle, 2))


def subjects() -> list[Proven]:
    """Return puzzles that prices solve, in one or two colours, with unknown lengths or givens."""
    made = []
    for puzzle in [*SMALL, staircase(2), staircase(3)]:
        proof = prove(puzzle, by="prices")
        has_solution = proof.claim == "unique"
        tables = price_table.read(proof.files[folder.PRICES], puzzle, has_solution=has_solution)
        made.append(Proven(puzzle, next(iter(truth(puzzle)), None), list(tables)))
    return made


def with_other_clue(rng: random.Random, puzzle: Nonogram) -> Nonogram:
    """Return the puzzle with a block longer, shorter, of unknown length, or removed."""
    name = rng.choice(["rows", "columns"])
    clues: list[Clue] = list(getattr(puzzle, name))
    at = rng.randrange(len(clues))
    clue = list(clues[at])
    if not clue:
        return puzzle
    place = rng.randrange(len(clue))
    length, colour = clue[place].length, clue[place].colour
    kind = rng.randrange(4)
    if kind == 0:
        del clue[place]
    elif kind == 1:
        clue[place] = Block(None, colour)
    else:
        clue[place] = Block(max(1, (length or 1) + rng.choice([-1, 1])), colour)
    clues[at] = tuple(clue)
    return replace(puzzle, goal=None, **{name: tuple(clues)})


def with_other_prices(rng: random.Random, table: ClaimedPrices) -> ClaimedPrices:
    """Return the table with a few other prices, another scale, or shuffled rows."""
    planes = [[list(row) for row in plane] for plane in table.prices]
    for _ in range(rng.choice([1, 1, 2, 5])):
        plane = rng.choice(planes)
        row = rng.choice(plane)
        kind = rng.randrange(6)
        if kind == 0:
            rng.shuffle(plane)
        elif kind == 1 and row:
            row.pop()
        elif row:
            row[rng.randrange(len(row))] += rng.choice([-9, -3, -2, -1, 1, 2, 3, 9, 2**40])
    scale = rng.choice([table.scale, table.scale, table.scale, 1, 2, 3])
    return ClaimedPrices(scale, tuple(planes))


def changed(rng: random.Random, proven: Proven) -> Proven:
    """Return another claim with the same tables, other tables for the same claim, or both."""
    puzzle, solution, tables = proven
    kind = rng.randrange(3)
    if kind != 0:
        puzzle = with_other_clue(rng, puzzle)
        # Checkers get consistent claims: any solution, or that there is none.
        solution = rng.choice([*truth(puzzle), None])
    if kind != 1:
        tables = [with_other_prices(rng, table) for table in tables]
    return Proven(puzzle, solution, tables)


def judged(rng: random.Random, number: int, proven: Proven, seen: Counter[str]) -> Iterator[str]:
    """Yield sentences on mistakes that a changed proof shows."""
    watch = Watch(Limits())
    is_true = len(truth(proven.puzzle)) == (proven.solution is not None)
    try:
        found = natively(*proven, watch)
    except CertificateError:
        seen["price tables refused as such"] += 1
        return
    verdict = "accepted" if found.is_proven else "refused"
    seen[f"price tables of {'true' if is_true else 'false'} claims {verdict}"] += 1
    if found.is_proven and not is_true:
        yield f"change {number}: a false claim passes by prices: {proven}"
    if rng.random() < 0.1:
        seen["of these also in Python"] += 1
        if outcome(*proven, watch.check) != found:
            yield f"change {number}: the checkers of prices do not agree: {proven}"


def check_prices(number: int, seed: int) -> Figures:
    """Change proofs by prices `number` times."""
    rng, seen, failures = random.Random(seed), Counter[str](), list[str]()
    known = subjects()
    for change in range(number):
        try:
            proven = changed(rng, rng.choice(known))
        except PuzzleError:
            continue  # the block is too long for its line
        failures += judged(rng, change, proven, seen)
    return {"checked": {"changes of price tables": number, **seen}, "failures": failures}


def check(asked: Asked, fuzzer: Path) -> Figures:
    """Check both kinds of proofs."""
    clausal = figures(fuzzer, asked.cases(1_000_000, 4_000), asked.seed)
    prices = check_prices(asked.cases(100_000, 400), asked.seed)
    return {
        "checked": clausal["checked"] | prices["checked"],
        "failures": clausal["failures"] + prices["failures"],
    }


def main() -> None:
    with program("fuzz_mutations") as fuzzer:
        perform("proofs", lambda asked: check(asked, fuzzer))


if __name__ == "__main__":
    main()
