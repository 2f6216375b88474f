"""What makers of certificates share: the files so far, how long it took, the check of a proof.

Invariant: a proof that is written has been checked by the native backward checker, and holds only
the lemmas that the checker needed.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from array import array
from time import perf_counter
from typing import Any

from nonosat import _core
from nonosat.certify import folder
from nonosat.certify.certificate import Certificate
from nonosat.core import seams
from nonosat.core.blame import Suspects
from nonosat.core.errors import BackendError
from nonosat.core.limits import Watch
from nonosat.core.plugins import Puzzle
from nonosat.formats import jsonl


class Prover(ABC):
    """A certificate in the making.

    Args:
        puzzle: The puzzle.
        engine: A backend that writes proofs.
        watch: Holds for everything.

    Attributes:
        files: Content by name, so far.
        seconds: By stage, so far.
    """

    def __init__(self, puzzle: Puzzle, engine: str, watch: Watch) -> None:
        self.engine, self.watch = engine, watch
        self.files = {folder.PUZZLE: jsonl.write([puzzle])}
        self.seconds: dict[str, float] = {}
        self._started = perf_counter()

    @abstractmethod
    def find(self) -> None:
        """Look for solutions, by what has guards of its own."""

    @abstractmethod
    def run(self) -> Certificate:
        """The certificate, when solutions have been looked for."""

    def lap(self, stage: str) -> None:
        """A stage has ended."""
        now = perf_counter()
        self.seconds[stage], self._started = now - self._started, now

    def ask(self, native: Any, *arguments: Any) -> Any:
        """The answer of native code, within the limits."""
        answer = native(*arguments, remaining_s=self.watch.remaining_s(), poll=self.watch.poll)
        if answer is None:
            raise self.watch.limit()
        return answer

    def by_clauses(
        self, claim: str, how: str, num_vars: int, clauses: array[int], proof: bytes
    ) -> Certificate:
        """Check and trim a refutation, and put everything together.

        Args:
            claim: "unique" or "unsolvable".
            how: What has refuted the formula.
            num_vars, clauses: The formula; each clause is ended by 0.
            proof: DRAT in text.
        """
        seams.doing("check of the proof")
        try:
            checked = self.ask(_core.check_drat, num_vars, clauses.tobytes(), proof, True)
        except ValueError as error:
            advice = Suspects(how).advice()
            raise BackendError(f"the proof of {how} is wrong: {error}", advice=advice) from None
        num_logged, num_lemmas, drat, lrat = checked
        self.lap("check")
        seams.doing("write")
        num_clauses = clauses.count(0)
        header = f"p cnf {num_vars} {num_clauses}\n".encode()
        self.files[folder.FORMULA] = header + _core.dimacs_text(clauses)
        self.files |= {folder.DRAT: drat, folder.LRAT: lrat}
        self.lap("write")
        sizes = (num_clauses, num_lemmas, num_logged)
        return Certificate(claim, how, self.files, *sizes, seconds=self.seconds)
