"""Smallest sets of clues: our searches against python-sat's OptUx and Hitman.

    python benchmarks/making/hitting_sets.py [SECONDS]

Contradictions: pictures with two swapped clues (`contradictions.py`), a soft constraint for each
line. Repairs: queens without given ones, and Slitherlinks of which every third clue remains. Each
search runs in a process of its own, which is killed after SECONDS (20); seconds are CPU seconds
without the start of the process. MAKING.md has the results.
"""

from __future__ import annotations

import multiprocessing
import queue
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from time import process_time
from typing import Any

sys.path.insert(0, str(Path(__file__).parent.parent))
from contradictions import swaps
from pysat.examples.hitman import Hitman
from pysat.examples.optux import OptUx
from pysat.formula import WCNF

import nonosat
from nonosat.clauses.cnf import Cnf
from nonosat.clauses.translate import translate
from nonosat.core.limits import Limits, Watch
from nonosat.explain import minimal_sets
from nonosat.explain.nonogram.clue_oracle import ClueOracle
from nonosat.explain.nonogram.knowledge import Knowledge
from nonosat.explain.nonogram.soft_constraints import SoftConstraints
from nonosat.puzzles import nonogram
from nonosat.puzzles.nonogram.data import Nonogram
from nonosat.questions.clue_engine import clues_of

INSTANCES = Path(__file__).parent.parent.parent / "instances"
LARGEST, SWAPS = 28, (2, 7)  # cells of a side; numbers of the swaps of a picture
CLUES = 130  # of a Slitherlink


def ours(puzzle: Nonogram) -> str:
    """Return the size of the set that `SmallestMus` finds, and its proven minimality."""
    watch = Watch(Limits())
    lines = range(puzzle.height + puzzle.width)
    members = SoftConstraints(ClueOracle(puzzle, watch), Knowledge(puzzle), lines)
    found = members.fewest((), watch)
    return f"{len(found.lines)} {found.minimality.value}"


def optux(puzzle: Nonogram) -> str:
    """Return the size of the set that OptUx finds for the same clauses."""
    model = nonogram.build(puzzle)
    cnf, formula = Cnf(model.num_vars), WCNF()
    translate(replace(model, lines=()), cnf)
    for line in model.lines:
        selector, one = cnf.new_var(), Cnf(cnf.num_vars)
        translate(replace(model, num_vars=cnf.num_vars, lines=(line,), counts=()), one)
        cnf.num_vars = one.num_vars
        for clause in one:
            cnf.add([*clause, -selector])
        formula.append([selector], weight=1)
    for clause in cnf:
        formula.append(clause)
    with OptUx(formula, minz=True) as search:
        return f"{len(search.compute())} smallest"


class ByHitman(minimal_sets.MaxSatOracle):
    """Hitting sets by Hitman, without limits."""

    def __init__(self, watch: Watch, budget: int | None = None) -> None:
        self._oracle, self._last = Hitman(htype="sorted"), list[int]()

    @property
    def cost(self) -> int:
        return len(self._last)

    def price(self, var: int, weight: int) -> None: ...

    def require(self, clause: Sequence[int]) -> None:
        self._oracle.hit(clause)

    def answer(self) -> list[int]:
        self._last = self._oracle.get() or []
        return self._last


def repaired(puzzle: Any) -> str:
    """Return the number of changed clues of a repair."""
    found = nonosat.repair(puzzle)
    return f"{found.num_changes} clues, at least {found.least}"


def hitman(puzzle: Any) -> str:
    """Return the same of a search by Hitman."""
    minimal_sets.MaxSatOracle = ByHitman  # type: ignore[misc]  # a class is replaced
    return repaired(puzzle)


def _reply(search: Callable[[Any], str], puzzle: Any, reply: Any) -> None:
    started = process_time()
    told = search(puzzle)
    reply.put(f"{told}, {process_time() - started:.2f} s")


def timed(search: Callable[[Any], str], puzzle: Any, seconds: float) -> str:
    """Return the outcome of a search in a process of its own, with its CPU seconds."""
    reply: Any = multiprocessing.Queue()
    process = multiprocessing.Process(target=_reply, args=(search, puzzle, reply))
    process.start()
    try:
        return str(reply.get(timeout=seconds))
    except queue.Empty:
        return f"none in {seconds:.0f} s"
    finally:
        process.kill()
        process.join()


def contradictory() -> Iterator[Nonogram]:
    """Yield unsolvable pictures with two swapped clues."""
    for name in ("pictures.jsonl", "colour.jsonl"):
        for puzzle in nonosat.load_all(INSTANCES / name):
            if max(puzzle.height, puzzle.width) <= LARGEST:
                every = list(swaps(puzzle))
                swapped = (every[number] for number in SWAPS)
                yield from (one for one in swapped if not nonosat.solve(one).solutions)


def ambiguous() -> Iterator[Any]:
    """Yield puzzles with several solutions."""
    yield from (nonosat.Queens(size) for size in (5, 6, 7, 8, 9))
    for puzzle in nonosat.load_all(INSTANCES / "slitherlink.jsonl"):
        clues = clues_of(puzzle)
        if len(every := list(clues.of(puzzle))) <= CLUES:
            yield clues.with_only(puzzle, every[::3])


def main() -> None:
    seconds = float(sys.argv[1]) if len(sys.argv) > 1 else 20.0
    print("| puzzle | ours | python-sat |\n|---|---|---|")
    for puzzles, mine, theirs in ((contradictory(), ours, optux), (ambiguous(), repaired, hitman)):
        for puzzle in puzzles:
            found = " | ".join(timed(search, puzzle, seconds) for search in (mine, theirs))
            print(f"| {puzzle.about.id or puzzle.family} {puzzle.size} | {found} |", flush=True)


if __name__ == "__main__":
    main()
