"""Checking certificates without trusting whoever wrote them, this package's solver included.

The pictures are read against the clues by the family's verifier. A formula is compared with the
one that `certify.formula` builds from the clues, and both proofs are checked: DRAT backward, LRAT
by its hints. Price tables are weighed in plain Python integers, and again natively by code that
shares nothing with it. Nothing of native propagation, probing, search, of the encodings or of any
engine takes part.

Invariant: whatever the files hold, a verdict or a `CertificateError` comes out.
"""

from __future__ import annotations

from array import array
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from time import perf_counter
from typing import Any, Self

from nonosat import _core, seams
from nonosat.certify import folder
from nonosat.certify.formula import difference
from nonosat.certify.pictures import read_picture, read_puzzle
from nonosat.certify.price_table import PriceProof
from nonosat.certify.price_verdict import price_proof
from nonosat.errors import CertificateError, counted
from nonosat.grid import Grid
from nonosat.limits import Limits, Watch
from nonosat.presenting import Data, Drawn, Scene, puzzle_in, reading
from nonosat.processes.guard import within
from nonosat.puzzles.nonogram.data import Nonogram
from nonosat.puzzles.nonogram.verify import refutation


@dataclass(frozen=True, slots=True, repr=False)
class Verified(Drawn):
    """A certificate that holds; `verify` gives it.

        >>> import tempfile
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     nonosat.prove(nonosat.nonogram([[2], [1]], [[1], [2]])).write(folder)
        ...     verified = nonosat.verify(folder)
        >>> verified
        <Verified: nonogram: 2 rows x 2 columns: unique, 13 clauses, 3 lemmas>
        >>> nonosat.Verified.from_data(verified.to_data()) == verified
        True

    Attributes:
        claim: "unique", "unsolvable" or "multiple".
        puzzle: The puzzle that it is about.
        num_clauses, num_lemmas: Of the formula and of the LRAT proof; 0 where there is none.
        seconds: Wall seconds of the check.
        prices: The proof by prices; None where clauses prove the claim, or pictures do.
    """

    claim: str
    puzzle: Nonogram
    num_clauses: int
    num_lemmas: int
    seconds: float = field(compare=False)
    prices: PriceProof | None = None

    def __str__(self) -> str:
        by = f", {self.sizes}" if self.sizes else ""
        return f"{self.puzzle}: {self.claim}{by}"

    @property
    def sizes(self) -> str:
        """How large the proof is, in words; "" where there is none."""
        if self.prices is not None:
            return str(self.prices)
        lemmas = counted(self.num_lemmas, "lemma", ",")
        return f"{counted(self.num_clauses, 'clause', ',')}, {lemmas}" if self.num_clauses else ""

    def scene(self) -> Scene:
        """The puzzle as it is printed, and what is certain of it."""
        return Scene(self.puzzle, caption=self.in_a_line())

    def to_data(self) -> Data:
        """The report as JSON data."""
        return {
            "claim": self.claim,
            "clauses": self.num_clauses,
            "lemmas": self.num_lemmas,
            "prices": self.prices and self.prices.to_data(),
            "seconds": round(self.seconds, 6),
            "puzzle": seams.data_of(self.puzzle),
        }

    @classmethod
    def from_data(cls, data: Mapping[str, Any]) -> Self:
        """The report of such data."""
        puzzle = puzzle_in(data)
        with reading(cls):
            sizes = (data["clauses"], data["lemmas"], data["seconds"])
            return cls(data["claim"], puzzle, *sizes, PriceProof.of_data(data.get("prices")))


def verify(
    target: str | Path, *, time_limit_s: float | None = None, memory_limit_mib: int | None = None
) -> Verified:
    """Check the certificate in a folder; nothing is taken on trust.

        >>> import tempfile
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     nonosat.prove(nonosat.nonogram([[3]], [[1], [2]])).write(folder)
        ...     nonosat.verify(folder).claim
        'unsolvable'

    Args:
        target: The folder.
        time_limit_s: Wall seconds for everything.
        memory_limit_mib: Resident memory of this process.

    Returns:
        What it certifies, and how large it is.

    Raises:
        CertificateError: It does not hold; the message names the file and the reason.
        LimitReached: A limit was hit; the message names it.
    """
    watch = Watch(Limits(time_limit_s, memory_limit_mib))
    return within(watch, lambda: _verified(Path(target), watch))


def _verified(target: Path, watch: Watch) -> Verified:
    started = perf_counter()
    claim, files = folder.read(target, watch)
    puzzle = read_puzzle(files[folder.PUZZLE], folder.PUZZLE)
    grids = [
        _solution(puzzle, files[name], name)
        for name in (folder.SOLUTION, folder.SECOND)
        if name in files
    ]
    num_clauses = num_lemmas = 0
    prices = None
    if claim == "multiple":
        if grids[0] == grids[1]:
            raise CertificateError(f"{folder.SECOND}: the same picture as {folder.SOLUTION}")
    elif folder.PRICES in files:
        cells = grids[0].cells if grids else None
        prices = price_proof(puzzle, cells, files[folder.PRICES], watch)
    else:
        num_clauses, num_lemmas = _refuted(puzzle, grids, files, watch)
    seconds = perf_counter() - started
    return Verified(claim, puzzle, num_clauses, num_lemmas, seconds, prices)


def _solution(puzzle: Nonogram, data: bytes, name: str) -> Grid:
    grid = read_picture(data, name, puzzle.height, puzzle.width)
    if mistake := refutation(puzzle, grid):
        raise CertificateError(f"{name}: this is no solution: {mistake}")
    return grid


def _refuted(
    puzzle: Nonogram, grids: list[Grid], files: dict[str, bytes], watch: Watch
) -> tuple[int, int]:
    """(clauses, lemmas) of a formula that is the puzzle's and that both proofs refute."""
    num_vars, clauses = _checked(watch, folder.FORMULA, _core.parse_dimacs, files[folder.FORMULA])
    cells = grids[0].cells if grids else None
    lits = array("i", clauses)
    if problem := difference(puzzle, cells, num_vars, lits):
        raise CertificateError(f"{folder.FORMULA}: {problem}")
    formula = (num_vars, clauses)
    _checked(watch, folder.DRAT, _core.check_drat, *formula, files[folder.DRAT])
    num_lemmas = _checked(watch, folder.LRAT, _core.check_lrat, *formula, files[folder.LRAT])
    return lits.count(0), num_lemmas


def _checked(watch: Watch, name: str, native: Any, *arguments: Any) -> Any:
    """The result of native code on a file, within the limits."""
    seams.doing(name)
    try:
        result = native(*arguments, remaining_s=watch.remaining_s(), poll=watch.poll)
    except ValueError as error:
        raise CertificateError(f"{name}: {error}") from None
    if result is None:
        raise watch.limit()
    return result
