"""Checker of cutting planes proofs in VeriPB's format, versions 2.0 and 3.0, from its description.

It supports the parts that our proofs use: `f`, `pol` with its operations, `rup`, and the conclusion
UNSAT. A constraint is "the sum of factors of literals is at least a degree", factors above 0, each
variable in one literal; an equality of the formula is two, >= first. Everything else is refused.

Source: the description of the format that comes with VeriPB; normalised constraints and rules:
Cook, Coullard, Turan, "On the complexity of cutting-plane proofs" (1987).
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable
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
    """Unit propagation over constraints; only the last can be removed.

    Attributes:
        constraints: Numbered from 1; 0 is unused.
        true: The literals that they imply.
        is_refuted: True if they contradict each other.
    """

    def __init__(self) -> None:
        self.constraints = [Constraint({}, 0)]
        self.true: set[int] = set()
        self.is_refuted = False
        # By constraint: the sum over its literals that are not false, minus its degree.
        self._slack = [0]
        self._within: dict[int, list[int]] = defaultdict(list)

    def add(self, constraint: Constraint) -> list[int]:
        """Add a constraint; returns the literals that follow from it."""
        number = len(self.constraints)
        self.constraints.append(constraint)
        for lit in constraint.factors:
            self._within[lit].append(number)
        possible = sum(f for lit, f in constraint.factors.items() if -lit not in self.true)
        self._slack.append(possible - constraint.degree)
        return self._propagate(number)

    def refutes(self, constraint: Constraint) -> bool:
        """True if adding it leads to a contradiction; the state is not changed."""
        if self.is_refuted:
            return True
        implied = self.add(constraint)
        refuted, self.is_refuted = self.is_refuted, False
        for lit in implied:
            self.true.discard(lit)
            for number in self._within[-lit]:
                self._slack[number] += self.constraints[number].factors[-lit]
        for lit in self.constraints.pop().factors:
            self._within[lit].pop()
        self._slack.pop()
        return refuted

    def _propagate(self, number: int) -> list[int]:
        implied: list[int] = []
        queue = [number]
        while queue and not self.is_refuted:
            number = queue.pop()
            slack = self._slack[number]
            if slack < 0:
                self.is_refuted = True
                break
            for lit, factor in self.constraints[number].factors.items():
                if factor > slack and lit not in self.true and -lit not in self.true:
                    self.true.add(lit)
                    implied.append(lit)
                    for other in self._within[-lit]:
                        self._slack[other] -= self.constraints[other].factors[-lit]
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


def polish(words: list[str], constraints: list[Constraint]) -> Constraint:
    """Return the constraint of a `pol` step."""
    stack: list[Constraint | int] = []  # a number alone is a constraint, or an operand

    def pop() -> Constraint:
        top = stack.pop()
        if isinstance(top, Constraint):
            return top
        if not 0 < top < len(constraints):
            raise WrongProofError(f"there is no constraint {top}")
        return constraints[top]

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


def _rup(rest: str, is_old: bool) -> Constraint:
    (wanted,) = _constraints(rest if is_old else f"{rest} ;")
    return wanted


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
        rule, _, rest = step.partition(" ")
        if rule == "pol":
            database.add(polish(rest.split(), database.constraints))
        elif rule == "rup":
            wanted = _rup(rest, is_old)
            against = normal([(-f, lit) for lit, f in wanted.factors.items()], 1 - wanted.degree)
            if not database.refutes(against):
                raise WrongProofError(f"{step!r} does not follow by unit propagation")
            database.add(wanted)
        elif not (is_old and rule == "*"):  # a comment
            raise WrongProofError(f"{step!r} is no step")
    if (output, end) != ("output NONE", END) or not conclusion.startswith("conclusion UNSAT : "):
        raise WrongProofError("the proof does not end as it must")
    last = polish([conclusion.rpartition(" ")[2]], database.constraints)
    if sum(last.factors.values()) >= last.degree:
        raise WrongProofError("what is concluded is no contradiction")
    return len(steps)
