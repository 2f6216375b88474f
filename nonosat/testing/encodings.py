"""Contract of encodings, checked against enumeration: models, strength, size, own variables."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from copy import copy
from itertools import combinations, product
from math import ceil, comb, log2, sqrt

from nonosat.clauses.cnf import Cnf
from nonosat.clauses.foreign import mistake
from nonosat.core.errors import UnsupportedError, shown
from nonosat.core.model import TRUE, Clue, Constraint, Count, Line, Loop
from nonosat.core.plugins import Encoding, Strength
from nonosat.testing import loops, oracles
from nonosat.testing.contract import broken, within
from nonosat.testing.lines import fillings, lits_of, planes, with_knowledge

# Check that unit propagation is as strong as an encoding declares, on all assignments.


def check_strength(
    propagator: oracles.Propagator,
    strength: Strength,
    variables: Sequence[int],
    allowed: Sequence[frozenset[int]],
) -> None:
    """Check the declared strength on every partial assignment of the variables, in their order.

    Raises:
        AssertionError: Unit propagation is weaker; the message gives the assignment.
    """
    claim = f"it declares the strength {strength.value!r}, but"

    def descend(index: int, known: frozenset[int] | None, left: Sequence[frozenset[int]]) -> None:
        if known is None:
            if left:
                broken(f"its clauses refute {_sorted(left[0])}, a solution")
            return
        if strength is not Strength.NONE and not left:
            broken(
                f"{claim} unit propagation does not refute {_sorted(known)}: no solution is left"
            )
        if strength is Strength.COMPLETE and (missed := frozenset.intersection(*left) - known):
            broken(f"{claim} unit propagation from {_sorted(known)} misses {_sorted(missed)}")
        if index < len(variables):
            var = variables[index]
            if var in known or -var in known:  # assuming a known literal changes nothing
                other = -var if var in known else var
                descend(index + 1, None, [lits for lits in left if other in lits])
                descend(index + 1, known, left)
                return
            descend(index + 1, known, left)
            for lit in (var, -var):
                fits = [lits for lits in left if lit in lits]
                descend(index + 1, propagator.extend(known, [lit]), fits)

    descend(0, propagator.root(), allowed)


def _sorted(lits: frozenset[int]) -> list[int]:
    return sorted(lits, key=abs)


# (length, colours) of open lines that are tried with every clue, with blocks of unknown length
OPEN = [*((length, 1) for length in range(1, 7)), *((length, 2) for length in range(1, 5))]
# lines that are tried with every clue and every set of possible values
KNOWN = [(1, 1), (2, 1), (3, 1), (1, 2), (2, 2)]
LONGEST = 8  # longest line whose size is measured
MOST_COUNTED = 6  # literals of a count


def check_encoding(encoding: Encoding, kind: str) -> None:
    """Check an encoding against its contract.

    Args:
        encoding: The encoding.
        kind: Kind of the constraint: "line", "count" or "loop".

    Raises:
        AssertionError: It violates the contract; the message gives the reason and the constraint.
    """
    for field in (encoding.summary, encoding.source, *encoding.size):
        if not field:
            broken("its summary, source or size is empty")
    checks = {"line": check_lines, "count": check_counts, "loop": check_loops}
    checks[kind](encoding)


def is_arithmetic(text: str) -> bool:
    """Return True if a declared size is a formula, not words."""
    try:
        ast.parse(text, mode="eval")
    except SyntaxError:
        return False
    return True


def value(formula: str, **sizes: int) -> float:
    """Return the value of a size formula for the given values of its letters."""
    names = {
        "__builtins__": {},
        "comb": comb,
        "ceil": ceil,
        "log2": log2,
        "sqrt": sqrt,
        "min": min,
        "max": max,
    }
    try:
        found: float = eval(formula, names, sizes)  # noqa: S307  # a module that was executed already
    except (NameError, TypeError, ArithmeticError) as error:
        letters = ", ".join(sizes)
        broken(f"its size is {formula!r}, expected arithmetic with {letters}, or words ({error})")
    return found


class _CheckedCnf(Cnf):
    """A CNF that rejects invalid clauses when they are added."""

    def add(self, clause: Sequence[int]) -> None:
        if what := mistake(clause, self.num_vars):
            broken(what)
        super().add(clause)


def encoded(encoding: Encoding, constraint: Constraint, num_vars: int) -> Cnf:
    """Encode a constraint over the variables 1 .. num_vars, and check for side effects."""
    same, cnf, again = copy(constraint), _CheckedCnf(num_vars), Cnf(num_vars)
    refiner = encoding.encode(constraint, cnf)
    if refiner is not None and not callable(refiner):
        broken(f"it returns {shown(refiner)}, expected None or a refiner")
    encoding.encode(constraint, again)
    if constraint != same:
        broken(f"it changes the constraint that it is given into {constraint}")
    if cnf.buffer != again.buffer:
        broken("it makes other clauses of the same constraint the second time")
    used = {abs(lit) for lit in cnf.buffer} - {0}
    if used and max(used) > cnf.num_vars:
        broken(f"it uses variable {max(used)}, which no sink gave it")
    if encoding.determined and (unused := set(range(num_vars + 1, cnf.num_vars + 1)) - used):
        broken(f"it takes variable {min(unused)} and puts it into no clause, though `determined`")
    return cnf


# Lines


def line_clauses(encoding: Encoding, line: Line) -> Cnf:
    """Return the clauses of a line, with clauses for "at most one colour per cell"."""
    cnf = encoded(encoding, line, len(line) * line.num_colours)
    for column in zip(*line.cells, strict=True):
        for one, other in combinations(column, 2):
            cnf.add([-one, -other])
    return cnf


def check_lines(encoding: Encoding) -> None:
    """Check an encoding of lines: all clues of short lines, partly known and longer ones, sizes."""
    taken = sum(check_open(encoding, *shape) for shape in KNOWN)
    check_line_sizes(encoding, LONGEST)
    taken += sum(check_open(encoding, *shape) for shape in OPEN if shape not in KNOWN)
    for length, num_colours in KNOWN:
        for clue in oracles.clues(length, num_colours, unknown=True):
            for known in oracles.partials(length, num_colours):
                line = with_knowledge(clue, known, num_colours)
                taken += check_line(encoding, line, known)
    if not taken:
        broken("it refuses every line")


def check_open(encoding: Encoding, length: int, num_colours: int) -> int:
    """Check every clue of an open line; return the number that the encoding accepts."""
    cells, known = planes(length, num_colours), oracles.free(length, num_colours)
    every = oracles.clues(length, num_colours, unknown=True)
    return sum(check_line(encoding, Line(cells, clue), known) for clue in every)


def check_line(
    encoding: Encoding, line: Line, known: Sequence[frozenset[int]], *, strength: bool = True
) -> bool:
    """Check models and strength of one line.

    Args:
        encoding: The encoding.
        line: The line.
        known: Possible values of the cells, in line with the line's constants.
        strength: Check unit propagation, too, on every partial assignment.

    Returns:
        True if the encoding accepts the line.
    """
    with within(line):
        try:
            cnf = line_clauses(encoding, line)
        except UnsupportedError:
            return False
        columns = zip(*line.cells, strict=True)
        variables = [lit for column in columns for lit in column if abs(lit) != TRUE]
        inside = frozenset(variables) | {-lit for lit in variables}
        allowed = [
            lits_of(filling, line.cells) & inside
            for filling in fillings(line.blocks, len(line), line.num_colours)
            if oracles.agrees(filling, known)
        ]
        # Variables of known cells occur in no clause; one value of theirs is enough.
        idle = set(range(1, len(line) * line.num_colours + 1)).difference(variables)
        clauses = [*cnf, *([-v] for v in idle)]
        check_models(encoding, clauses, cnf.num_vars, variables, allowed)
        if strength:
            propagator = oracles.Propagator(clauses)
            check_strength(propagator, encoding.strength, variables, allowed)
    return True


def check_models(
    encoding: Encoding,
    clauses: Sequence[Sequence[int]],
    num_vars: int,
    variables: Sequence[int],
    allowed: Sequence[frozenset[int]],
) -> None:
    """Check that the models are `allowed`, each exactly once if `determined` is declared.

    Args:
        encoding: The encoding that generated the clauses.
        clauses: Clauses over the variables 1 .. num_vars.
        num_vars: Number of variables.
        variables: Variables of the constraint, or literals of them.
        allowed: Solutions of the constraint as literals of these variables.
    """
    if encoding.determined:
        inside = frozenset(variables) | {-lit for lit in variables}
        found = [model & inside for model in oracles.models(oracles.Propagator(clauses), num_vars)]
    else:
        found = [*_projected(oracles.Propagator(clauses), num_vars, variables)]
    if wrong := set(found) - set(allowed):
        broken(f"its clauses allow {sorted(wrong.pop(), key=abs)}, which the constraint forbids")
    if lost := set(allowed) - set(found):
        broken(f"its clauses forbid {sorted(lost.pop(), key=abs)}, which the constraint allows")
    if len(found) != len(allowed):
        broken(f"{len(found)} models for {len(allowed)} solutions, but it declares `determined`")


def _projected(
    propagator: oracles.Propagator, num_vars: int, lits: Sequence[int]
) -> Iterator[frozenset[int]]:
    """Yield every assignment of the literals that can be extended to a model, each once."""
    inside = frozenset(lits) | {-lit for lit in lits}

    def descend(index: int, known: frozenset[int] | None) -> Iterator[frozenset[int]]:
        if known is None:
            return
        if index < len(lits):
            for lit in (lits[index], -lits[index]):
                yield from descend(index + 1, propagator.extend(known, [lit]))
        elif next(oracles.models(propagator, num_vars, known), None) is not None:
            yield known & inside

    return descend(0, propagator.root())


def line_sizes(encoding: Encoding, longest: int) -> Iterator[tuple[dict[str, int], int, int]]:
    """Yield (values of a formula's letters, variables, clauses) for the clues of open lines."""
    for length in range(2, longest + 1):
        for clue in oracles.clues(length):
            sizes = {"n": length, "k": len(clue), "f": filled(clue), "s": slack(clue, length)}
            if sizes["k"] and sizes["s"]:
                cnf, line = Cnf(length), Line(planes(length, 1), clue)
                with within(line):
                    try:
                        encoding.encode(line, cnf)
                    except UnsupportedError:
                        continue
                yield sizes, cnf.num_vars - length, len(cnf)


def filled(clue: Clue) -> int:
    """Return the number of cells of a clue's blocks."""
    return sum(block.length or 1 for block in clue)


def slack(clue: Clue, length: int) -> int:
    """Return the slack of a clue."""
    return length - filled(clue) - len(clue) + 1


def check_line_sizes(encoding: Encoding, longest: int) -> None:
    """Check declared sizes that are formulas against the measured sizes of open lines."""
    for sizes, num_vars, num_clauses in line_sizes(encoding, longest):
        check_size(encoding, sizes, num_vars, num_clauses)


def check_size(encoding: Encoding, sizes: dict[str, int], num_vars: int, num_clauses: int) -> None:
    """Check both size formulas for one constraint."""
    for found, formula, what in (
        (num_vars, encoding.size.variables, "variables"),
        (num_clauses, encoding.size.clauses, "clauses"),
    ):
        if is_arithmetic(formula) and (expected := value(formula, **sizes)) != found:
            broken(f"{found} {what} at {sizes}, but its declared size is {formula} = {expected}")


# Counts


def assignments(lits: Sequence[int], lower: int, upper: int) -> list[frozenset[int]]:
    """Return every assignment of the literals within the bounds, as sets of true literals."""
    signs = product((1, -1), repeat=len(lits))
    return [
        frozenset(sign * lit for sign, lit in zip(row, lits, strict=True))
        for row in signs
        if lower <= row.count(1) <= upper
    ]


def all_bounds(longest: int) -> Iterator[tuple[int, int, int]]:
    """Yield (number of literals, lower, upper), including impossible and contradictory bounds."""
    for size in range(longest + 1):
        for lower, upper in product(range(-1, size + 2), repeat=2):
            yield size, lower, upper


def check_counts(encoding: Encoding, longest: int = MOST_COUNTED) -> None:
    """Check an encoding of counts: all bounds for few literals, and the size if it is a formula."""
    refused = sum(not check_count(encoding, *bounds) for bounds in all_bounds(longest))
    if refused == sum(1 for _ in all_bounds(longest)):
        broken("it refuses every count")
    for size in (4, 5, 7, 9, 12, 15):
        inner = [(lower, upper) for lower in range(2, size - 1) for upper in range(lower, size - 1)]
        for lower, upper in [(0, 1), (1, 1)] if is_of_one(encoding) else inner:
            cnf = encoded(encoding, Count(tuple(range(1, size + 1)), lower, upper), size)
            sizes = {"n": size, "l": lower, "u": upper}
            check_size(encoding, sizes, cnf.num_vars - size, len(cnf))


def is_of_one(encoding: Encoding) -> bool:
    """Return True if the encoding supports only bounds of 0 and 1."""
    try:
        encoding.encode(Count((1, 2, 3, 4, 5), 2, 3), Cnf(5))
    except UnsupportedError:
        return True
    return False


def check_count(encoding: Encoding, size: int, lower: int, upper: int) -> bool:
    """Check models and strength of one count; return True if the encoding accepts it."""
    lits = [-v if v % 3 == 0 else v for v in range(1, size + 1)]
    count = Count(tuple(lits), lower, upper)
    with within(count):
        try:
            cnf = encoded(encoding, count, size)
        except UnsupportedError:
            return False
        allowed = assignments(lits, lower, upper)
        clauses = list(cnf)
        if size or allowed:
            check_models(encoding, clauses, cnf.num_vars, lits, allowed)
        elif [] not in clauses:
            broken("it has no empty clause for an unsatisfiable bound")
        check_strength(oracles.Propagator(clauses), encoding.strength, range(1, size + 1), allowed)
    return True


# Loops


def check_loops(encoding: Encoding) -> None:
    """Check an encoding of loops: every cycle of small graphs, and the refiner on other models."""
    taken = sum(check_loop(encoding, loop) for loop in loops.samples())
    if not taken:
        broken("it refuses every loop")


def check_loop(encoding: Encoding, loop: Loop) -> bool:
    """Check that the models that the refiner accepts are the cycles, each exactly once.

    Returns:
        True if the encoding accepts the loop.
    """
    with within(loop):
        cnf = Cnf(max(loops.variables(loop), default=0))
        try:
            refine = encoding.encode(loop, cnf)
        except UnsupportedError:
            return False
        allowed, variables = loops.solutions_of(loop), loops.variables(loop)
        kept = []
        for model in _models(cnf, set(range(1, max(variables, default=0))) - variables):
            lits = frozenset(lit for lit in model if abs(lit) in variables)
            clauses = [*refine(loops.values_of(model))] if refine is not None else []
            if not clauses:
                kept.append(lits)
            for clause in clauses:
                if loops.is_satisfied(clause, lits):
                    broken(f"its refiner adds {clause}, which the model does not violate")
                if not all(loops.is_satisfied(clause, other) for other in allowed):
                    broken(f"its refiner adds {clause}, which a single loop violates")
        if set(kept) != allowed:
            broken(f"{len(set(kept))} models remain, but there are {len(allowed)} loops")
        if encoding.determined and len(kept) != len(allowed):
            broken("a loop has several models, but it declares `determined`")
    return True


def _models(cnf: Cnf, unused: set[int]) -> list[frozenset[int]]:
    """Return every model, by MiniSat, as there are too many for plain branching."""
    from pysat.solvers import Solver

    clauses = list(cnf)
    if [] in clauses:
        return []
    with Solver("minisat22", bootstrap_with=clauses) as solver:
        for variable in unused:
            solver.add_clause([-variable])
        found = [frozenset(model) for model in solver.enum_models()]
    used = {abs(lit) for lit in cnf.buffer} - {0} | unused
    if open_ := set(range(1, cnf.num_vars + 1)) - used:
        broken(f"variable {min(open_)} is in no clause")
    return found
