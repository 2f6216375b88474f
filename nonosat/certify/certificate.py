"""Results of `prove` (a verdict and the files that certify it) and of `verify`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Self

from nonosat.certify import folder
from nonosat.certify.price_table import PriceProof
from nonosat.core import hooks
from nonosat.core.errors import counted
from nonosat.core.plugins import Puzzle
from nonosat.core.presenting import Data, Drawn, Presented, Scene, puzzle_in, reading
from nonosat.core.versions import versions


@dataclass(slots=True, repr=False)
class Certificate(Presented):
    """A verdict and the files that certify it, as returned by `prove`.

        >>> certificate = nonosat.prove(nonosat.nonogram([[2], [1]], [[1], [2]]))
        >>> certificate
        <Certificate: unique by propagation, 13 clauses, 3 lemmas>
        >>> [*certificate.files]
        ['puzzle.json', 'solution.txt', 'formula.cnf', 'proof.drat', 'proof.lrat']
        >>> nonosat.Certificate.from_data(certificate.to_data()) == certificate
        True

    Attributes:
        claim: "unique", "unsolvable" or "multiple".
        how: Method that proved the claim: "prices", "propagation", "probing", the engine's name, or
            "search" for a second solution.
        files: Content by name.
        num_clauses, num_lemmas: Size of the formula and of the proof; 0 if there is none.
        num_logged: Lemmas before trimming. Trimming drops unused lemmas and adds a lemma for each
            root literal that is used.
        seconds: Wall seconds by stage.
        prices: The proof by prices; None if clauses or pictures prove the claim.
        num_cuts: Number of clauses that exclude several cycles.
        trusted: The family whose own model states the rules; "" if the verifier states them.
    """

    claim: str
    how: str
    files: dict[str, bytes]
    num_clauses: int = 0
    num_lemmas: int = 0
    num_logged: int = 0
    seconds: dict[str, float] = field(default_factory=dict, compare=False)
    prices: PriceProof | None = None
    num_cuts: int = 0
    trusted: str = ""

    def write(self, target: str | Path, *, force: bool = False) -> None:
        """Write the certificate into a new or empty folder.

        Args:
            target: The folder.
            force: Replace another certificate in the folder.

        Raises:
            UnsupportedError: The folder contains something else or is not writable.
        """
        made = {"how": self.how, **versions()}
        folder.write(Path(target), self.claim, self.files, made, replaces=force)

    def __str__(self) -> str:
        if self.prices is not None:
            return f"{self.claim} by {self.how}, {self.prices}"
        sizes = sizes_text(self.num_clauses, self.num_cuts, self.num_lemmas)
        return ", ".join(
            filter(None, (f"{self.claim} by {self.how}", as_stated(self.trusted), sizes))
        )

    def to_data(self) -> Data:
        """Return the certificate as JSON data, including the text of its files."""
        return {
            "claim": self.claim,
            "how": self.how,
            "files": {name: content.decode() for name, content in self.files.items()},
            "clauses": self.num_clauses,
            "lemmas": self.num_lemmas,
            "logged": self.num_logged,
            "prices": self.prices and self.prices.to_data(),
            "cuts": self.num_cuts,
            "trusted": self.trusted,
            "seconds": dict(self.seconds),
            "versions": versions(),
        }

    @classmethod
    def from_data(cls, data: Mapping[str, Any]) -> Self:
        """Build a certificate from data of `to_data` without checking it; `verify` does that."""
        with reading(cls):
            files = {str(name): content.encode() for name, content in data["files"].items()}
            clauses, lemmas, logged = (int(data[name]) for name in ("clauses", "lemmas", "logged"))
            sizes = (clauses, lemmas, logged, dict(data["seconds"]))
            prices = PriceProof.of_data(data.get("prices"))
            stated = (int(data.get("cuts", 0)), str(data.get("trusted", "")))
            return cls(data["claim"], data["how"], files, *sizes, prices, *stated)


@dataclass(frozen=True, slots=True, repr=False)
class Verified(Drawn):
    """A certificate that has been checked, as returned by `verify`.

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
        puzzle: The certified puzzle.
        num_clauses, num_lemmas: Size of the formula and of the LRAT proof; 0 if there is none.
        seconds: Wall seconds of the check.
        prices: The proof by prices; None if clauses or pictures prove the claim.
        num_cuts: Number of clauses that exclude several cycles.
        trusted: The family whose own model was accepted as its rules; "" if nothing was accepted
            unchecked.
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
        parts = (self.claim, as_stated(self.trusted), self.sizes)
        return f"{self.puzzle}: {', '.join(filter(None, parts))}"

    @property
    def sizes(self) -> str:
        """Return the size of the proof in words; "" if there is none."""
        if self.prices is not None:
            return str(self.prices)
        return sizes_text(self.num_clauses, self.num_cuts, self.num_lemmas)

    def scene(self) -> Scene:
        """Return the puzzle as it is printed, with the certified facts as its caption."""
        return Scene(self.puzzle, caption=self.in_a_line())

    def to_data(self) -> Data:
        """Return the report as JSON data."""
        return {
            "claim": self.claim,
            "clauses": self.num_clauses,
            "lemmas": self.num_lemmas,
            "prices": self.prices and self.prices.to_data(),
            "cuts": self.num_cuts,
            "trusted": self.trusted,
            "seconds": round(self.seconds, 6),
            "puzzle": hooks.data_of(self.puzzle),
        }

    @classmethod
    def from_data(cls, data: Mapping[str, Any]) -> Self:
        """Build a report from data of `to_data`."""
        puzzle = puzzle_in(data)
        with reading(cls):
            sizes = (data["clauses"], data["lemmas"], data["seconds"])
            prices = PriceProof.of_data(data.get("prices"))
            stated = (int(data.get("cuts", 0)), str(data.get("trusted", "")))
            return cls(data["claim"], puzzle, *sizes, prices, *stated)


def sizes_text(num_clauses: int, num_cuts: int, num_lemmas: int) -> str:
    """Return the size of a proof by clauses in words; "" if there is none."""
    if not num_clauses:
        return ""
    cuts = f", {counted(num_cuts, 'cut', ',')} among them" if num_cuts else ""
    return f"{counted(num_clauses, 'clause', ',')}{cuts}, {counted(num_lemmas, 'lemma', ',')}"


def as_stated(trusted: str) -> str:
    """Return a phrase that names the family whose model states the rules; "" if there is none."""
    return f"as the model of the family {trusted} states the rules" if trusted else ""
