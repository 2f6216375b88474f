"""Explanations of puzzles in a person's steps: steps, hints, ratings, reasons, contradictions.

This package has what all families share: replies and entry points. A family has its own explainer
in a folder of its name (`plugins.Explainer`), with its techniques, steps and sentences.
Python data and JSON count rows and columns from 0; every sentence counts from 1.
"""

from nonosat.explain.contradicting import contradiction
from nonosat.explain.explanation import Explanation, Rating, explain, rate
from nonosat.explain.hinting import Hint, hint
from nonosat.explain.minimal_sets import Minimality
from nonosat.explain.nonogram.contradictions import Contradiction
from nonosat.explain.nonogram.reasons import Reason, reason
from nonosat.explain.nonogram.step import TECHNIQUES, Step

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
