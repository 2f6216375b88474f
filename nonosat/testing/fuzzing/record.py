"""The file of a campaign: finished work, coverage and failures, accumulated over sessions.

JSON Lines by `processes/journal.py`: one writer, complete lines even if it is killed.

| key of a header | value |
|---|---|
| kind, schema, writer | "header", 1, "nonosat fuzz" |
| session | number of the start, from 1 |
| drawn, drawn_sha256 | seed, families, selected ways; equal hashes have equal chunks |
| options | limits |
| environment, started | as in files of `nonosat batch` |

| key of chunk lines | value |
|---|---|
| kind, session, chunk | "chunk", number of its header, number of the chunk |
| of | number of cases of the chunk |
| indices | cases done in this session; a chunk may need several sessions |
| cases, answers, counts, seconds | as in `coverage.py` |
| failures | number of these cases that failed |
| mib | peak resident memory of the processes that answered |
| wall_s | seconds since the start or the preceding line |

| key of failure lines | value |
|---|---|
| kind, session, id | "failure", ..., its name; the last line of an id counts |
| what, guilty, others, text, is_shrunk | as in `shrinking.data_of` |
| chunk, index, family, puzzle | its case; the shrunk puzzle in the form of `to_data` |
| file | path of the saved puzzle |
| times | number of cases that showed it |
| replaced_by | its id after shrinking; this id is then obsolete |
"""

from __future__ import annotations

import json
from collections import defaultdict
from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime
from hashlib import sha256
from typing import Any

from nonosat.batch import foreign
from nonosat.batch.environment import environment
from nonosat.core.errors import FormatError, Remedy, UnsupportedError
from nonosat.processes import journal
from nonosat.testing.fuzzing.coverage import Coverage
from nonosat.testing.fuzzing.drawing import CaseSource
from nonosat.testing.fuzzing.shrinking import GONE

SCHEMA = 1
COMMAND = foreign.FUZZ
Data = dict[str, Any]


def drawn_sha256(drawn: CaseSource) -> str:
    """Return a hash of everything that determines the cases of a chunk."""
    text = json.dumps(asdict(drawn), sort_keys=True, separators=(",", ":"))
    return sha256(text.encode()).hexdigest()


@dataclass(slots=True)
class Totals:
    """Totals of all sessions of a file.

    Attributes:
        session: Number of the last session.
        drawn: For each session the hash of its source of cases.
        coverage: Total coverage.
        failures: The last record of each failure by its id.
        done: Indices of finished cases by (hash of the source, number of the chunk).
        whole: Finished chunks as (hash of the source, number of the chunk).
        wall_s: Seconds of work.
        mib: Peak resident memory of a process that answered.
        failed_cases: Number of failing cases.
    """

    session: int = 0
    drawn: dict[int, str] = field(default_factory=dict)
    coverage: Coverage = field(default_factory=Coverage)
    failures: dict[str, Data] = field(default_factory=dict)
    done: dict[tuple[str, int], set[int]] = field(default_factory=lambda: defaultdict(set))
    whole: set[tuple[str, int]] = field(default_factory=set)
    wall_s: float = 0.0
    mib: float = 0.0
    failed_cases: int = 0

    def add(self, record: Data) -> None:
        """Add a record."""
        if record["kind"] == "header":
            self.session = int(record["session"])
            self.drawn[self.session] = record["drawn_sha256"]
        elif record["kind"] == "failure" and "replaced_by" in record:
            self.failures.pop(record["id"], None)
        elif record["kind"] == "failure":
            self.failures[record["id"]] = record
        elif record["kind"] == "chunk":
            self._add_chunk(record, self.drawn[record["session"]])

    def _add_chunk(self, record: Data, drawn: str) -> None:
        key = (drawn, int(record["chunk"]))
        self.done[key].update(record["indices"])
        if len(self.done[key]) >= record["of"]:  # the indices are no longer needed
            del self.done[key]
            self.whole.add(key)
        self.coverage.merge(record)
        self.wall_s += record["wall_s"]
        self.mib = max(self.mib, record["mib"])
        self.failed_cases += record["failures"]


def read(path: str) -> Totals:
    """Return the totals of a file.

    Raises:
        FormatError: The file does not have the records of a campaign.
    """
    totals = Totals()
    for number, record in enumerate(journal.read(path, journal.removal), start=1):
        try:
            if number == 1 and (record["writer"], record["schema"]) != (COMMAND, SCHEMA):
                raise ValueError
            totals.add(record)
        except (KeyError, TypeError, ValueError, AttributeError):
            foreign.refuse(record, COMMAND, path, number)
            message = f"this is not a record of `{COMMAND}`, schema {SCHEMA}; choose another file"
            raise FormatError(message, path=path, line=number) from None
    return totals


class JournalWriter:
    """Writer of a campaign's records to a journal, or to nothing.

    Args:
        drawn: Source of the campaign's cases.
        options: Limits of the campaign, as JSON data.
        output: The open journal; None to write nothing.
        resume: True to continue the campaign in the file.

    Attributes:
        totals: Totals including earlier sessions.

    Raises:
        UnsupportedError: The file contains a campaign, and `resume` is False.
        FormatError: The file contains something other than a campaign.
    """

    def __init__(
        self, drawn: CaseSource, options: Data, output: journal.Journal | None, resume: bool
    ) -> None:
        self._output = output
        self.totals = Totals() if output is None or output.is_new else read(str(output.path))
        if self.totals.session and not resume:
            what = f"{output and output.path} has results"
            raise UnsupportedError(what, remedy=Remedy("resume"))
        self.totals.session += 1
        self.drawn_sha256 = self.totals.drawn[self.totals.session] = drawn_sha256(drawn)
        self._header: list[Data] = [self._new_header(drawn, options)]
        self._pending: list[Data] = []

    def _new_header(self, drawn: CaseSource, options: Data) -> Data:
        return {
            "kind": "header",
            "schema": SCHEMA,
            "writer": COMMAND,
            "session": self.totals.session,
            "drawn": asdict(drawn),
            "drawn_sha256": self.drawn_sha256,
            "options": options,
            "environment": environment(),
            "started": datetime.now(UTC).isoformat(timespec="seconds"),
        }

    def is_done(self, chunk: int, index: int | None = None) -> bool:
        """Return True if a chunk, or a case of it, was done earlier."""
        key = (self.drawn_sha256, chunk)
        return key in self.totals.whole or index in self.totals.done.get(key, ())

    def unshrunk(self) -> list[Data]:
        """Return unshrunk failures of earlier sessions with the same source of cases."""
        return [
            failure
            for failure in self.totals.failures.values()
            if not failure["is_shrunk"]
            and failure["what"] != GONE
            and self.totals.drawn.get(failure["session"]) == self.drawn_sha256
        ]

    def add(self, record: Data) -> None:
        """Add a record, to be written to disk by `write`."""
        whole = {**record, "session": self.totals.session}
        self._pending.append(whole)
        self.totals.add(whole)

    def write(self) -> None:
        """Write the added records."""
        pending, self._pending = self._pending, []
        if pending and self._output is not None:
            self._output.append(self._header + pending)
            self._header = []
