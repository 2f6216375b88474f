"""Quick check for contradictions between the answers to a puzzle, without proofs.

`nonosat.testing.agreement` proves which answer is wrong, which may take seconds; a campaign runs it
only on answers for which this check fails.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import reduce
from typing import Any

from nonosat.core import families, plugins
from nonosat.core.grid import UNKNOWN, Grid
from nonosat.core.plugins import Puzzle
from nonosat.testing.claims import CountRange
from nonosat.testing.deciding import canonical
from nonosat.testing.fuzzing.trying import DIED, FAILED, HUNG, NONSENSE, TIMEOUT, WRONG, Attempt
from nonosat.testing.fuzzing.ways import PROGRAM, AnswerMethod

Answers = Mapping[AnswerMethod, Attempt]


def is_trouble(puzzle: Puzzle, answers: Answers) -> bool:
    """Return True if an answer failed or some answer must be wrong."""
    return any(map(is_failure, answers.values())) or is_contradiction(puzzle, answers)


def is_failure(answer: Attempt) -> bool:
    """Return True if an answer is a failure by itself: an error, a crash or a hang."""
    return answer.end in (WRONG, FAILED, DIED, HUNG, NONSENSE)


def judged_end(way: AnswerMethod, answer: Attempt) -> str:
    """Return the kind of end of an answer, corrected for engines that need not poll limits.

    A hang is no failure of an engine that normally runs in a child process, which is killed.
    """
    is_child = (
        way.question in ("check", "solve")
        and plugins.is_there("backends", way.backend)
        and not plugins.find("backends", way.backend).in_process
    )
    return TIMEOUT if answer.end == HUNG and is_child else answer.end


def is_contradiction(puzzle: Puzzle, answers: Answers) -> bool:
    """Return True if some answers cannot all be true; solutions in them are taken as correct."""
    claims = [answer.claim for answer in answers.values()]
    shown: set[Any] = set()
    for claim in claims:
        own = {canonical(puzzle, solution) for solution in claim.solutions}
        if len(own) < len(claim.solutions):
            return True
        shown |= own
    numbers = numbers_of(answers).meet(CountRange(len(shown)))
    return not numbers.is_possible or bool(_unsettled(answers, shown, numbers.most))


def backbone_mistake(puzzle: Puzzle, answers: Answers) -> tuple[AnswerMethod, str] | None:
    """Return (method, reason) for a backbone that verified solutions refute, or None."""
    shown = {one for answer in answers.values() for one in answer.claim.solutions}
    good = {one for one in shown if families.family_of(puzzle).refutation(puzzle, one) is None}
    return next(iter(_unsettled(answers, good, numbers_of(answers).most)), None)


def numbers_of(answers: Answers) -> CountRange:
    """Return the range of the number of solutions if all answers are right."""
    return reduce(CountRange.meet, (one.claim.numbers for one in answers.values()), CountRange())


def _unsettled(answers: Answers, shown: set[Any], most: float) -> list[tuple[AnswerMethod, str]]:
    """Return (method, reason) for each backbone refuted by `shown`, of at most `most` solutions."""
    return [
        (way, mistake)
        for way, answer in answers.items()
        if isinstance(answer.settled, Grid)
        and (mistake := next(_mistakes(answer.settled, shown, most), ""))
    ]


def _mistakes(settled: Grid, shown: set[Any], most: float) -> Iterator[str]:
    grids = [one for one in shown if isinstance(one, Grid)]
    for place, value in enumerate(settled.cells):
        values = {grid.cells[place] for grid in grids}
        row, column = divmod(place, settled.width)
        where = f"the cell in row {row + 1}, column {column + 1}"
        if value != UNKNOWN and values - {value}:
            yield f"its backbone fixes {where}, and a solution differs there"
        if value == UNKNOWN and len(values) == 1 and len(grids) == most:
            yield f"its backbone leaves {where} open, which is equal in all solutions"


def contradicting(puzzle: Puzzle, answers: Answers, guilty: AnswerMethod) -> list[AnswerMethod]:
    """Return the methods with answers that contradict the answer of the method `guilty`."""
    own = answers[guilty]
    return [
        way
        for way, answer in answers.items()
        if way != guilty
        and not is_failure(answer)
        and is_contradiction(puzzle, {guilty: own, way: answer})
    ]


def is_program(way: AnswerMethod) -> bool:
    """Return True if a way is an external program."""
    return way.question == PROGRAM
