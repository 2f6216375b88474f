"""The independent parts of a set of fillings: the finest partition of its places.

A set of fillings is the product of what it has in some parts of its places exactly where these
parts do not depend on each other. There is one finest such partition.

Source: prime factors of a relation: Antova, Koch, Olteanu, "World-set decompositions:
expressiveness and efficient algorithms" (ICDT 2007).
"""

from __future__ import annotations

from collections.abc import Collection
from typing import NamedTuple

Filling = tuple[int, ...]


class Factor(NamedTuple):
    """Places that depend on each other, and their fillings."""

    places: tuple[int, ...]
    fillings: frozenset[Filling]


def factors(fillings: Collection[bytes]) -> list[Factor]:
    """The finest parts of which all fillings are the product.

    Of all fillings that agree in one place take the factors. A factor that is the same whatever
    value the place has does not depend on the place, so it is a factor of the whole. All other
    places depend on it: a factor of the whole that did not hold the place would be one of the
    fillings that agree in it, too.

    Args:
        fillings: At least one; all of one length, a byte a place.

    Returns:
        The factors by their first place. The product of their numbers of fillings is the number of
        fillings.
    """
    found = _factors(sorted(set(fillings)))
    return sorted(found, key=lambda factor: factor.places)


def _factors(fillings: list[bytes]) -> set[Factor]:
    """The same of different fillings; a place in which they agree is a factor of its own."""
    first = fillings[0]
    varying = (at for at, values in enumerate(zip(*fillings, strict=True)) if len(set(values)) > 1)
    split = next(varying, None)
    if split is None:
        return {Factor((at,), frozenset({(value,)})) for at, value in enumerate(first)}
    by_value: dict[int, list[bytes]] = {}
    for filling in fillings:
        by_value.setdefault(filling[split], []).append(filling)
    shared = set.intersection(*map(_factors, by_value.values()))
    free = {place for factor in shared for place in factor.places}
    bound = tuple(at for at in range(len(first)) if at not in free)
    mine = frozenset(tuple(filling[at] for at in bound) for filling in fillings)
    return {*shared, Factor(bound, mine)}
