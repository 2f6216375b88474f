"""Oracles for proofs: checkers without watches or other optimisations."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from nonosat.testing.oracles import Propagator


class ClauseSet:
    """A growing set of clauses, and the literals that its unit clauses imply by propagation."""

    def __init__(self, clauses: Iterable[Sequence[int]]) -> None:
        self.propagator = Propagator(tuple(set(clause)) for clause in clauses)
        self.root = self.propagator.root()

    def implies(self, clause: Sequence[int]) -> bool:
        """Return True if the clause follows by unit propagation (RUP)."""
        if self.root is None:
            return True
        return self.propagator.extend(self.root, [-lit for lit in clause]) is None

    def add(self, clause: Sequence[int]) -> None:
        lits = tuple(set(clause))
        for lit in lits:
            self.propagator.watchers[lit].append(lits)
        if self.root is not None and self.root.isdisjoint(lits):
            left = [lit for lit in lits if -lit not in self.root]
            if not left:
                self.root = None
            elif len(left) == 1:
                self.root = self.propagator.extend(self.root, left)


def steps(text: str) -> Iterator[tuple[bool, list[int]]]:
    """Yield (is a deletion, literals) for each step of a DRAT text."""
    words = " ".join(line for line in text.splitlines() if line[:1] != "c").split()
    deletes, lits = False, []
    for word in words:
        if word == "d":
            deletes = True
        elif int(word):
            lits.append(int(word))
        else:
            yield deletes, lits
            deletes, lits = False, []


def refutes(clauses: Iterable[Sequence[int]], text: str, *, strict: bool = False) -> bool:
    """Return True if the implied lemmas lead to a conflict; deletions are ignored.

    Args:
        clauses: The formula.
        text: A DRAT proof.
        strict: Reject the proof for one lemma that is not implied.
    """
    known = ClauseSet(clauses)
    for deletes, lits in steps(text):
        if known.root is None:
            return True
        if deletes:
            continue
        if known.implies(lits):
            known.add(lits)
        elif strict:
            return False
    return known.root is None


def follows_hints(clauses: Sequence[Sequence[int]], text: str) -> bool:
    """Return True if an LRAT proof is valid, by its definition."""
    known = {number: list(clause) for number, clause in enumerate(clauses, 1)}
    last: list[int] | None = None
    words = map(int, text.split())
    for number in words:
        lits, hints = list(iter(words.__next__, 0)), list(iter(words.__next__, 0))
        false = set(lits)
        for hint in hints:
            left = {lit for lit in known[hint] if lit not in false}
            if len(left) > 1:
                return False
            false |= {-lit for lit in left}
            if not left:
                break
        else:
            if not any(-lit in lits for lit in lits):
                return False
        known[number] = last = lits
    return last == []


def read_dimacs(text: str) -> tuple[int, list[list[int]]]:
    """Return (variables, clauses) of a DIMACS text."""
    words = " ".join(line for line in text.splitlines() if line[:1] != "c").split()
    assert words[:2] == ["p", "cnf"]
    return int(words[2]), [lits for _, lits in steps(" ".join(words[4:]))]
