"""Every encoding of `Count`: one model for each assignment within the bounds, and unit propagation
as strong as declared.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from itertools import product

import oracles
import pytest
from strength import check_strength

from nonosat import plugins
from nonosat.cnf import Cnf
from nonosat.model import FALSE, TRUE, Count

COUNTS = {
    name: module for name, module in plugins.names("encodings").items() if name.startswith("count-")
}


def counted(name: str, count: Count, num_vars: int) -> Cnf:
    cnf = Cnf(num_vars)
    COUNTS[name].encode(count, cnf)
    return cnf


def assignments(lits: Sequence[int], lower: int, upper: int) -> list[frozenset[int]]:
    """Every assignment of the literals within the bounds, as the literals that are true."""
    signs = product((1, -1), repeat=len(lits))
    return [
        frozenset(sign * lit for sign, lit in zip(row, lits, strict=True))
        for row in signs
        if lower <= row.count(1) <= upper
    ]


def all_bounds(longest: int) -> Iterator[tuple[int, int, int]]:
    """(number of literals, lower, upper) with bounds outside the range and contradictory too."""
    for size in range(longest + 1):
        yield from ((size, *bounds) for bounds in product(range(-1, size + 2), repeat=2))


@pytest.mark.parametrize("name", COUNTS)
def test_models_and_strength_of_counts(name):
    for size, lower, upper in all_bounds(6):
        lits = [-v if v % 3 == 0 else v for v in range(1, size + 1)]
        allowed = assignments(lits, lower, upper)
        cnf = counted(name, Count(tuple(lits), lower, upper), size)
        propagator = oracles.Propagator(cnf)
        found = list(oracles.models(propagator, cnf.num_vars))
        inside = frozenset(lits) | {-lit for lit in lits}
        assert len(found) == len(allowed), (size, lower, upper)
        assert {model & inside for model in found} == set(allowed), (size, lower, upper)
        check_strength(propagator, COUNTS[name].STRENGTH, range(1, size + 1), allowed)


@pytest.mark.parametrize("name", COUNTS)
@pytest.mark.parametrize("seed", range(4))
def test_long_counts(name, seed):
    """Where pairs are no longer cheap: strength on drawn partial assignments."""
    rng = random.Random(seed)
    size = rng.randint(12, 30)
    for lower, upper in ((0, 1), (1, 1), (2, 2), (size - 1, size), (0, size // 2), (3, size - 4)):
        cnf = counted(name, Count(tuple(range(1, size + 1)), lower, upper), size)
        propagator = oracles.Propagator(cnf)
        for _ in range(60):
            true, false = (rng.choice((0, bound, bound + 1)) for bound in (upper, size - lower))
            order = rng.sample(range(1, size + 1), size)
            true, false = min(true, size), min(false, size - min(true, size))
            chosen = order[:true] + [-v for v in order[true : true + false]]
            known = propagator.extend(frozenset(), chosen)
            if true > upper or false > size - lower:
                assert known is None
                continue
            rest = frozenset(order[true + false :])
            assert known is not None
            if true == upper:
                assert {-v for v in rest} <= known
            elif false == size - lower:
                assert rest <= known
            else:
                assert not {abs(lit) for lit in known} & rest


@pytest.mark.parametrize("name", COUNTS)
def test_constants_in_a_count(name):
    for constants in product((TRUE, FALSE), repeat=3):
        for lower, upper in product(range(-1, 7), repeat=2):
            lits = (constants[0], 1, 2, *constants[1:], -3)
            true = constants.count(TRUE)
            cnf = counted(name, Count(lits, lower, upper), 3)
            found = list(oracles.models(oracles.Propagator(cnf), cnf.num_vars))
            allowed = assignments((1, 2, -3), lower - true, upper - true)
            inside = {1, 2, 3, -1, -2, -3}
            assert sorted(map(sorted, allowed)) == sorted(sorted(m & inside) for m in found)


@pytest.mark.parametrize("name", COUNTS)
@pytest.mark.parametrize("lits", [(1, 2, 1), (1, 2, -2)])
def test_a_count_refuses_a_variable_twice(name, lits):
    with pytest.raises(ValueError, match="twice"):
        counted(name, Count(lits, 0, 1), 2)
