"""Repair of result files: lines that are no records are set aside, all others kept.

A power cut, an editor or a full disk may leave garbage in the middle of a file. `repair` rewrites
the file without it, and adds `RESULTS.rejected`, a JSON object for each removed line, and
`RESULTS.original`, the original file. Lines that are kept are not changed, and keep their order.

Invariant: at every moment the file is the old one or the complete new one; no other file is
replaced; no other process writes to it meanwhile.
"""

from __future__ import annotations

import json
import os
from base64 import b64encode
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple

from nonosat.batch import foreign, results
from nonosat.core.errors import FormatError, counted
from nonosat.processes import journal

Record = dict[str, Any]
Judge = Callable[[Record, str, int], "Record | None"]


class Repaired(NamedTuple):
    """Result of a repair.

    Args:
        path: The file.
        num_kept: Number of lines kept.
        num_rejected: Number of lines removed.
        num_made: Number of headers created for results whose own was lost.
        rejected, original: The added files; None if the file needed no repair.
    """

    path: Path
    num_kept: int
    num_rejected: int = 0
    num_made: int = 0
    rejected: Path | None = None
    original: Path | None = None

    def description(self) -> str:
        """Return the repair as a sentence."""
        if self.original is None:
            records = counted(self.num_kept, "line")
            return f"{self.path}: {records}, all of them records; nothing had to be repaired"
        done = f"{self.path}: {counted(self.num_kept, 'line')} kept"
        if self.num_made:
            done += f", {counted(self.num_made, 'lost header')} restored"
        if self.num_rejected:
            done += f", {counted(self.num_rejected, 'line')} set aside in {self.rejected}"
        return f"{done}; the file as it was is {self.original}"


def repair(path: str | Path, judge: Judge) -> Repaired:
    """Remove lines that are no records from a file.

    Args:
        path: The file.
        judge: Called with each JSON object, the path and the number of the line, in order; raises
            FormatError if it is not a valid record at this place, and returns a header to insert
            before it, or None.

    Raises:
        FormatError: No line of the file is a record: it is another file.
        UnsupportedError: Another process writes to the file.
        OSError: The file, or an added one, cannot be read or written.
    """
    path = Path(path).resolve()
    with journal.locked(path):
        draft = path.with_name(f".{path.name}.{os.getpid()}.tmp")
        try:
            return _repaired(path, draft, judge)
        finally:
            draft.unlink(missing_ok=True)


def _repaired(path: Path, draft: Path, judge: Judge) -> Repaired:
    num_kept = num_made = 0
    rejected: list[Record] = []
    with path.open("rb") as lines, draft.open("xb") as kept:
        for number, line in enumerate(lines, 1):
            try:
                if not line.endswith(b"\n"):
                    raise FormatError("the last line is torn, without an end")
                before = judge(journal.record_of(line, str(path), number), str(path), number)
            except FormatError as error:
                error.path, error.line = None, None
                rejected.append({"line": number, "problem": str(error), **_text(line)})
                continue
            if before is not None:
                num_made += 1
                kept.write(journal.line_of(before))
            num_kept += 1
            kept.write(line)
        kept.flush()
        os.fsync(kept.fileno())
    if not rejected and not num_made:
        return Repaired(path, num_kept)
    if not num_kept:
        what = "no line of it is a record of results; it is left as it is, choose another file"
        raise FormatError(what, path=str(path))
    aside = _beside(path, "rejected", b"".join(map(journal.line_of, rejected)))
    original = _linked(path)
    draft.chmod(path.stat().st_mode & 0o777)
    draft.replace(path)
    journal.sync_folder(path)
    return Repaired(path, num_kept, len(rejected), num_made, aside, original)


def _text(line: bytes) -> Record:
    """Return a removed line as a JSON object that preserves each byte."""
    try:
        return {"text": line.decode()}
    except UnicodeDecodeError:
        return {"base64": b64encode(line).decode()}


def _names(path: Path, what: str) -> Iterator[Path]:
    """Yield names derived from a file's: RESULTS.original, RESULTS.original.2, ..."""
    yield path.with_name(f"{path.name}.{what}")
    for number in range(2, 1000):
        yield path.with_name(f"{path.name}.{what}.{number}")
    raise FileExistsError(f"{path}.{what} and 998 others exist; move them elsewhere")


def _beside(path: Path, what: str, data: bytes) -> Path:
    """Write a new file next to `path`, under the first free name, and return its path."""
    for name in _names(path, what):
        with suppress(FileExistsError), name.open("xb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
            return name
    raise AssertionError("there is always a name, or an exception")


def _linked(path: Path) -> Path:
    """Make a hard link to a file, or a copy, under a free name, and return this name."""
    for name in _names(path, "original"):
        try:
            os.link(path, name)
        except FileExistsError:
            continue
        except OSError:  # a file system without links
            return _beside(path, "original", path.read_bytes())
        return name
    raise AssertionError("there is always a name, or an exception")


def judge_of_batch() -> Judge:
    """Return the argument `judge` of `repair` for one file of `batch`."""
    sessions: set[int] = set()

    def judge(record: Record, path: str, number: int) -> Record | None:
        results.check_record(record, path, number)
        if record["kind"] == "header":
            sessions.add(int(record["session"]))
        elif record["kind"] == "result" and record.get("session") not in sessions:
            session = int(record.get("session", 1))
            sessions.add(session)
            return _made(session, record["options_sha256"])
        return None

    return judge


def _made(session: int, options_sha256: str) -> Record:
    """Return a header that replaces a lost one; it has no data on the start of the session."""
    kind: Record = {"kind": "header", "schema": results.SCHEMA, "session": session}
    return {**kind, "options_sha256": options_sha256, "repaired": True}


def written_by(path: str | Path) -> str | None:
    """Return the command that wrote a file of results, by its first record; None if it is none.

    Raises:
        OSError: It cannot be read.
    """
    with Path(path).open("rb") as lines:
        for line in lines:
            try:
                record = json.loads(line)
            except (ValueError, RecursionError):
                continue
            found = foreign.origin(record) if isinstance(record, dict) else None
            for command in (foreign.BATCH, foreign.BENCH):
                if found and f"`{command}`" in found:
                    return command
    return None
