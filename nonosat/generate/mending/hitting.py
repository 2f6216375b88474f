"""The fewest items that do what is wanted, where what fails names items of which one is missing.

Sets that fail give sets to be hit. A smallest set that hits all of them is asked about next: where
it does, it is a smallest one; where not, it is made larger by disjoint sets until it does, and now
and then smaller again, so that some set is known at any time.

Source: see `cheapest.py`; disjoint sets first: Ignatiev, Previti, Liffiton, Marques-Silva,
"Smallest MUS extraction with minimal hitting set dualization" (CP 2015).
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from contextlib import closing

from nonosat.core.limits import Watch
from nonosat.explain.smallest import irreducible
from nonosat.generate.mending.cheapest import Cheapest

Missed = Callable[[Collection[int]], frozenset[int] | None]


class Fewest:
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
        with closing(Cheapest(self._watch)) as oracle:
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

    def _chosen(self, oracle: Cheapest) -> frozenset[int]:
        found = oracle.answer()
        assert found is not None  # all items together hit every set
        self.least = oracle.cost
        return frozenset(item for item in found if item in self._priced)

    def _enlarged(self, oracle: Cheapest, chosen: frozenset[int]) -> frozenset[int] | None:
        """As many more items as are enough; None where nothing helps."""
        enough = chosen
        while (missing := self._asked(oracle, enough)) is not None:
            if not missing:
                self.is_hopeless = True
                return None
            enough |= missing
        return enough

    def _asked(self, oracle: Cheapest, items: Collection[int]) -> frozenset[int] | None:
        """What these items miss, which is to be hit from now on."""
        self._watch.check()
        missing = self._missed(items)
        if missing:
            for item in sorted(missing - self._priced):
                self._priced.add(item)
                oracle.price(item, 1)
            oracle.require(sorted(missing))
        return missing

    def _reduce(self, oracle: Cheapest, enough: frozenset[int]) -> None:
        """Leave out what is not needed."""
        if self.best is None:
            self.best = enough
        kept = irreducible(sorted(enough), lambda some: self._asked(oracle, some) is None)
        if len(kept) < len(self.best):
            self.best = frozenset(kept)
