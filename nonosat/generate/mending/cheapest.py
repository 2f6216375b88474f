"""The cheapest variables that satisfy clauses, which come one by one: what all repairs ask for.

Source: implicit hitting sets: Moreno-Centeno, Karp, "The implicit hitting set approach to solve
combinatorial optimization problems" (Operations Research 61, 2013); the smallest sets are found by
RC2: Ignatiev, Morgado, Marques-Silva (JSAT 11, 2019).
"""

from __future__ import annotations

from collections.abc import Sequence

from nonosat.core.limits import Watch

ENGINE = "g3"  # of RC2


class Cheapest:
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
        with self._watch.shield:  # half done, it would be freed twice
            self._oracle.delete()
