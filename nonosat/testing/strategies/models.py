"""The strategy for models of all four kinds of constraint."""

from __future__ import annotations

from hypothesis import strategies as st

from nonosat.model import Model
from nonosat.testing.models import random_model


def models(max_vars: int = 9) -> st.SearchStrategy[Model]:
    """Small models of `Clause`, `Count`, `Line` and `Loop`; two of three have solutions.

    They shrink to fewer constraints, fewer variables and fewer literals: to one variable of which
    nothing has to hold. `testing.models.random_model` draws the same from a `random.Random`.

    Args:
        max_vars: Most variables.
    """
    return st.randoms(use_true_random=False).map(lambda rng: random_model(rng, max_vars))
