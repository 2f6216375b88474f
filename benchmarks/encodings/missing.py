"""Clauses that `order` lacks for complete propagation, line by line: how many, and how long.

    python benchmarks/encodings/missing.py [--longest N] [--record]

For every partial assignment of the cells of a line, the shortest first, unit propagation on `order`
is compared with the fillings. If it misses a literal, a clause over the cells is added, from a
minimal part of the assignment, until none is missed. The result is a propagation-complete form of
`order` without further variables; the sizes of `automaton` are printed beside it. `--record` writes
missing.jsonl.
"""

from __future__ import annotations

import argparse
import json
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import product
from pathlib import Path

from nonosat.clauses.cnf import Cnf
from nonosat.core import plugins
from nonosat.core.model import Block, Line
from nonosat.testing import oracles

RECORD = Path(__file__).with_suffix(".jsonl")
Clause = tuple[int, ...]


def clues(length: int) -> Iterator[tuple[int, ...]]:
    """Yield the clues of a line with at least one block and some slack."""
    for num_blocks in range(1, (length + 1) // 2 + 1):
        for blocks in product(range(1, length + 1), repeat=num_blocks):
            if sum(blocks) + num_blocks - 1 < length:
                yield blocks


def fillings(length: int, clue: Sequence[int]) -> list[frozenset[int]]:
    """Return the true literals of the cells 1 .. length for every filling."""
    found = []
    for cells in product((False, True), repeat=length):
        runs = [len(run) for run in "".join(".#"[cell] for cell in cells).split(".") if run]
        if runs == list(clue):
            found.append(frozenset(at if cell else -at for at, cell in enumerate(cells, start=1)))
    return found


def encoded(name: str, length: int, clue: Sequence[int]) -> Cnf:
    """Return the clauses of an encoding of an open line."""
    cnf = Cnf(length)
    line = Line((tuple(range(1, length + 1)),), tuple(Block(block) for block in clue))
    plugins.find("encodings", f"line-{name}").encode(line, cnf)
    return cnf


def implied(lits: frozenset[int], possible: list[frozenset[int]]) -> frozenset[int] | None:
    """Return the literals common to the fillings that agree with some; None if there is none."""
    agreeing = [filling for filling in possible if lits <= filling]
    return frozenset.intersection(*agreeing) if agreeing else None


def missing(length: int, clue: Sequence[int]) -> list[Clause]:
    """Return clauses over the cells whose addition makes unit propagation on `order` complete."""
    cnf, possible, added = encoded("order", length, clue), fillings(length, clue), list[Clause]()
    every = [
        frozenset(at * sign for at, sign in enumerate(signs, start=1) if sign)
        for signs in product((0, 1, -1), repeat=length)
    ]
    propagator = oracles.Propagator(cnf)
    for lits in sorted(every, key=lambda lits: (len(lits), sorted(lits))):
        must = implied(lits, possible)
        if must is None:
            continue  # `order` refutes every such assignment
        while lost := sorted(must - propagated(propagator, lits)):
            reason = minimal(lits, lost[0], possible)
            added.append((*sorted(-lit for lit in reason), lost[0]))
            cnf.add(added[-1])
            propagator = oracles.Propagator(cnf)
    return added


def propagated(propagator: oracles.Propagator, lits: frozenset[int]) -> frozenset[int]:
    """Return the literals that unit propagation derives."""
    root = propagator.root()
    found = None if root is None else propagator.extend(root, lits)
    assert found is not None
    return found


def minimal(lits: frozenset[int], lit: int, possible: list[frozenset[int]]) -> frozenset[int]:
    """Return a subset of some literals that still implies a literal, minimal by inclusion."""
    for one in sorted(lits):
        if all(lit in filling for filling in possible if lits - {one} <= filling):
            lits -= {one}
    return lits


def measured(length: int) -> dict[str, object]:
    """Return sums over all clues of a length."""
    sums, longest = Counter[str](), 0
    for clue in clues(length):
        added = missing(length, clue)
        order, automaton = encoded("order", length, clue), encoded("automaton", length, clue)
        longest = max(longest, *map(len, added), 0)
        sums.update(
            clues=1,
            complete=not added,
            added=len(added),
            order=len([*order]),
            automaton=len([*automaton]),
            order_variables=order.num_vars - length,
            automaton_variables=automaton.num_vars - length,
        )
    return {"length": length, **sums, "longest": longest}


def main() -> None:
    """Measure, print, record."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--longest", type=int, default=8, metavar="N")
    parser.add_argument("--record", action="store_true")
    options = parser.parse_args()
    lines = []
    for length in range(3, options.longest + 1):
        lines.append(json.dumps(measured(length)))
        print(lines[-1], flush=True)
    if options.record:
        RECORD.write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
