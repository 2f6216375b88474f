"""The decision between readings: the likeliest one that is a puzzle with exactly one solution.

Readings are tried in the order of their costs (`_choosing.py`). If one has no solution, the clues
that contradict each other may not all be read that way again; a reading with several solutions is
forbidden as a whole. After the first reading with a solution the search goes on to those that are
about as likely, so that the answer is certain or names both.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from typing import NamedTuple

from nonosat.core.about import NOTHING_KNOWN, About
from nonosat.core.errors import LimitReached
from nonosat.core.limits import Watch, left_of
from nonosat.core.model import Block
from nonosat.core.result import Verdict
from nonosat.explain import contradiction
from nonosat.paper._choosing import Choice, Values, cheapest, likeliest
from nonosat.paper._plain import Plain
from nonosat.processes.isolation import in_child, is_expendable
from nonosat.puzzles.nonogram.data import Nonogram
from nonosat.solving.pipeline import check

_MARGIN = 5.0  # a reading that costs less more is about as likely: a chance of 1 to 150
_MOST_COST = 20.0  # a number that is nearly certainly read otherwise costs 16
_MOST_TRIES = 25
_CONTRADICTION_S = 1.0  # seconds for a small set of clashing clues


class Decision(NamedTuple):
    """The reading that was chosen.

    Args:
        values: Value of each number.
        cost: Logarithm of how much less likely it is than the plain reading.
        verdict: Verdict of its puzzle.
        other: A reading about as likely, also with one solution; None if there is none.
        is_certain: True if the puzzle has one solution and no other reading is about as likely.
        limit: The limit that ended the comparison, with the best reading by then; "" if none did.
    """

    values: Values
    cost: float
    verdict: Verdict
    other: Values | None = None
    is_certain: bool = False
    limit: str = ""


def decided(plain: Plain, watch: Watch) -> Decision:
    """Return the likeliest reading with one solution, or the plain one if none is found.

    If a limit ends the comparison, the decision is the best reading by then.
    """
    seen: list[tuple[Choice, Verdict]] = []
    try:
        return _compared(plain, seen, watch)
    except LimitReached as limit:
        first = next((choice for choice, verdict in seen if verdict is Verdict.UNIQUE), None)
        return _undecided(plain, first, seen)._replace(limit=str(limit))


def _compared(plain: Plain, seen: list[tuple[Choice, Verdict]], watch: Watch) -> Decision:
    """Return the decision between readings, which are stored in `seen` with their verdicts."""
    forbidden: list[dict[int, int | None]] = []
    first: Choice | None = None
    most = _MOST_COST
    for _ in range(_MOST_TRIES):
        watch.doing("comparing readings", len(forbidden))
        found = _cheapest(plain, forbidden, most, watch)
        if found is None:
            break
        puzzle = puzzle_of(plain, found.values)
        verdict = check(puzzle, **left_of(watch)).verdict
        seen.append((found, verdict))
        if verdict in (Verdict.UNIQUE, Verdict.MULTIPLE):
            # Also if there are several solutions: then the sheet itself is not unique, and a much
            # less likely reading, such as one that leaves numbers out, must not replace it.
            most = min(most, found.cost + _MARGIN)
        numbers: Iterable[int] = range(len(plain.numbers))
        if verdict is Verdict.UNIQUE:
            if first is not None:
                return Decision(*first, Verdict.UNIQUE, other=found.values)
            first = found
        elif verdict is Verdict.UNSOLVABLE:
            lines = _clashing(puzzle, watch)
            numbers = [at for at in numbers if plain.numbers[at].line in lines]
        elif verdict is Verdict.UNKNOWN:
            return _undecided(plain, first, seen)
        forbidden.append({at: found.values[at] for at in numbers})
        if not forbidden[-1]:  # lines without any number contradict each other
            return _undecided(plain, first, seen)
    else:
        return _undecided(plain, first, seen)
    if first is None:
        return _undecided(plain, first, seen)
    for choice, verdict in seen:  # the likeliest come first
        if verdict is Verdict.MULTIPLE and choice.cost <= first.cost:
            return Decision(*first, Verdict.UNIQUE, other=choice.values)
    return Decision(*first, Verdict.UNIQUE, is_certain=True)


def _undecided(plain: Plain, first: Choice | None, seen: list[tuple[Choice, Verdict]]) -> Decision:
    if first is not None:
        return Decision(*first, Verdict.UNIQUE)
    for choice, verdict in seen:
        if verdict is Verdict.MULTIPLE:
            return Decision(*choice, verdict)
    return Decision(likeliest(plain.numbers), 0, Verdict.UNSOLVABLE)


def _cheapest(
    plain: Plain, forbidden: list[dict[int, int | None]], most: float, watch: Watch
) -> Choice | None:
    watch.check()
    call = partial(cheapest, plain, forbidden, most)
    found: Choice | None = call() if is_expendable() else in_child(call)
    return found


def _clashing(puzzle: Nonogram, watch: Watch) -> frozenset[int]:
    """Return lines whose clues contradict each other."""
    limits = left_of(watch)
    left_s = limits.pop("time_limit_s")
    time_s = _CONTRADICTION_S if left_s is None else min(left_s, _CONTRADICTION_S)
    return frozenset(contradiction(puzzle, time_limit_s=time_s, **limits).lines)


def puzzle_of(plain: Plain, values: Values, about: About = NOTHING_KNOWN) -> Nonogram:
    """Return the puzzle of a reading.

    Raises:
        PuzzleError: A clue is longer than its line.
    """
    clues: list[list[Block]] = [[] for _ in range(plain.height + plain.width)]
    for number, value in zip(plain.numbers, values, strict=True):
        if value:
            clues[number.line].append(Block(value, number.colour))
    lines = [*map(tuple, clues)]
    rows, columns = tuple(lines[: plain.height]), tuple(lines[plain.height :])
    return Nonogram(rows, columns, plain.colours, about=about)
