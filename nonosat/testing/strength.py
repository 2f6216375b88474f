"""Whether unit propagation is as strong as an encoding declares, whatever is known."""

from __future__ import annotations

from collections.abc import Sequence

from nonosat.plugins import Strength
from nonosat.testing import oracles


def check_strength(
    propagator: oracles.Propagator,
    strength: Strength,
    variables: Sequence[int],
    allowed: Sequence[frozenset[int]],
) -> None:
    """On every partial assignment of the variables, in the order given."""

    def descend(index: int, known: frozenset[int] | None, left: Sequence[frozenset[int]]) -> None:
        if known is None:
            assert not left
            return
        if strength is not Strength.NONE:
            assert left, f"{sorted(known)} is not refuted"
        if strength is Strength.COMPLETE:
            missed = frozenset.intersection(*left) - known
            assert not missed, f"{sorted(missed)} is missed at {sorted(known)}"
        if index < len(variables):
            var = variables[index]
            descend(index + 1, known, left)
            for lit in (var, -var):
                fits = [lits for lits in left if lit in lits]
                descend(index + 1, propagator.extend(known, [lit]), fits)

    descend(0, propagator.root(), allowed)
