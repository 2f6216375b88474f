"""The file of price tables in a certificate, `prices.json`, and its check.

    {"version": 1,
     "distance": 4,
     "because": "the clues give all lengths of blocks: ...",
     "tables": [{"scale": 1, "prices": [[[0, -3, 12], [5]], ...]}]}

`price_check` defines tables. There is a list of rows for each colour; a row ends with its last
nonzero price, and later cells are free. All tables but the last exclude values. The distance is
informative: `verify` derives it from the clues and refuses a different one.

Two checkers read a file, the plain one (`price_check`), then the native one. They share no code
with each other or with the search for prices. The plain one decides; if the native one has a
different result, the file is refused as well.

Invariant: any file content yields tables that fit the board or raises a `CertificateError`. The
prices and costs of a table sum to less than 2^59, so that native sums of them fit 64 bits.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Self

from nonosat import _core
from nonosat.certify import folder
from nonosat.certify.price_check import ClaimedPrices, ClaimResult, least_distance, outcome
from nonosat.core.errors import CertificateError, counted, shown
from nonosat.core.limits import Watch
from nonosat.core.presenting import Data
from nonosat.core.wording import line_text
from nonosat.puzzles.nonogram.data import Nonogram

VERSION = 1
MOST_TABLES = 64
MOST_VALUES = 2**25  # number of cells times number of values of a board
MOST_PLACES = 2**23  # number of cells times number of blocks of a line
_MOST_SUM = 2**59  # sum of the prices and costs of a table
_BYTES_PER_VALUE = 32  # memory of the checkers for each value of each cell
_REASONS = {
    0: "there is no solution to differ from: all lines together are paid 0 for any",
    1: "two solutions differ in some cell",
    2: "the rows' clues, or the columns', give all lengths of blocks: two fillings of a line have "
    "the same number of cells of each colour, so they differ in two cells",
    4: "the clues give all lengths of blocks: two fillings of a line have the same number of cells "
    "of each colour, so they differ in two cells, and so do the lines that cross it there",
}


@dataclass(frozen=True, slots=True)
class PriceProof:
    """Summary of a proof by prices.

    Attributes:
        num_tables, num_prices: Size of the proof; prices of 0 do not count.
        bound: The price bound of the last table, in cells, rounded down; 0 without a table.
        distance: Exclusive upper limit of the bound: the least distance of two solutions, or 0 if
            there is no solution.
    """

    num_tables: int
    num_prices: int
    bound: int
    distance: int

    @classmethod
    def of(cls, tables: Sequence[ClaimedPrices], bound: int, distance: int) -> Self:
        """Build the summary of tables; `bound` is that of the last table, times its scale."""
        num_prices = sum(table.num_prices() for table in tables)
        return cls(len(tables), num_prices, bound // tables[-1].scale if tables else 0, distance)

    def __str__(self) -> str:
        prices = counted(self.num_prices, "price", ",")
        if self.num_tables > 1:
            prices += f" in {self.num_tables} tables"
        bound = f"price bound {counted(self.bound, 'cell')}"
        goal = f"least distance {self.distance}" if self.distance else "solutions are paid 0"
        return f"{prices}, {bound}, {goal}"

    def to_data(self) -> Data:
        """Return the summary as JSON data."""
        return {
            "tables": self.num_tables,
            "prices": self.num_prices,
            "bound": self.bound,
            "distance": self.distance,
        }

    @classmethod
    def of_data(cls, data: Mapping[str, Any] | None) -> Self | None:
        """Build the summary from data of `to_data`; None for data of versions without prices."""
        if data is None:
            return None
        return cls(*(int(data[name]) for name in ("tables", "prices", "bound", "distance")))


def too_large(puzzle: Nonogram) -> str | None:
    """Return the reason in words why a board is too large for prices; None if it is not."""
    num_values = puzzle.height * puzzle.width * (1 + len(puzzle.colours))
    if num_values > MOST_VALUES:
        return f"{num_values:,} values of cells, prices are for at most {MOST_VALUES:,}"
    lines = [(clue, puzzle.width) for clue in puzzle.rows]
    lines += [(clue, puzzle.height) for clue in puzzle.columns]
    for index, (clue, length) in enumerate(lines):
        if (places := (len(clue) + 1) * length) > MOST_PLACES:
            line = line_text(index, puzzle.height)
            return f"{line} has {places:,} places of blocks, prices are for at most {MOST_PLACES:,}"
    return None


def memory(puzzle: Nonogram) -> int:
    """Return an upper bound in bytes on the memory of a checker."""
    num_values = puzzle.height * puzzle.width * (1 + len(puzzle.colours))
    most = max(map(len, (*puzzle.rows, *puzzle.columns))) + 1
    return _BYTES_PER_VALUE * (num_values + most * max(puzzle.height, puzzle.width))


def distance_of(puzzle: Nonogram, *, has_solution: bool) -> int:
    """Return the exclusive upper limit of the price bound, in cells."""
    return least_distance(puzzle) if has_solution else 0


def written(puzzle: Nonogram, tables: Sequence[ClaimedPrices], *, has_solution: bool) -> bytes:
    """Return tables as the content of `prices.json`."""
    distance = distance_of(puzzle, has_solution=has_solution)
    head = {"version": VERSION, "distance": distance, "because": _REASONS[distance]}
    texts = [
        f'{{"scale":{table.scale},"prices":[{",".join(map(_plane, table.prices))}]}}'
        for table in tables
    ]
    return f'{json.dumps(head)[:-1]}, "tables": [{",".join(texts)}]}}\n'.encode()


def _plane(rows: Sequence[Sequence[int]]) -> str:
    """Return the prices of a colour, one line of text per row."""
    texts = []
    for row in rows:
        last = max((index for index, price in enumerate(row, 1) if price), default=0)
        texts.append(f"[{','.join(map(str, row[:last]))}]")
    return "[" + ",\n".join(texts) + "]"


def read(data: bytes, puzzle: Nonogram, *, has_solution: bool) -> list[ClaimedPrices]:
    """Return the tables of a file.

    Raises:
        CertificateError: The file is invalid or does not fit the puzzle.
    """
    try:
        found = json.loads(
            data.decode(),
            object_pairs_hook=_object,
            parse_float=_no_number,
            parse_constant=_no_number,
        )
    except (ValueError, RecursionError) as error:
        raise CertificateError(f"this is not JSON of whole numbers: {error}") from None
    version = found.get("version") if isinstance(found, dict) else None
    if type(version) is not int or version != VERSION:
        raise CertificateError(f"no price tables of version {VERSION}")
    distance = distance_of(puzzle, has_solution=has_solution)
    if found.get("distance") != distance or type(found["distance"]) is not int:
        claimed = shown(found.get("distance"))
        raise CertificateError(f"the distance is {claimed}, from the clues follows {distance}")
    tables = found.get("tables")
    if not isinstance(tables, list) or len(tables) > MOST_TABLES:
        raise CertificateError(f"'tables' is not a list of at most {MOST_TABLES}")
    return [_table(table, number, puzzle) for number, table in enumerate(tables, start=1)]


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise ValueError("a key occurs twice")
    return found


def _no_number(text: str) -> Any:
    raise ValueError(f"{shown(text)} is not a whole number")


def _table(table: Any, number: int, puzzle: Nonogram) -> ClaimedPrices:
    """Return a table that fits the board, or raise CertificateError."""
    if not isinstance(table, dict):
        raise CertificateError(f"table {number} is not an object")
    scale, planes = table.get("scale"), table.get("prices")
    if type(scale) is not int or scale < 1:
        what = shown(scale)
        raise CertificateError(f"table {number}: the scale is {what}, expected 1 or more")
    if not isinstance(planes, list) or len(planes) != len(puzzle.colours):
        num_colours = len(puzzle.colours)
        raise CertificateError(
            f"table {number}: 'prices' is not a list of {num_colours}, by colour"
        )
    total = scale * puzzle.height * puzzle.width
    for rows in planes:
        if not isinstance(rows, list) or len(rows) != puzzle.height:
            raise CertificateError(f"table {number}: a colour has no list of {puzzle.height} rows")
        for index, row in enumerate(rows, start=1):
            if not isinstance(row, list) or len(row) > puzzle.width or {*map(type, row)} - {int}:
                what = f"not a list of at most {puzzle.width} whole numbers"
                raise CertificateError(f"table {number}: row {index} is {what}")
            total += sum(map(abs, row))
    if total >= _MOST_SUM:
        raise CertificateError(f"table {number}: prices and costs add up to 2^59 or more")
    return ClaimedPrices(scale, tuple(planes))


def price_proof(puzzle: Nonogram, solution: bytes | None, data: bytes, watch: Watch) -> PriceProof:
    """Check a file of price tables and return its summary.

    Args:
        puzzle: The clues.
        solution: A solution that the caller has verified, one byte per cell, row-major; None for
            the claim that there is none.
        data: The file.
        watch: Polled throughout.

    Raises:
        CertificateError: The claim does not follow; the message names the file and the reason.
        LimitReached: A limit of the watch was reached.
    """
    watch.doing(folder.PRICES)
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
            raise CertificateError("the native checker has another result")
    except CertificateError as error:
        raise CertificateError(f"{folder.PRICES}: {error}") from None
    return PriceProof.of(tables, found.bound, distance)


def _problem(found: ClaimResult, tables: Sequence[ClaimedPrices], distance: int) -> str | None:
    """Return the reason why tables do not prove a claim or are too many; None if they are right."""
    if found.is_proven:
        more = len(tables) - found.num_used
        return f"{counted(more, 'table')} more than the claim needs" if more else None
    if not tables:
        return "there is no table, and propagation alone does not prove the claim"
    bound = counted(found.bound // tables[-1].scale, "cell")
    return f"the price bound is {bound}, expected below {distance}"


def natively(
    puzzle: Nonogram, solution: bytes | None, tables: Sequence[ClaimedPrices], watch: Watch
) -> ClaimResult:
    """Run the native checker; arguments are those of `price_check.outcome`.

    Raises:
        CertificateError: The checker refuses the tables.
        LimitReached: A limit of the watch was reached.
    """
    clues = (len(puzzle.colours), puzzle.rows, puzzle.columns, puzzle.given)
    plain = [(table.scale, table.prices) for table in tables]
    try:
        return ClaimResult(*watch.result_of(_core.check_prices, *clues, solution, plain))
    except ValueError as error:
        raise CertificateError(f"the native checker refuses them: {error}") from None
