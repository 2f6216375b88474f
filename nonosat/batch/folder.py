"""A folder of results, written by many processes and read as one file.

`batch.jsonl` is the journal of the driver, which distributes the parts of the sources: a header for
each start, a line for each part, and a line for each finished part. The results of part N are in
`N.jsonl`, the shard of the part: a line for each puzzle in the order of the source. They are
collected in `N.draft`, which is renamed when it is complete and on the disk; an unfinished draft is
continued. With `--retry` a part is repeated: a new draft takes over the results to keep, and
finally replaces the shard.

| key of a part | meaning |
|---|---|
| kind, part | "part", its number from 0 |
| file, start, end, ... | as in `formats.FilePart` |

| key of a finished part | meaning |
|---|---|
| kind, part | "done", the number |
| session | number of the header under which it was finished |
| size | bytes of its results |
| outcomes | number of results by outcome |

Invariant: a file `N.jsonl` has one result for each puzzle of its part, all under the options of the
header. If a file of this name is truncated or was put there by hand, a reader raises an error, or
the part is repeated.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple

from nonosat.core.errors import FormatError, Remedy, UnsupportedError, counted, path_text
from nonosat.formats import FilePart
from nonosat.processes import files, journal

JOURNAL = "batch.jsonl"
_DIGITS = 6
_RESULT = b'{"kind":"result"'
Record = dict[str, Any]


def shard_of(folder: Path, number: int) -> Path:
    """Return the path of a part's results."""
    return folder / f"{number:0{_DIGITS}}.jsonl"


def draft_of(folder: Path, number: int) -> Path:
    """Return the path of the draft of a part's results."""
    return folder / f"{number:0{_DIGITS}}.draft"


def checked(path: str, *, may_exist: bool) -> Path:
    """Return the absolute path of a folder for results, after creating it if it does not exist.

    Args:
        path: Name of the folder.
        may_exist: True if the folder may contain results already.

    Raises:
        UnsupportedError: The folder contains results and `may_exist` is False, or other files.
        FormatError: A line of its journal is not a record of a batch.
        OSError: The folder cannot be created or read.
    """
    folder = Path(path).resolve()
    if folder.exists() and not folder.is_dir():
        raise UnsupportedError(
            f"{path_text(path)} is not a folder, expected one for the results of shards"
        )
    folder.mkdir(exist_ok=True)
    found = sorted(file.name for file in folder.iterdir())
    others = [name for name in found if not (JOURNAL in found and _is_ours(name))]
    if others:
        raise UnsupportedError(
            f"{path_text(path)} holds {others[0]}, which `nonosat batch --shards` did not write; "
            "choose another folder"
        )
    if Index(folder).headers and not may_exist:
        raise UnsupportedError(f"{path_text(path)} has results", remedy=Remedy("resume"))
    return folder


def emptied(folder: Path) -> None:
    """Remove all results; the journal must be empty, and locked by the caller."""
    for file in folder.iterdir():
        if file.name != JOURNAL and _is_ours(file.name):
            file.unlink()


def _is_ours(name: str) -> bool:
    stem, _, suffix = name.partition(".")
    return name == JOURNAL or (stem.isdecimal() and suffix in ("jsonl", "draft"))


class Index:
    """Contents of a folder's journal.

    Attributes:
        headers: Headers, in order.
        parts: Parts in the order of the sources; index 0 is part 0.
        done: Line of each finished part, by its number.

    Raises:
        FormatError: A line is not a record of a batch.
    """

    def __init__(self, folder: Path) -> None:
        self.headers: list[Record] = []
        self.parts: list[FilePart] = []
        self.done: dict[int, Record] = {}
        path = folder / JOURNAL
        if not path.exists():
            return
        for number, record in enumerate(journal.read(path), 1):
            try:
                self._add(record)
            except (KeyError, TypeError, ValueError):
                problem = "this is not a record of `nonosat batch --shards`; choose another folder"
                raise FormatError(problem, path=str(path), line=number) from None

    def _add(self, record: Record) -> None:
        kind = record["kind"]
        if kind == "header":
            self.headers.append(record)
        elif kind == "part":
            if record["part"] != len(self.parts):
                raise ValueError
            self.parts.append(FilePart(*(record[name] for name in FilePart._fields)))
        elif kind == "done":
            self.done[int(record["part"])] = record


def _index(path: str) -> Index:
    """Return the index of a folder of results; raise FormatError for other folders."""
    index = Index(Path(path))
    if not index.headers:
        problem = "no results in it, expected a folder that `nonosat batch --shards` has made"
        raise FormatError(problem, path=path)
    return index


def part_record(number: int, part: FilePart) -> Record:
    """Return the record that describes a part of the files."""
    return {"kind": "part", "part": number, **part._asdict()}


def records(path: str) -> Iterator[tuple[Record, str, int]]:
    """Yield all headers, then all results in the order of the sources, each with its file and line.

    Raises:
        FormatError: It is not a folder of results, or a shard lacks results of its part.
    """
    folder, index = Path(path), _index(path)
    for number, header in enumerate(index.headers, 1):
        yield header, str(folder / JOURNAL), number
    for number, part in enumerate(index.parts):
        shard, count = shard_of(folder, number), 0
        with suppress(FileNotFoundError):  # it is not done yet
            for line, record in enumerate(journal.read(shard, _making_again), 1):
                count += record.get("kind") == "result"
                yield record, str(shard), line
            if count != part.num_items:
                raise torn(shard, count, part.num_items)


def torn(shard: Path, found: int, expected: int) -> FormatError:
    """Return the error for a shard that has `found` instead of `expected` results."""
    problem = (
        f"{counted(found, 'result')}, expected {expected}: it was cut off or changed; "
        f"{_making_again(str(shard), 0)}"
    )
    return FormatError(problem, path=str(shard))


def _making_again(*_: object) -> str:
    """Return the advice, for a damaged shard, to delete it so that it is written again."""
    return "delete it, and the same command with --resume makes it again"


class Merged(NamedTuple):
    """Result of a merge.

    Args:
        num_results: Number of results in the file.
        num_missing: Number of parts without results.
    """

    num_results: int
    num_missing: int


def merge(path: str, target: Path) -> Merged:
    """Write the contents of a folder as one file; all of it or nothing.

    Args:
        path: The folder.
        target: The file.

    Raises:
        FormatError: It is not a folder of results, or a shard lacks results of its part.
        OSError: A file cannot be read or written.
    """
    folder, index = Path(path), _index(path)
    num_results = num_missing = 0
    with files.draft_of(target) as draft, draft.open("wb") as merged:
        merged.writelines(map(journal.line_of, index.headers))
        for number, part in enumerate(index.parts):
            shard, count = shard_of(folder, number), 0
            if not shard.exists():
                num_missing += 1
                continue
            with shard.open("rb") as lines:
                for line in lines:
                    if line.startswith(_RESULT) and line.endswith(b"\n"):
                        count += 1
                        merged.write(line)
            if count != part.num_items:
                raise torn(shard, count, part.num_items)
            num_results += count
        merged.flush()
        os.fsync(merged.fileno())
    return Merged(num_results, num_missing)
