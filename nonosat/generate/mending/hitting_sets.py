"""Smallest sets: cheapest answers to clauses, and the fewest items that do what is wanted.

Each set of items that fails gives a set to be hit. The next set to be tried is a smallest one that
hits all of them. If it does what is wanted, it is a smallest one; else it is made larger by
disjoint sets until it does, and now and then smaller again, so that some set is known at any time.

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

ENGINE = "g3"  # of RC2


class MaxSatOracle:
    """Clauses, and what their variables cost where they are true."""

    def __init__(self, watch: Watch) -> None:
        from pysat.examples.rc2 import RC2
        from pysat.formula import WCNF

        self._watch = watch
        self._oracle = RC2(WCNF(), solver=ENGINE)

    @property
    def cost(self) -> int:
        """Of the last answer: no other one costs less."""
        return int(self._oracle.cost)

    def price(self, var: int, weight: int) -> None:
        """This variable costs so much more."""
        self._oracle.add_clause([-var], weight=weight)

    def require(self, clause: Sequence[int]) -> None:
        """One of these literals has to be true."""
        self._oracle.add_clause([*clause])

    def answer(self) -> list[int] | None:
        """The literals of a cheapest answer; None where the clauses contradict each other.

        Raises:
            LimitReached: The watch ended it.
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
    """The search for the fewest items, positive numbers.

    Args:
        missed: Of items that do not do, others of which one is missing; none where nothing helps.
            None of items that do; with more items they do, too.
        watch: Ends it.

    Attributes:
        least: Items that are needed, at least.
        best: The fewest that are known to do, none of which can be left out once they have been
            looked at; None before any are known.
        is_hopeless: Whether no items do.
    """

    def __init__(self, missed: Missed, watch: Watch) -> None:
        self.least = 0
        self.best: frozenset[int] | None = None
        self.is_hopeless = False
        self._missed, self._watch = missed, watch
        self._priced = set[int]()

    def work(self, most: int | None = None) -> None:
        """Find the fewest; or that more than `most` are needed.

        Raises:
            LimitReached: The watch ended it.
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
        assert found is not None  # all items together hit every set
        self.least = oracle.cost
        return frozenset(item for item in found if item in self._priced)

    def _enlarged(self, oracle: MaxSatOracle, chosen: frozenset[int]) -> frozenset[int] | None:
        """As many more items as are enough; None where nothing helps."""
        enough = chosen
        while (missing := self._asked(oracle, enough)) is not None:
            if not missing:
                self.is_hopeless = True
                return None
            enough |= missing
        return enough

    def _asked(self, oracle: MaxSatOracle, items: Collection[int]) -> frozenset[int] | None:
        """What these items miss, which is to be hit from now on."""
        self._watch.check()
        missing = self._missed(items)
        if missing:
            for item in sorted(missing - self._priced):
                self._priced.add(item)
                oracle.price(item, 1)
            oracle.require(sorted(missing))
        return missing

    def _reduce(self, oracle: MaxSatOracle, enough: frozenset[int]) -> None:
        """Leave out what is not needed."""
        if self.best is None:
            self.best = enough
        kept = irreducible(sorted(enough), lambda some: self._asked(oracle, some) is None)
        if len(kept) < len(self.best):
            self.best = frozenset(kept)
