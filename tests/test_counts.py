"""Every encoding of `Count`: its models are the assignments within the bounds, one each if its
variables are determined; unit propagation is as strong as declared; the size is the formula's.

Encodings are found by name, so that a new one is tested automatically.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from itertools import product
from math import ceil, log2

import pytest

from helpers.drawing import FUZZ
from nonosat.clauses.cnf import Cnf, split
from nonosat.core import plugins
from nonosat.core.errors import BackendError, UnsupportedError
from nonosat.core.model import FALSE, TRUE, Count
from nonosat.core.plugins import Strength
from nonosat.encodings import count_pairwise
from nonosat.testing import oracles
from nonosat.testing.encodings import (
    all_bounds,
    assignments,
    check_count,
    check_models,
    check_strength,
)

COUNTS = {
    name: module for name, module in plugins.names("encodings").items() if name.startswith("count-")
}
# Made for counts of one true or one false literal.
OF_ONE = (
    "count-bimander",
    "count-commander",
    "count-ladder",
    "count-product",
    "count-pindakaas-bitwise",
    "count-pindakaas-ladder",
    "count-pindakaas-product",
    "count-pysat-bitwise",
    "count-pysat-ladder",
)
LONGEST = 6 if FUZZ == 1 else 8  # NONOSAT_FUZZ=2 python -m pytest tests/test_counts.py


def counted(name: str, count: Count, num_vars: int) -> Cnf:
    cnf = Cnf(num_vars)
    COUNTS[name].encode(count, cnf)
    return cnf


def is_within(name: str, size: int, lower: int, upper: int) -> bool:
    """True if an encoding supports these bounds."""
    lower, upper = max(lower, 0), min(upper, size)
    if name not in OF_ONE or upper in (0, 1) or lower in (size, size - 1) or lower > upper:
        return True
    return lower <= 1 and upper >= size - 1  # single clauses


def check(name: str, clauses: Cnf, lits: Sequence[int], allowed: list[frozenset[int]]) -> None:
    """Check that models, restricted to the literals, are `allowed`, each once if so declared."""
    check_models(COUNTS[name], list(clauses), clauses.num_vars, lits, allowed)


def test_pairwise_counts_encoded_together_have_the_same_clauses():
    rng = random.Random(3)
    counts, one_by_one = [], []
    for _ in range(60):
        lits = tuple(rng.sample(range(1, 30), rng.randint(1, 8)))
        lower, upper = sorted(rng.choices(range(len(lits) + 1), k=2))
        counts.append(Count(lits, lower, upper))
        one_by_one += counted("count-pairwise", counts[-1], 30)
    together = count_pairwise.encode_counts(counts)
    assert together is not None
    clauses = [clause for batch in together for clause in split(batch)]
    assert sorted(clauses) == sorted(one_by_one)
    assert [*count_pairwise.encode_counts([])] == []


@pytest.mark.parametrize(
    "odd",
    [
        Count((1, 2, TRUE), 1, 1),
        Count((1, -2), 1, 1),
        Count((1, 1), 1, 1),
        Count((1, 2), 2, 1),
        Count((1, 2), 0, 3),
        Count((), 0, 0),
        Count(tuple(range(1, 10)), 1, 1),
    ],
)
def test_odd_counts_are_not_encoded_together(odd):
    assert count_pairwise.encode_counts([Count((1, 2), 1, 1), odd]) is None


@pytest.mark.parametrize("name", COUNTS)
def test_counts_beyond_one_are_refused_or_taken(name):
    """An encoding may refuse; ours refuse only counts that they are not made for."""
    for size, lower, upper in all_bounds(LONGEST):
        if is_within(name, size, lower, upper):
            assert FUZZ == 1 or check_count(COUNTS[name], size, lower, upper)
            continue
        with pytest.raises(UnsupportedError, match="supports no bounds above one"):
            counted(name, Count((*range(1, size + 1),), lower, upper), size)


def check_drawn(name: str, size: int, lower: int, upper: int, rng: random.Random) -> None:
    """Check propagation on random partial assignments, most of them close to the bounds."""
    is_complete = COUNTS[name].strength is Strength.COMPLETE
    propagator = oracles.Propagator(
        counted(name, Count((*range(1, size + 1),), lower, upper), size)
    )
    root = propagator.root()
    assert root is not None
    for _ in range(30):
        true, false = (rng.choice((0, bound, bound + 1)) for bound in (upper, size - lower))
        order = rng.sample(range(1, size + 1), size)
        true, false = min(true, size), min(false, size - min(true, size))
        chosen = order[:true] + [-v for v in order[true : true + false]]
        known = propagator.extend(root, chosen)
        if true > upper or false > size - lower:
            assert known is None or not is_complete
            continue
        rest = frozenset(order[true + false :])
        assert known is not None
        if true == upper:
            assert {-v for v in rest} <= known or not is_complete
        elif false == size - lower:
            assert rest <= known or not is_complete
        else:
            assert not {abs(lit) for lit in known} & rest


@pytest.mark.thorough
@pytest.mark.parametrize("name", COUNTS)
@pytest.mark.parametrize("seed", range(3 * FUZZ))
def test_long_counts(name, seed):
    rng = random.Random(seed)
    size = rng.randint(12, 18)
    for lower, upper in ((0, 1), (1, 1), (2, 2), (size - 1, size), (0, size // 2), (3, size - 4)):
        if is_within(name, size, lower, upper):
            check_drawn(name, size, lower, upper, rng)


@pytest.mark.parametrize("name", [name for name in COUNTS if name != "count-pairwise"])
def test_very_long_counts_of_one(name):
    rng = random.Random(7)
    for size in (43, 64, 100):
        check_drawn(name, size, 1, 1, rng)


def test_a_missing_clause_is_detected():
    """These tests detect faults: without one of its clauses an encoding fails them."""
    for name in ("count-pairwise", "count-ladder", "count-totalizer"):
        cnf = counted(name, Count((1, 2, 3, 4), 0, 1), 4)
        clauses = list(cnf)
        allowed = assignments((1, 2, 3, 4), 0, 1)
        caught = 0
        for left_out in range(len(clauses)):
            less = Cnf(cnf.num_vars)
            for clause in clauses[:left_out] + clauses[left_out + 1 :]:
                less.add(clause)
            try:
                check(name, less, (1, 2, 3, 4), allowed)
                check_strength(oracles.Propagator(less), Strength.COMPLETE, range(1, 5), allowed)
            except AssertionError:
                caught += 1
        assert caught > len(clauses) // 2, name


@pytest.mark.parametrize("name", COUNTS)
def test_constants_in_a_count(name):
    for constants in product((TRUE, FALSE), repeat=3):
        for lower, upper in product(range(-1, 7), repeat=2):
            true = constants.count(TRUE)
            if is_within(name, 3, lower - true, upper - true):
                lits = (constants[0], 1, 2, *constants[1:], -3)
                cnf = counted(name, Count(lits, lower, upper), 3)
                check(name, cnf, (1, 2, -3), assignments((1, 2, -3), lower - true, upper - true))


@pytest.mark.parametrize("name", COUNTS)
@pytest.mark.parametrize("lits", [(1, 2, 1), (1, 2, -2)])
def test_a_count_refuses_a_variable_twice(name, lits):
    with pytest.raises(ValueError, match="twice"):
        counted(name, Count(lits, 0, 1), 2)


@pytest.mark.parametrize("name", COUNTS)
def test_variables_of_others_are_left_alone(name):
    """The literals need not be the first variables, and new ones come from the sink alone."""
    cnf = Cnf(50)
    COUNTS[name].encode(Count((40, -7, 23, 11, -30, 2, 9), 1, 1), cnf)
    assert {abs(lit) for lit in cnf.buffer if 0 < abs(lit) <= 50} == {40, 7, 23, 11, 30, 2, 9}
    used = {abs(lit) for lit in cnf.buffer if abs(lit) > 50}
    assert used == set(range(51, cnf.num_vars + 1))


# Size


def test_the_size_of_a_totalizer():
    def outputs(size: int, most: int) -> int:
        """Variables of the tree below its root."""
        halves = (size // 2, size - size // 2)
        return sum(min(half, most) + outputs(half, most) for half in halves if half > 1)

    for size, lower, upper in ((7, 2, 2), (16, 3, 5), (31, 2, 12), (20, 0, 4)):
        cnf = counted("count-totalizer", Count(tuple(range(1, size + 1)), lower, upper), size)
        assert cnf.num_vars - size == outputs(size, upper + 1) + upper - lower
        assert cnf.num_vars - size <= size * ceil(log2(size))
    for size, lower in ((7, 2), (16, 3), (9, 4)):  # no variable states how many more there are
        cnf = counted("count-totalizer", Count(tuple(range(1, size + 1)), lower, size), size)
        assert cnf.num_vars - size == outputs(size, lower)


def test_the_size_of_a_sequential_counter():
    for size, lower, upper in ((8, 3, 5), (8, 0, 3), (9, 2, 2), (12, 3, 7), (7, 0, 1)):
        cnf = counted("count-sequential", Count(tuple(range(1, size + 1)), lower, upper), size)
        assert cnf.num_vars - size == lower * (upper - lower) + upper * (size - upper)


def test_false_literals_are_counted_if_they_are_fewer():
    sizes = {
        len(counted("count-totalizer", Count(tuple(range(1, 31)), lower, upper), 30))
        for lower, upper in ((27, 27), (3, 3))
    }
    assert len(sizes) == 1


@pytest.mark.parametrize(("size", "upper"), [(40, 8), (10_000, 4), (3_000, 2_998), (5_000, 2_500)])
def test_pairwise_refuses_too_many_clauses(size, upper):
    count = Count(tuple(range(1, size + 1)), 0, upper)
    with pytest.raises(UnsupportedError, match=r"count=pairwise would make .* at most 200000 "):
        counted("count-pairwise", count, size)


@pytest.mark.parametrize(("name", "most"), [("MAX_CLAUSES", 28 + 8), ("MAX_LITS", 28 * 6 + 8 * 7)])
def test_the_limits_of_pairwise_are_of_both_bounds(name, most, monkeypatch):
    """With 8 literals: not all of any 6 are true, and not all of any 7 are false."""
    count = Count(tuple(range(1, 9)), 2, 5)
    monkeypatch.setattr(count_pairwise, name, most)
    assert len(counted("count-pairwise", count, 8)) == 28 + 8
    monkeypatch.setattr(count_pairwise, name, most - 1)
    with pytest.raises(UnsupportedError, match="make 36 clauses with 224 literals"):
        counted("count-pairwise", count, 8)


def test_pairwise_sends_its_clauses_in_parts():
    cnf = counted("count-pairwise", Count(tuple(range(1, 301)), 0, 1), 300)
    assert len(cnf) == 44_850 > 4 * count_pairwise._CHUNK


def test_the_modulo_totalizer_misses_a_conflict():
    """The declared strength is not too low."""
    propagator = oracles.Propagator(counted("count-modulo", Count((1, 2, 3, 4, 5), 0, 2), 5))
    root = propagator.root()
    assert root is not None
    assert propagator.extend(root, [2, 3, 5]) is not None


def test_the_modulo_totalizer_needs_python_sat(monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "pysat.card", None)
    with pytest.raises(BackendError, match="install python-sat"):
        counted("count-modulo", Count(tuple(range(1, 9)), 2, 4), 8)
    clauses = counted("count-modulo", Count(tuple(range(1, 9)), 1, 8), 8)
    assert list(clauses) == [[*range(1, 9)]]


def test_encodings_of_one_name_the_others():
    with pytest.raises(UnsupportedError, match="here 2 to 3 of 8 literals must be true; use count"):
        counted("count-product", Count(tuple(range(1, 9)), 2, 3), 8)
    with pytest.raises(UnsupportedError, match="here 3 of 8 literals must be true; use count=seq"):
        counted("count-ladder", Count(tuple(range(1, 9)), 3, 3), 8)


@pytest.mark.parametrize("name", COUNTS)
def test_tautologies_have_no_clauses(name):
    for lits in ((), (1,), (1, 2, 3), (1, TRUE, 3)):
        for lower, upper in ((0, len(lits)), (-1, len(lits) + 1)):
            formula = counted(name, Count(lits, lower, upper), 3)
            assert (formula.num_vars, list(formula)) == (3, [])


def test_short_counts_of_one_are_pairs():
    """Up to six literals the sequential counter has no variables."""
    for size, num_new in ((6, False), (7, True)):
        for lower, upper in ((0, 1), (size - 1, size)):
            formula = counted("count-sequential", Count(range(1, size + 1), lower, upper), size)
            assert (formula.num_vars > size) is num_new
            assert num_new or len(list(formula)) == size * (size - 1) // 2


def test_the_totalizer_counts_as_far_as_a_lower_bound_requires():
    formula = counted("count-totalizer", Count(range(1, 7), 2, 6), 6)
    other = counted("count-totalizer", Count([-lit for lit in range(1, 7)], 0, 4), 6)
    assert formula.num_vars == other.num_vars
