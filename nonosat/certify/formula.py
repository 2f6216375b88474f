"""The formula of a certificate: rules, cuts, and "another solution".

`verify` makes it of the puzzle and compares; nothing here is shared with `nonosat.encodings` or
`nonosat.board`. `prove` takes it from here, but for a nonogram: that is encoded natively
(`certify.derived`), and tests hold both equal. The clauses come in this order: those of the rules
(`certify.encoder`), one for each cut (`certify.cuts`), and where there is a solution the one that
forbids it.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice

from nonosat.certify import folder
from nonosat.certify.cuts import Cut, Cutter
from nonosat.certify.encoder import Encoder, plain
from nonosat.certify.rules import Rules
from nonosat.clauses.cnf import check_num_vars
from nonosat.core.errors import CertificateError, counted

_CHUNK = 4096  # clauses between two looks at the watch


class Formula:
    """Clauses, each ended by 0, part by part.

    Args:
        rules: Of the puzzle.
        pause: Called every few milliseconds; what it raises ends the work.
    """

    def __init__(self, rules: Rules, pause: Callable[[], None]) -> None:
        self._rules, self._pause = rules, pause
        self._encoder = Encoder(rules.model, direct=rules.is_board)  # as in version 1
        self._cutter = Cutter(rules.model.loops)

    @property
    def num_vars(self) -> int:
        """Once the rules' clauses have been made."""
        return self._encoder.num_vars

    def of_rules(self) -> array[int]:
        """The rules."""
        return self._flat(self._encoder.clauses())

    def of_cuts(self, cuts: Iterable[Cut]) -> array[int]:
        """The cuts. Raises CertificateError for one that some loop might violate."""
        return self._flat(self._cut(cuts))

    def forbidding(self, true: frozenset[int] | None) -> array[int]:
        """The clause that another solution satisfies; nothing where there is none."""
        return array("i", [*self._rules.forbidding(true), 0] if true is not None else [])

    def _cut(self, cuts: Iterable[Cut]) -> Iterator[list[int]]:
        for number, cut in enumerate(cuts, start=1):
            try:
                clause = plain(self._cutter.clause(cut))
            except CertificateError as error:
                raise CertificateError(f"{folder.CUTS}: cut {number}: {error}") from None
            if clause is not None:
                yield clause

    def _flat(self, clauses: Iterable[Sequence[int]], most: int | None = None) -> array[int]:
        """The clauses; of more than `most` numbers only the beginning."""
        found, waiting = array("i"), iter(clauses)
        while chunk := [*islice(waiting, _CHUNK)]:
            self._pause()
            check_num_vars(self.num_vars)
            lits: list[int] = []
            for clause in chunk:
                lits += clause
                lits.append(0)
            found.fromlist(lits)
            if most is not None and len(found) > most:
                break
        return found

    def refuse_other(
        self, num_vars: int, clauses: array[int], cuts: Sequence[Cut], true: frozenset[int] | None
    ) -> None:
        """Compare a formula with this one.

        Those of a nonogram may come in any order inside a part: another encoder writes them.

        Args:
            num_vars, clauses: The formula's.
            cuts: Those that it is said to hold.
            true: What the solution makes true that it forbids; None where there is none.

        Raises:
            CertificateError: It is another one, or a cut is none.
            UnsupportedError: The puzzle's formula would have too many variables.
        """
        needed = self._rules.model.num_vars
        if num_vars < needed:
            found = counted(num_vars, "variable")
            raise _other(f"the formula has {found}, the rules alone need {needed}")
        at = 0
        for what, wanted in self._parts(cuts, true):
            # A puzzle may ask for more clauses than memory holds.
            flat = self._flat(wanted, most=len(clauses) - at)
            part = clauses[at : at + len(flat)]
            if part != flat and not (self._rules.is_board and _agree(part, flat)):
                raise _other(what)
            at += len(flat)
        if at != len(clauses):
            more = counted(clauses[at:].count(0), "clause")
            raise _other(f"the formula has {more} more than the puzzle asks for")
        if num_vars != self.num_vars:
            found = counted(num_vars, "variable")
            raise _other(f"the formula has {found}, expected {self.num_vars}")

    def _parts(
        self, cuts: Sequence[Cut], true: frozenset[int] | None
    ) -> Iterator[tuple[str, Iterable[Sequence[int]]]]:
        """The clauses of each part, and what is wrong where they are others."""
        for index, clauses in enumerate(self._encoder.parts()):
            name = self._rules.part(index)
            yield f"the clauses of {name} are not those that the puzzle asks for", clauses
        yield "the clauses behind the rules are not those of the cuts", self._cut(cuts)
        last = [] if true is None else [self._rules.forbidding(true)]
        yield "the last clause does not forbid the solution", last


def _other(what: str) -> CertificateError:
    return CertificateError(f"{folder.FORMULA}: {what}")


def _agree(one: array[int], other: array[int]) -> bool:
    """The same clauses, in any order."""
    whole = len(one) == len(other) and one.count(0) == other.count(0) and one[-1:] == other[-1:]
    return whole and _sorted(one) == _sorted(other)


def _sorted(clauses: array[int]) -> list[list[int]]:
    found: list[list[int]] = [[]]
    for lit in clauses:
        if lit:
            found[-1].append(lit)
        else:
            found[-1].sort()
            found.append([])
    return sorted(found)
