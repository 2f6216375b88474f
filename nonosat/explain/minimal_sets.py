"""Smallest sets with a monotone property, by implicit hitting sets; smallest unsatisfiable sets.

Each set of items without the property yields a set to be hit: other items of which one is needed.
The next candidate is a smallest set that hits all sets found so far. If it has the property, it is
optimal; else it is enlarged by disjoint sets until it has the property. An unsatisfiable set of
assumptions hits the complement of every maximal satisfiable set, so a candidate that is satisfiable
is grown to a maximal satisfiable set, whose complement is one more set to hit. Budgets are counts
of the engines' work: proofs do not depend on clocks.

RC2 finds the smallest hitting sets. python-sat's Hitman, which wraps RC2, is as fast, but takes no
limits and no negated literals. Its OptUx is as fast on most boards; without a start and budgets it
needs more than 20 s for some sets that `SmallestMus` makes irreducible in 0.4 s
(benchmarks/making/MAKING.md).

Sources: Moreno-Centeno, Karp, "The implicit hitting set approach to solve combinatorial
optimization problems" (Operations Research 61, 2013); Ignatiev, Previti, Liffiton, Marques-Silva,
"Smallest MUS extraction with minimal hitting set dualization" (CP 2015), with disjoint sets first;
RC2: Ignatiev, Morgado, Marques-Silva (JSAT 11, 2019).
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from contextlib import closing, suppress
from enum import Enum
from math import inf
from typing import TYPE_CHECKING, NamedTuple, Protocol, TypeVar

from nonosat.core.errors import LimitReached
from nonosat.core.plugins import Answer
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
HITTING_ENGINE = "g3"  # SAT solver of RC2
HITTING = 10_000  # conflicts of RC2 for the proof that a set is smallest


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


class Minimality(Enum):
    """Minimality of an unsatisfiable set of assumptions, as far as it is proven."""

    SMALLEST = "smallest"  # every smaller set is satisfiable
    IRREDUCIBLE = "irreducible"  # without any one of its members it is satisfiable
    SUFFICIENT = "sufficient"  # neither is proven within the budget


class SubsetOracle(Protocol):
    """Decides which assumptions can hold together; `oracle` has the constraints they select."""

    oracle: Oracle

    def query(self, assumptions: Sequence[int], budget: int | None = None) -> Answer:
        """Return SAT if they can hold, UNSAT if not, UNKNOWN after `budget` conflicts."""

    def held(self) -> set[int]:
        """Return the literals to choose from that hold in the last solution."""


class Core(NamedTuple):
    """Assumptions that cannot hold together."""

    lits: frozenset[int]
    minimality: Minimality


_Item = TypeVar("_Item")


def irreducible(items: Sequence[_Item], is_refuted: Callable[[list[_Item]], bool]) -> list[_Item]:
    """Return a subset of the items that is refuted, and of which no item can be left out.

    Many items are left out at once first, then fewer: few queries if few items are needed.

    Args:
        items: Items that are refuted together.
        is_refuted: Function that returns True if a subset is refuted; then it must be True for all
            supersets.
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
    engine: SubsetOracle,
    lits: Iterable[int],
    inside: set[int],
    holds: Callable[[], set[int]],
    query: Callable[[Sequence[int]], Answer],
) -> set[int]:
    """Return a satisfiable superset of `inside`, as large as queries find it.

    Args:
        engine: Engine with a last solution that satisfies `inside`.
        lits: Literals to choose from.
        inside: Some of `lits`.
        holds: Function that returns those of `lits` that hold in the engine's last solution.
        query: Function that solves under further assumptions.
    """
    found = inside | holds()
    while rest := [lit for lit in lits if lit not in found]:
        one_more = engine.oracle.one_of(rest)
        answer = query([*sorted(found), one_more])
        if answer is Answer.SAT:
            found |= holds()
        engine.oracle.fix([-one_more])
        if answer is not Answer.SAT:
            break
    return found


class Spent(Exception):  # noqa: N818  # an outcome, not a mistake
    """Exception: the budget of conflicts or propagations is used up before a proof is found."""


class MaxSatOracle:
    """Incremental MaxSAT: hard clauses, and weights of variables that are true.

    Args:
        watch: Ends the search.
        budget: Limit of the conflicts of all answers; None is without limit.
    """

    def __init__(self, watch: Watch, budget: int | None = None) -> None:
        from pysat.examples.rc2 import RC2
        from pysat.formula import WCNF

        self._watch = watch
        self._oracle = RC2(WCNF(), solver=HITTING_ENGINE)
        if budget is not None:
            self._oracle.oracle.conf_budget(budget)

    @property
    def cost(self) -> int:
        """Cost of the last answer, which is minimal."""
        return int(self._oracle.cost)

    def price(self, var: int, weight: int) -> None:
        """Increase the weight of a variable."""
        self._oracle.add_clause([-var], weight=weight)

    def require(self, clause: Sequence[int]) -> None:
        """Add a hard clause."""
        self._oracle.add_clause([*clause])

    def answer(self) -> list[int] | None:
        """Return the literals of a cheapest model; None if the clauses are contradictory.

        Raises:
            LimitReached: The watch ended the search.
            Spent: The budget ended the search.
        """
        oracle = self._oracle
        found = self._watch.run(lambda: oracle.compute(expect_interrupt=True), oracle.interrupt)
        if self._watch.reason():
            raise self._watch.limit()
        if found is None and oracle.oracle.get_status() is None:
            raise Spent
        return None if found is None else [*found]

    def close(self) -> None:
        """Free the engine."""
        self._oracle.delete()


Missed = Callable[[Collection[int]], frozenset[int] | None]


class ImplicitHittingSet:
    """Search for the fewest items (literals) that have a monotone property.

    Args:
        missed: Function that returns, for items without the property, other items of which at least
            one is needed, empty if no items have it; None for items with the property. Supersets of
            items with the property have it, too.
        watch: Ends the search.
        best: Irreducible items known to have the property; others are not reduced then.
        budget: As for `MaxSatOracle`.

    Attributes:
        least: Lower bound on the number of items.
        best: The fewest items known to have the property, irreducible after a reduction; None
            before any are known.
        is_hopeless: True if no items have the property.
    """

    def __init__(
        self,
        missed: Missed,
        watch: Watch,
        best: frozenset[int] | None = None,
        budget: int | None = None,
    ) -> None:
        self.least = 0
        self.best, self._reduces = best, best is None
        self.is_hopeless = False
        self._missed, self._watch, self._budget = missed, watch, budget
        self._priced = set[int]()

    @property
    def is_proven(self) -> bool:
        """True if no fewer items than `best` have the property."""
        return self.best is not None and len(self.best) <= self.least

    def work(self, most: int | None = None) -> None:
        """Find the fewest items, or prove that more than `most` are needed.

        Raises:
            LimitReached: The watch ended the search.
            Spent: The budget ended the search.
        """
        with closing(MaxSatOracle(self._watch, self._budget)) as oracle:
            num_rounds = 0
            while most is None or self.least <= most:
                chosen = self._chosen(oracle)
                if self.is_proven:
                    return
                if (enough := self._enlarged(oracle, chosen)) is None:
                    return
                if enough == chosen:
                    self.best = chosen
                    return
                num_rounds += 1
                if self._reduces and num_rounds.bit_count() == 1:  # 1, 2, 4, 8, ...
                    self._reduce(oracle, enough)

    def _chosen(self, oracle: MaxSatOracle) -> frozenset[int]:
        found = oracle.answer()
        assert found is not None  # the set of all items hits every set
        self.least = oracle.cost
        return frozenset(item for item in found if item in self._priced)

    def _enlarged(self, oracle: MaxSatOracle, chosen: frozenset[int]) -> frozenset[int] | None:
        """Return a superset of `chosen` with the property; None if no set of items has it."""
        enough = chosen
        while (missing := self._requested(oracle, enough)) is not None:
            if not missing:
                self.is_hopeless = True
                return None
            enough |= missing
        return enough

    def _requested(self, oracle: MaxSatOracle, items: Collection[int]) -> frozenset[int] | None:
        """Check if `items` has the property; if not, require that later candidates hit a new set.

        Returns:
            The new set, none of which is in `items`; None if `items` has the property.
        """
        self._watch.check()
        missing = self._missed(items)
        if missing:
            for item in sorted(missing - self._priced):
                self._priced.add(item)
                oracle.price(item, 1)
            oracle.require(sorted(missing))
        return missing

    def _reduce(self, oracle: MaxSatOracle, enough: frozenset[int]) -> None:
        """Remove items that the property does not need; store the rest if it is the best so far."""
        if self.best is None:
            self.best = enough
        kept = irreducible(sorted(enough), lambda some: self._requested(oracle, some) is None)
        if len(kept) < len(self.best):
            self.best = frozenset(kept)


class SmallestMus:
    """Search for a smallest subset of the assumptions `lits` that cannot hold together.

    Args:
        engine: The oracle, in which all of `lits` together cannot hold.
        lits: The assumptions to choose from; those that are likely in the result are last.
        watch: Limits of the search.
        more_work: Budget of propagations for the proof that no set is smaller.
        start: A subset of `lits` that cannot hold either, from which the search starts; None for
            all of `lits`.
        least: A known lower bound on the size of every unsatisfiable set.
    """

    def __init__(
        self,
        engine: SubsetOracle,
        lits: Sequence[int],
        watch: Watch,
        more_work: int = MORE_WORK,
        start: frozenset[int] | None = None,
        least: int = 0,
    ) -> None:
        self._least = least
        self._more_work = more_work
        self._start = frozenset(lits) if start is None else start
        self._engine = engine
        self._lits = list(lits)
        self._watch = watch
        self._left = WORK
        self._best = Core(self._start, Minimality.SUFFICIENT)

    def core(self) -> Core:
        """Return the smallest set, else an irreducible one, or the best set at a limit."""
        with suppress(LimitReached, Spent):
            self._best = self._irreducible()
            if self._best.minimality is Minimality.IRREDUCIBLE:
                self._left = self._more_work
                self._best = self._smallest(self._best)
        return self._best

    def _query(self, lits: Sequence[int], conflicts: int = PASSES[-1]) -> Answer:
        if self._left <= 0:
            return Answer.UNKNOWN
        before = self._engine.oracle.work
        answer = self._engine.query(lits, conflicts)
        self._left -= self._engine.oracle.work - before + CHARGE
        return answer

    def _irreducible(self) -> Core:
        """Return a set from which nothing can be left out, as far as the budget proves that."""
        core = set(self._start)
        needed: set[int] = set()
        for conflicts in PASSES:
            for lit in self._lits:
                if lit not in core or lit in needed:
                    continue
                others = [other for other in self._lits if other in core and other != lit]
                answer = self._query(others, conflicts)
                if answer is Answer.UNSAT:
                    core.intersection_update(self._engine.oracle.failed())
                    self._best = Core(frozenset(core), Minimality.SUFFICIENT)
                elif answer is Answer.SAT:
                    needed.add(lit)
        is_sure = core == needed
        return Core(frozenset(core), Minimality.IRREDUCIBLE if is_sure else Minimality.SUFFICIENT)

    def _smallest(self, upper: Core) -> Core:
        """Return a smallest set, if it is proven within the budget; else `upper`.

        Raises:
            Spent: The budget ends the search.
        """
        if len(upper.lits) <= self._least:
            return Core(upper.lits, Minimality.SMALLEST)

        def missed(lits: Collection[int]) -> frozenset[int] | None:
            answer = self._query(sorted(lits))
            if answer is Answer.UNKNOWN:
                raise Spent
            if answer is Answer.UNSAT:
                return None
            inside = grown(self._engine, self._lits, {*lits}, self._engine.held, self._query)
            return frozenset(self._lits) - inside

        search = ImplicitHittingSet(missed, self._watch, upper.lits, HITTING)
        search.work(MOST_PROVEN)
        assert search.best is not None
        return Core(search.best, Minimality.SMALLEST) if search.is_proven else upper
