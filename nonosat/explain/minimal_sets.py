"""Smallest unsatisfiable set of assumptions, by minimal hitting sets.

An unsatisfiable set has at least one member outside of any satisfiable set, so it hits the
complement of every maximal satisfiable set. The search stores some of these complements and
queries their smallest hitting set. If that is unsatisfiable, it is a smallest unsatisfiable set.
If it is satisfiable, it is grown to a maximal satisfiable set, whose complement is one more set
to hit.

Source: Ignatiev, Previti, Liffiton, Marques-Silva, "Smallest MUS extraction with minimal hitting
set dualization" (CP 2015), with disjoint sets first. Budgets are counts of the engine's work:
proofs do not depend on clocks.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from contextlib import closing, suppress
from math import inf
from typing import TYPE_CHECKING, NamedTuple, Protocol, TypeVar

from nonosat.core import plugins
from nonosat.core.errors import LimitReached
from nonosat.core.model import Count, Model
from nonosat.core.plugins import Answer
from nonosat.explain.minimality import Minimality
from nonosat.solving.oracle import Oracle

if TYPE_CHECKING:
    from nonosat.core.limits import Watch

# Many queries under assumptions, as for backbones. `learn` is as fast, but its cores lead to a
# fifth more guesses (benchmarks/native/SEARCH.md).
ENGINE = "glucose421"
SLICE = 500  # conflicts a call: the result of a query depends on it, and so does the explanation
MOST_PROVEN = 8  # size up to which a set is proven to be the smallest
# Conflicts of one query: a member that is not decided is queried again with more. Easy queries
# first make the set small, and hard ones easier: of nine sets of 35 to 76 lines that 5000 conflicts
# at once did not decide, four became irreducible.
PASSES = (100, 1000, 5000)
# Propagations of all queries for an irreducible set, some 5 s, and then for a smallest one; each
# query counts for CHARGE more.
WORK, MORE_WORK = 35_000_000, 10_000_000
CHARGE = 5000
# Conflicts of one search for a hitting set, and the number of propagations that each counts for in
# addition to its own, which are few: without either, searches for one proof took 3 s and failed.
HITTING, A_CONFLICT = 2000, 200


def decided(oracle: Oracle, assumptions: Sequence[int], budget: int | None = None) -> Answer:
    """Return the oracle's answer; UNKNOWN after `budget` conflicts.

    Raises:
        LimitReached: A limit of the watch is reached.
    """
    left = inf if budget is None else budget
    while left > 0:
        oracle.watch.check()
        answer = oracle.solve(assumptions, int(min(left, SLICE)))
        if answer is not Answer.UNKNOWN:
            return answer
        left -= SLICE
    return Answer.UNKNOWN


class SubsetOracle(Protocol):
    """Decides which assumptions can hold together; `oracle` has the constraints they select."""

    oracle: Oracle

    def ask(self, assumptions: Sequence[int], budget: int | None = None) -> Answer:
        """Return SAT if they can hold, UNSAT if not, UNKNOWN after `budget` conflicts."""


class Core(NamedTuple):
    """Assumptions that cannot hold together."""

    lits: frozenset[int]
    minimality: Minimality


class _Spent(Exception):  # noqa: N818  # an outcome, not a mistake
    """The budget for a proof is spent."""


_Item = TypeVar("_Item")


def irreducible(items: Sequence[_Item], is_refuted: Callable[[list[_Item]], bool]) -> list[_Item]:
    """Return an irreducible subset of the items that is refuted.

    Many items are left out at once first, then fewer: few queries if few items are needed.

    Args:
        items: Refuted together.
        is_refuted: True if a subset is refuted; monotone.
    """
    kept = list(items)
    size = max(1, len(kept) // 2)
    while True:
        at = 0
        while at < len(kept):
            fewer = kept[:at] + kept[at + size :]
            if is_refuted(fewer):
                kept = fewer
            else:
                at += size
        if size == 1:
            return kept
        size = max(1, size // 2)


def grown(
    asker: SubsetOracle,
    lits: Iterable[int],
    inside: set[int],
    holds: Callable[[], set[int]],
    ask: Callable[[Sequence[int]], Answer],
) -> set[int]:
    """Return a satisfiable superset of `inside`, which the last solution satisfies.

    Args:
        asker: Has that solution.
        lits: Literals of the set.
        inside: Some of them.
        holds: Returns those that hold in the last solution.
        ask: Queries the asker under the base assumptions.
    """
    found = inside | holds()
    while rest := [lit for lit in lits if lit not in found]:
        one_more = asker.oracle.one_of(rest)
        answer = ask([*sorted(found), one_more])
        if answer is Answer.SAT:
            found |= holds()
        asker.oracle.fix([-one_more])
        if answer is not Answer.SAT:
            break
    return found


class SmallestMus:
    """Search for small sets among the assumptions `lits` that cannot hold together with `base`.

    Args:
        asker: The engine; all of `lits` and `base` together cannot hold.
        lits: The assumptions to choose from, the likeliest members last.
        base: Assumptions that always hold.
        holds: Returns those of `lits` that hold in the engine's last solution.
        watch: Limits of the search.
        more_work: Propagations for the proof that no set is smaller.
        start: A subset of `lits` that cannot hold either, as a start; None for all.
        least: A known lower bound on the size of every unsatisfiable set.
    """

    def __init__(
        self,
        asker: SubsetOracle,
        lits: Sequence[int],
        base: Sequence[int],
        holds: Callable[[], set[int]],
        watch: Watch,
        more_work: int = MORE_WORK,
        start: frozenset[int] | None = None,
        least: int = 0,
    ) -> None:
        self._least = least
        self._more_work = more_work
        self._start = frozenset(lits) if start is None else start
        self._asker = asker
        self._lits = list(lits)
        self._base = list(base)
        self._holds = holds
        self._watch = watch
        self._left = WORK
        self._best = Core(self._start, Minimality.SUFFICIENT)

    def core(self) -> Core:
        """Return the smallest set, else an irreducible one, or the best set at a limit."""
        with suppress(LimitReached, _Spent):
            self._best = self._irreducible()
            if self._best.minimality is Minimality.IRREDUCIBLE:
                self._left = self._more_work
                self._best = self._smallest(self._best)
        return self._best

    def _ask(self, lits: Sequence[int], conflicts: int = PASSES[-1]) -> Answer:
        if self._left <= 0:
            return Answer.UNKNOWN
        before = self._asker.oracle.work
        answer = self._asker.ask([*self._base, *lits], conflicts)
        self._left -= self._asker.oracle.work - before + CHARGE
        return answer

    # Leaving out one by one

    def _irreducible(self) -> Core:
        """Return a set from which nothing can be left out."""
        core = set(self._start)
        needed: set[int] = set()
        for conflicts in PASSES:
            for lit in self._lits:
                if lit not in core or lit in needed:
                    continue
                others = [other for other in self._lits if other in core and other != lit]
                answer = self._ask(others, conflicts)
                if answer is Answer.UNSAT:
                    core.intersection_update(self._asker.oracle.failed())
                    self._best = Core(frozenset(core), Minimality.SUFFICIENT)
                elif answer is Answer.SAT:
                    needed.add(lit)
        is_sure = core == needed
        return Core(frozenset(core), Minimality.IRREDUCIBLE if is_sure else Minimality.SUFFICIENT)

    # Hitting sets

    def _smallest(self, upper: Core) -> Core:
        """Return a smallest set, if it is proven within the budget; else `upper`."""
        if len(upper.lits) <= self._least:
            return Core(upper.lits, Minimality.SMALLEST)
        to_hit: list[frozenset[int]] = []
        size = 0
        hit: frozenset[int] | None = frozenset()
        while True:
            while hit is None:  # no set of this size hits all of them
                size += 1
                if size >= len(upper.lits):
                    return Core(upper.lits, Minimality.SMALLEST)
                if size > MOST_PROVEN:
                    return upper
                hit = self._hitting(to_hit, size)
            answer = self._ask(sorted(hit))
            if answer is Answer.UNSAT:
                return Core(hit, Minimality.SMALLEST)
            if answer is Answer.UNKNOWN:
                return upper
            to_hit += self._disjoint(hit)
            hit = self._hitting(to_hit, size)

    def _disjoint(self, start: frozenset[int]) -> list[frozenset[int]]:
        """Return disjoint complements of maximal satisfiable sets around `start`."""
        sets = []
        forced = set(start)
        while True:
            left_out = frozenset(self._lits) - self._grown(forced)
            sets.append(left_out)
            forced |= left_out
            if self._ask(sorted(forced)) is not Answer.SAT:
                return sets

    def _grown(self, inside: set[int]) -> set[int]:
        """Return a satisfiable superset of `inside`, which the last solution satisfies."""
        return grown(self._asker, self._lits, inside, self._holds, self._ask)

    def _hitting(self, to_hit: list[frozenset[int]], size: int) -> frozenset[int] | None:
        """Return a set of at most `size` literals that hits all of the sets; None if there is none.

        Raises:
            _Spent: The search for one is too long.
        """
        number = {lit: index for index, lit in enumerate(sorted(frozenset().union(*to_hit)), 1)}
        if not to_hit or size == 0:
            return None if to_hit else frozenset()
        engine = plugins.find("backends", ENGINE).open_engine(ENGINE, len(number), 0, {})
        with closing(Oracle(ENGINE, engine, len(number), self._watch)) as oracle:
            oracle.tell(Model(len(number), counts=(Count(tuple(number.values()), 0, size),)))
            for one in to_hit:
                oracle.add(sorted(number[lit] for lit in one))
            answer = decided(oracle, (), HITTING)
            self._left -= oracle.work + A_CONFLICT * oracle.statistics()["conflicts"]
            values = oracle.values() if answer is Answer.SAT else b""
        if answer is Answer.UNKNOWN:
            raise _Spent
        if answer is Answer.UNSAT:
            return None
        return frozenset(lit for lit, index in number.items() if values[index])
