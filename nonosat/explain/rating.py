"""How difficult a puzzle is: the hardest technique that its explanation needs.

The grade is that technique's number in its family's explainer; the tenths say how many tenths of
the cells (or edges) to be found are settled by techniques of that grade. So 4.2 is a nonogram that
needs complete reasoning about single lines, for more than a fifth of its cells, and 8.0 a puzzle
that needs a guess for very few.
Ratings are counted and never timed, so a puzzle always has the same one.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from nonosat.core.presenting import Data
from nonosat.core.result import Verdict
from nonosat.explain.data import legend_data
from nonosat.explain.explainers import explainer_of
from nonosat.questions.reply import Reply

if TYPE_CHECKING:
    from nonosat.explain.explanation import Explanation


NAMES = {
    0: "nothing to do",
    1: "very easy",
    2: "easy",
    3: "moderate",
    4: "tricky",
    5: "hard",
    6: "very hard",
    7: "extremely hard",
    8: "beyond reasoning",
}


@dataclass(frozen=True, slots=True, repr=False)
class Rating(Reply):
    """A puzzle's difficulty; `reason` says why there is none.

        >>> found = nonosat.rate(nonosat.nonogram([[2], [1]], [[1], [2]]))
        >>> found
        <Rating: nonogram: 2 rows x 2 columns: difficulty 1.9 (very easy)>
        >>> nonosat.Rating.from_data(found.to_data()) == found
        True

    Args:
        verdict: As of its explanation; only a unique puzzle has a difficulty.
        difficulty: Grade and tenths, from 1.0 to 8.9; 0.0 where every cell is given; None for a
            puzzle without a difficulty.
        name: What the grade is called; "" without one.
        steps: How many steps of each technique.
        cells: How many cells, or edges, they settle.
    """

    verdict: Verdict
    difficulty: float | None
    name: str
    steps: Mapping[str, int]
    cells: Mapping[str, int]

    def told(self) -> str:
        """The difficulty, or that there is none."""
        if self.difficulty is None:
            return f"no difficulty, {self.verdict.value}"
        return f"difficulty {self.difficulty} ({self.name})"

    def found_data(self) -> Data:
        """The difficulty, and the numbers that it is made of."""
        return {
            "verdict": self.verdict.value,
            "difficulty": self.difficulty,
            "name": self.name,
            "steps": dict(self.steps),
            "cells": dict(self.cells),
        } | legend_data(self.puzzle)

    @classmethod
    def found_in(cls, data: Mapping[str, Any], puzzle: Any) -> dict[str, Any]:
        """The fields of that data."""
        names = ("difficulty", "name", "steps", "cells")
        return {"verdict": Verdict(data["verdict"])} | {name: data[name] for name in names}


def rating_of(found: Explanation) -> Rating:
    """The difficulty that an explanation shows."""
    grades = explainer_of(found.puzzle).grades
    steps = Counter(step.technique for step in found.steps)
    cells: Counter[str] = Counter()
    for step in found.steps:
        cells[step.technique] += len(step.settled)
    difficulty, name = None, ""
    if found.verdict is Verdict.UNIQUE:
        difficulty, name = _difficulty(cells, grades), _name(steps, grades)
    return Rating(
        found.puzzle,
        found.verdict,
        difficulty,
        name,
        _ordered(steps, grades),
        _ordered(cells, grades),
        reason=found.reason,
        seconds=found.seconds,
        limits=found.limits,
    )


def _name(steps: Counter[str], grades: Mapping[str, int]) -> str:
    """What the grade is called."""
    return NAMES[max((grades[technique] for technique in steps), default=0)]


def _difficulty(cells: Counter[str], grades: Mapping[str, int]) -> float:
    """Grade and tenths."""
    if not cells:
        return 0.0
    grade = max(grades[name] for name in cells)
    share = sum(count for name, count in cells.items() if grades[name] == grade) / cells.total()
    return round(grade + min(int(10 * share), 9) / 10, 1)


def _ordered(counts: Counter[str], grades: Mapping[str, int]) -> dict[str, int]:
    """Easiest first; techniques that were not needed are left out."""
    return {name: counts[name] for name in grades if name in counts}
