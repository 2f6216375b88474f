"""Checker of cutting planes proofs in VeriPB's format, versions 2.0 and 3.0, from its description.

It supports the parts that our proofs use: `f`, `pol` with its operations, `rup` with hints, `red`
with a witness of one constant whose goals follow by unit propagation, `del id`, and the conclusion
UNSAT. A constraint is "the sum of factors of literals is at least a degree", factors above 0, each
variable in one literal; an equality of the formula is two, >= first. Everything else is refused.

Source: the description of the format that comes with VeriPB; normalised constraints and rules:
Cook, Coullard, Turan, "On the complexity of cutting-plane proofs" (1987).
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import NamedTuple

HEADER = "pseudo-Boolean proof version "
END = "end pseudo-Boolean proof"
_LITERAL = re.compile(r"(~?)x([1-9][0-9]*)")
_NUMBER = re.compile(r"[1-9][0-9]*")
_INTEGER = re.compile(r"[+-]?[0-9]+")


class WrongProofError(Exception):
    """A step that does not hold, or that is not of the format."""


class Constraint(NamedTuple):
    """Constraint: the sum of `factors` of literals is at least `degree`; factors are above 0."""

    factors: dict[int, int]
    degree: int


def normal(terms: Iterable[tuple[int, int]], degree: int) -> Constraint:
    """Return the normalised constraint of (factor, literal), with repeated variables and signs
    merged.
    """
    total: dict[int, int] = defaultdict(int)
    for factor, lit in terms:
        if lit < 0:
            degree -= factor
        total[abs(lit)] += factor if lit > 0 else -factor
    factors = {}
    for var, factor in total.items():
        if factor:
            factors[var if factor > 0 else -var] = abs(factor)
        if factor < 0:
            degree -= factor
    return Constraint(factors, degree)


def _lit(word: str) -> int:
    if not (match := _LITERAL.fullmatch(word)):
        raise WrongProofError(f"{word!r} is no literal")
    return -int(match[2]) if match[1] else int(match[2])


def _number(word: str) -> int:
    if not _NUMBER.fullmatch(word):
        raise WrongProofError(f"{word!r} is not a number above 0")
    return int(word)


def _constraints(text: str) -> list[Constraint]:
    """Return the constraints of a line of an OPB file: one, or two for an equality."""
    *words, relation, degree, end = text.split()
    integers = [*words[::2], degree]
    if end != ";" or len(words) % 2 or not all(map(_INTEGER.fullmatch, integers)):
        raise WrongProofError(f"{text!r} is no constraint")
    terms = [(int(f), _lit(lit)) for f, lit in zip(words[::2], words[1::2], strict=True)]
    at_least = normal(terms, int(degree))
    if relation == ">=":
        return [at_least]
    if relation != "=":
        raise WrongProofError(f"{relation!r} is neither >= nor =")
    return [at_least, normal([(-factor, lit) for factor, lit in terms], -int(degree))]


@lru_cache(maxsize=4)
def read_opb(text: str) -> tuple[Constraint, ...]:
    """Return the constraints of a file; its header must have the right numbers."""
    first, *lines = text.splitlines()
    match = re.fullmatch(r"\* #variable= (\d+) #constraint= (\d+)", first)
    read = [_constraints(line) for line in lines if not line.startswith("*")]
    found = tuple(constraint for pair in read for constraint in pair)
    highest = max((abs(lit) for one in found for lit in one.factors), default=0)
    if not match or int(match[1]) < highest or int(match[2]) != len(read):
        raise WrongProofError(f"{first!r} is not the header of this file")
    return found


class Propagator:
    """Unit propagation over constraints.

    Attributes:
        constraints: Numbered from 1; 0 is unused, and deleted ones are None.
        true: The literals that they imply.
        is_refuted: True if they contradict each other.
    """

    def __init__(self) -> None:
        self.constraints: list[Constraint | None] = [None]
        self._restart()

    def _restart(self) -> None:
        self.true: set[int] = set()
        self.is_refuted = False
        self._reasons: set[int] = set()  # constraints that implied a literal or a contradiction
        # By constraint: the sum over its literals that are not false, minus its degree.
        self._slack: list[int] = [0] * len(self.constraints)
        self._within: dict[int, dict[int, int]] = defaultdict(dict)  # by literal: factors
        for number, constraint in enumerate(self.constraints):
            if constraint is not None:
                self._enter(number, constraint)

    def _enter(self, number: int, constraint: Constraint) -> list[int]:
        for lit, factor in constraint.factors.items():
            self._within[lit][number] = factor
        possible = sum(f for lit, f in constraint.factors.items() if -lit not in self.true)
        self._slack[number] = possible - constraint.degree
        return self._propagate(number)

    def add(self, constraint: Constraint) -> list[int]:
        """Add a constraint; returns the literals that follow from it."""
        self.constraints.append(constraint)
        self._slack.append(0)
        return self._enter(len(self.constraints) - 1, constraint)

    def delete(self, number: int) -> None:
        """Delete a constraint, and the literals that nothing else implies."""
        constraint = self.constraint(number)
        self.constraints[number] = None
        if number in self._reasons:
            self._restart()
            return
        for lit in constraint.factors:
            del self._within[lit][number]

    def constraint(self, number: int) -> Constraint:
        """Return a constraint that was not deleted."""
        found = self.constraints[number] if 0 < number < len(self.constraints) else None
        if found is None:
            raise WrongProofError(f"there is no constraint {number}")
        return found

    def refutes(self, *constraints: Constraint) -> bool:
        """True if adding them leads to a contradiction; the state is not changed."""
        if self.is_refuted:
            return True
        reasons, implied, added = set(self._reasons), [], 0
        for constraint in constraints:
            implied += self.add(constraint)
            added += 1
            if self.is_refuted:
                break
        refuted, self.is_refuted, self._reasons = self.is_refuted, False, reasons
        for lit in implied:
            self.true.discard(lit)
            for number, factor in self._within[-lit].items():
                self._slack[number] += factor
        for _ in range(added):
            self._slack.pop()
            number = len(self._slack)
            for lit in self.constraints.pop().factors:
                del self._within[lit][number]
        return refuted

    def with_variable(self, var: int) -> list[Constraint]:
        """Return the constraints that contain a variable."""
        numbers = {*self._within[var], *self._within[-var]}
        return [self.constraint(number) for number in sorted(numbers)]

    def _propagate(self, number: int) -> list[int]:
        implied: list[int] = []
        queue = [number]
        while queue and not self.is_refuted:
            number = queue.pop()
            slack = self._slack[number]
            if slack < 0:
                self.is_refuted = True
                self._reasons.add(number)
                break
            for lit, factor in self.constraint(number).factors.items():
                if factor > slack and lit not in self.true and -lit not in self.true:
                    self.true.add(lit)
                    self._reasons.add(number)
                    implied.append(lit)
                    for other, other_factor in self._within[-lit].items():
                        self._slack[other] -= other_factor
                    queue += self._within[-lit]
        return implied


def _added(one: Constraint, other: Constraint) -> Constraint:
    more, less = (one, other) if len(one.factors) > len(other.factors) else (other, one)
    factors, degree = dict(more.factors), one.degree + other.degree
    for lit, factor in less.factors.items():
        total = factors.pop(lit, 0) + factor - (opposite := factors.pop(-lit, 0))
        degree -= min(factor, opposite)  # a literal and its negation are 1 together
        if total:
            factors[lit if total > 0 else -lit] = abs(total)
    return Constraint(factors, degree)


def _times(one: Constraint, factor: int) -> Constraint:
    return Constraint({lit: f * factor for lit, f in one.factors.items()}, one.degree * factor)


def _divided(one: Constraint, divisor: int) -> Constraint:
    factors = {lit: -(-f // divisor) for lit, f in one.factors.items()}
    return Constraint(factors, -(-one.degree // divisor))


def _saturated(one: Constraint) -> Constraint:
    factors = {lit: min(f, one.degree) for lit, f in one.factors.items()}
    return Constraint(factors if one.degree > 0 else {}, max(one.degree, 0))


def _weakened(one: Constraint, var: int) -> Constraint:
    kept = {lit: f for lit, f in one.factors.items() if abs(lit) != var}
    return Constraint(kept, one.degree - sum(one.factors.values()) + sum(kept.values()))


def _negated(one: Constraint) -> Constraint:
    return normal([(-factor, lit) for lit, factor in one.factors.items()], 1 - one.degree)


def _set(one: Constraint, lit: int) -> Constraint:
    """Return a constraint after a literal has been made true."""
    factors = {other: f for other, f in one.factors.items() if abs(other) != abs(lit)}
    return Constraint(factors, one.degree - one.factors.get(lit, 0))


def polish(words: list[str], constraints: Sequence[Constraint | None]) -> Constraint:
    """Return the constraint of a `pol` step."""
    stack: list[Constraint | int] = []  # a number alone is a constraint, or an operand

    def pop() -> Constraint:
        top = stack.pop()
        if isinstance(top, Constraint):
            return top
        found = constraints[top] if 0 < top < len(constraints) else None
        if found is None:
            raise WrongProofError(f"there is no constraint {top}")
        return found

    def number() -> int:
        top = stack.pop()
        if isinstance(top, Constraint):
            raise WrongProofError("a factor or divisor is missing")
        return top

    try:
        for word in words:
            if word == "+":
                stack.append(_added(pop(), pop()))
            elif word in ("*", "d"):
                operand = number()
                stack.append((_times if word == "*" else _divided)(pop(), operand))
            elif word == "s":
                stack.append(_saturated(pop()))
            elif word == "w":
                ((lit, _),) = pop().factors.items()  # a variable, read as a literal
                stack.append(_weakened(pop(), lit))
            elif word[0] in "~x":
                stack.append(Constraint({_lit(word): 1}, 0))
            else:
                stack.append(_number(word))
        found = pop()
    except IndexError:
        raise WrongProofError("an operand is missing") from None
    if stack:
        raise WrongProofError("an operation is missing")
    return found


def _statements(pbp: str) -> list[str]:
    """Return the statements of a proof after its header, without their ends."""
    header, newline, body = pbp.partition("\n")
    if not newline or not body.endswith("\n"):
        raise WrongProofError("the last line does not end")
    if header == f"{HEADER}2.0":
        return body.splitlines()
    if header != f"{HEADER}3.0":
        raise WrongProofError(f"expected {HEADER + '2.0'!r} or 3.0, found {header!r}")
    *statements, rest = re.sub("%.*", "", body).split(";")
    if rest.strip():
        raise WrongProofError(f"a semicolon is missing after {rest.strip()!r}")
    return [" ".join(one.split()) for one in statements]


def _split(rest: str, is_old: bool) -> tuple[Constraint, list[str]]:
    """Return the constraint of a step, and the words after it."""
    text, _, further = rest.partition(";" if is_old else ":")
    if is_old and ";" not in rest:
        raise WrongProofError(f"{rest!r} is no constraint")
    (wanted,) = _constraints(f"{text} ;")
    return wanted, further.split()


def _rup(database: Propagator, wanted: Constraint, hints: list[str]) -> None:
    """Add a constraint that follows by unit propagation, over the hints if there are any."""
    negated = _negated(wanted)
    part = database
    if hints:
        part = Propagator()
        for hint in hints:
            part.add(negated if hint == "~" else database.constraint(_number(hint)))
    if not (part.is_refuted if hints else part.refutes(negated)):
        raise WrongProofError(f"{wanted} does not follow by unit propagation")
    database.add(wanted)


def add_by_redundance(database: Propagator, wanted: Constraint, witness: list[str]) -> None:
    """Add a constraint by redundance; its goals must follow by unit propagation."""
    if len(witness) != 3 or witness[1] != "->" or witness[2] not in ("0", "1"):
        raise WrongProofError(f"{witness} is no witness of one constant")
    lit = _lit(witness[0])
    if lit < 0:
        raise WrongProofError(f"{witness[0]!r} is no variable")
    lit = lit if witness[2] == "1" else -lit
    negated = _negated(wanted)
    for one in (wanted, *database.with_variable(abs(lit))):
        if not database.refutes(negated, _negated(_set(one, lit))):
            raise WrongProofError(f"{wanted} is not redundant: it may violate {one}")
    database.add(wanted)


def _apply(database: Propagator, step: str, is_old: bool) -> None:
    """Check a step and change the constraints."""
    rule, _, rest = step.partition(" ")
    match rule:
        case "pol":
            database.add(polish(rest.split(), database.constraints))
        case "rup":
            wanted, hints = _split(rest, is_old)
            if is_old and hints:
                raise WrongProofError(f"{step!r} has hints")
            _rup(database, wanted, hints)
        case "red":
            add_by_redundance(database, *_split(rest, is_old))
        case "del" if rest.startswith("id "):
            for word in rest.split()[1:]:
                database.delete(_number(word))
        case "*" if is_old:  # a comment
            pass
        case _:
            raise WrongProofError(f"{step!r} is no step")


def check(opb: str, pbp: str) -> int:
    """Check that a proof refutes a formula; returns the number of its steps.

    Raises:
        WrongProofError: It does not.
    """
    database = Propagator()
    for constraint in read_opb(opb):
        database.add(constraint)
    num_given = len(database.constraints) - 1
    statements = _statements(pbp)
    is_old = pbp.startswith(f"{HEADER}2.0\n")
    if len(statements) < 4 or statements[0] != f"f {num_given}":
        raise WrongProofError(f"expected {f'f {num_given}'!r} and three last lines")
    *steps, output, conclusion, end = statements[1:]
    for step in steps:
        _apply(database, step, is_old)
    if (output, end) != ("output NONE", END) or not conclusion.startswith("conclusion UNSAT : "):
        raise WrongProofError("the proof does not end as it must")
    last = polish([conclusion.rpartition(" ")[2]], database.constraints)
    if sum(last.factors.values()) >= last.degree:
        raise WrongProofError("what is concluded is no contradiction")
    return len(steps)
