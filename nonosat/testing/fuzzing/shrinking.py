"""From a case in which something is wrong to the smallest puzzle, the plainest way, and the reason.

Every answer is found in a process of its own: what is looked into may crash and hang.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from time import monotonic
from typing import Any

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
from nonosat.testing.fuzzing.drawing import Case, Drawn
from nonosat.testing.fuzzing.trying import HUNG, WRONG, Answer, AnsweringProcess, Trying
from nonosat.testing.fuzzing.ways import BRUTE_FORCE, Way

JUDGE_S = 10.0  # for proving who is wrong
UNCLEAR, GONE = "unclear", "gone"  # nobody knows who is wrong; it did not happen again
PUZZLE_SHARE, WAY_SHARE = 0.6, 0.8  # of the time, by when the puzzle and the way are shrunk
QUICK_S = 1.0  # of what hangs, while it is shrunk
_Answers = dict[Way, Answer]


@dataclass(frozen=True, slots=True)
class Trouble:
    """What is wrong, as far as it was looked into.

    Args:
        kind: `WRONG`, `UNCLEAR`, `GONE`, or how the answer ends: "failed", "died", "hung".
        guilty: The way that is wrong; one of those that exclude each other where that is unclear.
        others: Ways that show that it is, with their answers.
        puzzle: A puzzle for which it is.
        text: Who said what, and the proof.
        is_shrunk: Whether hypothesis came to an end with it.
    """

    kind: str
    guilty: Way
    others: tuple[Way, ...]
    puzzle: Puzzle
    text: str
    is_shrunk: bool = False


def looked_into(drawn: Drawn, case: Case, work: Trying, seconds: float) -> Iterator[Trouble]:
    """What is wrong with a case: at first as it is, then shrunk.

    Args:
        drawn: What the case is from.
        case: The case.
        work: The limits of answers.
        seconds: For all of it.
    """
    started = monotonic()
    with AnsweringProcess(work) as asker:
        trouble = judged(case.puzzle, _answers(asker, case.puzzle, case.ways))
    yield trouble
    until = started + seconds * PUZZLE_SHARE
    if trouble.kind == GONE or monotonic() > until:
        return
    with AnsweringProcess(_quick(work, trouble)) as asker:
        trial = _Trial(asker, trouble)
        puzzles = drawing.smallest(drawn, case, trial.fails, until)
        is_whole = monotonic() < until
        small = puzzles[-1] if puzzles else case.puzzle
        guilty = _plainest(trial, small, started + seconds * WAY_SHARE)
    with AnsweringProcess(work) as asker:
        answers = _answers(asker, small, (guilty, *trouble.others))
    found = judged(small, answers)
    if found.kind == trouble.kind or {found.kind, trouble.kind} <= {WRONG, UNCLEAR}:
        yield replace(found, is_shrunk=is_whole)


def replayed(puzzle: Puzzle, ways: Sequence[Way], work: Trying) -> Trouble:
    """What some ways answer now, and who is wrong."""
    with AnsweringProcess(work) as asker:
        return judged(puzzle, _answers(asker, puzzle, ways))


def judged(puzzle: Puzzle, answers: _Answers) -> Trouble:
    """Who is wrong."""
    failed = [way for way, answer in answers.items() if is_failure(answer)]
    claims = {str(way): answer.claim for way, answer in answers.items()}
    ours = [str(way) for way in answers if not is_program(way)]
    if failed:
        guilty = failed[0]
        one = answers[guilty]
        report = compare(puzzle, {str(guilty): one.claim}, ours=ours)
        text = str(report) if report else f"{guilty} {one.end}: {one.claim.reason}"
        return Trouble(one.end, guilty, (), puzzle, text)
    if mistake := backbone_mistake(puzzle, answers):
        guilty, why = mistake
        others = tuple(way for way, answer in answers.items() if answer.claim.solutions)
        return Trouble(WRONG, guilty, others, puzzle, f"{guilty} is wrong: {why}")
    report = compare(puzzle, claims, ours=ours, time_limit_s=JUDGE_S)
    if report is None:
        return Trouble(GONE, next(iter(answers)), (), puzzle, "it did not happen again")
    kind = WRONG if report.wrong else UNCLEAR
    name = (report.wrong or report.undecided)[0]
    guilty = next(way for way in answers if str(way) == name)
    return Trouble(kind, guilty, _witnesses(puzzle, answers, guilty), puzzle, str(report))


def _witnesses(puzzle: Puzzle, answers: _Answers, guilty: Way) -> tuple[Way, ...]:
    """One way that contradicts the guilty one, brute force if it does; all where no one does."""
    found = contradicting(puzzle, answers, guilty)
    if not found:
        return tuple(way for way in answers if way != guilty)
    return (Way(BRUTE_FORCE),) if Way(BRUTE_FORCE) in found else (found[0],)


def _answers(asker: AnsweringProcess, puzzle: Puzzle, ways: Sequence[Way]) -> _Answers:
    found = dict(zip(ways, asker.answers(puzzle, ways), strict=True))
    return {way: replace(one, end=judged_end(way, one)) for way, one in found.items()}


def _quick(work: Trying, trouble: Trouble) -> Trying:
    """Limits for many trials: what hangs is not waited for each time."""
    most = QUICK_S if trouble.kind == HUNG else work.time_limit_s
    return replace(work, time_limit_s=min(work.time_limit_s, most))


class _Trial:
    """Whether other puzzles and ways fail as a case does.

    Args:
        asker: Finds answers.
        trouble: How the case fails.
    """

    def __init__(self, asker: AnsweringProcess, trouble: Trouble) -> None:
        self._asker = asker
        self.trouble = trouble

    def fails(self, puzzle: Puzzle) -> bool:
        """Whether it is wrong for another puzzle."""
        return self.is_wrong(puzzle, self.trouble.guilty)

    def is_wrong(self, puzzle: Puzzle, guilty: Way) -> bool:
        """Whether another way is, for another puzzle."""
        answers = _answers(self._asker, puzzle, (guilty, *self.trouble.others))
        if self.trouble.kind not in (WRONG, UNCLEAR) or not self.trouble.others:
            return answers[guilty].end == self.trouble.kind
        return not any(map(is_failure, answers.values())) and is_contradiction(puzzle, answers)


def _plainest(trial: _Trial, puzzle: Puzzle, until: float) -> Way:
    """The guilty way without the choices that do not matter."""
    guilty, is_plainer = trial.trouble.guilty, True
    while is_plainer:
        is_plainer = False
        for way in guilty.plainer():
            is_other = way not in trial.trouble.others and _is_asked(way)
            if is_other and monotonic() < until and trial.is_wrong(puzzle, way):
                guilty, is_plainer = way, True
                break
    return guilty


def _is_asked(way: Way) -> bool:
    try:
        way.asked(None)
    except UnsupportedError:
        return False
    return True


def at_sight(case: Case, answers: Answers) -> Trouble:
    """What a case that nobody has looked into shows."""
    failed = [way for way, answer in answers.items() if is_failure(answer)]
    if failed:
        guilty, others = failed[0], tuple[Way, ...]()
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
    note = "There was no time to look into it."
    return Trouble(kind, guilty, others, case.puzzle, f"{text}\n\n{note}")


def look_here(drawn: Drawn, case: Case, work: Trying, seconds: float) -> Iterator[Trouble | None]:
    """`looked_into` for a child process: None comes last."""
    yield from looked_into(drawn, case, work, seconds)
    yield None


def look_again(
    drawn: Drawn, chunk: int, index: int, work: Trying, seconds: float
) -> Iterator[Trouble | None]:
    """The same for a case of an earlier session, which is drawn again."""
    for case in drawing.chunk_of(drawn, chunk):
        if case.index == index:
            yield from looked_into(drawn, case, work, seconds)
    yield None


class Looker:
    """Looks into one case at a time, in a process beside the campaign.

    Args:
        drawn: What cases are from.
        work: The limits of answers.

    Attributes:
        case: The one at work; None where there is none.
        trouble: What is known of it.
    """

    def __init__(self, drawn: Drawn, work: Trying) -> None:
        self._drawn = drawn
        self._work = work
        self._child: Child | None = None
        self.case: Case | None = None
        self.trouble: Trouble | None = None

    def begin(self, case: Case, seconds: float, *, again: bool = False) -> None:
        """Look into a case, and spend so long on shrinking it.

        Args:
            case: The case; where it is drawn again, only its place need be right.
            seconds: How long.
            again: Whether it is drawn again.
        """
        self.case, self.trouble = case, None
        call = Call(look_here, (self._drawn, case, self._work, seconds))
        if again:
            call = Call(look_again, (self._drawn, case.chunk, case.index, self._work, seconds))
        self._child = start_child("the process that shrinks", call)

    def poll(self) -> bool:
        """Take notice of what is found; whether the case has come to its end just now."""
        while self._child is not None and readable([self._child], 0.0):
            try:
                found = self._child.finish(Watch(Limits(TALK_S)))
            except NonosatError as error:
                self.trouble = self.trouble or self._unseen(str(error))
                found = None
            if found is None:
                self.close()
                return True
            self.trouble = found
        return False

    def _unseen(self, why: str) -> Trouble:
        assert self.case is not None
        text = f"it could not be looked into: {why}"
        return Trouble(UNCLEAR, self.case.ways[0], (), self.case.puzzle, text)

    def close(self) -> None:
        """End the process."""
        child, self._child = self._child, None
        if child is not None:
            child.kill()


def data_of(trouble: Trouble) -> dict[str, Any]:
    """What is recorded of it, without the puzzle."""
    return {
        "what": trouble.kind,
        "guilty": trouble.guilty.to_data(),
        "others": [way.to_data() for way in trouble.others],
        "text": trouble.text,
        "is_shrunk": trouble.is_shrunk,
    }
