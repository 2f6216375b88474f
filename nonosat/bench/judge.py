"""Compares the verdicts of all configurations on each instance, and marks wrong answers.

The driver has verified every solution of a run with the status `ok`. These solutions are evidence:
one refutes "unsolvable", two different ones refute "unique" and a count of one, for all
configurations, and also the verdicts of the index. Contradictions that the records cannot decide
(different counts, or incompatible verdicts without a solution) are disputes. Linear in the number
of runs.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from nonosat.batch.fingerprint import digest
from nonosat.bench.again import command
from nonosat.bench.records import Run, Status, contradiction
from nonosat.bench.results import Results
from nonosat.core.errors import counted
from nonosat.core.result import Verdict

_DIGITS = 40  # digits of a count that are shown


@dataclass(frozen=True, slots=True)
class WrongAnswer:
    """A wrong answer, with a command that repeats the run."""

    configuration: str
    instance: str
    reason: str
    command: str


@dataclass(frozen=True, slots=True)
class Judgement:
    """The result of comparing all verdicts.

    Args:
        statuses: One per run, in their order: the driver's, or wrong.
        wrong: The smallest wrong answer of each configuration that gave any.
        num_wrong: Number of wrong runs by configuration.
        disputes: Contradictions that the records cannot decide, one line each.
    """

    statuses: Sequence[Status]
    wrong: Sequence[WrongAnswer]
    num_wrong: Mapping[str, int]
    disputes: Sequence[str]


def judge(results: Results) -> Judgement:
    """Compare all verdicts on each instance.

    Args:
        results: The runs; those on the same puzzle (by its hash) are compared.
    """
    by_puzzle: dict[str, list[int]] = {}
    for index, run in enumerate(results.runs):
        by_puzzle.setdefault(run.sha256, []).append(index)
    statuses = [run.status for run in results.runs]
    reasons = {index: run.reason for index, run in enumerate(results.runs)}
    disputes: list[str] = []
    for indices in by_puzzle.values():
        runs = [results.runs[index] for index in indices]
        evidence = _evidence(runs)
        disputes += _refuted_index(runs, evidence)
        for index, run in zip(indices, runs, strict=True):
            if reason := _reason(run, evidence, results.header.max_solutions):
                statuses[index], reasons[index] = Status.WRONG, reason
        disputes += _disputes(
            [run for index, run in zip(indices, runs, strict=True) if _ok(statuses[index])]
        )
    return _judgement(results, statuses, reasons, disputes)


def _ok(status: Status) -> bool:
    return status is Status.OK


def _evidence(runs: Sequence[Run]) -> int:
    """Return the number of different verified solutions of one puzzle; at most two count."""
    solutions: set[str] = set()
    for run in runs:
        if run.status is Status.OK:
            solutions.update(run.digests, map(digest, run.solutions))
    return min(len(solutions), 2)


def _refuted_index(runs: Sequence[Run], evidence: int) -> list[str]:
    """Return the index's mistakes, one line per file."""
    expected_of = {run.instance: run.expected for run in runs if run.expected is not None}
    return [
        f"{name}: the index states {expected.value}, which verified solutions refute"
        for name, expected in expected_of.items()
        if contradiction(expected, None, evidence)
    ]


def _reason(run: Run, evidence: int, most: int | None) -> str | None:
    """Return the reason why a run that the driver marked ok is wrong; None if it is not.

    A count that stopped at the maximum (`most`) is consistent with further solutions.
    """
    if run.status is not Status.OK:
        return None
    if run.count is not None and run.count < min(evidence, most or evidence):
        return f"it counts {run.count}, but {counted(evidence, 'solution')} verified"
    return contradiction(run.verdict, run.expected, evidence)


def _disputes(runs: Sequence[Run]) -> list[str]:
    """Return contradictions between runs that no solution has decided."""
    found = []
    verdicts = {run.verdict for run in runs}
    excludes_others = Verdict.UNSOLVABLE in verdicts and len(verdicts) > 1
    if excludes_others or {Verdict.UNIQUE, Verdict.MULTIPLE} <= verdicts:
        found.append(_sides(runs, lambda run: run.verdict.value))
    if len({run.count for run in runs if run.count is not None}) > 1:
        found.append(_sides(runs, lambda run: run.count))
    return found


def _sides(runs: Sequence[Run], claim_of: Callable[[Run], str | int | None]) -> str:
    """Return one line with each statement on an instance and the configurations that make it."""
    sides: dict[str | int, dict[str, None]] = {}
    for run in runs:
        if (what := claim_of(run)) is not None:
            sides.setdefault(what, {})[run.configuration] = None
    listed = "; ".join(f"{_short(what)} by {', '.join(names)}" for what, names in sides.items())
    return f"{runs[0].instance}: {listed}"


def _short(what: str | int) -> str:
    text = str(what)
    return text if len(text) <= _DIGITS else f"{text[:_DIGITS]}... ({len(text)} digits)"


def _judgement(
    results: Results, statuses: list[Status], reasons: Mapping[int, str], disputes: list[str]
) -> Judgement:
    num_wrong: dict[str, int] = {}
    smallest: dict[str, int] = {}

    def size(index: int) -> tuple[int, float]:
        run = results.runs[index]
        return run.size[0] * run.size[1], run.cpu_s

    for index, status in enumerate(statuses):
        if status is Status.WRONG:
            name = results.runs[index].configuration
            num_wrong[name] = num_wrong.get(name, 0) + 1
            smallest[name] = min(smallest.get(name, index), index, key=size)
    wrong = [_wrong(results, index, reasons[index]) for index in smallest.values()]
    return Judgement(statuses, wrong, num_wrong, disputes)


def _wrong(results: Results, index: int, reason: str) -> WrongAnswer:
    run = results.runs[index]
    header = results.headers[run.configuration]
    return WrongAnswer(run.configuration, run.instance, reason, command(header, run))
