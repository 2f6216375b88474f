"""Steps of a pseudo-Boolean proof in VeriPB's format, versions 3.0 and 2.0.

In version 3.0 a semicolon ends every step but the header, and a colon separates a witness or hints
from the constraint. In 2.0 a line ends a step, and a constraint ends with a semicolon, also before
a witness; hints are omitted there.

Invariant: steps are numbered like the constraints that they add; every method that adds one returns
its number.

Source: the descriptions of the format, versions 2.0 and 3.0, that come with VeriPB; for the rule
`red`: Gocht, Nordstrom, "Certifying parity reasoning efficiently using pseudo-Boolean proofs" (AAAI
2021).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import NamedTuple

Terms = list[tuple[int | str, int]]  # a constraint's number or a literal, and a factor

VERSIONS = ("3.0", "2.0")  # of VeriPB's format; the first is the default


class FlowProof(NamedTuple):
    """The two files of a proof.

    Args:
        opb: The flow model, with "at least one cell differs" if there is a solution.
        pbp: The proof in VeriPB's format that the model is unsatisfiable.
    """

    opb: bytes
    pbp: bytes


def name_of(lit: int) -> str:
    """Return the name of a literal."""
    return f"x{lit}" if lit > 0 else f"~x{-lit}"


class ProofSteps:
    """The steps of a proof under construction.

    Args:
        num_given: Number of constraints of the formula; an equality counts as two.
        pause: Called before every step; an exception raised by it ends the work.
        version: One of VERSIONS.
    """

    def __init__(self, num_given: int, pause: Callable[[], None], version: str) -> None:
        self._is_old = version == "2.0"
        self._end = "\n" if self._is_old else ";\n"
        self._text = bytearray(f"pseudo-Boolean proof version {version}\n".encode())
        self._num_ids = num_given
        self._pause = pause
        self._write(f"f {num_given}")

    def _write(self, step: str) -> None:
        self._pause()
        self._text += f"{step}{self._end}".encode()

    def _add(self, step: str) -> int:
        self._write(step)
        self._num_ids += 1
        return self._num_ids

    def rup(self, clause: Iterable[int], hints: Iterable[int] = ()) -> int:
        """Add a clause that follows by unit propagation.

        Args:
            clause: Its literals.
            hints: Numbers of the constraints that refute its negation; empty for all constraints.
        """
        words = "".join(f"1 {name_of(lit)} " for lit in clause)
        numbers = " ".join(map(str, hints))
        if self._is_old:
            return self._add(f"rup {words}>= 1 ;")
        return self._add(f"rup {words}>= 1{f' : ~ {numbers}' if numbers else ''}")

    def red(self, terms: Iterable[tuple[int, int]], degree: int, witness: int) -> int:
        """Add a constraint that holds after the variable of a literal is set to make it true.

        Args:
            terms: Factors, all positive, and literals.
            degree: Least sum of the factors of true literals.
            witness: The literal.
        """
        words = "".join(f"{factor} {name_of(lit)} " for factor, lit in terms)
        separator = " ;" if self._is_old else " :"
        value = f"x{abs(witness)} -> {int(witness > 0)}"
        return self._add(f"red {words}>= {degree}{separator} {value}")

    def sum(self, terms: Iterable[tuple[int | str, int]], divisor: int = 1) -> int:
        """Add constraints, by number, and literals (at least 0), each times a factor of 1 or more.

        The sum is divided by `divisor` and rounded up.
        """
        words = []
        for index, (what, factor) in enumerate(terms):
            words.append(f"{what} {factor} *" if factor > 1 else f"{what}")
            if index:
                words.append("+")
        if divisor > 1:
            words.append(f"{divisor} d")
        return self._add(f"pol {' '.join(words)}")

    def delete(self, numbers: Iterable[int]) -> None:
        """Delete constraints that later steps do not need."""
        if words := " ".join(map(str, numbers)):
            self._write(f"del id {words}")

    def text(self, last: int) -> bytes:
        """Return the proof, whose last constraint is the contradiction."""
        for step in ("output NONE", f"conclusion UNSAT : {last}", "end pseudo-Boolean proof"):
            self._write(step)
        return bytes(self._text)
