"""Steps in words: a sentence for each finding, with clues, corners and edges to highlight."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from nonosat.core.errors import counted
from nonosat.core.wording import listed, sentence
from nonosat.explain.slitherlink.knowledge import Knowledge, Lattice
from nonosat.explain.slitherlink.probing import (
    BY_CLUE,
    BY_LOOP,
    BY_NOTHING,
    BY_RULE,
    ProbeContradiction,
    Refuted,
)
from nonosat.explain.slitherlink.step import NOTHING, OF_RULES, Evidence, Step
from nonosat.explain.slitherlink.ways import CutEdge, SideConclusions, Split, way
from nonosat.puzzles.slitherlink.rules import (
    IN,
    OUT,
    View,
    blocked,
    far,
    inner,
    opposite,
    outer,
)
from nonosat.puzzles.slitherlink.sights import Concluded

Pairs = Sequence[tuple[int, int]]

# Sentence of each rule: {clue} with its number, {corner}, {so} for the conclusion.
_SENTENCES = {
    1: "{clue} has no edges, so {so}",
    2: "{clue} needs all the edges that it has left, so {so}",
    3: "{clue} has all its edges already, so {so}",
    4: "{clue} is next to another 3, and without the edge between them the path would run around "
    "these two cells alone, so {so}",
    5: "{clue} and another 3 touch at a corner, and the path passes through it, so each 3 has both "
    "edges at its opposite corner: {so}",
    6: "the path reaches {corner} and can continue in only one way, so {so}",
    7: "the path passes through {corner} already, so {so}",
    8: "only one edge is possible at {corner}, and it would be a dead end, so {so}",
    9: "no edge leads away from {clue} at {corner}, and a 3 has both its edges there or neither, "
    "which would be too few, so {so}",
    10: "no edge leads away from {clue} at {corner}, so the path has both its edges there or both "
    "others, and passes through the two corners between them: {so}",
    11: "no edge leads away from {clue} at {corner}, where the edge of a 1 would be a dead end, so "
    "{so}",
    12: "the path reaches {clue} from outside at {corner} and has one edge there, so a 3 has both "
    "edges at the opposite corner: {so}",
    13: "no edge leads away from {clue} at {corner}, so the path leaves it at the opposite corner, "
    "along the 1 there, which then has its edge: {so}",
    14: "the path reaches {clue} from outside at {corner} and has one edge there, so it has one "
    "at the opposite corner and leaves there: {so}",
    15: "the path reaches {clue} from outside at {corner} and has its one edge there, so {so}",
}
# For rules about a corner A of a clue, the edges of their conclusions.
_ABOUT: dict[int, Callable[[int], set[int]]] = {
    9: lambda a: {*inner(a)},
    10: lambda a: {*outer((a + 1) % 4), *outer((a - 1) % 4)},
    11: lambda a: {*inner(a)},
    12: lambda a: {*inner(opposite(a)), *outer(a)},
    13: lambda a: {*far(opposite(a))},
    14: lambda a: {*inner(opposite(a)), *outer(opposite(a))},
    15: lambda a: {*inner(opposite(a))},
}
_BLOCKED = (9, 10, 11, 13)
_COLOURS = ("outside", "inside")
ON = {0: "off the path", 1: "on the path"}
SHOWN = 6  # edges or cells of a list that are listed one by one
_SIDES = ("top", "right", "bottom", "left")


class Words:
    """Names of places on a board.

    Args:
        lattice: The board.
    """

    def __init__(self, lattice: Lattice) -> None:
        self._lattice = lattice

    def cell(self, cell: int) -> str:
        """Return a cell by its row and column, "cell (4, 5)", or "the outside of the board"."""
        if cell == self._lattice.beyond:
            return "the outside of the board"
        row, column = divmod(cell, self._lattice.width)
        return f"cell ({row + 1}, {column + 1})"

    def clue(self, cell: int) -> str:
        """Return a clue with its cell: "the 3 in cell (4, 5)"."""
        return f"the {self._lattice.puzzle.clues[cell]} in {self.cell(cell)}"

    def corner(self, corner: int, focus: int = -1) -> str:
        """Return "the upper left corner of cell (4, 5)"; "its ..." for a corner of cell `focus`."""
        row, column = divmod(corner, self._lattice.across)
        of_focus = divmod(focus, self._lattice.width)
        if focus >= 0 and row - of_focus[0] in (0, 1) and column - of_focus[1] in (0, 1):
            down, right = row - of_focus[0], column - of_focus[1]
            return f"its {('upper', 'lower')[down]} {('left', 'right')[right]} corner"
        down, right = row == self._lattice.height, column == self._lattice.width
        cell = (row - down) * self._lattice.width + column - right
        side, end = ("upper", "lower")[down], ("left", "right")[right]
        return f"the {side} {end} corner of {self.cell(cell)}"

    def edge(self, edge: int) -> str:
        """Return "the top edge of cell (4, 5)"; bottom or right edges only at the rim."""
        cell = self._cell_of(edge)
        return f"the {self._sides([edge], cell)} of {self.cell(cell)}"

    def edges(self, edges: Sequence[int], focus: int = -1) -> str:
        """Return edges in words: "the left edge of cell (2, 3)", "its ..." for edges of `focus`."""
        own = [edge for edge in edges if focus >= 0 and edge in self._lattice.around[focus]]
        parts = [f"its {self._sides(own, focus)}"] if own else []
        others = [edge for edge in edges if edge not in own]
        if len(others) > SHOWN:
            return listed([*parts, counted(len(others), "other edge" if own else "edge")])
        by_cell: dict[int, list[int]] = {}
        for edge in others:
            by_cell.setdefault(self._cell_of(edge), []).append(edge)
        parts += [f"the {self._sides(some, at)} of {self.cell(at)}" for at, some in by_cell.items()]
        return listed(parts)

    def _cell_of(self, edge: int) -> int:
        """Return the cell that names an edge: below it, or right of it, if there is one."""
        one, other = self._lattice.sides[edge]
        return one if other == self._lattice.beyond else other

    def _sides(self, edges: Sequence[int], cell: int) -> str:
        """Return the names of edges of one cell: "top and left edges"."""
        names = [_SIDES[self._lattice.around[cell].index(edge)] for edge in edges]
        return f"{listed(names)} {'edge' if len(names) == 1 else 'edges'}"

    def outcome(self, pairs: Iterable[tuple[int, int]], focus: int = -1) -> str:
        """Describe values of edges: "its top edge is on the path and its left edge is off it"."""
        parts = []
        pairs = list(pairs)
        for value in (1, 0):
            mine = [edge for edge, other in pairs if other == value]
            if mine:
                verb = "is" if len(mine) == 1 else "are"
                parts.append(f"{self.edges(mine, focus)} {verb} {ON[value]}")
        return listed(parts)

    def cells(self, cells: Sequence[int], number: int) -> str:
        """Return cells in words: "cells (1, 2) and (3, 4)", or only their number if large."""
        if number > SHOWN:
            return f"{number} cells"
        names = [self.cell(cell).removeprefix("cell ") for cell in cells]
        return f"{'cell' if len(cells) == 1 else 'cells'} {listed(names)}"


class StepWording:
    """Source of the steps of one board, with their sentences; a step is made before it is applied.

    Args:
        known: The known edges.
    """

    def __init__(self, known: Knowledge) -> None:
        self._known, self._lattice = known, known.lattice
        self.words = Words(known.lattice)

    def _step(
        self, technique: str, pairs: Pairs, text: str, evidence: Evidence, rule: int = 0
    ) -> Step:
        settled = tuple(self._lattice.mark(*pair) for pair in pairs)
        return Step(technique, settled, sentence(text), evidence, rule)

    # Evidence

    def _cells(self, cells: Iterable[int]) -> tuple[tuple[int, int], ...]:
        width, beyond = self._lattice.width, self._lattice.beyond
        return tuple(divmod(cell, width) for cell in dict.fromkeys(cells) if cell != beyond)

    def _edges(self, edges: Iterable[int]) -> tuple[tuple[int, int, int, int], ...]:
        return tuple(self._lattice.mark(edge, 0)[:4] for edge in edges)

    def _way(self, edges: Iterable[int]) -> Evidence:
        """Return the cells on a way, and the edges that it crosses."""
        cells = [cell for edge in edges for cell in self._lattice.sides[edge]]
        return Evidence(self._cells(cells), (), self._edges(edges))

    # Rules

    def by_rule(self, place: int, found: Concluded, pairs: Pairs) -> Step:
        """Return the step for the conclusion `found` of a rule at a place."""
        what, row, column = self._lattice.sights.places[place]
        number = found.rule.number
        if what == "corner":
            corner = row * self._lattice.across + column
            so = self.words.outcome(pairs)
            text = _SENTENCES[number].format(corner=self.words.corner(corner), so=so)
            on = [edge for edge in self._sees(place) if self._known.states[edge] == IN]
            evidence = Evidence((), ((row, column),), self._edges(on))
        else:
            cell = row * self._lattice.width + column
            corners = self._corners(place, cell, found)
            so = self.words.outcome(pairs, cell)
            named = listed([self.words.corner(corner, cell) for corner in corners])
            text = _SENTENCES[number].format(clue=self.words.clue(cell), corner=named, so=so)
            evidence = self._around(place, cell, number, corners)
        return self._step(OF_RULES[number], pairs, text, evidence, number)

    def _sees(self, place: int) -> list[int]:
        """Return the edges around a place that its rules read, without those off the board."""
        size = 12 if self._lattice.sights.places[place][0] == "cell" else 4
        sees = self._lattice.sights.sees[place][:size]
        return [edge for edge in sees if edge != self._lattice.num_edges]

    def _corners(self, place: int, cell: int, found: Concluded) -> list[int]:
        """Return the corners of a clue's cell that the sentence of a conclusion names."""
        number = found.rule.number
        if number not in _ABOUT:
            return []
        states = tuple(self._known.states[edge] for edge in self._lattice.sights.sees[place][:12])
        view = View(self._lattice.puzzle.clues[cell], states)
        row, column = divmod(cell, self._lattice.width)
        corners = []
        for a, (down, right) in enumerate(((0, 0), (0, 1), (1, 1), (1, 0))):
            comes = any(states[edge] == IN for edge in outer(a))
            holds = blocked(view, a) if number in _BLOCKED else comes
            if holds and _ABOUT[number](a) & {*found.seen}:
                corners.append((row + down) * self._lattice.across + column + right)
        return corners

    def _around(self, place: int, cell: int, number: int, corners: Sequence[int]) -> Evidence:
        """Return the evidence of a rule about a clue: the clues, corners and edges that it uses."""
        lattice, states = self._lattice, self._known.states
        row, column = divmod(cell, lattice.width)
        ways = {4: ((-1, 0), (0, 1), (1, 0), (0, -1))}
        ways |= dict.fromkeys((5, 13), ((-1, -1), (-1, 1), (1, 1), (1, -1)))
        other_clue = 1 if number == 13 else 3
        near = [lattice.cell(row + down, column + right) for down, right in ways.get(number, ())]
        clues = lattice.puzzle.clues
        others = [one for one in near if one != lattice.beyond and clues[one] == other_clue]
        own = [edge for edge in self._sees(place)[:4] if states[edge] in (IN, OUT)]
        on = [edge for edge in self._sees(place) if states[edge] == IN]
        edges = own if number in (2, 3) else on if number in (12, 14, 15) else []
        named = tuple(divmod(corner, lattice.across) for corner in corners)
        return Evidence(self._cells([cell, *others]), named, self._edges(edges))

    # Loops

    def closed(self, pairs: Pairs) -> Step:
        """Return the step after the path is closed."""
        text = f"the path is closed, so no other edge is on it: {self.words.outcome(pairs)}"
        return self._step("closed loop", pairs, text, NOTHING)

    def early(self, edge: int) -> Step:
        """Return the step for an edge that would close the path too early."""
        piece = self._known.piece(edge)
        left = self._left(edge, is_closed=False)
        text = (
            f"{self.words.edge(edge)} would close a loop of {counted(len(piece) + 1, 'edge')} "
            f"while {left}, so {self.words.outcome([(edge, OUT)])}"
        )
        return self._step("early loop", [(edge, OUT)], text, Evidence((), (), self._edges(piece)))

    def closes_early(self, edge: int) -> str:
        """Return in words the contradiction that an edge closes the path too early."""
        return f"{self.words.edge(edge)} closes the path while {self._left(edge, is_closed=True)}"

    def _left(self, edge: int, *, is_closed: bool) -> str:
        """Return in words the reason why it is too early to close the path by an edge."""
        loops = self._known.loops
        if loops.closed > is_closed:
            return "there is another loop"
        if loops.pieces > (not is_closed):
            return "there is another piece of the path"
        sides = self._lattice.sides[edge]
        for cell, clue in enumerate(self._lattice.puzzle.clues):
            if cell in self._lattice.at_cell and cell not in sides:
                on = sum(self._known.states[one] == IN for one in self._lattice.around[cell])
                if on < clue:
                    return f"{self.words.clue(cell)} lacks an edge"
        return "a clue next to it lacks another edge"

    # Cells

    def by_sides(self, edge: int, value: int) -> Step:
        """Return the step that decides an edge by a way over known edges between its two cells."""
        one, other = self._lattice.sides[edge]
        crossed = way(self._known, one, other)
        number = sum(self._known.states[near] == IN for near in crossed)
        same = "the same side" if value == OUT else "different sides"
        text = (
            f"a line across {counted(len(crossed), 'known edge')} from {self.words.cell(one)} to "
            f"{self.words.cell(other)} crosses the path {_times(number)}, so both are on {same} of "
            f"it, and {self.words.outcome([(edge, value)])}"
        )
        return self._step("inside and outside", [(edge, value)], text, self._way(crossed))

    def by_clue(self, sided: SideConclusions) -> Step:
        """Return the step that follows from a clue and the known sides of cells around it."""
        item, crossed = [], list[int]()
        for one, other in sided.pairs:
            between = way(self._known, one, other)
            crossed += between
            odd = sum(self._known.states[edge] == IN for edge in between) % 2
            same = "different sides" if odd else "the same side"
            item.append(f"{self.words.cell(one)} and {self.words.cell(other)} are on {same}")
        text = (
            f"{listed(item)} of the path, which limits the edges of {self.words.clue(sided.cell)}: "
            f"{self.words.outcome(sided.decided, sided.cell)}"
        )
        evidence = self._way(crossed)
        cells = (*self._cells([sided.cell]), *evidence.cells)
        return self._step(
            "sides of a clue", sided.decided, text, evidence._replace(cells=tuple(cells))
        )

    def narrow(self, found: CutEdge) -> Step:
        """Return the step for a narrow way: the only connection of cells on one side."""
        colour, pair = _COLOURS[found.colour], (found.edge, found.value)
        cut = self.words.cells(found.cut, found.num_cut)
        if found.through is None:
            how = f"only {self.words.edge(found.edge)} connects {cut} with the others"
        else:
            how = (
                f"only {self.words.cell(found.through)} connects {cut} with the others, so it is "
                f"{colour}"
            )
        so = self.words.outcome([pair])
        text = f"all cells {colour} of the path are connected, and {how}: {so}"
        through = [] if found.through is None else [found.through]
        return self._step("narrow way", [pair], text, Evidence(self._cells([*found.cut, *through])))

    # Assumptions

    def refuted(self, found: Refuted, technique: str) -> Step:
        """Return the step that refutes an assumption."""
        chain = found.chain
        then = self.broken(found.broken)
        if not chain:
            how = then
        elif len(chain) <= SHOWN:
            following = self.words.edges([edge for edge, _ in chain])
            how = f"{following} would follow, and {then}"
        else:
            how = f"after {counted(len(chain), 'more edge')} {then}"
        pair = (found.edge, 1 - found.value)
        text = (
            f"if {self.words.edge(found.edge)} were {ON[found.value]}, {how}, so it is "
            f"{ON[pair[1]]}"
        )
        mark = self._lattice.mark
        return Step(
            technique,
            (mark(*pair),),
            sentence(text),
            self._where(found.broken),
            assumed=mark(found.edge, found.value),
            chain=tuple(mark(*one) for one in chain),
        )

    def _where(self, broken: ProbeContradiction) -> Evidence:
        if broken.kind == BY_CLUE:
            return Evidence((divmod(broken.where, self._lattice.width),))
        if broken.kind != BY_RULE:
            return Evidence((), (), self._edges([broken.where]))
        what, row, column = self._lattice.sights.places[broken.where]
        return Evidence(((row, column),)) if what == "cell" else Evidence((), ((row, column),))

    def broken(self, broken: ProbeContradiction) -> str:
        """Return the contradiction of an assumption in words, in the conditional: "would ..."."""
        if broken.kind == BY_LOOP:
            return f"{self.words.edge(broken.where)} would close the path too early"
        if broken.kind == BY_NOTHING:
            return "no edge would be left for the path"
        if broken.kind == BY_CLUE:
            return f"the cells around {self.words.clue(broken.where)} would not allow its edges"
        if broken.kind != BY_RULE:
            return "a way over known edges would cross the path an odd number of times"
        what, row, column = self._lattice.sights.places[broken.where]
        if what == "cell":
            clue = self.words.clue(row * self._lattice.width + column)
            return f"{clue} could not have its edges"
        corner = self.words.corner(row * self._lattice.across + column)
        return f"the path would end or fork at {corner}"

    def either(self, edge: int, pairs: Pairs) -> Step:
        """Return the step for the values `pairs` that follow from both values of an edge."""
        text = (
            f"whether {self.words.edge(edge)} is on the path or off it, it follows that "
            f"{self.words.outcome(pairs)}"
        )
        step = self._step("either way", pairs, text, Evidence((), (), self._edges([edge])))
        assumed = self._lattice.mark(edge, -1)
        return Step(step.technique, step.settled, step.sentence, step.evidence, assumed=assumed)

    def guess(self, edge: int, value: int) -> Step:
        """Return the step of a guess, of which a search refutes the opposite."""
        pair = (edge, value)
        text = (
            "a guess, because no single assumption decides an edge: a search refutes the opposite, "
            f"so {self.words.outcome([pair])}"
        )
        return self._step("guess", [pair], text, NOTHING)

    # Endings

    def impossible(self, place: int) -> str:
        """Return in words the contradiction that a clue or a corner cannot be completed."""
        what, row, column = self._lattice.sights.places[place]
        if what == "corner":
            corner = self.words.corner(row * self._lattice.across + column)
            return f"the path ends or forks at {corner}"
        return f"{self.words.clue(row * self._lattice.width + column)} cannot have its edges"

    def split(self, found: Split) -> str:
        """Return in words the contradiction that cells are cut off from their side."""
        cut = self.words.cells(found.cut, len(found.cut))
        verb = "is" if len(found.cut) == 1 else "are"
        return (
            f"all cells {_COLOURS[found.colour]} of the path are connected, but {cut} {verb} cut "
            "off"
        )


def _times(number: int) -> str:
    """Return a number of times in words: "twice"."""
    return {0: "never", 1: "once", 2: "twice"}.get(number, f"{number} times")
