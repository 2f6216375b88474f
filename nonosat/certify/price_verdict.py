"""Both checkers of price tables on one file: the plain one, and then the native one.

They share no code, neither with each other nor with what looks for prices. The plain one decides;
where the native one comes to another outcome, the file is refused as well.
"""

from __future__ import annotations

from collections.abc import Sequence

from nonosat import _core
from nonosat.certify import folder
from nonosat.certify.price_check import Outcome, PriceTable, outcome
from nonosat.certify.price_table import PriceProof, distance_of, memory, read, too_large
from nonosat.core import seams
from nonosat.core.errors import CertificateError, counted
from nonosat.core.limits import Watch
from nonosat.puzzles.nonogram.data import Nonogram


def price_proof(puzzle: Nonogram, solution: bytes | None, data: bytes, watch: Watch) -> PriceProof:
    """What a file of price tables proves.

    Args:
        puzzle: The clues.
        solution: A solution, which the caller has checked, a byte a cell, row-major; None where
            the claim is that there is none.
        data: The file.
        watch: Looked at all the time.

    Raises:
        CertificateError: The claim does not follow; the message names the file and the reason.
        LimitReached: The watch ended it.
    """
    seams.doing(folder.PRICES)
    if problem := too_large(puzzle):
        raise CertificateError(f"{folder.PUZZLE}: {problem}")
    watch.reserve(memory(puzzle))
    has_solution = solution is not None
    distance = distance_of(puzzle, has_solution=has_solution)
    try:
        tables = read(data, puzzle, has_solution=has_solution)
        found = outcome(puzzle, solution, tables, watch.check)
        if problem := _problem(found, tables, distance):
            raise CertificateError(problem)
        if natively(puzzle, solution, tables, watch) != found:
            raise CertificateError("the native checker does not come to the same outcome")
    except CertificateError as error:
        raise CertificateError(f"{folder.PRICES}: {error}") from None
    return PriceProof.of(tables, found.bound, distance)


def _problem(found: Outcome, tables: Sequence[PriceTable], distance: int) -> str | None:
    """Why tables do not prove a claim, or are too many."""
    if found.is_proven:
        more = len(tables) - found.num_used
        return f"{counted(more, 'table')} more than the claim needs" if more else None
    if not tables:
        return "there is no table, and propagation alone does not prove the claim"
    bound = counted(found.bound // tables[-1].scale, "cell")
    return f"the price bound is {bound}, expected below {distance}"


def natively(
    puzzle: Nonogram, solution: bytes | None, tables: Sequence[PriceTable], watch: Watch
) -> Outcome:
    """What the native checker says; arguments are those of `price_check.outcome`.

    Raises:
        CertificateError: It refuses the tables.
        LimitReached: The watch ended it.
    """
    clues = (len(puzzle.colours), puzzle.rows, puzzle.columns, puzzle.given)
    plain = [(table.scale, table.prices) for table in tables]
    try:
        found = _core.check_prices(*clues, solution, plain, watch.remaining_s(), watch.poll)
    except ValueError as error:
        raise CertificateError(f"the native checker refuses them: {error}") from None
    if found is None:
        raise watch.limit()
    return Outcome(*found)
