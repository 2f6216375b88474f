"""The rules run to a fixpoint, each conclusion with the rule and the place that it comes from.

Whatever changes is looked at again: an edge wakes the clues and corners that see it (`sights`). A
board of 100 x 100 takes a fraction of a second.

Invariant: what is decided holds in every solution; a contradiction means that there is none.
Linear in the board, as every clue and corner wakes a bounded number of times.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable, Generator, Sequence
from typing import NamedTuple

from nonosat.core.limits import Watch
from nonosat.core.plugins import Ending
from nonosat.core.wording import cell_text, corner_text
from nonosat.puzzles.slitherlink.data import Path, Slitherlink
from nonosat.puzzles.slitherlink.rules import IN, OPEN, OUT, RULES, Rule
from nonosat.puzzles.slitherlink.sights import Place, Sights
from nonosat.puzzles.slitherlink.verify import refutation

MAX_TRACED = 2_000  # steps that a stage keeps as text


class Step(NamedTuple):
    """The conclusion of one rule in one place.

    Args:
        rule: Which one.
        place: Of the clue, or the corner.
        edges: The edges that it decided, numbered as in `data`.
        value: IN or OUT, of all of them.
    """

    rule: Rule
    place: Place
    edges: tuple[int, ...]
    value: int

    def __str__(self) -> str:
        what, row, column = self.place
        verb = "in" if self.value == IN else "out"
        return f"rule {self.rule}, {what} ({row}, {column}): {len(self.edges)} {verb}"


class Contradiction(NamedTuple):
    """A rule concluded the opposite of what was decided."""

    rule: Rule
    place: Place
    edge: int

    def told(self, puzzle: Slitherlink) -> str:
        """It in words."""
        what, row, column = self.place
        if what == "cell":
            where = f"the clue {puzzle[row, column]} in {cell_text(row, column)}"
        else:
            where = corner_text(row, column, puzzle.height, puzzle.width)
        return f"{where} contradicts what other clues force (rule {self.rule})"


class Deduction:
    """The edges of a board, as far as rules decide them.

    Attributes:
        states: IN, OUT or OPEN of every edge; behind them one for all that are off the board.
        steps: What was concluded, in order.
        contradiction: Where the rules contradict each other; None without one.
    """

    def __init__(self, puzzle: Slitherlink, rules: Sequence[Rule] = RULES) -> None:
        """A board of which nothing is known; other rules than all of them are for tests."""
        self._puzzle = puzzle
        self._sights = Sights(puzzle, rules)
        self.states = bytearray([OPEN]) * self._sights.num_edges + bytes([OUT])
        for edge, value in puzzle.given_edges():
            self.states[edge] = IN if value else OUT
        self.steps: list[Step] = []
        self.contradiction: Contradiction | None = None
        self._waiting = deque(range(len(self._sights.places)))
        self._is_waiting = bytearray(b"\1") * len(self._sights.places)

    # The fixpoint

    def run(self, pause: Callable[[], None] = lambda: None) -> None:
        """Until nothing more follows, or a contradiction."""
        while self._waiting and self.contradiction is None:
            pause()
            index = self._waiting.popleft()
            self._is_waiting[index] = 0
            for rule, places, value in self._sights.seen(index, self.states).concluded:
                self._decide(rule, index, places, value)
                if self.contradiction is not None:
                    break

    def _decide(self, rule: Rule, index: int, places: Sequence[int], value: int) -> None:
        sees, decided = self._sights.sees[index], []
        for place in places:
            edge = sees[place]
            state = self.states[edge]
            if state == value:
                continue
            if state != OPEN:
                self.contradiction = Contradiction(rule, self._sights.places[index], edge)
                break
            self.states[edge] = value
            decided.append(edge)
            for other in self._sights.wakes[edge]:
                if not self._is_waiting[other]:
                    self._is_waiting[other] = 1
                    self._waiting.append(other)
        if decided:
            self.steps.append(Step(rule, self._sights.places[index], tuple(decided), value))

    # What came of it

    def num_open(self) -> int:
        """Edges that the rules leave open."""
        return self.states.count(OPEN)

    def path(self) -> Path:
        """The edges that are IN."""
        edges = self.states[:-1].replace(bytes([OPEN]), bytes([OUT]))
        return Path(self._puzzle.height, self._puzzle.width, bytes(edges))


def rules(puzzle: Slitherlink, watch: Watch, seed: int = 0) -> Generator[Path, None, Ending]:
    """The 15 rules of document 002 alone, without search; they tell when they do not suffice."""
    del seed
    found = Deduction(puzzle)
    found.run(watch.check)
    used = Counter(str(step.rule) for step in found.steps)
    detail = {
        "decided": len(found.states) - 1 - found.num_open(),
        "used": {str(rule): used[str(rule)] for rule in RULES if used[str(rule)]},
        "trace": [str(step) for step in found.steps[:MAX_TRACED]],
    }
    if found.contradiction is not None:
        return Ending(True, found.contradiction.told(puzzle), detail)
    if num_open := found.num_open():
        num_edges = len(found.states) - 1
        reason = f"the rules leave {num_open} of {num_edges} edges open; another backend can search"
        return Ending(False, reason, detail)
    path = found.path()
    if mistake := refutation(puzzle, path):
        return Ending(True, f"the rules leave one path, which is none: {mistake}", detail)
    yield path
    return Ending(True, "", detail)


def breaks(puzzle: Slitherlink, watch: Watch) -> str:
    """Where the rules contradict each other; "" where they do not."""
    found = Deduction(puzzle)
    found.run(watch.check)
    return found.contradiction.told(puzzle) if found.contradiction else ""
