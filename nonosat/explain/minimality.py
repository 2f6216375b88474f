"""Minimality of a contradictory set of clues or marks, as far as it is proven."""

from __future__ import annotations

from enum import Enum


class Minimality(Enum):
    """Minimality of an unsatisfiable set of assumptions, as far as it is proven."""

    SMALLEST = "smallest"  # every smaller set is satisfiable
    IRREDUCIBLE = "irreducible"  # without any one of its members it is satisfiable
    SUFFICIENT = "sufficient"  # neither is proven within the budget
