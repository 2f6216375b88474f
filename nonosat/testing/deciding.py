"""The proven number of solutions of a puzzle on which solvers disagree, by evidence, not by vote.

Solutions are evidence if the family's verifier accepts them. The absence of others is proved by
a certificate, which is made, written and checked as by `nonosat verify`, without code shared with
the engines; for numbers above two a small puzzle is searched by brute force. Questions that none of
these decides within the limits remain open.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import partial
from math import inf
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from nonosat.certify.certificate import Certificate
from nonosat.certify.folder import SECOND, SECOND_JSON, SOLUTION, SOLUTION_JSON
from nonosat.certify.prove import prove
from nonosat.certify.verify import verify
from nonosat.certify.witness import read_picture
from nonosat.core.errors import LimitReached, NonosatError, counted
from nonosat.core.families import family_of, solution_of
from nonosat.core.limits import Limits, Watch, left_of
from nonosat.core.plugins import Puzzle
from nonosat.core.scope import within
from nonosat.puzzles.knight import Knight, tour_of
from nonosat.solving import pipeline
from nonosat.testing.claims import CountRange
from nonosat.testing.oracles import every_solution

OTHERS = ("auto", "cadical195", "cpsat")  # engines that search for solutions
MOST_LISTED = 10_000  # solutions enumerated to refute a smaller count


@dataclass(slots=True)
class ProvenFacts:
    """Proven facts about a puzzle, with their reasons.

    Args:
        puzzle: The puzzle.
        solutions: Different solutions accepted by the family's verifier.
        most: Proven upper bound of the number of solutions.
        certificate: The checked proof of that bound; None without a proof or with brute force.
        how: Method that proved the bound, in words; "" without a bound.
        troubles: Failed attempts, one sentence each.
    """

    puzzle: Puzzle
    solutions: dict[Any, None] = field(default_factory=dict)  # a set that keeps their order
    most: float = inf
    certificate: Certificate | None = None
    how: str = ""
    troubles: list[str] = field(default_factory=list)

    @property
    def numbers(self) -> CountRange:
        """Range of the number of solutions."""
        return CountRange(len(self.solutions), self.most)

    @property
    def is_absurd(self) -> bool:
        """True if more solutions were verified than `most`, so that a checker is wrong."""
        return len(self.solutions) > self.most

    def add(self, solution: object) -> bool:
        """Add a verified solution; return True if it is new."""
        solution = canonical(self.puzzle, solution)
        is_new = solution not in self.solutions
        self.solutions[solution] = None
        return is_new

    def settle(
        self, is_enough: Callable[[CountRange], bool], time_limit_s: float, memory_mib: int | None
    ) -> None:
        """Collect evidence by each method in turn, until it is enough.

        Args:
            is_enough: Returns True if the given range of the number of solutions is narrow enough.
            time_limit_s: Wall seconds for everything.
            memory_mib: Resident memory of this process.
        """
        watch = Watch(Limits(time_limit_s, memory_mib))
        for way in (self._prove, self._query, self._exhaust):
            if is_enough(self.numbers):
                return
            try:
                way(watch, is_enough)
            except NonosatError as error:
                self.troubles.append(f"{_WAYS[way.__name__]}: {error}")

    def _prove(self, watch: Watch, is_enough: Callable[[CountRange], bool]) -> None:
        """Lower `most` by a certificate, which is written to a folder and checked there."""
        del is_enough
        certificate = prove(self.puzzle, **_part_of(watch))
        with TemporaryDirectory(prefix="nonosat-agree-") as folder:
            certificate.write(folder)
            claim = verify(Path(folder), puzzle=self.puzzle, **left_of(watch)).claim
        shown = list(_shown(self.puzzle, certificate.files))
        for solution in shown:
            self._add_verified(solution)
        if claim != "multiple":
            self.most, self.certificate = min(self.most, len(shown)), certificate
            self.how = f"a certificate was made and checked: {certificate}"

    def _query(self, watch: Watch, is_enough: Callable[[CountRange], bool]) -> None:
        """Search for new solutions with built-in engines."""
        for name in OTHERS:
            presolve = "probe" if name == "auto" else "none"
            found = pipeline.solutions(
                self.puzzle, MOST_LISTED, backend=name, presolve=presolve, **_part_of(watch)
            )
            try:
                for solution in found:
                    self._add_verified(solution)
                    if is_enough(self.numbers):
                        return
            except NonosatError as error:
                self.troubles.append(f"{name}: {error}")

    def _exhaust(self, watch: Watch, is_enough: Callable[[CountRange], bool]) -> None:
        """Find all solutions by brute force if the puzzle is small enough."""
        del is_enough
        found = every_solution(self.puzzle)
        if found is None:
            return
        num_found = within(watch, partial(self._add_all, found))
        self.most = min(self.most, num_found)
        self.how = self.how or f"brute force finds {counted(num_found, 'solution')}"

    def _add_all(self, found: Iterable[Any]) -> int:
        number = 0
        for number, solution in enumerate(found, start=1):
            self._add_verified(solution)
            if number > MOST_LISTED:
                raise LimitReached(f"more than {MOST_LISTED} solutions")
        return number

    def _add_verified(self, solution: object) -> None:
        if not refutation(self.puzzle, solution):
            self.add(solution)


_WAYS = {"_prove": "proving", "_query": "running engines", "_exhaust": "brute force"}


def _shown(puzzle: Puzzle, files: Mapping[str, bytes]) -> Iterator[Any]:
    """Yield the solutions that the files of a certificate contain."""
    for name in (SOLUTION, SECOND):
        if name in files:
            yield read_picture(files[name], name, puzzle.height, puzzle.width)
    for name in (SOLUTION_JSON, SECOND_JSON):
        if name in files:
            yield solution_of(puzzle, json.loads(files[name])["solution"])


def _part_of(watch: Watch) -> dict[str, Any]:
    """Return a third of the watch's remaining limits, so that other methods can run as well."""
    left = left_of(watch)
    return (
        left if left["time_limit_s"] is None else {**left, "time_limit_s": left["time_limit_s"] / 3}
    )


def refutation(puzzle: Puzzle, solution: object) -> str | None:
    """Return the reason why an object is not a solution; None if it is one."""
    try:
        return family_of(puzzle).refutation(puzzle, solution)
    except Exception as error:  # the object may be of any type
        return f"the verifier cannot read it ({type(error).__name__}: {error})"


def canonical(puzzle: Puzzle, solution: Any) -> Any:
    """Return the canonical form of a solution: closed tours have a fixed start and direction."""
    if isinstance(puzzle, Knight) and puzzle.closed:
        places = {number: place for place, number in enumerate(solution.numbers) if number}
        return tour_of(puzzle, [places[number] for number in sorted(places)])
    return solution
