"""Clauses and counts as native counting takes them: numbers, one rule behind the other."""

from __future__ import annotations

from collections.abc import Iterable

from nonosat.core.model import TRUE, Clause, Count


def numbers_of(rules: Iterable[Clause | Count]) -> list[int]:
    """Of each rule lower, upper, its literals without constants, 0."""
    return [number for rule in rules for number in _numbers(rule)]


def _numbers(rule: Clause | Count) -> list[int]:
    if isinstance(rule, Clause):
        given: Iterable[int] = dict.fromkeys(rule.lits)
        if any(-lit in rule.lits for lit in rule.lits):  # it says nothing
            return [0, 0, 0]
        lower, upper = 1, len(rule.lits)
    else:
        given, lower, upper = rule.lits, rule.lower, rule.upper
    lits = [lit for lit in given if abs(lit) != TRUE]
    num_true = sum(lit == TRUE for lit in given)
    return [max(lower - num_true, 0), min(upper - num_true, len(lits)), *lits, 0]
