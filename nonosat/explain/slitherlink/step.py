"""Steps of an explanation of a Slitherlink, which decide edges, with their evidence.

A mark is (row, column, row, column, value): an edge between two corners, and 1 if it is on the
path, 0 if it is off it. A step follows from the clues and the marks of the preceding steps, so its
marks are true in every solution.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

Mark = tuple[int, int, int, int, int]
Cell = tuple[int, int]
Edge = tuple[int, int, int, int]

# Easiest first. The numbers are those of document 002's rules; the others are beyond them.
TECHNIQUES = {
    "zero": "a clue 0 has no edges (rule 1)",
    "all left": "a clue needs all the edges that it has left (rule 2)",
    "all there": "a clue has all its edges already (rule 3)",
    "way on": "the path reaches a corner and can continue in only one way (rule 6)",
    "passed corner": "the path passes through a corner already (rule 7)",
    "dead end": "only one edge is possible at a corner (rule 8)",
    "closed loop": "the path is closed, so no other edge is on it",
    "two threes": "two 3s side by side or across a corner (rules 4 and 5)",
    "blocked corner": "no edge leads away from a clue at a corner (rules 9, 10, 11 and 13)",
    "entered corner": "the path reaches a clue's corner from outside (rules 12, 14 and 15)",
    "early loop": "an edge would close the path too early",
    "inside and outside": "a line across known edges shows which sides of an edge are inside",
    "sides of a clue": "cells inside and outside around a clue limit its edges",
    "narrow way": "all cells inside are connected, and all cells outside",
    "look-ahead": "an assumption about an edge leads, by these rules, to a contradiction",
    "either way": "a consequence of an edge both on the path and off it",
    "far look-ahead": "a look-ahead that also follows inside and outside",
    "guess": "a value that only a search confirms",
}
GRADES = {
    "zero": 1,
    "all left": 1,
    "all there": 1,
    "way on": 1,
    "passed corner": 1,
    "dead end": 1,
    "closed loop": 1,
    "two threes": 2,
    "blocked corner": 2,
    "entered corner": 3,
    "early loop": 4,
    "inside and outside": 5,
    "sides of a clue": 5,
    "narrow way": 5,
    "look-ahead": 6,
    "either way": 7,
    "far look-ahead": 7,
    "guess": 8,
}
OF_RULES = {
    1: "zero",
    2: "all left",
    3: "all there",
    4: "two threes",
    5: "two threes",
    6: "way on",
    7: "passed corner",
    8: "dead end",
    9: "blocked corner",
    10: "blocked corner",
    11: "blocked corner",
    12: "entered corner",
    13: "blocked corner",
    14: "entered corner",
    15: "entered corner",
}
RANK = {name: rank for rank, name in enumerate(TECHNIQUES)}


class Evidence(NamedTuple):
    """Places that a step uses, to be highlighted.

    Args:
        cells: Cells with clues, or cells on a way across edges.
        corners: Corners of the lattice.
        edges: Known edges.
    """

    cells: tuple[Cell, ...] = ()
    corners: tuple[Cell, ...] = ()
    edges: tuple[Edge, ...] = ()


NOTHING = Evidence()


@dataclass(frozen=True, slots=True)
class Step:
    """One step of an explanation.

    Args:
        technique: One of `TECHNIQUES`.
        settled: The edges that the step decides, with their values.
        sentence: The step in English.
        evidence: Places that the step uses.
        rule: Number of its rule among the fifteen of document 002; 0 if it uses no rule.
        assumed: The refuted assumption, an edge with a value; for "either way", which tries both
            values of an edge, this edge with value -1.
        chain: Consequences of the assumption, up to the contradiction.
    """

    technique: str
    settled: tuple[Mark, ...]
    sentence: str
    evidence: Evidence = NOTHING
    rule: int = 0
    assumed: Mark | None = None
    chain: tuple[Mark, ...] = ()
