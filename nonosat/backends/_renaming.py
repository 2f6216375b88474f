"""Phases for engines that have none: the signs of variables are flipped on the way in and out.

An engine that first tries one value for every variable tries the suggested ones, when each variable
that is suggested the other value goes by the opposite sign. Flipping twice changes nothing, so one
mapping serves both ways. Linear in what is renamed.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Sequence


class Renaming:
    """Flips the signs of some variables.

    Args:
        lits: What is to be tried first.
        phase: What the engine tries first, of every variable.
    """

    def __init__(self, lits: Sequence[int] = (), phase: bool = True) -> None:
        self._flipped = {abs(lit) for lit in lits if (lit > 0) != phase}

    def lits(self, lits: Iterable[int]) -> list[int]:
        flipped = self._flipped
        return [-lit if abs(lit) in flipped else lit for lit in lits]

    def batch(self, clauses: array[int], num_vars: int) -> array[int]:
        """A buffer of clauses over the variables 1 .. num_vars."""
        if not self._flipped:
            return clauses
        # table[lit] is the literal's new name: negative ones count from the table's end.
        positive = self.lits(range(1, num_vars + 1))
        table = [0, *positive, *(-lit for lit in reversed(positive))]
        return array("i", map(table.__getitem__, clauses))

    def values(self, values: bytes) -> bytes:
        """One byte a variable; none stay none."""
        renamed = bytearray(values)
        for var in self._flipped if values else ():
            renamed[var] ^= 1
        return bytes(renamed)

    def proof(self, text: bytes) -> bytes:
        """A proof in text: literals, "d" and line ends."""
        if not self._flipped:
            return text
        lines = (
            " ".join(word if word == "d" else str(*self.lits([int(word)])) for word in words)
            for words in map(str.split, text.decode().splitlines())
        )
        return "".join(f"{line}\n" for line in lines).encode()
