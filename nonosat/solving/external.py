"""Models for external solvers: write a puzzle, and convert the solver's answer to a result."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from time import perf_counter
from typing import Any, BinaryIO

from nonosat.core import families
from nonosat.core.errors import UnsupportedError, shown
from nonosat.core.limits import watch_of
from nonosat.core.plugins import Answer, Family, Puzzle
from nonosat.core.result import Options, Result, Stage, Verdict
from nonosat.core.scope import within
from nonosat.export.answer import SolverAnswer, answer_of_values, pictures_of, read_answer
from nonosat.export.cpmpy import cpmpy_model
from nonosat.export.formula import formula_of
from nonosat.export.target import Kind, Target, kind_of, write, write_to
from nonosat.processes.files import naming, refuse_existing
from nonosat.solving.choices import Choices, choices_of

_UNSAT = (
    "claimed by the solver for the file that it read, not checked by nonosat; "
    "a file that forbids a solution holds one solution less"
)


def encode(
    puzzle: Puzzle,
    target: str | Path | BinaryIO,
    *,
    to: str | None = None,
    encoding: Mapping[str, str] | None = None,
    formulation: Mapping[str, str] | None = None,
    presolve: str = "none",
    forbidden: Any = None,
    force: bool = False,
    time_limit_s: float | None = None,
    memory_limit_mib: int | None = None,
) -> None:
    """Write a puzzle for an external solver; `decode` reads its answer.

        >>> import io
        >>> file = io.BytesIO()
        >>> nonosat.encode(nonosat.nonogram([[1]], [[1]]), file)
        >>> print(file.getvalue().decode().splitlines()[-1])
        1 0

    Args:
        puzzle: A puzzle of any family.
        target: Name of a new file, whose suffix selects the content (`.cnf` is DIMACS, compressed
            with a further `.gz`; `.opb`, `.xml`, `.mzn`, ...); or a stream.
        to: Kind of content (`nonosat list targets`) if the suffix does not select it; DIMACS by
            default for a stream.
        encoding: Encoding by constraint kind, such as {"line": "automaton"}.
        formulation: CP-SAT formulation by constraint kind.
        presolve: How far lines are propagated first: "none", "propagate" or "probe".
        forbidden: A solution to exclude: for a unique puzzle the formula is then unsatisfiable.
        force: Replace the file if it exists.
        time_limit_s: Wall seconds; None (or infinity) is without limit.
        memory_limit_mib: Resident memory of the process; None is without limit.

    Raises:
        NotAPuzzleError: `puzzle` is not a puzzle; the message shows the call to write instead.
        UnsupportedError: A suffix or choice is unknown, or choices cannot be combined; `forbidden`
            is not a solution; or the model is too large.
        LimitReached: A limit was hit; nothing was written.
        OSError: The file exists already, its folder does not, the disk is full, ...
    """
    family = families.family_of(puzzle)
    file = Target.of(target, to) if isinstance(target, str | Path) else None
    kind = kind_of(to or "cnf") if file is None else file.kind
    choices = _choices(kind, family, encoding or {}, formulation or {})
    if file is not None:
        refuse_existing(file.path, force)
    watch = watch_of(time_limit_s, memory_limit_mib)
    chosen = {"presolve": presolve, "forbidden": forbidden}

    def work() -> None:
        formula = formula_of(puzzle, choices.encodings, watch=watch, **chosen)
        if file is not None:
            with naming(file.path):
                write(formula, file, choices.formulations, watch.check)
        elif not isinstance(target, str | Path):
            write_to(formula, target, to or "cnf", watch.check)

    within(watch, work)


def _choices(
    kind: Kind, family: Family, encoding: Mapping[str, str], formulation: Mapping[str, str]
) -> Choices:
    """Return encodings and formulations for a kind of file.

    Raises:
        UnsupportedError: The kind of file does not use them.
    """
    for name, choices in (("encoding", encoding), ("formulation", formulation)):
        if choices and kind.takes != name:
            used = f"its {kind.takes}s" if kind.takes else "neither encodings nor formulations"
            raise UnsupportedError(f"{kind.summary}: {used} can be chosen, no {name}s")
    backend = "cpsat" if kind.takes == "formulation" else "auto"
    options = Options(backend=backend, encoding=encoding, formulation=formulation)
    return choices_of(options, family, lazy=False)


def to_cpmpy(
    puzzle: Puzzle,
    *,
    presolve: str = "none",
    forbidden: Any = None,
    time_limit_s: float | None = None,
    memory_limit_mib: int | None = None,
) -> tuple[Any, Any]:
    """Return a puzzle as a model of CPMpy, and the array of its variables.

        >>> puzzle = nonosat.nonogram([[2], [1]], [[1], [2]])
        >>> model, cells = nonosat.to_cpmpy(puzzle)
        >>> model.solve(solver="ortools")
        True
        >>> print(nonosat.decode(puzzle, cells.value()).solution)
        ##
        .#

    The model has the solutions of the puzzle, each once, and further constraints can be added.
    Tested with CPMpy's solvers ortools, exact, choco and pumpkin.

    Args:
        puzzle: A puzzle of any family.
        presolve: Propagation of lines before that: "none", "propagate" or "probe".
        forbidden: A solution of a puzzle with rows and columns of cells to exclude: for a unique
            puzzle the model then has no solution.
        time_limit_s: Wall seconds; None (or infinity) is without limit.
        memory_limit_mib: Resident memory of the process; None is without limit.

    Returns:
        The `cpmpy.Model`, and its variables: for a puzzle with rows and columns of clues a matrix
        of integers, 0 for an empty cell and k for colour k; for others one Boolean per variable of
        the model that the family builds. `decode` takes the values of either.

    Raises:
        NotAPuzzleError: `puzzle` is not a puzzle; the message shows the call to write instead.
        UnsupportedError: `presolve` is not a level; `forbidden` is not a solution; or the puzzle
            has no variables.
        LimitReached: A limit was hit.
        BackendError: The package `cpmpy` is not installed.
    """
    families.family_of(puzzle)
    watch = watch_of(time_limit_s, memory_limit_mib)

    def work() -> tuple[Any, Any]:
        formula = formula_of(puzzle, presolve=presolve, forbidden=forbidden, watch=watch)
        return cpmpy_model(formula, watch.check)

    return within(watch, work)


def decode(puzzle: Puzzle, printed: str | Path | Iterable[Any]) -> Result:
    """Read an external solver's answer to a model of `encode` or `to_cpmpy`, and check it.

        >>> puzzle = nonosat.nonogram([[2], [1]], [[1], [2]])
        >>> result = nonosat.decode(puzzle, "s SATISFIABLE\\nv 1 2 -3 4 0")
        >>> print(result.solution)
        ##
        .#

    Args:
        puzzle: The puzzle that was encoded.
        printed: Output of the solver, as text; its file as a `Path`; or the values of the variables
            of `to_cpmpy`, `cells.value()`.

    Returns:
        Verdict `solved` with the solution; `multiple` with several, which MiniZinc may print;
        `unsolvable` as claimed by the solver, without a check; `unknown` if it gave up.

    Raises:
        NotAPuzzleError: `puzzle` is not a puzzle; the message shows the call to write instead.
        UnsupportedError: The answer is neither text nor a path, nor whole numbers.
        FormatError: A line that no solver prints, values that are missing, or no solution.
        OSError: The file cannot be read.
    """
    families.family_of(puzzle)
    started = perf_counter()
    is_scalar = isinstance(printed, str | bytes) or not getattr(printed, "ndim", 1)
    if isinstance(printed, Iterable) and not is_scalar:
        return result_of(puzzle, answer_of_values(printed), started)
    if not isinstance(printed, str | Path):
        raise UnsupportedError(
            f"the answer is {shown(printed)}, expected the text that the solver printed, the Path "
            "of its file, or the values of variables"
        )
    name = str(printed) if isinstance(printed, Path) else None
    text = printed.read_text(errors="replace") if isinstance(printed, Path) else printed
    return result_of(puzzle, read_answer(text, name), started)


def result_of(puzzle: Puzzle, answer: SolverAnswer, started: float) -> Result:
    """Return an answer as a result like those of `solve`; `started` is a time of `perf_counter`.

    Raises:
        FormatError: The answer is not a solution.
    """
    if answer.verdict is Answer.SAT:
        grids = pictures_of(puzzle, answer)
        seconds = perf_counter() - started
        num_cells = len(getattr(grids[0], "cells", ()))  # a solution of another family has none
        stage = Stage("decode", seconds, num_cells, {"engine": "another solver"})
        verdict = Verdict.SOLVED if len(grids) == 1 else Verdict.MULTIPLE
        return Result(puzzle, verdict, grids, "", seconds, (stage,), backend="another solver")
    is_unsat = answer.verdict is Answer.UNSAT
    verdict = Verdict.UNSOLVABLE if is_unsat else Verdict.UNKNOWN
    reason = _UNSAT if is_unsat else "the solver gave up"
    seconds = perf_counter() - started
    return Result(puzzle, verdict, (), reason, seconds, backend="another solver")
