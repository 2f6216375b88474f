"""The results file of a suite: its missing runs, and the conversion of replies to records.

Runs are interleaved: all configurations run on an instance before the next one, each time starting
with a different one, so that a drift of the machine affects all alike. A run that has a record is
not repeated; a changed suite or puzzle has another hash, hence another key.
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

Reply = dict[str, Any]  # a reply of `zygote.Supervisor.run`
Hosts = Mapping[str, Mapping[str, Any]]  # environments by address
_PARTS = ("start_s", "encode_s", "solve_s", "check_s")
_WORDS = {"wall_s": "wall limit of {:g} s", "cpu_s": "CPU limit of {:g} s"}
_WORDS["memory_mib"] = "memory limit of {:g} MiB"


@dataclass(frozen=True, slots=True)
class Job:
    """A run to be done."""

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
    """Yield every run of a suite, interleaved."""
    ways = suite.configurations
    for repetition in range(suite.repetitions):
        for number, instance in enumerate(suite.instances):
            first = (number + repetition) % len(ways)
            for configuration in (*ways[first:], *ways[:first]):
                yield Job(instance, configuration, repetition)


def message_of(suite: Suite, job: Job) -> dict[str, Any]:
    """Return a job in the form that `process.Zygote.begin` takes."""
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


class RunBook:
    """The recorded runs of a suite.

    Args:
        suite: The suite.
        file: Open for writing; its present content is read.
        retry: Statuses; a run whose last record has one of them is done again.

    Attributes:
        notes: Remarks for the user before the runs start.
        num_done: Number of recorded runs.
        wrong: Recorded runs that are wrong, including those that a later run refutes.

    Raises:
        FormatError: The file is not a results file.
    """

    def __init__(self, suite: Suite, file: journal.Journal, retry: Container[str] = ()) -> None:
        self.suite = suite
        self._retry = retry
        self.notes: list[str] = []
        self.wrong: list[Run] = []
        self._file = file
        self._done: set[tuple[Any, ...]] = set()
        self._recorded: set[tuple[Any, ...]] = set()  # includes runs to be repeated
        self._known: dict[str, dict[str, None]] = {}  # digests of solutions, by puzzle
        self._claims: dict[str, list[Run]] = {}  # runs that further solutions may refute, by puzzle
        # number of solutions compared with those runs, by puzzle
        self._weighed: dict[str, int] = {}
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
        """Read the records of the file and register its runs."""
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
        """Register a record as the last one of its key; return the key."""
        key = run.key(self._headers[run.session])
        if key in self._recorded:
            self.wrong = [one for one in self.wrong if one.key(self._headers[one.session]) != key]
        self._recorded.add(key)
        self._done.add(key)
        return key

    def _learn(self, puzzle: str, digests: Sequence[str]) -> tuple[str, ...]:
        """Store verified solutions of a puzzle, at most two; return the new ones."""
        known = self._known.setdefault(puzzle, {})
        new = tuple(one for one in digests if one not in known)[: KEPT - len(known)]
        known.update(dict.fromkeys(new))
        return new

    def _weigh(self, run: Run) -> None:
        """Record a wrong run, and earlier runs that the solutions of this one refute."""
        if run.status is Status.WRONG:
            self.wrong.append(run)
        claims = self._claims.setdefault(run.sha256, [])
        if run.status is Status.OK and run.verdict in (Verdict.UNIQUE, Verdict.UNSOLVABLE):
            claims.append(replace(run, stages=(), statistics={}, solutions=()))
        num_solutions = len(self._known[run.sha256])
        if num_solutions == self._weighed.get(run.sha256, 0):
            return  # all claims have been compared with this number of solutions
        self._weighed[run.sha256] = num_solutions
        for claim in claims[:]:
            if reason := contradiction(claim.verdict, None, num_solutions):
                claims.remove(claim)
                self.wrong.append(replace(claim, status=Status.WRONG, reason=reason))

    @property
    def num_done(self) -> int:
        return len(self._done)

    def missing(self) -> list[Job]:
        """Return the missing runs in order."""
        requested = self.header.question()
        return [job for job in plan(self.suite) if (*job.key, *requested) not in self._done]

    def begin(self, hosts: Hosts) -> None:
        """Write a header, before the first run and before the first run of a new host.

        Args:
            hosts: Hosts of the cluster.
        """
        session = self.header.session + self._is_begun
        self.header, self._is_begun = _header(self.suite, session, hosts), True
        self._file.append([dump(self.header)])

    def write(self, replies: Sequence[tuple[Job, Reply]], host: str = "") -> list[Run]:
        """Record the replies of jobs; they are on disk on return.

        Args:
            replies: Jobs and their replies.
            host: Host of the cluster on which they ran.
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
        """Return status, verdict and reason, given the solutions that have been verified."""
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
    """Describe the end of the process, with the last output that it printed."""
    if reply["signal"] is not None:
        how = f"died of {signal_name(reply['signal'])}"
    else:
        how = f"ended with status {reply['exit']}"
    return f"{how} ({reply['words']})" if reply["words"] else how


def crash(reason: str) -> Reply:
    """Return the reply for a job that was tried repeatedly, each time ending the zygote itself."""
    now = datetime.now(UTC).timestamp()
    outcome = {"verdict": Verdict.UNKNOWN.value, "failure": [Status.CRASH.value, reason]}
    used = {"wall_s": 0.0, "cpu_s": 0.0, "peak_mib": 0.0, "load": [0.0, 0.0]}
    return {**used, "exit": None, "signal": None, "hit": None, "outcome": outcome, "started": now}
