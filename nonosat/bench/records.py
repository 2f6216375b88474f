"""The records of a benchmark, one JSON object per line: a header for each start, and the runs.

Schema 1. A file begins with a header; every further start (`--resume`) appends another, and so does
a host that joins a cluster. Readers must ignore unknown keys and kinds.

`header`:

| key | value |
|---|---|
| kind, schema | "header", 1 |
| session | number of the header, from 1; its runs carry it |
| suite, suite_file, suite_sha256 | name; path as the user gave it; hash of the file |
| task | "solve" (first solution), "check" (uniqueness), "count" or "enumerate" |
| max_solutions | maximum number of solutions: 1 to solve, 2 to check, null for all |
| repetitions | number of runs of each pair of an instance and a configuration |
| limits | `wall_s`, `cpu_s`, `memory_mib` of one run; the last two may be null |
| configurations | options by name, each with the `sha256` of its options |
| environment | `nonosat`, `commit` (null outside a checkout), `python`, `versions`, `cpu`, ... |
| hosts | on a cluster: the environment of each host that has workers, by its address; else {} |
| started | UTC, ISO 8601 |

`run` (seconds are wall seconds unless the name says cpu; paths are relative to the suite's folder):

| key | value |
|---|---|
| kind, session | "run", number of the header it belongs to |
| instance | "FILE#ID", or "noise:..." for a generated one |
| sha256 | of the puzzle: colours, clues and given cells, independent of the file format |
| size | [rows, columns] |
| expected | its verdict in `index.csv` in the file's folder; else null |
| configuration, configuration_sha256 | name, hash of the options |
| repetition, seed | counted from 0; the seed of the engines |
| status | "ok", "timeout", "memout", "crash", "unsupported", "wrong" |
| verdict | "solved", "unique", "multiple", "unsolvable" or "unknown" |
| count | number of solutions for a task that counts, up to 10^4000; else null |
| digests | hashes of up to two verified solutions, by `fingerprint.digest` |
| solutions | those that are new to the file: rows, "." empty, "#" first colour, then a, ... |
| wall_s | from the fork until the first process of the run ended, or a limit was hit |
| cpu_s | user and system seconds of all processes of the run |
| start_s, encode_s, solve_s, check_s | parts of wall_s; null for parts not reached |
| peak_mib | peak resident memory of the process tree, without pages that all runs share |
| stages | the steps of the pipeline |
| statistics | sums of their counters; `answer_cpu_s`: CPU seconds of the answer, or a program's |
| load | of the machine, before and after |
| reason | reason of a status other than ok, or the limit that was hit; else "" |
| exit, signal | exit status of the process, or the number of a signal; the other is null |
| started | UTC, ISO 8601 |
| host | address of the cluster's host; "" without a cluster |

With `pictures = false` in the suite, only digests are recorded. Each picture is recorded once.

`ok` is a verdict other than unknown with correct solutions. `wrong` is a solution that the clues
refute, or a verdict that verified solutions or the index contradict.

Invariant: `key` is unique in a file: no run is repeated except by `--retry`; of several
records with the same key the last one counts.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, fields
from enum import Enum
from typing import Any, TypeVar

from nonosat.batch import foreign
from nonosat.batch.repair import Judge
from nonosat.core.errors import FormatError, shown
from nonosat.core.result import FrozenDict, Verdict

SCHEMA = 1
TASKS = ("solve", "check", "count", "enumerate")
Record = dict[str, Any]
T = TypeVar("T", "Header", "Run")


class Status(Enum):
    """Result status of a run."""

    OK = "ok"
    TIMEOUT = "timeout"  # of wall or CPU seconds, or the engine gave up
    MEMOUT = "memout"
    CRASH = "crash"
    UNSUPPORTED = "unsupported"  # the configuration cannot handle this puzzle or task
    WRONG = "wrong"


@dataclass(frozen=True, slots=True)
class RunLimits:
    """The limits of one run, with all the processes it starts.

    Args:
        wall_s: Wall seconds, start-up included.
        cpu_s: User and system seconds; None for no limit.
        memory_mib: Resident memory; None for no limit.
    """

    wall_s: float
    cpu_s: float | None = None
    memory_mib: int | None = None


@dataclass(frozen=True, slots=True)
class Header:
    """One start, or another host; the schema above explains the fields."""

    session: int
    suite: str
    suite_file: str
    suite_sha256: str
    task: str
    max_solutions: int | None
    repetitions: int
    limits: RunLimits
    configurations: Mapping[str, Mapping[str, Any]]
    environment: Mapping[str, Any]
    started: str
    hosts: Mapping[str, Mapping[str, Any]] = field(default_factory=FrozenDict)

    def question(self) -> tuple[Any, ...]:
        """Return task, number of solutions and limits, which are part of every run's key."""
        limits = self.limits
        requested = (self.task, self.max_solutions)
        return (*requested, limits.wall_s, limits.cpu_s, limits.memory_mib)


@dataclass(frozen=True, slots=True)
class Run:
    """One run; the schema above explains the fields."""

    session: int
    instance: str
    sha256: str
    size: tuple[int, int]
    expected: Verdict | None
    configuration: str
    configuration_sha256: str
    repetition: int
    seed: int
    status: Status
    verdict: Verdict
    started: str
    count: int | None = None
    digests: tuple[str, ...] = ()
    solutions: tuple[tuple[str, ...], ...] = ()
    wall_s: float = 0.0
    cpu_s: float = 0.0
    start_s: float | None = None
    encode_s: float | None = None
    solve_s: float | None = None
    check_s: float | None = None
    peak_mib: float = 0.0
    stages: Sequence[Mapping[str, Any]] = ()
    statistics: Mapping[str, Any] = field(default_factory=FrozenDict)
    load: tuple[float, float] = (0.0, 0.0)
    reason: str = ""
    exit: int | None = None
    signal: int | None = None
    host: str = ""

    def key(self, header: Header) -> tuple[Any, ...]:
        """Return the key of the run within its file.

        Args:
            header: The header of the run's session.
        """
        own = (self.sha256, self.configuration_sha256, self.repetition)
        return (*own, *header.question())


def dump(record: Header | Run) -> Record:
    """Return a header or a run as JSON data."""
    data = {
        name: value.value if isinstance(value, Enum) else value
        for name, value in asdict(record).items()
    }
    if isinstance(record, Header):
        return {"kind": "header", "schema": SCHEMA, **data}
    return {"kind": "run", **data}


def parse(data: Record, path: str, line: int) -> Header | Run | None:
    """Return the record in a line of a results file, or None for an unknown kind.

    Args:
        data: The JSON object.
        path: Name of the file, for errors.
        line: Number of the line, for errors.

    Raises:
        FormatError: A value is missing or of a wrong type, the schema is a later one, or another
            command wrote the line.
    """
    foreign.refuse(data, foreign.BENCH, path, line)
    kind = data.get("kind")
    try:
        if kind == "header":
            return _header(data)
        return _run(data) if kind == "run" else None
    except (KeyError, TypeError, ValueError, OverflowError) as error:
        what = f"without {error}" if isinstance(error, KeyError) else f"that is broken: {error}"
        message = f"a {kind} {what}, expected a record of `bench run`, schema {SCHEMA}"
        raise FormatError(message, path=path, line=line) from None


def _header(data: Record) -> Header:
    if data["schema"] != SCHEMA:
        raise ValueError(f"schema {shown(data['schema'])}; use the release that wrote it")
    kept = _fields(Header, data)
    if kept["task"] not in TASKS:
        raise ValueError(f"task {shown(kept['task'])} is none of {', '.join(TASKS)}")
    kept["limits"] = RunLimits(**_fields(RunLimits, data["limits"]))
    return Header(**kept)


def _run(data: Record) -> Run:
    kept = _fields(Run, data)
    kept["status"] = Status(data["status"])
    kept["verdict"] = Verdict(data["verdict"])
    expected = data["expected"]
    kept["expected"] = None if expected is None else Verdict(expected)
    height, width = data["size"]
    kept["size"] = (int(height), int(width))
    kept["digests"] = tuple(data.get("digests", ()))
    kept["solutions"] = tuple(map(tuple, data.get("solutions", ())))
    kept["stages"] = tuple(data.get("stages", ()))
    before, after = data.get("load", (0, 0))
    kept["load"] = (float(before), float(after))
    return Run(**kept)


def _fields(kind: type, data: Record) -> dict[str, Any]:
    """Return the keys of `data` that are fields of the dataclass."""
    return {one.name: data[one.name] for one in fields(kind) if one.name in data}


def contradiction(verdict: Verdict, expected: Verdict | None, num_solutions: int) -> str | None:
    """Return the reason why a verdict is wrong, or None.

    The verdict of an index is ignored if solutions refute it.

    Args:
        verdict: Verdict of a configuration.
        expected: Verdict of the index.
        num_solutions: Number of different verified solutions of the puzzle, found by any
            configuration; more than two count as two.
    """
    if reason := _refuted(verdict, num_solutions):
        return reason
    if expected is None or _refuted(expected, num_solutions) or verdict is expected:
        return None
    if Verdict.UNKNOWN in (verdict, expected):
        return None
    if Verdict.SOLVED in (verdict, expected) and Verdict.UNSOLVABLE not in (verdict, expected):
        return None
    return f"{verdict.value}, but the index states {expected.value}"


def _refuted(verdict: Verdict, num_solutions: int) -> str | None:
    """Return the reason why the number of verified solutions excludes a verdict, or None."""
    if verdict is Verdict.UNIQUE and num_solutions > 1:
        return "two verified solutions refute that it is unique"
    if verdict is Verdict.UNSOLVABLE and num_solutions:
        return "a verified solution refutes that it is unsolvable"
    return None


def judge_of_bench() -> Judge:
    """Return a judge of the lines of a file, from the first to the last, for its repair.

    A run requires the header of its session, which contains the limits and the task. If that is
    lost, its runs are dropped as well, and are done again.
    """
    sessions: set[int] = set()

    def judge(data: Record, path: str, number: int) -> None:
        record = parse(data, path, number)
        if isinstance(record, Header):
            sessions.add(record.session)
        elif isinstance(record, Run) and record.session not in sessions:
            what = f"a run of session {record.session}, whose header is lost"
            raise FormatError(what, path=path, line=number)

    return judge
