"""Look-ahead of the learning search, against a unit propagator of a few lines."""

from __future__ import annotations

import random
from array import array

import pytest

from nonosat import _core

Known = frozenset[int]


def propagated(clauses: list[list[int]], lits: set[int]) -> Known | None:
    """Literals that follow by unit propagation; None at a contradiction."""
    known = set(lits)
    while True:
        if any(-lit in known for lit in known):
            return None
        before = len(known)
        for clause in clauses:
            left = [lit for lit in dict.fromkeys(clause) if -lit not in known]
            if not left:
                return None
            if len(left) == 1:
                known.add(left[0])
        if len(known) == before:
            return frozenset(known)


def probed(clauses: list[list[int]], cube: list[int], every: list[int]) -> Known | None:
    """Return the remaining values after both values of each variable are tried; None if all are
    refuted.
    """
    known = propagated(clauses, {*cube})
    has_changed = True
    while has_changed and known is not None:
        has_changed = False
        for lit in [sign * var for var in every for sign in (1, -1)]:
            if known is None or lit in known or -lit in known:
                continue
            if propagated(clauses, {*known, lit}) is None:
                known, has_changed = propagated(clauses, {*known, -lit}), True
    return known


def learner(num_vars: int, clauses: list[list[int]]) -> _core.Learner:
    made = _core.Learner()
    made.new_vars(num_vars)
    made.add_clauses(array("i", [lit for clause in clauses for lit in [*clause, 0]]))
    return made


@pytest.mark.parametrize("seed", range(4))
def test_on_random_formulas(seed: int) -> None:
    rng = random.Random(seed)
    num_refuted = num_branches = 0
    for _ in range(150):
        num_vars = rng.randint(1, 9)
        clauses = [
            [rng.choice((1, -1)) * rng.randint(1, num_vars) for _ in range(rng.randint(2, 4))]
            for _ in range(rng.randint(0, 4 * num_vars))
        ]
        found = learner(num_vars, clauses)
        every = [*range(1, num_vars + 1)]
        for _ in range(4):  # one after the other, so that no cube leaves a trace
            cube = [rng.choice((1, -1)) * var for var in every if rng.random() < 0.2]
            said = found.look_ahead(cube, every, num_vars, 10**9)
            assert said is not None
            is_refuted, best, num_open, _ = said
            known = probed(clauses, cube, every)
            assert is_refuted == (known is None)
            if known is None:
                num_refuted += 1
                continue
            left = [var for var in every if var not in known and -var not in known]
            assert (sorted(map(abs, best)), num_open) == (left, len(left))
            scores = [score(clauses, known, lit) for lit in best]
            assert scores == sorted(scores, reverse=True)
            num_branches += bool(best)
    assert min(num_refuted, num_branches) > 50


def score(clauses: list[list[int]], known: Known, lit: int) -> int:
    """Product of the numbers of literals implied by both values of a variable; the literal has the
    smaller one.
    """
    sizes = []
    for side in (lit, -lit):
        implied = propagated(clauses, {*known, side})
        assert implied is not None
        sizes.append(len(implied) - len(known))
    assert sizes[0] <= sizes[1]
    return (1 + sizes[0]) * (1 + sizes[1])


def test_a_budget_ends_it_and_a_proof_forbids_it() -> None:
    found = learner(4, [[1, 2, 3, 4]])
    assert found.look_ahead([], [1, 2, 3, 4], 4, 0) == (False, [1, 2, 3, 4], 4, 0)
    assert found.look_ahead([], [1, 2, 3, 4], 2, 100) == (False, [1, 2], 4, 8)
    assert found.look_ahead([-1, -2, -3], [1, 2, 3, 4], 4, 100) == (False, [], 0, 0)
    assert found.look_ahead([-1, -2, -3, -4], [1], 4, 100) == (True, [], 0, 0)
    with pytest.raises(ValueError, match="an existing variable"):
        found.look_ahead([], [5], 1, 1)
    found.keep_proof()
    with pytest.raises(ValueError, match="records a proof"):
        found.look_ahead([], [1], 1, 1)
