"""Reader of results files: the runs of one task, in order, with their headers.

A report compares runs of one task under the same limits. A file may contain several of them (a
suite that was changed and resumed); those of the last session are kept, the others are omitted and
counted.

Invariant: every number of a returned run is finite, every name is text, because files are
untrusted. Linear in the length of the text.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from nonosat.batch import foreign
from nonosat.batch.fingerprint import digest
from nonosat.batch.results import check_record, records
from nonosat.bench.records import Header, Run, parse
from nonosat.core.errors import FormatError, UnsupportedError, counted, shown
from nonosat.core.limits import MAX_TIME_S

_TEXTS = (
    *("instance", "sha256", "configuration", "configuration_sha256", "reason", "started"),
    "host",
)
_NUMBERS = ("wall_s", "cpu_s", "peak_mib", "repetition", "seed", "session")
_PARTS = ("start_s", "encode_s", "solve_s", "check_s", "exit", "signal")
_SUITE = "batch"  # suite name for results of a batch
MAX_CONFIGURATIONS = 100  # a page with more would be unreadable


@dataclass(frozen=True, slots=True)
class Results:
    """Runs of one task under the same limits.

    Args:
        header: The last session's header.
        headers: Header by the label of a configuration: the last one that has its options.
        runs: In the order of the files; `configuration` is a label, different for different
            options.
        remarks: Notes for the user on omitted and renamed runs.
    """

    header: Header
    headers: Mapping[str, Header]
    runs: Sequence[Run]
    remarks: Sequence[str]


def load(paths: Sequence[str]) -> Results:
    """Return the runs of all files that have the task and limits of the last one.

    Args:
        paths: Files of results.

    Raises:
        FormatError: A line is not a record; the error names file and line.
        UnsupportedError: There are no runs, or too many configurations to be compared.
    """
    remarks: list[str] = []
    found = [(path, header, run) for path in paths for header, run in _last(path, remarks)]
    if not found:
        raise UnsupportedError(
            f"no runs in {', '.join(paths)}, expected what `bench run` or `batch` writes"
        )
    last = found[-1][1]
    kept = [one for one in found if one[1].question() == last.question()]
    if left_out := len(found) - len(kept):
        remarks.append(
            f"{counted(left_out, 'run')} of another task or under other limits left out; "
            f"shown is {described(last)}"
        )
    if any(header.suite == _SUITE for _path, header, _run in kept):
        remarks.append("batch measures wall seconds, which are shown as CPU seconds")
    labels = _labels(kept)
    if len(set(labels.values())) > MAX_CONFIGURATIONS:
        raise UnsupportedError(
            f"{len(set(labels.values()))} configurations, expected at most {MAX_CONFIGURATIONS}: "
            "report on fewer files"
        )
    named = [(header, labels[_identity(path, run)], run) for path, header, run in kept]
    runs = [replace(run, configuration=label) for _header, label, run in named]
    return Results(last, {label: header for header, label, _run in named}, runs, remarks)


def _last(path: str, remarks: list[str]) -> list[tuple[Header, Run]]:
    """Return the runs of a file; of the records of a repeated run only the last counts."""
    last: dict[tuple[Any, ...], tuple[Header, Run]] = {}
    again = 0
    for header, run in _records(path):
        again += run.key(header) in last
        last[run.key(header)] = header, run
    if again:
        remarks.append(f"{counted(again, 'record')} of runs that were done again left out")
    return list(last.values())


def described(header: Header) -> str:
    """Return task and limits of a session in words."""
    limits = header.limits
    parts = [f"{header.task}", f"wall {limits.wall_s:g} s"]
    parts += [f"CPU {limits.cpu_s:g} s"] if limits.cpu_s else []
    parts += [f"memory {limits.memory_mib:g} MiB"] if limits.memory_mib else []
    return ", ".join(parts)


def _records(path: str) -> Iterator[tuple[Header, Run]]:
    """Yield each run of a file, or of a folder of a batch, with the header of its session."""
    headers: dict[int, Header] = {}
    batches = _Batches()
    for data, file, number in records(path):
        try:
            known = batches.translated(data, file, number)
            record = parse(known, file, number) if known is not None else None
        except (KeyError, TypeError, AttributeError, ValueError):
            text = "this is no whole record of a batch; choose another file"
            raise FormatError(text, path=file, line=number) from None
        except OverflowError:
            text = "a number beyond all measure, expected a record of results"
            raise FormatError(text, path=file, line=number) from None
        if isinstance(record, Header):
            headers[record.session] = _sound_header(record, file, number)
        elif record is not None:
            _check(record, file, number)
            if record.session not in headers:
                text = f"a run of session {shown(record.session)}, expected a header of it above"
                raise FormatError(text, path=file, line=number)
            yield headers[record.session], record


def _check(run: Run, path: str, line: int) -> None:
    """Raise FormatError for a run whose fields do not conform to the schema."""
    for name in _TEXTS:
        if not isinstance(value := getattr(run, name), str):
            raise FormatError(f"{name} is {shown(value)}, expected text", path=path, line=line)
    for name in _NUMBERS + _PARTS:
        value = getattr(run, name)
        is_missing = value is None and name in _PARTS
        if not is_missing and not _is_number(value):
            raise FormatError(f"{name} is {shown(value)}, expected a number", path=path, line=line)
    is_text = all(isinstance(row, str) for rows in (run.digests, *run.solutions) for row in rows)
    is_count = run.count is None or (type(run.count) is int and run.count >= 0)
    if not is_text or not is_count or not isinstance(run.statistics, dict):
        text = "solutions, count or statistics are of wrong types, expected a record of results"
        raise FormatError(text, path=path, line=line)


def _is_number(value: object) -> bool:
    """Return True for a finite number of moderate size."""
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    return is_number and abs(value) < 2**63  # type: ignore[arg-type]  # False for NaN


def _sound_header(header: Header, path: str, line: int) -> Header:
    """Return the header if its fields have the right types; else raise FormatError."""
    limits = header.limits
    given = (limits.cpu_s, limits.memory_mib, header.max_solutions)
    are_numbers = _is_number(limits.wall_s) and limits.wall_s > 0
    are_numbers &= all(value is None or (_is_number(value) and value > 0) for value in given)
    tables: list[object] = [header.configurations, header.environment, header.hosts]
    if isinstance(header.configurations, dict):
        tables += header.configurations.values()
    texts = (header.suite, header.suite_file, header.started, header.suite_sha256)
    are_right = (
        are_numbers
        and isinstance(header.session, int)
        and all(isinstance(table, dict) for table in tables)
        and all(isinstance(text, str) for text in texts)
    )
    if not are_right:
        text = "a header whose parts are of wrong types, expected a record of schema 1"
        raise FormatError(text, path=path, line=line)
    return header


def options_of(header: Header, run: Run) -> Mapping[str, Any]:
    """Return the options of a run's configuration; empty if the header does not contain it."""
    every = header.configurations.values()
    same = (options for options in every if options.get("sha256") == run.configuration_sha256)
    return next(same, {})


Identity = tuple[str, str, str]


def _identity(path: str, run: Run) -> Identity:
    return path, run.configuration, run.configuration_sha256


def _labels(found: Sequence[tuple[str, Header, Run]]) -> dict[Identity, str]:
    """Return a label for each configuration of each file.

    The same options under one name are one configuration, unless two files contain the same run of
    it: then they are two measurements, distinguished by the file.
    """
    owners: dict[tuple[str, ...], str] = {}
    measured_twice: set[tuple[str, str]] = set()
    shas: dict[str, dict[str, None]] = {}
    for path, _header, run in found:
        name, sha = run.configuration, run.configuration_sha256
        shas.setdefault(name, {})[sha] = None
        if owners.setdefault((name, sha, run.sha256, str(run.repetition)), path) != path:
            measured_twice.add((name, sha))
    labels: dict[Identity, str] = {}
    for path, _header, run in found:
        identity = _identity(path, run)
        if identity not in labels:
            _path, name, sha = identity
            number = list(shas[name]).index(sha) + 1
            label = name if number == 1 else f"{name} ({number})"
            labels[identity] = f"{label} @ {path}" if (name, sha) in measured_twice else label
    return _distinct(labels)


def _distinct(labels: dict[Identity, str]) -> dict[Identity, str]:
    """Return the labels, with a number appended if different configurations share one by chance."""
    names = {(label, identity[1:]): label for identity, label in labels.items()}
    shared = Counter(label for label, _options in names)
    seen: Counter[str] = Counter()
    for label, options in names:
        if shared[label] > 1:
            seen[label] += 1
            names[label, options] = f"{label} #{seen[label]}"
    return {identity: names[label, identity[1:]] for identity, label in labels.items()}


# Results of `nonosat batch` as records of a benchmark. A batch is a suite of one configuration, its
# options. Its wall seconds also serve as CPU seconds, although several threads may have worked on a
# puzzle. Pictures are represented by their hashes alone.


class _Batches:
    """Translator of one results file of `batch`, line by line, to records of a benchmark.

    It stores the headers, because a result is translated with the header of its session.
    """

    def __init__(self) -> None:
        self._headers: dict[Any, dict[str, Any]] = {}

    def translated(self, data: dict[str, Any], path: str, line: int) -> dict[str, Any] | None:
        """Return the line as a record of a benchmark, or None if it is not a run.

        A line that is a record of a benchmark already is returned unchanged.

        Raises:
            FormatError: The line belongs to a batch and is invalid.
        """
        if foreign.foreign(data, foreign.BENCH) != f"written by `{foreign.BATCH}`":
            return data
        check_record(data, path, line)
        if data.get("repaired"):  # the options of that run are unknown
            return None
        if data["kind"] == "header":
            self._headers[data["session"]] = data
            return _header(data)
        header = self._headers.get(data["session"], {})
        return None if data["sha256"] is None else _run(data, header)


def _header(data: Mapping[str, Any]) -> dict[str, Any]:
    options = data["options"]
    limits = {
        "wall_s": options.get("time_limit_s") or MAX_TIME_S,
        "cpu_s": None,
        "memory_mib": options.get("memory_limit_mib"),
    }
    return {
        **{name: data[name] for name in ("kind", "schema", "session", "task", "started")},
        "suite": _SUITE,
        "suite_file": _SUITE,  # relative paths start at its folder, the current one
        "suite_sha256": data["options_sha256"],
        "max_solutions": options["max_solutions"],
        "repetitions": 1,
        "limits": limits,
        "configurations": {_name(options): options | {"sha256": data["options_sha256"]}},
        "environment": data["environment"],
    }


def _run(data: Mapping[str, Any], header: Mapping[str, Any]) -> dict[str, Any]:
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
