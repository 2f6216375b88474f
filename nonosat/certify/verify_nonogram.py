"""Checking certificates of nonograms.

The pictures are read against the clues by the family's verifier. A formula is compared with the
one that `certify.formula` builds from the clues. Price tables are weighed in plain Python integers,
and again natively by code that shares nothing with it.
"""

from __future__ import annotations

from array import array
from collections.abc import Mapping

from nonosat.certify import folder
from nonosat.certify.formula import difference
from nonosat.certify.pictures import read_picture
from nonosat.certify.price_verdict import price_proof
from nonosat.certify.refuting import refuted
from nonosat.certify.verified import Verified
from nonosat.core.errors import CertificateError
from nonosat.core.grid import Grid
from nonosat.core.limits import Watch
from nonosat.puzzles.nonogram.data import Nonogram
from nonosat.puzzles.nonogram.verify import refutation


def verified(claim: str, puzzle: Nonogram, files: Mapping[str, bytes], watch: Watch) -> Verified:
    """The report, without its seconds. Raises CertificateError where something does not hold."""
    grids = [
        _solution(puzzle, files[name], name)
        for name in (folder.SOLUTION, folder.SECOND)
        if name in files
    ]
    if claim == "multiple":
        if grids[0] == grids[1]:
            raise CertificateError(f"{folder.SECOND}: the same picture as {folder.SOLUTION}")
        return Verified(claim, puzzle, 0, 0, 0.0)
    cells = grids[0].cells if grids else None
    if folder.PRICES in files:
        prices = price_proof(puzzle, cells, files[folder.PRICES], watch)
        return Verified(claim, puzzle, 0, 0, 0.0, prices)

    def refuse_other(num_vars: int, clauses: array[int]) -> None:
        if problem := difference(puzzle, cells, num_vars, clauses):
            raise CertificateError(f"{folder.FORMULA}: {problem}")

    return Verified(claim, puzzle, *refuted(files, refuse_other, watch), 0.0)


def _solution(puzzle: Nonogram, data: bytes, name: str) -> Grid:
    grid = read_picture(data, name, puzzle.height, puzzle.width)
    if mistake := refutation(puzzle, grid):
        raise CertificateError(f"{name}: this is no solution: {mistake}")
    return grid
