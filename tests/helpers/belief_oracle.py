"""Oracle for belief propagation: enumeration of fillings, in logarithms, message by message.

It shares no code with the code under test: a line's marginals are sums over all its fillings, a
board is a dictionary of messages.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import exp, log
from typing import NamedTuple

from nonosat.core.model import Clue
from nonosat.testing.oracles import Known, agrees, paint, placements

Logs = Sequence[Mapping[int, float]]  # by cell: the log-weight of each possible value


class WeightedShares(NamedTuple):
    """Weighted shares of the fillings: by cell and value, by block and position."""

    values: list[dict[int, float]]
    starts: list[dict[int, float]]
    ends: list[dict[int, float]]


def line_marginals(clue: Clue, logs: Logs) -> WeightedShares | None:
    """Return exact marginals of a line, by enumeration; None if it has no filling."""
    known: Known = [frozenset(cell) for cell in logs]
    found = []
    for placement in placements(clue, len(logs)):
        cells = paint(clue, len(logs), placement)
        if agrees(cells, known):
            weight = sum(cell[value] for cell, value in zip(logs, cells, strict=True))
            found.append((placement, cells, weight))
    if not found:
        return None
    most = max(weight for _, _, weight in found)
    total = sum(exp(weight - most) for _, _, weight in found)
    marginals = WeightedShares([{} for _ in logs], [{} for _ in clue], [{} for _ in clue])

    def add(shares: dict[int, float], key: int, share: float) -> None:
        shares[key] = shares.get(key, 0.0) + share

    for placement, cells, weight in found:
        share = exp(weight - most) / total
        for shares, value in zip(marginals.values, cells, strict=True):
            add(shares, value, share)
        for block, (start, end) in enumerate(placement):
            add(marginals.starts[block], start, share)
            add(marginals.ends[block], end, share)
    return marginals


class Rounds:
    """Messages of a whole board.

    Args:
        rows: Clues.
        columns: Clues.
        known: Possible values of each cell, row-major.
        damping: Weight of the previous message.
        clamp: Bound of a message.
    """

    def __init__(
        self,
        rows: Sequence[Clue],
        columns: Sequence[Clue],
        known: Known,
        damping: float,
        clamp: float,
    ) -> None:
        height, width = len(rows), len(columns)
        self.known, self.damping, self.clamp = known, damping, clamp
        cells = [range(row * width, (row + 1) * width) for row in range(height)]
        cells += [range(column, height * width, width) for column in range(width)]
        self.lines = list(zip([*rows, *columns], cells, strict=True))
        self.height = height
        # By side (0: from rows), cell and value: relative to the cell's lowest value.
        self.messages = [[dict.fromkeys(values, 0.0) for values in known] for _ in range(2)]

    def incoming(self, line: int) -> list[dict[int, float]]:
        """Return the messages from the crossing lines to the cells of a line."""
        return [self.messages[line < self.height][cell] for cell in self.lines[line][1]]

    def run(self, rounds: int) -> None:
        for _ in range(rounds):
            for line in range(len(self.lines)):
                self.visit(line)

    def visit(self, line: int) -> None:
        clue, cells = self.lines[line]
        incoming = self.incoming(line)
        marginals = line_marginals(clue, incoming)
        assert marginals is not None
        for cell, text, shares in zip(cells, incoming, marginals.values, strict=True):
            mine = self.messages[line >= self.height][cell]
            base = min(self.known[cell])
            for value in self.known[cell] - {base}:
                message = log(shares[value] / shares[base]) - text[value]
                message = max(-self.clamp, min(self.clamp, message))
                mine[value] = self.damping * mine[value] + (1 - self.damping) * message

    def probabilities(self) -> list[dict[int, float]]:
        """Return probabilities by cell and value, from the messages of both lines."""
        found = []
        for values, row, column in zip(self.known, *self.messages, strict=True):
            weights = {value: exp(row[value] + column[value]) for value in values}
            total = sum(weights.values())
            found.append({value: weight / total for value, weight in weights.items()})
        return found
