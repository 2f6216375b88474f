"""Any model as native counting takes it: its counts and clauses as they are, the rest as clauses.

Lines and loops go through encodings that say everything at once; solutions are told apart by the
model's own variables alone.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import chain

from nonosat import _core
from nonosat.clauses.cnf import Cnf
from nonosat.clauses.translate import ENCODINGS, translate
from nonosat.core.limits import Watch
from nonosat.core.model import Clause, Model
from nonosat.questions.facts import told_apart_by
from nonosat.questions.native_rules import numbers_of
from nonosat.solving.choices import EAGER


@dataclass(frozen=True, slots=True)
class Rules:
    """Variables, rules, and the variables by which solutions differ."""

    num_vars: int
    numbers: Sequence[int]
    chosen: Sequence[int]

    def counter(self, units: Iterable[int], max_bytes: int, watch: Watch) -> _core.RulesCount:
        """A native counter; `units` are literals that are known."""
        watch.check()
        known = numbers_of(Clause((lit,)) for lit in units)
        return _core.RulesCount(self.num_vars, [*self.numbers, *known], self.chosen, max_bytes)


def rules_of(model: Model, watch: Watch) -> Rules:
    """The rules of a model.

    Raises:
        UnsupportedError: A loop is too large for clauses that say everything at once.
        LimitReached: The watch ended it.
    """
    said = Cnf(model.num_vars)
    others = replace(model, counts=(), clauses=())
    translate(others, said, {**ENCODINGS, **EAGER}, pause=watch.check)
    chosen = sorted(set(told_apart_by(model)))
    clauses = (Clause(tuple(lits)) for lits in said)
    numbers = numbers_of(chain(model.counts, model.clauses, clauses))
    return Rules(said.num_vars, numbers, tuple(chosen))
