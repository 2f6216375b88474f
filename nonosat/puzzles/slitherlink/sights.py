"""Deduction: views of clues and corners, conclusions of the rules from them, up to a fixpoint.

A place is a clue's cell or a corner; places are numbered, cells with clues first. The conclusions
from a view are cached by the view, for all boards, so that a place is checked in a microsecond:
programs that solve many boards once each, such as a search for a difficulty, reuse them.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable, Generator, Iterator, Sequence
from functools import cache
from operator import itemgetter
from typing import NamedTuple

from nonosat.core.limits import Watch, polled
from nonosat.core.plugins import Ending
from nonosat.core.wording import cell_text, corner_text
from nonosat.puzzles.slitherlink.data import Path, Slitherlink
from nonosat.puzzles.slitherlink.rules import (
    IN,
    OF_CLUES,
    OF_CORNERS,
    OPEN,
    OUT,
    RULES,
    Rule,
    View,
    as_read,
)
from nonosat.puzzles.slitherlink.verify import refutation

MAX_TRACED = 2_000  # steps that a stage stores as text
MOST_KEPT = 20_000  # views of a kind, a few hundred bytes each; then the cache is cleared

_AWAY = ((0, 3), (0, 1), (1, 2), (2, 3))  # by corner, ways (up, right, down, left) that lead away

Place = tuple[str, int, int]  # ("cell" or "corner", row, column)


class Concluded(NamedTuple):
    """Conclusion of a rule from a view.

    Args:
        rule: The rule.
        seen: The edges that it decides, as indices into the edges of the view.
        value: IN or OUT, for all of them.
    """

    rule: Rule
    seen: list[int]
    value: int


class EvaluatedView(NamedTuple):
    """Evaluated view of a place.

    Args:
        is_possible: True if the undecided edges of the cell or corner can still be decided: as
            many IN as a clue requires, two or none at a corner.
        concluded: Conclusions of the rules, without known edges.
    """

    is_possible: bool
    concluded: list[Concluded]


@cache
def _known_of(rules: tuple[Rule, ...], kind: View | None) -> dict[tuple[int, ...], EvaluatedView]:
    """Return the cache that maps the edges of a view to the conclusions of some rules from it.

    There is a cache for each set of rules and kind of view.
    """
    del rules, kind  # a cache for each
    return {}


class Sights:
    """The places of a board.

    Attributes:
        num_edges: Number of edges on the board; as an edge, it represents all edges off the board.
        places: The places.
        sees: For each place the edges of its view, numbered as in the module `rules`.
        wakes: For each edge the places whose view contains it.
    """

    def __init__(self, puzzle: Slitherlink, rules: Sequence[Rule] = RULES) -> None:
        self._puzzle = puzzle
        self._of_clues = tuple(rule for rule in OF_CLUES if rule in rules)
        self._of_corners = tuple(rule for rule in OF_CORNERS if rule in rules)
        height, width = puzzle.height, puzzle.width
        self._first_vertical = (height + 1) * width
        self.num_edges = self._first_vertical + height * (width + 1)
        self.places: list[Place] = []
        self.sees: list[tuple[int, ...]] = []
        self.wakes: list[list[int]] = [[] for _ in range(self.num_edges + 1)]
        self._states_in: list[Callable[[bytearray], tuple[int, ...]]] = []
        self._kind: list[View | None] = []  # without its edges; None for a corner
        self._known: list[dict[tuple[int, ...], EvaluatedView]] = []  # one for each kind of view
        self._add_places()

    # Geometry

    def horizontal(self, row: int, column: int) -> int:
        """Return the edge from corner (row, column) to the right."""
        on_board = 0 <= row <= self._puzzle.height and 0 <= column < self._puzzle.width
        return row * self._puzzle.width + column if on_board else self.num_edges

    def vertical(self, row: int, column: int) -> int:
        """Return the edge from corner (row, column) down."""
        on_board = 0 <= row < self._puzzle.height and 0 <= column <= self._puzzle.width
        return (
            self._first_vertical + row * (self._puzzle.width + 1) + column
            if on_board
            else self.num_edges
        )

    def around_cell(self, row: int, column: int) -> tuple[int, int, int, int]:
        """Return the four edges of a cell: above, right, below, left."""
        return (
            self.horizontal(row, column),
            self.vertical(row, column + 1),
            self.horizontal(row + 1, column),
            self.vertical(row, column),
        )

    def around_corner(self, row: int, column: int) -> tuple[int, ...]:
        """Return the four edges at a corner: up, right, down, left."""
        return (
            self.vertical(row - 1, column),
            self.horizontal(row, column),
            self.vertical(row, column),
            self.horizontal(row, column - 1),
        )

    def edges_in_view(self, row: int, column: int) -> tuple[int, ...]:
        """Return the twenty edges of the view of a cell's clue, in the order of `rules`."""
        h, v = self.horizontal, self.vertical
        corners = ((row, column), (row, column + 1), (row + 1, column + 1), (row + 1, column))
        away = [self.around_corner(*corner) for corner in corners]
        outer = (away[corner][way] for corner, ways in enumerate(_AWAY) for way in ways)
        far = (
            *(h(row - 1, column - 1), v(row - 1, column - 1)),
            *(h(row - 1, column + 1), v(row - 1, column + 2)),
            *(v(row + 1, column + 2), h(row + 2, column + 1)),
            *(h(row + 2, column - 1), v(row + 1, column - 1)),
        )
        return (*self.around_cell(row, column), *outer, *far)

    def _clue(self, row: int, column: int) -> int | None:
        on_board = 0 <= row < self._puzzle.height and 0 <= column < self._puzzle.width
        return self._puzzle[row, column] if on_board else None

    def _add_places(self) -> None:
        """Add every clue and every corner, with the edges of its view."""
        clues = self._puzzle.clues
        guarded = clues.count(3) > 2 or clues.count(2) > 0
        for row in range(self._puzzle.height):
            for column in polled(range(self._puzzle.width)):
                if (clue := self._clue(row, column)) is not None:
                    ways = ((-1, 0), (0, 1), (1, 0), (0, -1))
                    beside = tuple(self._clue(row + down, column + right) for down, right in ways)
                    ways = ((-1, -1), (-1, 1), (1, 1), (1, -1))
                    diagonal = tuple(self._clue(row + down, column + right) for down, right in ways)
                    kind = as_read(View(clue, (), beside, diagonal, guarded))
                    self._add(("cell", row, column), self.edges_in_view(row, column), 12, kind)
        for row in range(self._puzzle.height + 1):
            for column in polled(range(self._puzzle.width + 1)):
                self._add(("corner", row, column), self.around_corner(row, column), 4, None)

    def _add(self, place: Place, sees: tuple[int, ...], size: int, kind: View | None) -> None:
        for edge in sees[:size]:
            self.wakes[edge].append(len(self.places))
        self.places.append(place)
        self.sees.append(sees)
        self._states_in.append(itemgetter(*sees[:size]))
        self._kind.append(kind)
        rules = self._of_corners if kind is None else self._of_clues
        self._known.append(_known_of(rules, kind))

    # Views

    def seen(self, index: int, states: bytearray) -> EvaluatedView:
        """Return the evaluated view of one place.

        Args:
            index: The place's number.
            states: IN, OUT or OPEN of every edge, followed by OUT.
        """
        edges = self._states_in[index](states)
        known = self._known[index]
        found = known.get(edges)
        if found is None:
            if len(known) >= MOST_KEPT:
                known.clear()
            kind = self._kind[index]
            concluded = list(self._apply(kind, edges))
            found = known[edges] = EvaluatedView(_is_possible(kind, edges), concluded)
        return found

    def _apply(self, kind: View | None, edges: tuple[int, ...]) -> Iterator[Concluded]:
        """Yield conclusions of all rules, without known edges."""
        view = edges if kind is None else kind._replace(edges=edges)
        for rule in self._of_corners if kind is None else self._of_clues:
            by_value: dict[int, list[int]] = {}
            for place, value in rule.apply(view):
                if place >= len(edges) or edges[place] != value:
                    by_value.setdefault(value, []).append(place)
            yield from (Concluded(rule, places, value) for value, places in by_value.items())


def _is_possible(kind: View | None, edges: tuple[int, ...]) -> bool:
    own = edges[:4]
    num_in, most = own.count(IN), 4 - own.count(OUT)
    if kind is not None:
        return num_in <= kind.clue <= most
    return num_in <= 2 and (num_in != 1 or most > 1)


# Deduction: the rules run to a fixpoint, each conclusion with its rule and place.
#
# Each change of an edge wakes the clues and corners whose view contains it. A board of 100 x 100
# takes a fraction of a second. Invariant: decided edges hold in every solution; a contradiction
# means that there is none. Linear in the board, as every clue and corner wakes a bounded number of
# times.


class RuleConclusion(NamedTuple):
    """The conclusion of one rule in one place.

    Args:
        rule: The rule.
        place: Place of the clue, or the corner.
        edges: The edges that it decided, numbered as in `data`.
        value: IN or OUT, for all of them.
    """

    rule: Rule
    place: Place
    edges: tuple[int, ...]
    value: int

    def __str__(self) -> str:
        what, row, column = self.place
        verb = "in" if self.value == IN else "out"
        return f"rule {self.rule}, {what} ({row}, {column}): {len(self.edges)} {verb}"


class RuleConflict(NamedTuple):
    """A rule concluded the opposite of a decided edge."""

    rule: Rule
    place: Place
    edge: int

    def description(self, puzzle: Slitherlink) -> str:
        """Return the contradiction in words."""
        what, row, column = self.place
        if what == "cell":
            where = f"the clue {puzzle[row, column]} in {cell_text(row, column)}"
        else:
            where = corner_text(row, column, puzzle.height, puzzle.width)
        return f"{where} contradicts what other clues force (rule {self.rule})"


class Deduction:
    """The edges of a board, as far as rules decide them.

    Attributes:
        states: IN, OUT or OPEN of every edge, followed by one state for all that are off the board.
        steps: The conclusions, in order.
        contradiction: The contradiction of the rules; None if there is none.
    """

    def __init__(self, puzzle: Slitherlink, rules: Sequence[Rule] = RULES) -> None:
        """Begin with the given edges; subsets of the rules are for tests."""
        self._puzzle = puzzle
        self._sights = Sights(puzzle, rules)
        self.states = bytearray([OPEN]) * self._sights.num_edges + bytes([OUT])
        for edge, value in puzzle.given_edges():
            self.states[edge] = IN if value else OUT
        self.steps: list[RuleConclusion] = []
        self.contradiction: RuleConflict | None = None
        self._waiting = deque(range(len(self._sights.places)))
        self._is_waiting = bytearray(b"\1") * len(self._sights.places)

    # The fixpoint

    def run(self, pause: Callable[[], None] = lambda: None) -> None:
        """Apply the rules until nothing more follows, or a contradiction."""
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
                self.contradiction = RuleConflict(rule, self._sights.places[index], edge)
                break
            self.states[edge] = value
            decided.append(edge)
            for other in self._sights.wakes[edge]:
                if not self._is_waiting[other]:
                    self._is_waiting[other] = 1
                    self._waiting.append(other)
        if decided:
            self.steps.append(
                RuleConclusion(rule, self._sights.places[index], tuple(decided), value)
            )

    # Results

    def num_open(self) -> int:
        """Return the number of edges that the rules leave open."""
        return self.states.count(OPEN)

    def path(self) -> Path:
        """Return the path of the edges that are IN."""
        edges = self.states[:-1].replace(bytes([OPEN]), bytes([OUT]))
        return Path(self._puzzle.height, self._puzzle.width, bytes(edges))


def rules(puzzle: Slitherlink, watch: Watch, seed: int = 0) -> Generator[Path, None, Ending]:
    """Yield the solution if the 15 rules of document 002 find it, without search."""
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
        return Ending(True, found.contradiction.description(puzzle), detail)
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
    """Return the contradiction of the rules in words; "" if there is none."""
    found = Deduction(puzzle)
    found.run(watch.check)
    return found.contradiction.description(puzzle) if found.contradiction else ""
