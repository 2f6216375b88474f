"""Puzzles explained as a person would: steps, hints, ratings, reasons and contradictions.

Python data and JSON count rows and columns from 0; every sentence counts from 1.
"""

from nonosat.explain.contradictions import Contradiction, contradiction
from nonosat.explain.explanation import Explanation
from nonosat.explain.hinting import Hint, hint
from nonosat.explain.rating import Rating
from nonosat.explain.reasons import Reason, reason
from nonosat.explain.smallest import Minimality
from nonosat.explain.solving import explain, rate
from nonosat.explain.step import TECHNIQUES, Step

__all__ = [
    "TECHNIQUES",
    "Contradiction",
    "Explanation",
    "Hint",
    "Minimality",
    "Rating",
    "Reason",
    "Step",
    "contradiction",
    "explain",
    "hint",
    "rate",
    "reason",
]
