"""A campaign: chunks are drawn, their cases answered, disagreements analysed and recorded.

Two pools are used: one draws chunks on this machine, the other answers puzzles, here or on a
cluster. A further process analyses failing cases, one at a time. Invariant: when `run` returns or
raises, no work is in progress, and all finished work is recorded, including cases of unfinished
chunks. Memory does not grow with the number of cases.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import partial
from math import inf
from pathlib import Path
from typing import Any

from nonosat.core import hooks
from nonosat.core.errors import NonosatError
from nonosat.processes.driver import Driver
from nonosat.processes.pools import FinishedPiece, LocalPool, Pool
from nonosat.processes.tools import Call, Calls
from nonosat.testing.claims import Claim
from nonosat.testing.fuzzing import findings
from nonosat.testing.fuzzing.agreeing import (
    Answers,
    is_failure,
    is_trouble,
    judged_end,
)
from nonosat.testing.fuzzing.coverage import Coverage
from nonosat.testing.fuzzing.drawing import Case, CaseSource, chunk_of
from nonosat.testing.fuzzing.record import Data, JournalWriter
from nonosat.testing.fuzzing.shrinking import GONE, UNCLEAR, FailureAnalyser, FailureState, at_sight
from nonosat.testing.fuzzing.trying import DIED, HUNG, LEFT_OUT, WRONG, AnswerWork, Attempt
from nonosat.testing.fuzzing.ways import AnswerMethod, includes

OVERHEAD_S = 0.0005  # per answer, apart from computing it
AHEAD = 200  # pending answers above which no more chunks are drawn
DRAW_WAIT_S = 0.01
MOST_WAITING = 30  # failing cases; further ones are only counted
MOST_LOST = 4  # hung or dead answers after which an engine or program is left out
MOST_UNDRAWN = 3  # consecutive chunks
LAST_S = 0.7  # before the end, for saving cases that were not analysed


class _CampaignTimeout(Exception):  # noqa: N818  # caught inside this module
    """The time limit of the campaign is reached."""


@dataclass(slots=True, eq=False)
class _OpenCase:
    """A case (a puzzle and the ways to answer it) without some of its answers so far."""

    case: Case
    answers: dict[int, Attempt] = field(default_factory=dict)


@dataclass(slots=True)
class _Chunk:
    """A chunk in progress.

    Args:
        of: Number of cases in the chunk.
        left: Number of cases that this session must answer; others were answered earlier.
        waiting: Number of failing cases not analysed yet. The chunk is recorded when this is 0, so
            that a killed session does not lose them: the next one repeats the chunk.
    """

    of: int
    left: int
    waiting: int = 0
    indices: list[int] = field(default_factory=list)
    coverage: Coverage = field(default_factory=Coverage)
    failures: int = 0
    mib: float = 0.0


_Piece = tuple[_OpenCase, int]


@dataclass(frozen=True, slots=True)
class Effort:
    """Extent of a campaign.

    Args:
        shrink_s: Seconds for shrinking each failure.
        until: Time of the end on the monotonic clock.
        cases: Number of puzzles after which no more chunks are drawn.
    """

    shrink_s: float = 60.0
    until: float = inf
    cases: float = inf


class Campaign(Driver[_Piece]):
    """Driver that draws cases, distributes them, compares answers and records them.

    Args:
        drawn: Source of the cases.
        work: Limits of answers.
        pool: Pool of workers that compute answers; the caller closes it.
        recorder: Receives finished work.
        folder: Folder for failures; None to save none.
        effort: Extent of the campaign.

    Attributes:
        waiting: Failing cases to be analysed.
        num_dropped: Number of failing cases that will not be analysed.
    """

    def __init__(
        self,
        drawn: CaseSource,
        work: AnswerWork,
        pool: Pool[Any],
        recorder: JournalWriter,
        folder: Path | None,
        effort: Effort,
    ) -> None:
        super().__init__(pool, OVERHEAD_S)
        self._drawn = drawn
        self._recorder = recorder
        self._save = partial(findings.save, folder=folder, work=work)
        self._effort = effort
        self._cases_left = effort.cases
        self._drawing = LocalPool[Call](max(1, (pool.num_workers + 1) // 2), Calls())
        self._undrawn: list[NonosatError] = []  # reasons why the last chunks could not be drawn
        self._under_draw = 0
        self._chunks: dict[int, _Chunk] = {}
        self._ready: deque[_Piece] = deque()
        self.waiting: deque[tuple[Case, Answers]] = deque()
        self.num_dropped = 0
        self._lost: Counter[str] = Counter()  # answers that cost a process, by engine or program
        self._times: Counter[str] = Counter()  # occurrences of known failures, not yet recorded
        self._analyser = FailureAnalyser(drawn, work)
        self._answers: Answers = {}
        self._again = deque(recorder.unshrunk())  # failures of earlier sessions
        self._old: Data | None = None  # the one of them in progress
        self._since = hooks.clock()
        self._show: Callable[[], None] = lambda: None

    def run(self, report: Callable[[], None] = lambda: None) -> None:
        """Run until the time is up, the chunks are done, or Ctrl-C.

        Args:
            report: Called several times a second.

        Raises:
            NonosatError: There are no workers, or no chunk can be drawn.
        """
        self._show = report
        try:
            with suppress(_CampaignTimeout):
                self._drive(self._pieces())
                self._finish_analysis()
        finally:
            self._drawing.close()
            self._analyser.close()
            self._save_unanalysed()
            for number in list(self._chunks):
                self._close_chunk(number)
            self._recorder.write()
            report()

    # Drawing

    def _pieces(self) -> Iterator[_Piece | None]:
        number = -1
        while True:
            while len(self._ready) < AHEAD and self._has_drawer() and self._cases_left > 0:
                number += 1
                if self._recorder.is_done(number):
                    continue
                self._drawing.submit(number, [Call(chunk_of, (self._drawn, number))])
                self._under_draw += 1
                self._cases_left -= self._drawn.sort_of(number).count
            if not (self._ready or self._under_draw):
                if self._undrawn:
                    raise self._undrawn[-1]
                return
            for done in self._drawing.done(0.0 if self._ready else DRAW_WAIT_S):
                self._open_chunk(done)
            yield self._next_piece()

    def _next_piece(self) -> _Piece | None:
        """Return the next answer to be computed; None if there is none now."""
        while self._ready:
            opened, place = self._ready.popleft()
            if self._lost[_who(opened.case.ways[place])] < MOST_LOST:
                return opened, place
            self._answer(opened, place, Attempt(LEFT_OUT, Claim()))
        return None

    def _has_drawer(self) -> bool:
        return self._under_draw < self._drawing.num_workers

    def _open_chunk(self, done: FinishedPiece) -> None:
        """Queue the cases of a chunk that no earlier session has done."""
        self._under_draw -= 1
        if isinstance(done.outcome, NonosatError):
            self._undrawn.append(done.outcome)
            if len(self._undrawn) >= MOST_UNDRAWN:
                raise done.outcome
            return
        self._undrawn.clear()
        cases: list[Case] = done.outcome
        left = [one for one in cases if not self._recorder.is_done(done.number, one.index)]
        self._chunks[done.number] = _Chunk(len(cases), len(left))
        for case in left:
            opened = _OpenCase(case)
            self._ready.extend((opened, place) for place in range(len(case.ways)))

    def _sent(self, piece: _Piece) -> Any:
        opened, place = piece
        return opened.case.puzzle, opened.case.ways[place]

    # Answers

    def _take(self, ended: Sequence[tuple[_Piece, FinishedPiece]]) -> Iterable[float]:
        for (opened, place), done in ended:
            self._lost[_who(opened.case.ways[place])] += done.outcome.end in (HUNG, DIED)
            self._answer(opened, place, done.outcome)
            yield done.outcome.seconds

    def _answer(self, opened: _OpenCase, place: int, answer: Attempt) -> None:
        opened.answers[place] = answer
        if len(opened.answers) == len(opened.case.ways):
            self._close_case(opened)

    def _close_case(self, opened: _OpenCase) -> None:
        """Count a case and compare its answers."""
        case = opened.case
        found = {way: opened.answers[place] for place, way in enumerate(case.ways)}
        answers = {way: replace(one, end=judged_end(way, one)) for way, one in found.items()}
        chunk = self._chunks[case.chunk]
        chunk.coverage.add(case, answers)
        chunk.indices.append(case.index)
        chunk.mib = max([chunk.mib, *(answer.mib for answer in answers.values())])
        if is_trouble(case.puzzle, answers):
            chunk.failures += 1
            self._notice(case, answers)
        self._close_if_done(case.chunk)

    def _close_if_done(self, number: int) -> None:
        chunk = self._chunks[number]
        if len(chunk.indices) == chunk.left and not chunk.waiting:
            self._close_chunk(number)

    def _settle(self, case: Case) -> None:
        """Count a failing case as analysed, and record its chunk if that is complete."""
        self._chunks[case.chunk].waiting -= 1
        self._close_if_done(case.chunk)

    def _close_chunk(self, number: int) -> None:
        """Record the finished cases of a chunk."""
        chunk, now = self._chunks.pop(number), hooks.clock()
        if chunk.indices:
            self._recorder.add(
                {
                    "kind": "chunk",
                    "chunk": number,
                    "of": chunk.of,
                    "indices": sorted(chunk.indices),
                    **chunk.coverage.to_data(),
                    "failures": chunk.failures,
                    "mib": round(chunk.mib, 1),
                    "wall_s": round(now - self._since, 3),
                }
            )
            self._since = now

    def _report(self) -> None:
        if self._analyser.poll():
            self._take_trouble()
        self._analyse_next()
        self._recorder.write()
        self._show()
        if hooks.clock() > self._effort.until - (
            LAST_S if self.waiting or self._analyser.case else 0.0
        ):
            raise _CampaignTimeout

    # Failures

    def _notice(self, case: Case, answers: Answers) -> None:
        """Handle a case with contradicting or failed answers.

        If a known failure explains it, that is counted again; else the case is queued for analysis.
        """
        if name := self._known_by(case, answers):
            self._times[name] += 1
        elif len(self.waiting) < MOST_WAITING:
            self.waiting.append((case, answers))
            self._chunks[case.chunk].waiting += 1
        else:
            self.num_dropped += 1

    def _known_by(self, case: Case, answers: Answers) -> str:
        """Return the id of a known failure that explains all failing answers; else ""."""
        known = self._recorder.totals.failures
        explained: set[AnswerMethod] = set()
        for name, failure in known.items():
            if failure["family"] != case.puzzle.family or failure["what"] == GONE:
                continue
            guilty = AnswerMethod.from_data(failure["guilty"])
            same = {
                way
                for way, answer in answers.items()
                if includes(way, guilty) and _is_alike(failure["what"], answer)
            }
            explained |= same
            left = {way: one for way, one in answers.items() if way not in explained}
            if same and not is_trouble(case.puzzle, left):
                return name
        return ""

    def _analyse_next(self) -> None:
        """Start the analysis of the next failing case if none is in progress."""
        while self._analyser.case is None and self.waiting:
            case, answers = self.waiting.popleft()
            if name := self._known_by(case, answers):
                self._times[name] += 1
                self._settle(case)
                continue
            left = max(0.0, min(self._effort.shrink_s, self._effort.until - hooks.clock() - LAST_S))
            self._answers = answers
            self._analyser.begin(case, left)
        if self._analyser.case is None and self._again:
            self._old = self._again.popleft()
            left = max(0.0, min(self._effort.shrink_s, self._effort.until - hooks.clock() - LAST_S))
            self._analyser.begin(findings.case_of(self._old), left, again=True)

    def _take_trouble(self) -> None:
        """Record the result of an analysis, or replace the record of an earlier session by it."""
        case, trouble = self._analyser.case, self._analyser.trouble
        self._analyser.case = None
        if self._old is not None and case is not None:
            old, self._old = self._old, None
            self._replace(old, case, trouble)
            return
        ends = {answer.end for answer in self._answers.values() if is_failure(answer)}
        if case is None:
            return
        # A hang that is not reproduced may come from a busy machine.
        if not (trouble is not None and trouble.kind == GONE and ends == {HUNG}):
            self._keep(case, trouble or at_sight(case, self._answers))
        self._settle(case)

    def _keep(self, case: Case, trouble: FailureState) -> None:
        """Record a failure and save it."""
        name = findings.id_of(trouble)
        old = self._recorder.totals.failures.get(name)
        self._times[name] += 1
        if old is None or (trouble.is_shrunk and not old["is_shrunk"]):
            file = self._save(trouble)
            times = (old["times"] if old else 0) + self._times.pop(name)
            self._recorder.add(findings.record_of(trouble, case, file, times))

    def _replace(self, old: Data, case: Case, trouble: FailureState | None) -> None:
        """Replace the record of an earlier session's failure by that of its shrunk form.

        The shrunk form may be recorded already.
        """
        old = self._recorder.totals.failures.get(old["id"], old)
        if trouble is None or not trouble.is_shrunk or old["is_shrunk"]:
            return
        name, times = findings.id_of(trouble), old["times"] + self._times.pop(old["id"], 0)
        if name != old["id"]:
            self._recorder.add({**old, "replaced_by": name})
            findings.discard(old["file"])
            if known := self._recorder.totals.failures.get(name):
                self._recorder.add({**known, "times": known["times"] + times})
                return
        file = self._save(trouble)
        self._recorder.add(findings.record_of(trouble, case, file, times))

    def _finish_analysis(self) -> None:
        """Analyse the remaining failures after all answers."""
        while self._analyser.case is not None or self.waiting or self._again:
            self._report()
            self._drawing.done(DRAW_WAIT_S)  # only to wait

    def _save_unanalysed(self) -> None:
        """Save pending failing cases without analysis, and count known failures."""
        if self._analyser.case is not None:
            self._take_trouble()
        while self.waiting:
            case, answers = self.waiting.popleft()
            if name := self._known_by(case, answers):
                self._times[name] += 1
            else:
                self._keep(case, at_sight(case, answers))
            self._settle(case)
        for name, times in self._times.items():
            old = self._recorder.totals.failures[name]
            self._recorder.add({**old, "times": old["times"] + times})
        self._times.clear()


def _who(way: AnswerMethod) -> str:
    """Return the name of the engine, or of the program, that a way uses."""
    return way.command or way.backend


def _is_alike(what: str, answer: Attempt) -> bool:
    """Return True if an answer may be an instance of the kind of failure `what`."""
    return what in (WRONG, UNCLEAR) or what == answer.end
