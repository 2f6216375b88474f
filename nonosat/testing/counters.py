"""Check of model counters: random formulas against enumeration, and what formulas rarely have."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from itertools import product

from nonosat.core.limits import Limits, Watch
from nonosat.core.plugins import ModelCounter
from nonosat.processes.tools import Call, start_child
from nonosat.testing.contract import broken

_TIME_S = 60.0  # for all formulas
_Formula = tuple[int, list[list[int]], list[int]]

# Free shown variables, no clauses, an empty projection, contradictions, a number above 2^64.
_CORNERS: tuple[_Formula, ...] = (
    (6, [[1, 2, 3], [-1, 4], [-2, 4, 3]], [1, 2, 5, 6]),
    (3, [], [1, 2]),
    (2, [[1, 2]], []),
    (2, [[1], [-1]], []),
    (2, [[1], [-1]], [1, 2]),
    (1, [[]], [1]),
)
_LARGE: _Formula = (200, [[1, 200]], list(range(1, 151)))


def check_counter(counter: ModelCounter, name: str) -> None:
    """Check a counter against enumeration, in a child process.

    Raises:
        AssertionError: It violates its contract; the message gives the formula.
    """
    formulas = [*_CORNERS, *_random_formulas(20), _LARGE]
    child = start_child(name, Call(_counts, (counter.count_models, formulas)))
    try:
        found = child.finish(Watch(Limits(_TIME_S)))
    finally:
        child.kill()
    expected = [*(_enumerated(*formula) for formula in formulas[:-1]), 2**150]
    for (num_vars, clauses, shown), mine, true in zip(formulas, found, expected, strict=True):
        if type(mine) is not int or mine != true:
            what = f"{num_vars} variables, {clauses}, shown {shown}"
            broken(f"it counts {mine!r}, expected {true}, for {what}")


def _counts(count_models: Callable[..., object], formulas: Sequence[_Formula]) -> list[object]:
    return [count_models(*formula) for formula in formulas]


def _random_formulas(number: int) -> Iterator[_Formula]:
    draw = random.Random(1)
    for _ in range(number):
        num_vars = draw.randint(3, 8)
        clauses = [
            [var * draw.choice((1, -1)) for var in draw.sample(range(1, num_vars + 1), 3)]
            for _ in range(draw.randint(0, 3 * num_vars))
        ]
        yield num_vars, clauses, sorted(draw.sample(range(1, num_vars + 1), draw.randint(1, 3)))


def _enumerated(num_vars: int, clauses: Sequence[Sequence[int]], shown: Sequence[int]) -> int:
    return len(
        {
            tuple(values[var - 1] for var in shown)
            for values in product((False, True), repeat=num_vars)
            if all(any(values[abs(lit) - 1] == (lit > 0) for lit in clause) for clause in clauses)
        }
    )
