"""The formula of a certificate: rules, cuts, and "another solution".

`verify` builds it from the puzzle and compares; it shares no code with `nonosat.encodings` or
`nonosat.board`. `prove` uses it too, except for nonograms, which are encoded natively
(`certify.derived`); tests compare both. The order of the clauses: those of the rules
(`certify.encoder`), one for each cut (`certify.cuts`), and the one that forbids the solution, if
there is one.
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

_CHUNK = 4096  # clauses between two polls of the watch


class Formula:
    """Clauses of a certificate in parts, each clause ended by 0.

    Args:
        rules: Rules of the puzzle.
        pause: Called every few milliseconds; an exception raised by it ends the work.
    """

    def __init__(self, rules: Rules, pause: Callable[[], None]) -> None:
        self._rules, self._pause = rules, pause
        self._encoder = Encoder(rules.model, direct=rules.is_board)  # as in version 1
        self._cutter = Cutter(rules.model.loops)

    @property
    def num_vars(self) -> int:
        """Number of variables, complete after the rules' clauses have been generated."""
        return self._encoder.num_vars

    def of_rules(self) -> array[int]:
        """Return the clauses of the rules."""
        return self._flat(self._encoder.clauses())

    def of_cuts(self, cuts: Iterable[Cut]) -> array[int]:
        """Return the clauses of cuts; raise CertificateError if a loop might violate one."""
        return self._flat(self._cut(cuts))

    def forbidding(self, true: frozenset[int] | None) -> array[int]:
        """Return the clause that any other solution satisfies; nothing if there is no solution."""
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
        """Return the clauses, or only the first ones if they have more than `most` integers."""
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
        """Raise if a formula differs from this one.

        The clauses of a nonogram may come in any order inside a part, because another encoder
        writes them.

        Args:
            num_vars, clauses: The formula.
            cuts: Cuts that the formula should contain.
            true: Variables that are true in the solution that the formula forbids; None if there is
                none.

        Raises:
            CertificateError: The formula differs, or a cut is invalid.
            UnsupportedError: The puzzle's formula would have too many variables.
        """
        needed = self._rules.model.num_vars
        if num_vars < needed:
            found = counted(num_vars, "variable")
            raise _other(f"the formula has {found}, the rules alone need {needed}")
        at = 0
        for what, clauses_of in self._parts(cuts, true):
            # A puzzle may need more clauses than memory holds.
            flat = self._flat(clauses_of, most=len(clauses) - at)
            part = clauses[at : at + len(flat)]
            if part != flat and not (self._rules.is_board and _agree(part, flat)):
                raise _other(what)
            at += len(flat)
        if at != len(clauses):
            more = counted(clauses[at:].count(0), "clause")
            raise _other(f"the formula has {more} more than the puzzle requires")
        if num_vars != self.num_vars:
            found = counted(num_vars, "variable")
            raise _other(f"the formula has {found}, expected {self.num_vars}")

    def _parts(
        self, cuts: Sequence[Cut], true: frozenset[int] | None
    ) -> Iterator[tuple[str, Iterable[Sequence[int]]]]:
        """Yield the clauses of each part, each with the error message for a mismatch."""
        for index, clauses in enumerate(self._encoder.parts()):
            name = self._rules.part(index)
            yield f"the clauses of {name} are not those that the puzzle requires", clauses
        yield "the clauses after the rules are not those of the cuts", self._cut(cuts)
        last = [] if true is None else [self._rules.forbidding(true)]
        yield "the last clause does not forbid the solution", last


def _other(what: str) -> CertificateError:
    return CertificateError(f"{folder.FORMULA}: {what}")


def _agree(one: array[int], other: array[int]) -> bool:
    """Return True if both contain the same clauses in any order."""
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
