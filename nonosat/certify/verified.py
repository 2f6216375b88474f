"""What `verify` reports of a certificate that holds."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Self

from nonosat.certify.certificate import as_stated, sizes_text
from nonosat.certify.price_table import PriceProof
from nonosat.core import seams
from nonosat.core.plugins import Puzzle
from nonosat.core.presenting import Data, Drawn, Scene, puzzle_in, reading


@dataclass(frozen=True, slots=True, repr=False)
class Verified(Drawn):
    """A certificate that holds; `verify` gives it.

        >>> import tempfile
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     nonosat.prove(nonosat.nonogram([[2], [1]], [[1], [2]])).write(folder)
        ...     verified = nonosat.verify(folder)
        >>> verified
        <Verified: nonogram: 2 rows x 2 columns: unique, 13 clauses, 3 lemmas>
        >>> nonosat.Verified.from_data(verified.to_data()) == verified
        True

    Attributes:
        claim: "unique", "unsolvable" or "multiple".
        puzzle: The puzzle that it is about.
        num_clauses, num_lemmas: Of the formula and of the LRAT proof; 0 where there is none.
        seconds: Wall seconds of the check.
        prices: The proof by prices; None where clauses prove the claim, or pictures do.
        num_cuts: How many of the clauses say that a loop is a single one.
        trusted: The family whose own model was believed to state the rules; "" where nothing was
            taken on trust.
    """

    claim: str
    puzzle: Puzzle
    num_clauses: int
    num_lemmas: int
    seconds: float = field(compare=False)
    prices: PriceProof | None = None
    num_cuts: int = 0
    trusted: str = ""

    def __str__(self) -> str:
        said = (self.claim, as_stated(self.trusted), self.sizes)
        return f"{self.puzzle}: {', '.join(filter(None, said))}"

    @property
    def sizes(self) -> str:
        """How large the proof is, in words; "" where there is none."""
        if self.prices is not None:
            return str(self.prices)
        return sizes_text(self.num_clauses, self.num_cuts, self.num_lemmas)

    def scene(self) -> Scene:
        """The puzzle as it is printed, and what is certain of it."""
        return Scene(self.puzzle, caption=self.in_a_line())

    def to_data(self) -> Data:
        """The report as JSON data."""
        return {
            "claim": self.claim,
            "clauses": self.num_clauses,
            "lemmas": self.num_lemmas,
            "prices": self.prices and self.prices.to_data(),
            "cuts": self.num_cuts,
            "trusted": self.trusted,
            "seconds": round(self.seconds, 6),
            "puzzle": seams.data_of(self.puzzle),
        }

    @classmethod
    def from_data(cls, data: Mapping[str, Any]) -> Self:
        """The report of such data."""
        puzzle = puzzle_in(data)
        with reading(cls):
            sizes = (data["clauses"], data["lemmas"], data["seconds"])
            prices = PriceProof.of_data(data.get("prices"))
            stated = (int(data.get("cuts", 0)), str(data.get("trusted", "")))
            return cls(data["claim"], puzzle, *sizes, prices, *stated)
