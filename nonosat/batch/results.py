"""Reader for the result files of `batch`.

A puzzle has a line for each set of options; the last one holds its verdict (`latest`). Linear in
the file; memory is some 100 bytes a puzzle. A folder of results (`folder.py`) is read as one file.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from hashlib import blake2b
from pathlib import Path
from typing import Any

from nonosat.batch import folder, foreign
from nonosat.batch.deciding import Record
from nonosat.core.errors import FormatError
from nonosat.processes import journal

SCHEMA = 1
_DIGEST_BYTES = 12  # the probability of a collision among 50 million puzzles is 10^-13


def outcome_of(record: Record) -> str:
    """Return the verdict, or the status if there is no verdict: "error", "crash" and the like."""
    status = str(record["status"])
    return str(record["verdict"]) if status in ("ok", "timeout", "memout") else status


def puzzle_key(record: Record) -> bytes:
    """Return the key shared by the results of one puzzle under any options."""
    what = record["sha256"] or record["reason"]
    return _digest(record["file"], record.get("id", ""), what, "")


def result_key(record: Record) -> bytes:
    """Return the key that is unique to a result in a file."""
    what = record["sha256"] or record["reason"]
    return _digest(record["file"], record.get("id", ""), what, record["options_sha256"])


def _digest(file: str, puzzle_id: str, what: str, options: str) -> bytes:
    text = f"{len(file)} {len(puzzle_id)} {len(what)} {file}{puzzle_id}{what}{options}"
    return blake2b(text.encode(errors="surrogatepass"), digest_size=_DIGEST_BYTES).digest()


def read(path: str) -> Iterator[Record]:
    """Yield the headers and results of a file, or of a folder, in order.

    Raises:
        FormatError: It is not a file of a batch; the message names the command that wrote it, if
            known.
    """
    has_header = False
    for record, file, number in records(path):
        check_record(record, file, number)
        has_header = has_header or record["kind"] == "header"
        if not has_header:
            message = "the file does not begin with the header of a batch; choose another file"
            raise FormatError(message, path=file, line=number)
        yield record


def records(path: str) -> Iterator[tuple[Record, str, int]]:
    """Yield each object in a file or folder, of any command, with its file and line.

    Raises:
        FormatError: A line is not a JSON object, or there are no results in the folder.
    """
    if Path(path).is_dir():
        yield from folder.records(path)
        return
    for number, record in enumerate(journal.read(path), 1):
        yield record, path, number


def check_record(record: Record, path: str, number: int) -> None:
    """Raise FormatError for a line that is not a record of a batch.

    Args:
        record: The JSON object.
        path: Name of the file, for errors.
        number: Number of the line, for errors.

    Raises:
        FormatError: It is not a record.
    """
    try:
        if record["kind"] == "header":
            _check_header(record)
        elif record["kind"] == "result":
            result_key(record), outcome_of(record)
    except (KeyError, TypeError, ValueError, OverflowError):
        foreign.refuse(record, foreign.BATCH, path, number)
        message = f"this is not a record of a batch of schema {SCHEMA}; choose another file"
        raise FormatError(message, path=path, line=number) from None


def _check_header(record: Mapping[str, Any]) -> None:
    if record["schema"] != SCHEMA or "options_sha256" not in record:
        raise ValueError
    int(record["session"])


def latest(path: str) -> Iterator[Record]:
    """Return the last result of each puzzle in a file or folder, in the order of the lines.

    Raises:
        FormatError: It is not a file of a batch.
    """
    if Path(path).is_dir():  # a folder has one result of each puzzle
        yield from (record for record in read(path) if record["kind"] == "result")
        return
    last = {
        puzzle_key(record): number
        for number, record in enumerate(read(path))
        if record["kind"] == "result"
    }
    kept = frozenset(last.values())
    yield from (record for number, record in enumerate(read(path)) if number in kept)
