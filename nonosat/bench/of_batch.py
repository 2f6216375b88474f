"""Results of `nonosat batch` as records of a benchmark, so that reports and comparisons read them.

A batch is a suite of one configuration, its options; its seconds are those of the wall, which stand
for CPU seconds, too: puzzles that several threads have worked on count no more than these. What was
no puzzle is no run. Pictures are known by their hashes alone.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any

from nonosat.batch import foreign
from nonosat.batch.fingerprint import digest
from nonosat.batch.results import check_record
from nonosat.core.result import MAX_TIME_S

Record = dict[str, Any]
SUITE = "batch"


class Batches:
    """Translates the lines of one file or folder; a result needs the header above it."""

    def __init__(self) -> None:
        self._headers: dict[Any, Record] = {}

    def translated(self, data: Record, path: str, line: int) -> Record | None:
        """The line as a record of a benchmark: itself where it is one, None where it is no run.

        Raises:
            FormatError: It is a line of a batch that is broken.
        """
        if foreign.foreign(data, foreign.BENCH) != f"written by `{foreign.BATCH}`":
            return data
        check_record(data, path, line)
        if data.get("repaired"):  # nobody knows what was asked then
            return None
        if data["kind"] == "header":
            self._headers[data["session"]] = data
            return _header(data)
        header = self._headers.get(data["session"], {})
        return None if data["sha256"] is None else _run(data, header)


def _header(data: Mapping[str, Any]) -> Record:
    options = data["options"]
    limits = {
        "wall_s": options.get("time_limit_s") or MAX_TIME_S,
        "cpu_s": None,
        "memory_mib": options.get("memory_limit_mib"),
    }
    return {
        **{name: data[name] for name in ("kind", "schema", "session", "task", "started")},
        "suite": SUITE,
        "suite_file": SUITE,  # whose folder files are in: the current one
        "suite_sha256": data["options_sha256"],
        "max_solutions": options["max_solutions"],
        "repetitions": 1,
        "limits": limits,
        "configurations": {_name(options): options | {"sha256": data["options_sha256"]}},
        "environment": data["environment"],
    }


def _run(data: Mapping[str, Any], header: Mapping[str, Any]) -> Record:
    options, seconds = header.get("options", {}), data["seconds"]
    details = [stage.get("detail", {}) for stage in data.get("stages", ())]
    counts: Counter[str] = Counter()
    for detail in details:
        counts.update({name: n for name, n in detail.items() if type(n) is int})
    encoded = [s["seconds"] for s in data.get("stages", ()) if s["name"] == "encode"]
    return {
        **{name: data[name] for name in ("session", "sha256", "size", "status", "verdict")},
        "kind": "run",
        "instance": f"{data['file']}#{data['id']}",
        "expected": None,
        "configuration": _name(options),
        "configuration_sha256": data["options_sha256"],
        "repetition": 0,
        "seed": options.get("seed", 0),
        "digests": [digest(rows) for rows in data["solutions"]],
        "wall_s": seconds,
        "cpu_s": seconds,
        "encode_s": sum(encoded) if encoded else None,
        "stages": data.get("stages", ()),
        "statistics": counts,
        "reason": data.get("reason", ""),
        "started": header.get("started", ""),
    }


def _name(options: Mapping[str, Any]) -> str:
    return str(options.get("backend", "auto"))
