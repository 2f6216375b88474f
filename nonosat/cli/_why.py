"""Which clues of an unsolvable puzzle contradict each other, as `check --why` tells it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from nonosat.core.result import Result
    from nonosat.explain import Contradiction


class Why(NamedTuple):
    """What is told of an unsolvable puzzle.

    Args:
        lines: For people.
        data: For programs.
        contradiction: What a picture shows; None where nothing is known.
    """

    lines: list[str]
    data: dict[str, Any]
    contradiction: Contradiction | None = None


def why(result: Result) -> Why | None:
    """The clues that contradict each other; None for a puzzle that is not unsolvable.

    The search has what `result` leaves of its own limits.
    """
    if result.verdict.value != "unsolvable":
        return None
    from nonosat.core import families
    from nonosat.core.limits import Limits, Watch
    from nonosat.explain.contradicting import contradiction_within, has_contradictions

    if not has_contradictions(result.puzzle):
        name = families.name_of(result.puzzle)
        told = f"Which clues contradict each other is unknown: {name} does not name its clues."
        return Why([told], {"sentence": told})
    time_s, memory_mib = result.options.time_limit_s, result.options.memory_limit_mib
    watch = Watch(Limits(time_s, memory_mib).after(result.seconds))
    puzzle: Any = result.puzzle
    found = contradiction_within(puzzle, watch, is_unsolvable=True)
    return Why(found.report(), found.to_data(with_puzzle=False), found)
