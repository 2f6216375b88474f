"""Ganak, an exact projected model counter with component caching.

Source: Sharma, Roy, Soos, Meel, "GANAK: a scalable probabilistic exact model counter" (IJCAI 2019);
Soos, Meel, "Engineering an efficient probabilistic exact model counter" (CAV 2025).
"""

from __future__ import annotations

from collections.abc import Sequence

from nonosat.core.plugins import ModelCounter


def count_models(num_vars: int, clauses: Sequence[Sequence[int]], shown: Sequence[int]) -> int:
    """Return the number of assignments of the shown variables that a model extends."""
    import pyganak

    counter = pyganak.Counter()
    counter.new_vars(num_vars)
    counter.add_clauses(clauses)
    counter.set_sampling_set(shown)
    return int(counter.count())


PLUGIN = ModelCounter(
    summary="Ganak 2, projected, with component caching", needs="pyganak", count_models=count_models
)
