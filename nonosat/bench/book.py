"""The file of results of a suite: what it lacks, and how a reply becomes a record in it.

Runs are interleaved: every configuration works on an instance before the next one comes, each time
beginning with another, so that a drift of the machine hits all alike. What has a record is never
run again; what a changed suite or puzzle makes different has another hash, hence another key.
"""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from datetime import UTC, datetime
from typing import Any

from nonosat.batch.environment import environment
from nonosat.batch.fingerprint import digest
from nonosat.bench.instances import Instance
from nonosat.bench.outcome import KEPT
from nonosat.bench.records import Header, Run, Status, contradiction, dump, parse
from nonosat.bench.suite import Configuration, Suite, command_of
from nonosat.core.errors import FormatError
from nonosat.core.result import Verdict
from nonosat.processes import journal
from nonosat.processes.system import signal_name

Reply = dict[str, Any]  # of `zygote.Supervisor.run`
Hosts = Mapping[str, Mapping[str, Any]]  # environments, by address
_PARTS = ("start_s", "encode_s", "solve_s", "check_s")
_WORDS = {"wall_s": "wall limit of {:g} s", "cpu_s": "CPU limit of {:g} s"}
_WORDS["memory_mib"] = "memory limit of {:g} MiB"


@dataclass(frozen=True, slots=True)
class Job:
    """A run that is to be done."""

    instance: Instance
    configuration: Configuration
    repetition: int

    @property
    def key(self) -> tuple[str, str, int]:
        """The key of the run within its suite."""
        return self.instance.sha256, self.configuration.sha256, self.repetition

    def __str__(self) -> str:
        return f"{self.configuration.name} on {self.instance.name}"


def plan(suite: Suite) -> Iterator[Job]:
    """Every run of a suite, interleaved."""
    ways = suite.configurations
    for repetition in range(suite.repetitions):
        for number, instance in enumerate(suite.instances):
            first = (number + repetition) % len(ways)
            for configuration in (*ways[first:], *ways[:first]):
                yield Job(instance, configuration, repetition)


def message_of(suite: Suite, job: Job) -> dict[str, Any]:
    """A job as `process.Zygote.begin` takes it."""
    options = dict(job.configuration.options)
    if "program" in options:
        options["program"] = command_of(job.configuration, suite)
    return {
        "puzzle": job.instance.text,
        "task": suite.task,
        "max_solutions": suite.max_solutions,
        "options": options,
        "limits": asdict(suite.limits),
        "folder": str(suite.path.parent.absolute()),
        "most_clauses": suite.most_clauses,
    }


def _header(suite: Suite, session: int, hosts: Hosts) -> Header:
    return Header(
        session=session,
        suite=suite.name,
        suite_file=str(suite.path),
        suite_sha256=suite.sha256,
        task=suite.task,
        max_solutions=suite.max_solutions,
        repetitions=suite.repetitions,
        limits=suite.limits,
        configurations={
            one.name: {**one.options, "sha256": one.sha256} for one in suite.configurations
        },
        environment=environment(),
        started=_now(datetime.now(UTC)),
        hosts=hosts,
    )


def _now(moment: datetime) -> str:
    return moment.isoformat(timespec="milliseconds")


class Book:
    """The recorded runs of a suite.

    Args:
        suite: The suite.
        file: Open for writing; what it holds already is read.
        retry: Statuses; a run whose last record has one is done again.

    Attributes:
        notes: What the user should know before it goes on.
        num_done: Runs that are recorded.
        wrong: Recorded runs that are wrong, including those that a later run refutes.

    Raises:
        FormatError: The file holds something else.
    """

    def __init__(self, suite: Suite, file: journal.Journal, retry: Container[str] = ()) -> None:
        self.suite = suite
        self._retry = retry
        self.notes: list[str] = []
        self.wrong: list[Run] = []
        self._file = file
        self._done: set[tuple[Any, ...]] = set()
        self._recorded: set[tuple[Any, ...]] = set()  # with those that are to be done again
        self._known: dict[str, dict[str, None]] = {}  # digests of solutions, by puzzle
        self._claims: dict[str, list[Run]] = {}  # what solutions may refute yet, by puzzle
        self._weighed: dict[str, int] = {}  # how many solutions have been held against those
        self._headers: dict[int, Header] = {}  # by session
        self._read()
        headers = self._headers
        if not (headers or file.is_new):
            message = "the file has lines, but none is a header of results; choose another file"
            raise FormatError(message, path=str(file.path))
        self.header = _header(suite, 1 + max(headers, default=0), {})
        self._is_begun = False
        if all("program" in one.options for one in suite.configurations):
            self.notes.append(
                "all configurations are programs: only solutions that they show, and an index of "
                "verdicts, can refute them; a table [configurations.auto] compares them with ours"
            )
        if headers and headers[max(headers)].suite_sha256 != suite.sha256:
            self.notes.append(
                f"{suite.path} has changed since; runs whose puzzle, options, task and limits are "
                "the same are kept"
            )

    def _read(self) -> None:
        """Take in what the file holds."""
        headers = self._headers
        path = str(self._file.path)
        for number, data in enumerate(journal.read(path), 1):
            record = parse(data, path, number)
            if isinstance(record, Header):
                headers[record.session] = record
            elif isinstance(record, Run):
                if record.session not in headers:
                    message = f"a run of session {record.session}, expected its header before it"
                    raise FormatError(message, path=path, line=number)
                key = self._keep(record)
                if record.status.value in self._retry:
                    self._done.remove(key)
                self._learn(record.sha256, record.digests)
                self._weigh(record)

    def _keep(self, run: Run) -> tuple[Any, ...]:
        """Take in a record, the last one so far of its key; returns the key."""
        key = run.key(self._headers[run.session])
        if key in self._recorded:
            self.wrong = [one for one in self.wrong if one.key(self._headers[one.session]) != key]
        self._recorded.add(key)
        self._done.add(key)
        return key

    def _learn(self, puzzle: str, digests: Sequence[str]) -> tuple[str, ...]:
        """Remember verified solutions of a puzzle, at most two; returns the new ones."""
        known = self._known.setdefault(puzzle, {})
        new = tuple(one for one in digests if one not in known)[: KEPT - len(known)]
        known.update(dict.fromkeys(new))
        return new

    def _weigh(self, run: Run) -> None:
        """Remember a wrong run, and earlier runs that the solutions of this one refute."""
        if run.status is Status.WRONG:
            self.wrong.append(run)
        claims = self._claims.setdefault(run.sha256, [])
        if run.status is Status.OK and run.verdict in (Verdict.UNIQUE, Verdict.UNSOLVABLE):
            claims.append(replace(run, stages=(), statistics={}, solutions=()))
        num_solutions = len(self._known[run.sha256])
        if num_solutions == self._weighed.get(run.sha256, 0):
            return  # each claim was right about so many
        self._weighed[run.sha256] = num_solutions
        for claim in claims[:]:
            if reason := contradiction(claim.verdict, None, num_solutions):
                claims.remove(claim)
                self.wrong.append(replace(claim, status=Status.WRONG, reason=reason))

    @property
    def num_done(self) -> int:
        return len(self._done)

    def missing(self) -> list[Job]:
        """The runs to be done, in order."""
        asked = self.header.question()
        return [job for job in plan(self.suite) if (*job.key, *asked) not in self._done]

    def begin(self, hosts: Hosts) -> None:
        """Write a header, before the first run and before that of a host which it lacks.

        Args:
            hosts: Of the cluster.
        """
        session = self.header.session + self._is_begun
        self.header, self._is_begun = _header(self.suite, session, hosts), True
        self._file.append([dump(self.header)])

    def write(self, replies: Sequence[tuple[Job, Reply]], host: str = "") -> list[Run]:
        """Record what became of jobs; they are on the disk when this returns.

        Args:
            replies: Jobs and what became of them.
            host: Of the cluster, where they were done.
        """
        runs = [self._run(job, reply, host) for job, reply in replies]
        self._file.append(map(dump, runs))
        self._headers[self.header.session] = self.header
        for run in runs:
            self._keep(run)
            self._weigh(run)
        return runs

    def _run(self, job: Job, reply: Reply, host: str) -> Run:
        outcome = reply["outcome"] or {}
        solutions = tuple(map(tuple, outcome.get("solutions", ())))
        digests = tuple(map(digest, solutions))
        new = self._learn(job.instance.sha256, digests)
        shown = new if self.suite.pictures else ()
        status, verdict, reason = self._judged(job, reply)
        return Run(
            session=self.header.session,
            instance=job.instance.name,
            sha256=job.instance.sha256,
            size=job.instance.size,
            expected=job.instance.expected,
            configuration=job.configuration.name,
            configuration_sha256=job.configuration.sha256,
            repetition=job.repetition,
            seed=job.configuration.options["seed"],
            status=status,
            verdict=verdict,
            started=_now(datetime.fromtimestamp(reply["started"], UTC)),
            count=outcome.get("count"),
            digests=digests,
            solutions=tuple(one for one in solutions if digest(one) in shown),
            wall_s=round(reply["wall_s"], 6),
            cpu_s=round(reply["cpu_s"], 6),
            peak_mib=round(reply["peak_mib"], 2),
            stages=outcome.get("stages", ()),
            statistics=outcome.get("statistics", {}),
            load=(round(reply["load"][0], 2), round(reply["load"][1], 2)),
            reason=reason,
            exit=outcome.get("exit", reply["exit"]),
            signal=outcome.get("signal", reply["signal"]),
            host=host,
            **{name: round(outcome[name], 6) for name in _PARTS if name in outcome},
        )

    def _judged(self, job: Job, reply: Reply) -> tuple[Status, Verdict, str]:
        """Status, verdict and reason, given the solutions that have been verified."""
        outcome, hit = reply["outcome"], reply["hit"]
        failed, reason = (outcome or {}).get("failure", (None, ""))
        if hit and failed != Status.WRONG.value:
            status = Status.MEMOUT if hit == "memory_mib" else Status.TIMEOUT
            limit = getattr(self.suite.limits, hit)
            return status, Verdict.UNKNOWN, _WORDS[hit].format(limit)
        if outcome is None:
            return Status.CRASH, Verdict.UNKNOWN, _death(reply)
        verdict = Verdict(outcome["verdict"])
        if failed:
            return Status(failed), verdict, reason
        num_solutions = len(self._known[job.instance.sha256])
        wrong = contradiction(verdict, job.instance.expected, num_solutions)
        return (Status.WRONG, verdict, wrong) if wrong else (Status.OK, verdict, "")


def _death(reply: Reply) -> str:
    """How the process ended, with the last words that it printed."""
    if reply["signal"] is not None:
        how = f"died of {signal_name(reply['signal'])}"
    else:
        how = f"ended with status {reply['exit']}"
    return f"{how} ({reply['words']})" if reply["words"] else how


def crash(reason: str) -> Reply:
    """The reply for a job that ended the process which does runs, each time it was tried."""
    now = datetime.now(UTC).timestamp()
    outcome = {"verdict": Verdict.UNKNOWN.value, "failure": [Status.CRASH.value, reason]}
    used = {"wall_s": 0.0, "cpu_s": 0.0, "peak_mib": 0.0, "load": [0.0, 0.0]}
    return {**used, "exit": None, "signal": None, "hit": None, "outcome": outcome, "started": now}
