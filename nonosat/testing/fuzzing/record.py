"""The file of a campaign: what was done, covered and found, so that hours add up.

JSON Lines by `processes/journal.py`: one writer, whole lines whatever it is killed by.

| key of a header | what |
|---|---|
| kind, schema, writer | "header", 1, "nonosat fuzz" |
| session | number of the start, from 1 |
| drawn, drawn_sha256 | seed, families, ways asked for; chunks of equal hashes hold the same cases |
| options | limits |
| environment, started | as in files of `nonosat batch` |

| key of chunk lines | what |
|---|---|
| kind, session, chunk | "chunk", number of its header, number of the chunk |
| of | how many cases the chunk has |
| indices | which of them were done now; a chunk may need several sessions |
| cases, answers, counts, seconds | as `coverage.py` has them |
| failures | how many of these cases failed |
| mib | peak resident memory of the processes that answered |
| wall_s | since the start, or since the line before |

| key of failure lines | what |
|---|---|
| kind, session, id | "failure", ..., its name; the last line of an id holds |
| what, guilty, others, text, is_shrunk | as `shrinking.data_of` has them |
| chunk, index, family, puzzle | where it was found; the puzzle, shrunk, as `to_data` has it |
| file | where it was saved |
| times | cases in which it showed |
| replaced_by | the id that it has since it was shrunk; then this one is no more |
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
from nonosat.testing.fuzzing.drawing import Drawn
from nonosat.testing.fuzzing.shrinking import GONE

SCHEMA = 1
COMMAND = foreign.FUZZ
Data = dict[str, Any]


def drawn_sha256(drawn: Drawn) -> str:
    """Hash of what decides which cases a chunk holds."""
    text = json.dumps(asdict(drawn), sort_keys=True, separators=(",", ":"))
    return sha256(text.encode()).hexdigest()


@dataclass(slots=True)
class Totals:
    """What all sessions of a file have done.

    Attributes:
        session: Number of the last one.
        drawn: By session, the hash of what it drew from.
        coverage: Of all.
        failures: The last line of each, by its id.
        done: Cases that are done, by hash of what was drawn and by chunk.
        wall_s: Seconds at work.
        mib: Peak resident memory of a process that answered.
        failed_cases: Cases in which anything failed.
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
        """Take a line."""
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
        if len(self.done[key]) >= record["of"]:  # no need to remember which
            del self.done[key]
            self.whole.add(key)
        self.coverage.merge(record)
        self.wall_s += record["wall_s"]
        self.mib = max(self.mib, record["mib"])
        self.failed_cases += record["failures"]


def read(path: str) -> Totals:
    """What a file holds.

    Raises:
        FormatError: It is no file of a campaign.
    """
    totals = Totals()
    for number, record in enumerate(journal.read(path, journal.removal), start=1):
        try:
            if number == 1 and (record["writer"], record["schema"]) != (COMMAND, SCHEMA):
                raise ValueError
            totals.add(record)
        except (KeyError, TypeError, ValueError, AttributeError):
            foreign.refuse(record, COMMAND, path, number)
            message = f"this is no record of `{COMMAND}`, schema {SCHEMA}; choose another file"
            raise FormatError(message, path=path, line=number) from None
    return totals


class Recorder:
    """Writes what a campaign does to a journal, or nowhere.

    Args:
        drawn: What the campaign draws from.
        options: Its limits, as JSON data.
        output: The open file; None for none.
        resume: Whether the file may hold something already.

    Attributes:
        totals: All that was done, in earlier sessions, too.

    Raises:
        UnsupportedError: The file holds a campaign, and nobody wants to go on with it.
        FormatError: It holds something else.
    """

    def __init__(
        self, drawn: Drawn, options: Data, output: journal.Journal | None, resume: bool
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

    def _new_header(self, drawn: Drawn, options: Data) -> Data:
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
        """Whether a chunk, or a case of it, was done earlier."""
        key = (self.drawn_sha256, chunk)
        return key in self.totals.whole or index in self.totals.done.get(key, ())

    def unshrunk(self) -> list[Data]:
        """Failures of earlier sessions that there was no time to shrink, and that are drawn now."""
        return [
            failure
            for failure in self.totals.failures.values()
            if not failure["is_shrunk"]
            and failure["what"] != GONE
            and self.totals.drawn.get(failure["session"]) == self.drawn_sha256
        ]

    def add(self, record: Data) -> None:
        """Take a line; `write` brings it to the disk."""
        whole = {**record, "session": self.totals.session}
        self._pending.append(whole)
        self.totals.add(whole)

    def write(self) -> None:
        """Write what was taken."""
        pending, self._pending = self._pending, []
        if pending and self._output is not None:
            self._output.append(self._header + pending)
            self._header = []
