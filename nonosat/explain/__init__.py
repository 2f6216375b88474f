"""Puzzles explained: solved step by step as a person would, rated, and why a cell is what it is."""

from nonosat.explain.explanation import Explanation
from nonosat.explain.hinting import Hint, hint
from nonosat.explain.rating import Rating
from nonosat.explain.reasons import Reason, reason
from nonosat.explain.smallest import Minimality
from nonosat.explain.solving import explain, rate
from nonosat.explain.step import TECHNIQUES, Step

__all__ = [
    "TECHNIQUES",
    "Explanation",
    "Hint",
    "Minimality",
    "Rating",
    "Reason",
    "Step",
    "explain",
    "hint",
    "rate",
    "reason",
]
