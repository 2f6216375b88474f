"""The strategy for models of all four kinds of constraint."""

from __future__ import annotations

from hypothesis import strategies as st

from nonosat.core.model import Model
from nonosat.testing.models import MOST_VARS, random_model
from nonosat.testing.strategies.numbers import check_number


def models(max_vars: int = 9) -> st.SearchStrategy[Model]:
    """Small models of `Clause`, `Count`, `Line` and `Loop`; two of three have solutions.

    They shrink to fewer constraints, fewer variables and fewer literals: to one variable of which
    nothing has to hold. `testing.models.random_model` draws the same from a `random.Random`.

    Args:
        max_vars: Most variables.

    Raises:
        UnsupportedError: The number is too small, too large, or none.
    """
    check_number("max_vars", max_vars, 1, MOST_VARS)
    return st.randoms(use_true_random=False).map(lambda rng: random_model(rng, max_vars))
