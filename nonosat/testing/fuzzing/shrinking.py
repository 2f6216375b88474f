"""Reduction of a failing case: a smaller puzzle, simpler options, and a proof of the wrong answer.

A case is a puzzle with several ways to answer it (commands with options, `ways.py`). Every answer
is computed in a separate process, because the computation may crash or hang.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from nonosat.core import hooks
from nonosat.core.errors import NonosatError, UnsupportedError
from nonosat.core.limits import Limits, Watch
from nonosat.core.plugins import Puzzle
from nonosat.processes.child import Child
from nonosat.processes.tools import TALK_S, Call, start_child
from nonosat.processes.waiting import readable
from nonosat.testing.agreement import compare
from nonosat.testing.fuzzing import drawing
from nonosat.testing.fuzzing.agreeing import (
    Answers,
    backbone_mistake,
    contradicting,
    is_contradiction,
    is_failure,
    is_program,
    judged_end,
)
from nonosat.testing.fuzzing.drawing import Case, CaseSource
from nonosat.testing.fuzzing.trying import HUNG, WRONG, AnsweringProcess, AnswerWork, Attempt
from nonosat.testing.fuzzing.ways import BRUTE_FORCE, AnswerMethod

JUDGE_S = 10.0  # for proving which answer is wrong
UNCLEAR, GONE = "unclear", "gone"  # undecided which answer is wrong; not reproduced
# Shares of the time after which shrinking of the puzzle, and then of the way, ends.
PUZZLE_SHARE, WAY_SHARE = 0.6, 0.8
QUICK_S = 1.0  # limit of a hanging answer during shrinking
_Answers = dict[AnswerMethod, Attempt]


@dataclass(frozen=True, slots=True)
class FailureState:
    """A failure and the state of its analysis.

    Args:
        kind: `WRONG`, `UNCLEAR`, `GONE`, or the end of the answer: "failed", "died", "hung".
        guilty: Method with a wrong answer; one of the contradicting methods if undecided.
        others: Methods with answers that contradict that of `guilty`.
        puzzle: A puzzle that shows it.
        text: The claims and the proof.
        is_shrunk: True if hypothesis finished shrinking.
    """

    kind: str
    guilty: AnswerMethod
    others: tuple[AnswerMethod, ...]
    puzzle: Puzzle
    text: str
    is_shrunk: bool = False


def failures_of(
    drawn: CaseSource, case: Case, work: AnswerWork, seconds: float
) -> Iterator[FailureState]:
    """Yield the failure of a case: first as it is, then shrunk.

    Args:
        drawn: Source of the case.
        case: The case.
        work: The limits of answers.
        seconds: Seconds for the whole analysis.
    """
    started = hooks.clock()
    with AnsweringProcess(work) as process:
        trouble = judged(case.puzzle, _answers(process, case.puzzle, case.ways))
    yield trouble
    until = started + seconds * PUZZLE_SHARE
    if trouble.kind == GONE or hooks.clock() > until:
        return
    with AnsweringProcess(_quick(work, trouble)) as process:
        trial = _ShrinkTest(process, trouble)
        puzzles = drawing.smallest(drawn, case, trial.fails, until)
        is_whole = hooks.clock() < until
        small = puzzles[-1] if puzzles else case.puzzle
        guilty = _plainest(trial, small, started + seconds * WAY_SHARE)
    with AnsweringProcess(work) as process:
        answers = _answers(process, small, (guilty, *trouble.others))
    found = judged(small, answers)
    if found.kind == trouble.kind or {found.kind, trouble.kind} <= {WRONG, UNCLEAR}:
        yield replace(found, is_shrunk=is_whole)


def replayed(puzzle: Puzzle, ways: Sequence[AnswerMethod], work: AnswerWork) -> FailureState:
    """Answer a puzzle in some ways again, and judge the answers."""
    with AnsweringProcess(work) as process:
        return judged(puzzle, _answers(process, puzzle, ways))


def judged(puzzle: Puzzle, answers: _Answers) -> FailureState:
    """Return the failure that the answers show."""
    failed = [way for way, answer in answers.items() if is_failure(answer)]
    claims = {str(way): answer.claim for way, answer in answers.items()}
    ours = [str(way) for way in answers if not is_program(way)]
    if failed:
        guilty = failed[0]
        one = answers[guilty]
        report = compare(puzzle, {str(guilty): one.claim}, ours=ours)
        text = str(report) if report else f"{guilty} {one.end}: {one.claim.reason}"
        return FailureState(one.end, guilty, (), puzzle, text)
    if mistake := backbone_mistake(puzzle, answers):
        guilty, why = mistake
        others = tuple(way for way, answer in answers.items() if answer.claim.solutions)
        return FailureState(WRONG, guilty, others, puzzle, f"{guilty} is wrong: {why}")
    report = compare(puzzle, claims, ours=ours, time_limit_s=JUDGE_S)
    if report is None:
        return FailureState(GONE, next(iter(answers)), (), puzzle, "it did not happen again")
    kind = WRONG if report.wrong else UNCLEAR
    name = (report.wrong or report.undecided)[0]
    guilty = next(way for way in answers if str(way) == name)
    return FailureState(kind, guilty, _witnesses(puzzle, answers, guilty), puzzle, str(report))


def _witnesses(puzzle: Puzzle, answers: _Answers, guilty: AnswerMethod) -> tuple[AnswerMethod, ...]:
    """Return a method that contradicts `guilty`, brute force if possible; all others if none."""
    found = contradicting(puzzle, answers, guilty)
    if not found:
        return tuple(way for way in answers if way != guilty)
    return (AnswerMethod(BRUTE_FORCE),) if AnswerMethod(BRUTE_FORCE) in found else (found[0],)


def _answers(process: AnsweringProcess, puzzle: Puzzle, ways: Sequence[AnswerMethod]) -> _Answers:
    found = dict(zip(ways, process.answers(puzzle, ways), strict=True))
    return {way: replace(one, end=judged_end(way, one)) for way, one in found.items()}


def _quick(work: AnswerWork, trouble: FailureState) -> AnswerWork:
    """Return limits for many trials: short ones if the failure is a hang."""
    most = QUICK_S if trouble.kind == HUNG else work.time_limit_s
    return replace(work, time_limit_s=min(work.time_limit_s, most))


class _ShrinkTest:
    """Test if other puzzles and methods fail like a case.

    Args:
        process: The answering process.
        trouble: The failure of the case.
    """

    def __init__(self, process: AnsweringProcess, trouble: FailureState) -> None:
        self._process = process
        self.trouble = trouble

    def fails(self, puzzle: Puzzle) -> bool:
        """Return True if another puzzle shows the failure."""
        return self.is_wrong(puzzle, self.trouble.guilty)

    def is_wrong(self, puzzle: Puzzle, guilty: AnswerMethod) -> bool:
        """Return True if `guilty` in place of the failing method shows the failure on a puzzle."""
        answers = _answers(self._process, puzzle, (guilty, *self.trouble.others))
        if self.trouble.kind not in (WRONG, UNCLEAR) or not self.trouble.others:
            return answers[guilty].end == self.trouble.kind
        return not any(map(is_failure, answers.values())) and is_contradiction(puzzle, answers)


def _plainest(trial: _ShrinkTest, puzzle: Puzzle, until: float) -> AnswerMethod:
    """Return the failing method with as few options as still show the failure."""
    guilty, is_plainer = trial.trouble.guilty, True
    while is_plainer:
        is_plainer = False
        for way in guilty.plainer():
            is_other = way not in trial.trouble.others and _is_requested(way)
            if is_other and hooks.clock() < until and trial.is_wrong(puzzle, way):
                guilty, is_plainer = way, True
                break
    return guilty


def _is_requested(way: AnswerMethod) -> bool:
    try:
        way.requested(None)
    except UnsupportedError:
        return False
    return True


def at_sight(case: Case, answers: Answers) -> FailureState:
    """Return the failure of a case as its answers show it, without analysis."""
    failed = [way for way, answer in answers.items() if is_failure(answer)]
    if failed:
        guilty, others = failed[0], tuple[AnswerMethod, ...]()
        kind, claim = answers[guilty].end, answers[guilty].claim
        text = f"{guilty} {kind}: {claim.failure or claim.reason}"
    else:
        first = case.ways[0]
        others = tuple(
            way
            for way in case.ways[1:]
            if is_contradiction(case.puzzle, {first: answers[first], way: answers[way]})
        )
        kind, guilty = UNCLEAR, others[0] if others else first
        others = (first,) if others else case.ways[1:]
        text = "\n".join(f"{way}: {answer.claim}" for way, answer in answers.items())
    note = "There was no time to analyse it."
    return FailureState(kind, guilty, others, case.puzzle, f"{text}\n\n{note}")


def analyse(
    drawn: CaseSource, case: Case, work: AnswerWork, seconds: float
) -> Iterator[FailureState | None]:
    """Run `failures_of` in a child process, with a final None."""
    yield from failures_of(drawn, case, work, seconds)
    yield None


def analyse_redrawn(
    drawn: CaseSource, chunk: int, index: int, work: AnswerWork, seconds: float
) -> Iterator[FailureState | None]:
    """Run `failures_of` on a redrawn case of an earlier session, with a final None."""
    for case in drawing.chunk_of(drawn, chunk):
        if case.index == index:
            yield from failures_of(drawn, case, work, seconds)
    yield None


class FailureAnalyser:
    """Analysis of one case at a time, in a separate process.

    Args:
        drawn: Source of the cases.
        work: The limits of answers.

    Attributes:
        case: The case in progress; None if there is none.
        trouble: The failure as known so far.
    """

    def __init__(self, drawn: CaseSource, work: AnswerWork) -> None:
        self._drawn = drawn
        self._work = work
        self._child: Child | None = None
        self.case: Case | None = None
        self.trouble: FailureState | None = None

    def begin(self, case: Case, seconds: float, *, again: bool = False) -> None:
        """Start the analysis of a case.

        Args:
            case: The case; if it is redrawn, only its chunk and index are used.
            seconds: Seconds for shrinking.
            again: Draw the case again.
        """
        self.case, self.trouble = case, None
        call = Call(analyse, (self._drawn, case, self._work, seconds))
        if again:
            call = Call(analyse_redrawn, (self._drawn, case.chunk, case.index, self._work, seconds))
        self._child = start_child("the process that shrinks", call)

    def poll(self) -> bool:
        """Receive results without waiting; return True if the analysis has just ended."""
        while self._child is not None and readable([self._child], 0.0):
            try:
                found = self._child.finish(Watch(Limits(TALK_S)))
            except NonosatError as error:
                self.trouble = self.trouble or self._not_analysed(str(error))
                found = None
            if found is None:
                self.close()
                return True
            self.trouble = found
        return False

    def _not_analysed(self, why: str) -> FailureState:
        assert self.case is not None
        text = f"it could not be analysed: {why}"
        return FailureState(UNCLEAR, self.case.ways[0], (), self.case.puzzle, text)

    def close(self) -> None:
        """End the process."""
        child, self._child = self._child, None
        if child is not None:
            child.kill()


def data_of(trouble: FailureState) -> dict[str, Any]:
    """Return the record of a failure, without the puzzle."""
    return {
        "what": trouble.kind,
        "guilty": trouble.guilty.to_data(),
        "others": [way.to_data() for way in trouble.others],
        "text": trouble.text,
        "is_shrunk": trouble.is_shrunk,
    }
