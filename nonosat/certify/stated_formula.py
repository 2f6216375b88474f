"""The formula of a certificate whose rules are stated: rules, cuts, and "another solution".

`prove` writes it and `verify` makes it again and compares. Its clauses come in this order: those of
the rules (`certify.encoder`), one for each cut (`certify.cuts`), and where there is a solution the
one that forbids it.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterable, Iterator, Sequence

from nonosat.certify import folder
from nonosat.certify.cuts import Cut, Cutter
from nonosat.certify.encoder import Encoder, plain
from nonosat.certify.rules import Rules
from nonosat.clauses.cnf import check_num_vars
from nonosat.core.errors import CertificateError, counted

_PAUSE = 4096  # clauses between two looks at the watch


class StatedFormula:
    """Clauses, each ended by 0, part by part.

    Args:
        rules: Of the puzzle.
        pause: Called every few milliseconds; what it raises ends the work.
    """

    def __init__(self, rules: Rules, pause: Callable[[], None]) -> None:
        self._rules, self._pause = rules, pause
        self._encoder = Encoder(rules.model)
        self._cutter = Cutter(rules.model.loops)
        check_num_vars(rules.model.num_vars)

    @property
    def num_vars(self) -> int:
        """Once `of_rules` has been made."""
        return self._encoder.num_vars

    def of_rules(self, most: int | None = None) -> array[int]:
        """The rules; of a formula that is longer than `most` numbers only the beginning."""
        return self._flat(self._encoder.clauses(), most)

    def of_cuts(self, cuts: Iterable[Cut], most: int | None = None) -> array[int]:
        """The cuts. Raises CertificateError for one that some loop might violate."""
        return self._flat(self._cut(cuts), most)

    def _cut(self, cuts: Iterable[Cut]) -> Iterator[list[int]]:
        for number, cut in enumerate(cuts, start=1):
            try:
                clause = plain(self._cutter.clause(cut))
            except CertificateError as error:
                raise CertificateError(f"{folder.CUTS}: cut {number}: {error}") from None
            if clause is not None:
                yield clause

    def forbidding(self, true: frozenset[int] | None) -> array[int]:
        """The clause that another solution satisfies; nothing where there is none."""
        return array("i", [*self._rules.forbidding(true), 0] if true is not None else [])

    def _flat(self, clauses: Iterable[Sequence[int]], most: int | None) -> array[int]:
        found = array("i")
        for number, clause in enumerate(clauses):
            found.extend(clause)
            found.append(0)
            if number % _PAUSE == 0:
                self._pause()
                check_num_vars(self.num_vars)
            if most is not None and len(found) > most:
                break
        return found

    def refuse_other(
        self, num_vars: int, clauses: array[int], cuts: Sequence[Cut], true: frozenset[int] | None
    ) -> None:
        """Compare a formula with this one.

        Args:
            num_vars, clauses: The formula's.
            cuts: Those that it is said to hold.
            true: What the solution makes true that it forbids; None where there is none.

        Raises:
            CertificateError: It is another one, or a cut is none.
        """
        needed = self._rules.model.num_vars
        if num_vars < needed:
            found = counted(num_vars, "variable")
            raise _other(f"the formula has {found}, the rules alone need {needed}")
        at = 0
        for what in ("rules", "cuts", "solution"):
            most = len(clauses) - at  # a puzzle may ask for more than memory holds
            if what == "rules":
                wanted = self.of_rules(most)
            else:
                wanted = self.of_cuts(cuts, most) if what == "cuts" else self.forbidding(true)
            if clauses[at : at + len(wanted)] != wanted:
                raise _other(_WRONG[what])
            at += len(wanted)
        if at != len(clauses):
            more = counted(clauses[at:].count(0), "clause")
            raise _other(f"the formula has {more} more than the puzzle asks for")
        if num_vars != self.num_vars:
            found = counted(num_vars, "variable")
            raise _other(f"the formula has {found}, expected {self.num_vars}")


def _other(what: str) -> CertificateError:
    return CertificateError(f"{folder.FORMULA}: {what}")


_WRONG = {
    "rules": "its first clauses are not those of the puzzle's rules",
    "cuts": "the clauses behind the rules are not those of the cuts",
    "solution": "the last clause does not forbid the solution",
}
