"""Whether unit propagation is as strong as an encoding declares, whatever is known."""

from __future__ import annotations

from collections.abc import Sequence

from nonosat.core.plugins import Strength
from nonosat.testing import oracles
from nonosat.testing.contract import broken


def check_strength(
    propagator: oracles.Propagator,
    strength: Strength,
    variables: Sequence[int],
    allowed: Sequence[frozenset[int]],
) -> None:
    """On every partial assignment of the variables, in the order given.

    Raises:
        AssertionError: It is not; says what unit propagation misses, and where.
    """
    said = f"its strength says {strength.value!r}, but"

    def descend(index: int, known: frozenset[int] | None, left: Sequence[frozenset[int]]) -> None:
        if known is None:
            if left:
                broken(f"its clauses refute {_told(left[0])}, a solution")
            return
        if strength is not Strength.NONE and not left:
            broken(f"{said} unit propagation does not refute {_told(known)}: no solution is left")
        if strength is Strength.COMPLETE and (missed := frozenset.intersection(*left) - known):
            broken(f"{said} unit propagation from {_told(known)} misses {_told(missed)}")
        if index < len(variables):
            var = variables[index]
            if var in known or -var in known:  # to assume what is known changes nothing
                other = -var if var in known else var
                descend(index + 1, None, [lits for lits in left if other in lits])
                descend(index + 1, known, left)
                return
            descend(index + 1, known, left)
            for lit in (var, -var):
                fits = [lits for lits in left if lit in lits]
                descend(index + 1, propagator.extend(known, [lit]), fits)

    descend(0, propagator.root(), allowed)


def _told(lits: frozenset[int]) -> list[int]:
    return sorted(lits, key=abs)
