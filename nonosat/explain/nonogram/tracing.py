"""A contradiction that line propagation finds, traced back to the lines and cells that it rests on.

All lines speak in rounds, each round from what the rounds before it left, so the first line that
breaks rests on short chains. Of what a line knew only a part is kept from which the same follows,
found by leaving out halves, quarters and so on. The lines of such a trace are few on a large board
where an engine blames many, and a search for an irreducible set may start from them.

A line of n cells costs O(k log n) line arguments where k cells are kept.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, NamedTuple

from nonosat import _core
from nonosat.explain.smallest import irreducible

if TYPE_CHECKING:
    from nonosat.core.limits import Watch
    from nonosat.explain.nonogram.knowledge import Knowledge, Removal

MOST_TRACED = 8  # lines that break in the same round, of which the shortest trace is taken


class Trace(NamedTuple):
    """What a contradiction rests on.

    Args:
        lines: Whose clues.
        places: Cells whose values were known from the start.
    """

    lines: frozenset[int]
    places: frozenset[int]


class _Cause(NamedTuple):
    """How a value was ruled out: in which round (0: from the start), and by which line."""

    round: int
    line: int


def traced(known: Knowledge, watch: Watch) -> Trace | None:
    """The contradiction that line propagation finds from what is known; None where it finds none.

    Raises:
        LimitReached: The watch ended it.
    """
    causes = {gone: _Cause(0, -1) for gone in known.removed()}
    now = known.copy()
    changed: Iterable[int] = range(len(known.clues))
    number = 0
    while changed:
        number += 1
        found: dict[int, list[Removal]] = {}
        broken = []
        for line in changed:
            watch.check()
            removals = now.implied(line)
            if removals is None:
                broken.append(line)
            else:
                found[line] = removals
        if broken:
            tracer = _Tracer(known, causes, watch)
            traces = [tracer.trace(line, number) for line in broken[:MOST_TRACED]]
            return min(traces, key=lambda one: len(one.lines) + len(one.places))
        for line, removals in found.items():
            for gone in removals:
                causes.setdefault(gone, _Cause(number, line))
        now.apply(gone for removals in found.values() for gone in removals)
        touched = {place for removals in found.values() for place, _ in removals}
        changed = sorted({line for place in touched for line in now.through(place)})
    return None


class _Tracer:
    """Traces of contradictions that rest on the same causes."""

    def __init__(self, known: Knowledge, causes: dict[Removal, _Cause], watch: Watch) -> None:
        self._known, self._causes, self._watch = known, causes, watch

    def trace(self, line: int, number: int) -> Trace:
        """What it rests on that a line breaks in a round."""
        lines, places = set[int](), set[int]()
        wanted: dict[tuple[int, int], set[Removal] | None] = {(number, line): None}
        while wanted:
            self._watch.check()
            node = max(wanted)
            targets = wanted.pop(node)
            lines.add(node[1])
            for gone in self._kept(*node, targets):
                cause = self._causes[gone]
                if cause.round == 0:
                    places.add(gone[0])
                    continue
                more = wanted.setdefault((cause.round, cause.line), set())
                assert more is not None  # only the last round has a line that breaks
                more.add(gone)
        return Trace(frozenset(lines), frozenset(places))

    def _kept(self, number: int, line: int, targets: set[Removal] | None) -> list[Removal]:
        """Of what a line knew before a round, a part from which it follows.

        Args:
            number: The round.
            line: The line.
            targets: Values that it rules out then; None where it breaks.
        """
        span, clue = self._known.span(line), self._known.clues[line]
        position = {place: at for at, place in enumerate(span)}
        values = range(self._known.num_values)
        gone = [(place, value) for place in span for value in values]
        knew = [one for one in gone if (c := self._causes.get(one)) and c.round < number]
        knew.sort(key=lambda one: self._causes[one].round, reverse=True)  # late ones go first

        def follows(part: Iterable[Removal]) -> bool:
            planes = [bytearray(b"\1") * len(span) for _ in values]
            for place, value in part:
                planes[value][position[place]] = 0
            found = _core.line_values(len(span), clue, list(map(bytes, planes)))
            if found is None or targets is None:
                return found is None
            return all(position[place] not in found[value] for place, value in targets)

        return irreducible(knew, follows)
