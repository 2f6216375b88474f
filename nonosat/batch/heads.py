"""Headers, and the first fields of a result: location and hash of its puzzle."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from hashlib import sha256
from typing import Any

from nonosat.batch.deciding import BatchTask, Record, end_data, reason_of, status_of
from nonosat.batch.environment import environment
from nonosat.batch.fingerprint import fingerprint
from nonosat.batch.results import SCHEMA
from nonosat.core import hooks
from nonosat.core.errors import LimitReached
from nonosat.core.limits import Limits, Watch
from nonosat.core.plugins import Puzzle
from nonosat.core.scope import within

LARGE = 100_000  # cells of a puzzle whose hash takes some milliseconds


def options_sha256(task: BatchTask) -> str:
    """Return the hash of the task and its options, on which answers depend besides the puzzle."""
    data = {"task": task.question, **_rules_data(task), **task.options.to_data()}
    return sha256(json.dumps(data, sort_keys=True, separators=(",", ":")).encode()).hexdigest()


def _rules_data(task: BatchTask) -> Record:
    return {} if task.rules is None else {"rules": task.rules.name}


@dataclass(frozen=True, slots=True)
class Heads:
    """Header of a session, and the fields that each of its records begins with.

    Args:
        task: Task for every puzzle.
        session: Number of the header.
        options: Hash of the task.
    """

    task: BatchTask
    session: int
    options: str

    def header(self, sources: Sequence[str]) -> Record:
        """Return the header; `sources` are the files and folders of the command line."""
        return {
            "kind": "header",
            "schema": SCHEMA,
            "session": self.session,
            "task": self.task.question,
            **_rules_data(self.task),
            "sources": list(sources),
            "options": self.task.options.to_data(),
            "options_sha256": self.options,
            "environment": environment(),
            "started": datetime.now(UTC).isoformat(timespec="seconds"),
        }

    def of(self, file: str, item: Any, spent_s: float) -> Record:
        """Return the first fields of a record, which describe the puzzle.

        If the puzzle cannot be read or hashed, they are the whole record, with a `status`.

        Args:
            file: The puzzle's file.
            item: The puzzle, or the error that reading it raised.
            spent_s: Seconds spent on the puzzle so far, which count towards its time limit.
        """
        head: Record = {"kind": "result", "session": self.session, "file": file}
        if isinstance(item, Exception):
            head |= {"id": "", "sha256": None, "options_sha256": self.options, "size": None}
            return head | end_data(status_of(item), reason_of(item), 0.0)
        sha256, size, end, begun = None, [item.height, item.width], {}, hooks.clock()
        try:
            sha256 = self._fingerprint(item, spent_s)
        except LimitReached as limit:
            end = end_data(status_of(limit), str(limit), spent_s + hooks.clock() - begun)
        of_options = {"options_sha256": self.options}
        return head | {"id": item.about.id, "sha256": sha256} | of_options | {"size": size} | end

    def _fingerprint(self, puzzle: Puzzle, spent_s: float) -> str:
        """Return the hash that identifies a puzzle; raise LimitReached if its time is over."""
        limits = Limits(self.task.limits(spent_s).time_s)
        if puzzle.height * puzzle.width < LARGE or limits == Limits():
            return fingerprint(puzzle)
        return within(Watch(limits), lambda: fingerprint(puzzle))
