"""Implicit hitting sets: the fewest items with a monotone property, and cheapest models of clauses.

Each set of items that fails yields a set to be hit. The next candidate is a smallest set that hits
all of them. If it has the property, it is optimal; else it is enlarged by disjoint sets until it
has the property, and occasionally reduced, so that an upper bound is known at any time.

Sources: implicit hitting sets: Moreno-Centeno, Karp, "The implicit hitting set approach to solve
combinatorial optimization problems" (Operations Research 61, 2013); the smallest sets are found by
RC2: Ignatiev, Morgado, Marques-Silva (JSAT 11, 2019); disjoint sets first: Ignatiev, Previti,
Liffiton, Marques-Silva, "Smallest MUS extraction with minimal hitting set dualization" (CP 2015).
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from contextlib import closing

from nonosat.core.limits import Watch
from nonosat.explain.minimal_sets import irreducible

ENGINE = "g3"  # SAT solver of RC2


class MaxSatOracle:
    """Incremental MaxSAT: hard clauses, and weights of variables that are true."""

    def __init__(self, watch: Watch) -> None:
        from pysat.examples.rc2 import RC2
        from pysat.formula import WCNF

        self._watch = watch
        self._oracle = RC2(WCNF(), solver=ENGINE)

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
        """
        oracle = self._oracle
        found = self._watch.run(lambda: oracle.compute(expect_interrupt=True), oracle.interrupt)
        if self._watch.reason():
            raise self._watch.limit()
        return None if found is None else [*found]

    def close(self) -> None:
        """Free the engine."""
        self._oracle.delete()


Missed = Callable[[Collection[int]], frozenset[int] | None]


class ImplicitHittingSet:
    """Search for the fewest items (positive numbers) that have a monotone property.

    Args:
        missed: Function that returns, for items without the property, other items of which at least
            one is needed, empty if no items have it; None for items with the property. Supersets of
            items with the property have it, too.
        watch: Ends the search.

    Attributes:
        least: Lower bound on the number of items.
        best: The fewest items known to have the property, irreducible after a reduction; None
            before any are known.
        is_hopeless: True if no items have the property.
    """

    def __init__(self, missed: Missed, watch: Watch) -> None:
        self.least = 0
        self.best: frozenset[int] | None = None
        self.is_hopeless = False
        self._missed, self._watch = missed, watch
        self._priced = set[int]()

    def work(self, most: int | None = None) -> None:
        """Find the fewest items, or prove that more than `most` are needed.

        Raises:
            LimitReached: The watch ended the search.
        """
        with closing(MaxSatOracle(self._watch)) as oracle:
            num_rounds = 0
            while most is None or self.least <= most:
                chosen = self._chosen(oracle)
                if self.best is not None and len(self.best) <= self.least:
                    return
                if (enough := self._enlarged(oracle, chosen)) is None:
                    return
                if enough == chosen:
                    self.best = chosen
                    return
                num_rounds += 1
                if num_rounds.bit_count() == 1:  # 1, 2, 4, 8, ...
                    self._reduce(oracle, enough)

    def _chosen(self, oracle: MaxSatOracle) -> frozenset[int]:
        found = oracle.answer()
        assert found is not None  # the set of all items hits every set
        self.least = oracle.cost
        return frozenset(item for item in found if item in self._priced)

    def _enlarged(self, oracle: MaxSatOracle, chosen: frozenset[int]) -> frozenset[int] | None:
        """Return a superset with the property; None if no items have it."""
        enough = chosen
        while (missing := self._asked(oracle, enough)) is not None:
            if not missing:
                self.is_hopeless = True
                return None
            enough |= missing
        return enough

    def _asked(self, oracle: MaxSatOracle, items: Collection[int]) -> frozenset[int] | None:
        """Return the items of which one is missing, and require one of them from now on."""
        self._watch.check()
        missing = self._missed(items)
        if missing:
            for item in sorted(missing - self._priced):
                self._priced.add(item)
                oracle.price(item, 1)
            oracle.require(sorted(missing))
        return missing

    def _reduce(self, oracle: MaxSatOracle, enough: frozenset[int]) -> None:
        """Remove items that are not needed."""
        if self.best is None:
            self.best = enough
        kept = irreducible(sorted(enough), lambda some: self._asked(oracle, some) is None)
        if len(kept) < len(self.best):
            self.best = frozenset(kept)
