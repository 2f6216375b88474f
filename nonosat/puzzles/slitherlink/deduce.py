"""The rules run to a fixpoint, each conclusion with the rule and the place that it comes from.

Whatever changes is looked at again: an edge wakes the clues and corners that see it. What the
rules make of a view is kept by the view, so that a clue is looked at in a microsecond; a board of
100 x 100 takes a fraction of a second.

Invariant: what is decided holds in every solution; a contradiction means that there is none.
Linear in the board, as every clue and corner wakes a bounded number of times.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable, Generator, Iterator, Sequence
from operator import itemgetter
from typing import NamedTuple

from nonosat.limits import Watch
from nonosat.plugins import Ending
from nonosat.puzzles.slitherlink.data import Path, Slitherlink
from nonosat.puzzles.slitherlink.rules import IN, OF_CLUES, OF_CORNERS, OPEN, OUT, RULES, Rule, View
from nonosat.puzzles.slitherlink.verify import refutation
from nonosat.wording import cell_text, corner_text

MAX_TRACED = 2_000  # steps that a stage keeps as text

_AWAY = ((0, 3), (0, 1), (1, 2), (2, 3))  # by corner, ways (up, right, down, left) that lead away

Place = tuple[str, int, int]  # ("cell" or "corner", row, column)


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
        self._of_clues = [rule for rule in OF_CLUES if rule in rules]
        self._of_corners = [rule for rule in OF_CORNERS if rule in rules]
        height, width = puzzle.height, puzzle.width
        self._first_vertical = (height + 1) * width
        self._off = self._first_vertical + height * (width + 1)
        self.states = bytearray([OPEN]) * self._off + bytes([OUT])
        self.steps: list[Step] = []
        self.contradiction: Contradiction | None = None
        self._kinds: dict[View, int] = {}
        self._known: dict[tuple[int, tuple[int, ...]], list[tuple[Rule, list[int], int]]] = {}
        self._places: list[Place] = []
        self._sees: list[tuple[int, ...]] = []
        self._look: list[Callable[[bytearray], tuple[int, ...]]] = []
        self._kind: list[View | None] = []  # without its edges; None for a corner
        self._wakes: list[list[int]] = [[] for _ in range(self._off + 1)]
        self._add_places()
        self._waiting = deque(range(len(self._places)))
        self._is_waiting = bytearray(b"\1") * len(self._places)

    # Geometry

    def horizontal(self, row: int, column: int) -> int:
        """The edge from corner (row, column) to the right."""
        on_board = 0 <= row <= self._puzzle.height and 0 <= column < self._puzzle.width
        return row * self._puzzle.width + column if on_board else self._off

    def vertical(self, row: int, column: int) -> int:
        """The edge from corner (row, column) down."""
        on_board = 0 <= row < self._puzzle.height and 0 <= column <= self._puzzle.width
        return (
            self._first_vertical + row * (self._puzzle.width + 1) + column
            if on_board
            else self._off
        )

    def around_corner(self, row: int, column: int) -> tuple[int, ...]:
        """The four edges at a corner: up, right, down, left."""
        return (
            self.vertical(row - 1, column),
            self.horizontal(row, column),
            self.vertical(row, column),
            self.horizontal(row, column - 1),
        )

    def seen_from(self, row: int, column: int) -> tuple[int, ...]:
        """The twenty edges that the clue of a cell sees, in the order of `rules`."""
        h, v = self.horizontal, self.vertical
        own = (h(row, column), v(row, column + 1), h(row + 1, column), v(row, column))
        corners = ((row, column), (row, column + 1), (row + 1, column + 1), (row + 1, column))
        away = [self.around_corner(*corner) for corner in corners]
        outer = (away[corner][way] for corner, ways in enumerate(_AWAY) for way in ways)
        far = (
            *(h(row - 1, column - 1), v(row - 1, column - 1)),
            *(h(row - 1, column + 1), v(row - 1, column + 2)),
            *(v(row + 1, column + 2), h(row + 2, column + 1)),
            *(h(row + 2, column - 1), v(row + 1, column - 1)),
        )
        return (*own, *outer, *far)

    def _clue(self, row: int, column: int) -> int | None:
        on_board = 0 <= row < self._puzzle.height and 0 <= column < self._puzzle.width
        return self._puzzle[row, column] if on_board else None

    def _add_places(self) -> None:
        """Every clue and every corner, with the edges that it sees."""
        clues = self._puzzle.clues
        guarded = clues.count(3) > 2 or clues.count(2) > 0
        for row in range(self._puzzle.height):
            for column in range(self._puzzle.width):
                if (clue := self._clue(row, column)) is not None:
                    ways = ((-1, 0), (0, 1), (1, 0), (0, -1))
                    beside = tuple(self._clue(row + down, column + right) for down, right in ways)
                    ways = ((-1, -1), (-1, 1), (1, 1), (1, -1))
                    diagonal = tuple(self._clue(row + down, column + right) for down, right in ways)
                    kind = View(clue, (), beside, diagonal, guarded)
                    self._add(("cell", row, column), self.seen_from(row, column), 12, kind)
        for row in range(self._puzzle.height + 1):
            for column in range(self._puzzle.width + 1):
                self._add(("corner", row, column), self.around_corner(row, column), 4, None)

    def _add(self, place: Place, sees: tuple[int, ...], looks: int, kind: View | None) -> None:
        for edge in sees[:looks]:
            self._wakes[edge].append(len(self._places))
        self._places.append(place)
        self._sees.append(sees)
        self._look.append(itemgetter(*sees[:looks]))
        self._kind.append(kind)

    # The fixpoint

    def run(self, pause: Callable[[], None] = lambda: None) -> None:
        """Until nothing more follows, or a contradiction."""
        while self._waiting and self.contradiction is None:
            pause()
            index = self._waiting.popleft()
            self._is_waiting[index] = 0
            for rule, places, value in self._conclusions(index):
                self._decide(rule, index, places, value)
                if self.contradiction is not None:
                    break

    def _conclusions(self, index: int) -> list[tuple[Rule, list[int], int]]:
        """The rules' conclusions from the view of one place; remembered by the view."""
        kind, edges = self._kind[index], self._look[index](self.states)
        number = -1 if kind is None else self._kinds.setdefault(kind, len(self._kinds))
        found = self._known.get((number, edges))
        if found is None:
            found = self._known[number, edges] = list(self._apply(kind, edges))
        return found

    def _apply(
        self, kind: View | None, edges: tuple[int, ...]
    ) -> Iterator[tuple[Rule, list[int], int]]:
        """Conclusions of all rules, less what is known already."""
        view = edges if kind is None else kind._replace(edges=edges)
        for rule in self._of_corners if kind is None else self._of_clues:
            by_value: dict[int, list[int]] = {}
            for place, value in rule.apply(view):
                if place >= len(edges) or edges[place] != value:
                    by_value.setdefault(value, []).append(place)
            yield from ((rule, places, value) for value, places in by_value.items())

    def _decide(self, rule: Rule, index: int, places: Sequence[int], value: int) -> None:
        sees, decided = self._sees[index], []
        for place in places:
            edge = sees[place]
            state = self.states[edge]
            if state == value:
                continue
            if state != OPEN:
                self.contradiction = Contradiction(rule, self._places[index], edge)
                break
            self.states[edge] = value
            decided.append(edge)
            for other in self._wakes[edge]:
                if not self._is_waiting[other]:
                    self._is_waiting[other] = 1
                    self._waiting.append(other)
        if decided:
            self.steps.append(Step(rule, self._places[index], tuple(decided), value))

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
