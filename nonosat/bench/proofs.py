"""Table of encodings of lines: size, strength, conflicts, size of proofs and time to check them.

For each nonogram with one solution, the clauses of an encoding and a clause that forbids this
solution are refuted, without presolve, by an engine that writes proofs. The native checker checks
the proof and keeps the lines that the refutation needs (`trimmed lines`).

Sums are over the puzzles that all encodings of the table refuted. An encoding that refuted less
than half as many as another one is left out, because it would leave few puzzles.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import closing, suppress
from typing import Any, NamedTuple

from nonosat import _core
from nonosat.backends import open_backend
from nonosat.bench.encodings import MOST_CLAUSES
from nonosat.board.presolve import rectangle
from nonosat.clauses import ENCODINGS
from nonosat.clauses.cnf import Cnf
from nonosat.clauses.translate import translate
from nonosat.core import families, hooks, plugins
from nonosat.core.errors import BackendError, LimitReached, UnsupportedError
from nonosat.core.limits import Limits, Watch
from nonosat.core.model import Model
from nonosat.core.plugins import Answer, Puzzle
from nonosat.encodings.line_placements import num_clauses
from nonosat.questions.place_assignment import distinguishing
from nonosat.solving import pipeline

HEAD = (
    *("encoding", "strength", "puzzles", "variables", "clauses", "encoding s", "conflicts"),
    *("lemmas", "trimmed lines", "proof MB", "check s"),
)


class Refutation(NamedTuple):
    """Figures of one puzzle with one encoding.

    Args:
        variables: Number of auxiliary variables.
        clauses: Number of clauses.
        encode_s: Seconds of the translation.
        conflicts: Conflicts of the engine; None if it does not count them.
        lemmas: Lemmas of its proof.
        needed: Lines of the proof that the check needed, with those of implied literals.
        num_bytes: Size of its proof, DRAT in text.
        check_s: Seconds of the check.
    """

    variables: int
    clauses: int
    encode_s: float
    conflicts: int | None
    lemmas: int
    needed: int
    num_bytes: int
    check_s: float


def refutation(model: Model, values: bytes, encoding: str, engine: str, watch: Watch) -> Refutation:
    """Refute that a model has another solution, and check the proof.

    Args:
        model: A model with lines.
        values: Its solution: values[v] is 1 if variable v is true.
        encoding: Name of an encoding of lines.
        engine: An engine that writes proofs.
        watch: Limits of all steps.

    Raises:
        LimitReached: A limit was reached.
        UnsupportedError: The encoding refuses a line.
        BackendError: The engine failed, or its proof is wrong.
    """
    started, formula = hooks.clock(), Cnf(model.num_vars)
    translate(model, formula, {**ENCODINGS, "line": encoding}, pause=watch.check)
    encode_s = hooks.clock() - started
    size = formula.num_vars - model.num_vars, formula.buffer.count(0)
    formula.add([-var if values[var] else var for var in distinguishing(model)])
    options = {"proof": "yes"}
    with closing(open_backend(engine, formula.num_vars, 0, options, watch)) as solver:
        solver.add_batch(formula.buffer)
        if (answer := solver.solve((), watch)) is not Answer.UNSAT:
            if answer is Answer.SAT:
                raise BackendError(f"{engine} found another solution with line={encoding}")
            raise watch.limit()
        conflicts, proof = solver.statistics().get("conflicts"), solver.proof()
    started = hooks.clock()
    given = (formula.num_vars, formula.buffer.tobytes(), proof, True)
    try:
        num_logged, num_needed, _, _ = watch.result_of(_core.check_drat, *given)
    except ValueError as error:
        raise BackendError(f"the proof of {engine} is wrong: {error}") from None
    check_s = hooks.clock() - started
    return Refutation(*size, encode_s, conflicts, num_logged, num_needed, len(proof), check_s)


Results = dict[str, dict[str, Refutation]]  # by encoding and puzzle


def require_proofs(engine: str) -> None:
    """Raise UnsupportedError if an engine writes no proofs."""
    if not plugins.find("backends", engine).proves:
        raise UnsupportedError(f"{engine} writes no proofs; try learn or cadical195")


def refutations(
    puzzles: Mapping[str, Puzzle], encodings: Sequence[str], engine: str, limits: Limits
) -> Results:
    """Return the refutations of every nonogram that has one solution; those that fail are absent.

    Args:
        puzzles: Puzzles by name; those of other families are left out.
        encodings: Names of encodings of lines.
        engine: An engine that writes proofs.
        limits: Limits of each search for solutions, and of each refutation.

    Raises:
        BackendError: The engine failed, or a proof is wrong.
    """
    found: Results = {encoding: {} for encoding in encodings}
    for name, puzzle in puzzles.items():
        model = families.family_of(puzzle).build(puzzle)
        shape = rectangle(model)
        if shape is None:
            continue
        reply = pipeline.solve(
            puzzle, max_solutions=2, time_limit_s=limits.time_s, memory_limit_mib=limits.memory_mib
        )
        if reply.verdict.value != "unique":
            continue
        values = shape.values(reply.solution.cells)
        for encoding in encodings:
            if encoding == "placements" and sum(map(num_clauses, model.lines)) > MOST_CLAUSES:
                continue
            with suppress(LimitReached, UnsupportedError):
                watch = Watch(limits)
                found[encoding][name] = refutation(model, values, encoding, engine, watch)
    return found


def _sum(numbers: Sequence[Any]) -> Any:
    """Return the sum of one figure; None if the engine does not count it."""
    return None if None in numbers else sum(numbers)


def table(found: Results) -> str:
    """Return the figures as a table in Markdown, the shortest proofs first."""
    most = max((len(of) for of in found.values()), default=0)
    if most == 0:
        return "No puzzle was shown to have exactly one solution and refuted within the limits.\n"
    kept = {name: of for name, of in found.items() if 2 * len(of) >= most}
    common = sorted(set.intersection(*(set(of) for of in kept.values()))) if kept else []
    lines = [HEAD, ("---", *["---:"] * (len(HEAD) - 1))]
    sums = {
        name: Refutation(*map(_sum, zip(*(of[puzzle] for puzzle in common), strict=True)))
        for name, of in kept.items()
        if common
    }
    for name, total in sorted(sums.items(), key=lambda item: item[1].num_bytes):
        strength = plugins.find("encodings", f"line-{name}").strength.value
        lines.append(
            (
                name,
                strength,
                *(f"{number:,}" for number in (len(common), total.variables, total.clauses)),
                f"{total.encode_s:.2f}",
                "-" if total.conflicts is None else f"{total.conflicts:,}",
                *(f"{number:,}" for number in (total.lemmas, total.needed)),
                f"{total.num_bytes / 1e6:.2f}",
                f"{total.check_s:.2f}",
            )
        )
    text = "\n".join(f"| {' | '.join(line)} |" for line in lines)
    few = [f"{name} ({len(of)} of {most})" for name, of in found.items() if name not in sums]
    return f"{text}\n" + (f"\nRefuted too few puzzles: {', '.join(few)}.\n" if few else "")
