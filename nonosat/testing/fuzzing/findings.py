"""Failures on disk: the puzzle, the claims, and the commands that reproduce it.

`FOLDER/<id>.json` is the puzzle in the project's JSON, which every command reads; `FOLDER/<id>.txt`
is a readable report, and its last line is read by `nonosat fuzz --replay`. The id is a hash of the
kind of failure and the simplest way that shows it.
"""

from __future__ import annotations

import json
import shlex
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any

from nonosat import formats
from nonosat.core import families
from nonosat.core.errors import FormatError
from nonosat.core.plugins import Puzzle
from nonosat.formats import jsonl
from nonosat.processes.files import write_atomically
from nonosat.testing.fuzzing.drawing import Case
from nonosat.testing.fuzzing.shrinking import FailureState, data_of
from nonosat.testing.fuzzing.trying import AnswerWork
from nonosat.testing.fuzzing.ways import BRUTE_FORCE, PROGRAM, AnswerMethod

_REPLAYED = "replay: "  # prefix of the last line of a text
_DIGITS = 12


def id_of(trouble: FailureState) -> str:
    """Return the id of a failure, which is equal for all cases with the same failure."""
    family = families.name_of(trouble.puzzle)
    text = json.dumps([trouble.kind, family, trouble.guilty.key])
    return sha256(text.encode()).hexdigest()[:_DIGITS]


def record_of(trouble: FailureState, case: Case, file: str, times: int) -> dict[str, Any]:
    """Return the data of a failure's line in the campaign's file, as described in `record.py`."""
    puzzle = trouble.puzzle
    return {
        "kind": "failure",
        "id": id_of(trouble),
        **data_of(trouble),
        "chunk": case.chunk,
        "index": case.index,
        "family": families.name_of(puzzle),
        "puzzle": json.loads(jsonl.write([puzzle])),
        "size": puzzle.size,
        "file": file,
        "times": times,
    }


def save(trouble: FailureState, *, folder: Path | None, work: AnswerWork) -> str:
    """Write the files of a failure, with the limits of its answers.

    Returns:
        The name of the puzzle's file; "" without a folder.

    Raises:
        OSError: The folder cannot be made or written.
    """
    if folder is None:
        return ""
    folder.mkdir(parents=True, exist_ok=True)
    name = id_of(trouble)
    path = folder / f"{name}.json"
    write_atomically(path, jsonl.write([trouble.puzzle.about_with(id=name)]))
    text = "\n".join(_lines(trouble, str(path), work))
    write_atomically(path.with_suffix(".txt"), text.encode())
    return str(path)


def discard(file: str) -> None:
    """Remove the files of a failure that another has replaced; do nothing for ""."""
    for suffix in (".json", ".txt") if file else ():
        Path(file).with_suffix(suffix).unlink(missing_ok=True)


def case_of(record: Mapping[str, Any]) -> Case:
    """Return the case of a recorded failure, with the methods that show it."""
    puzzle = formats.loads(json.dumps(record["puzzle"]))
    ways = tuple(map(AnswerMethod.from_data, (record["guilty"], *record["others"])))
    return Case(record["chunk"], record["index"], "", puzzle, ways)


def lines_of(trouble: FailureState, path: str) -> Iterator[str]:
    """Yield the commands that reproduce a failure."""
    for way in (trouble.guilty, *trouble.others):
        if way.question not in (BRUTE_FORCE, PROGRAM):
            yield way.line(path)
    yield replay(path)


def replay(path: str) -> str:
    """Return the shell command that answers a saved puzzle again."""
    return f"nonosat fuzz --replay {shlex.quote(path)}"


def _lines(trouble: FailureState, path: str, work: AnswerWork) -> Iterator[str]:
    yield trouble.text
    yield ""
    if not trouble.is_shrunk:
        yield "(The puzzle may not be the smallest: there was no time to shrink it to the end.)"
    yield "To repeat it:"
    yield from (f"  {line}" for line in lines_of(trouble, path))
    yield ""
    ways = [way.to_data() for way in (trouble.guilty, *trouble.others)]
    limits = {"time_limit_s": work.time_limit_s, "memory_limit_mib": work.memory_limit_mib}
    yield _REPLAYED + json.dumps({"ways": ways, **limits})
    yield ""


@dataclass(frozen=True, slots=True)
class SavedFailure:
    """A failure read from disk.

    Args:
        puzzle: The puzzle.
        ways: The ways that showed the failure; the first is the one that is at fault.
        work: The limits of the answers.
    """

    puzzle: Puzzle
    ways: tuple[AnswerMethod, ...]
    work: AnswerWork


def load(path: str) -> SavedFailure:
    """Read the files that `save` has written.

    Args:
        path: Path of the puzzle's file, or of its text.

    Raises:
        FormatError: The text is not a report that `save` wrote.
        OSError: One of the two files cannot be read.
    """
    Path(path).stat()  # its error names the given path
    text = Path(path).with_suffix(".txt").read_text(encoding="utf-8")
    last = text.rstrip().rpartition("\n")[2]
    try:
        data = json.loads(last.removeprefix(_REPLAYED))
        ways = tuple(map(AnswerMethod.from_data, data["ways"]))
        if not ways:
            raise ValueError
        work = AnswerWork(float(data["time_limit_s"]), data["memory_limit_mib"])
    except (ValueError, KeyError, TypeError, AttributeError):
        raise FormatError(
            f"its last line is no {_REPLAYED!r} with ways to answer a puzzle; expected the text "
            "that `nonosat fuzz` writes with a puzzle",
            path=str(Path(path).with_suffix(".txt")),
        ) from None
    return SavedFailure(formats.load(str(Path(path).with_suffix(".json"))), ways, work)
