"""How small a set of clues or marks that cannot hold together is known to be."""

from __future__ import annotations

from enum import Enum


class Minimality(Enum):
    """How small a set of assumptions that cannot hold together is known to be."""

    SMALLEST = "smallest"  # every smaller set can hold
    IRREDUCIBLE = "irreducible"  # it can hold once any one of its members is left out
    SUFFICIENT = "sufficient"  # neither was proven within the budget
