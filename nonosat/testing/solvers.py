"""Solvers for comparisons: built-in ones by configuration, functions, external programs.

A `Solver` maps a puzzle to a `Claim`. All errors become part of the claim: exceptions and processes
of a solver do not affect the caller.
"""

from __future__ import annotations

import re
import signal
import threading
from collections.abc import Callable, Mapping
from dataclasses import replace
from time import perf_counter
from typing import Any

from nonosat.core import families, plugins
from nonosat.core.errors import LimitReached, NonosatError, UnsupportedError, alternatives, shown
from nonosat.core.limits import TIME, Limits, Watch
from nonosat.core.plugins import Puzzle
from nonosat.core.result import Options
from nonosat.core.scope import within
from nonosat.solving import pipeline
from nonosat.testing.claims import Claim, Solver
from nonosat.testing.commands import command
from nonosat.testing.returned import MEANINGS, UnreadableError, read

__all__ = ["Solver", "called", "command", "configured", "solver_of"]

KINDS = ("line", "count", "loop")
_LATER_S = 0.01  # from the watch's limit to the signal, so that the watch reports the limit
_CHOICE = re.compile(r"(line|count|loop|presolve|seed|hints)=(\S+)")


def solver_of(
    given: object,
    *,
    answers: str = "solution",
    is_ours: bool = False,
    time_limit_s: float | None = None,
    memory_limit_mib: int | None = None,
) -> Solver:
    """Return a solver for any accepted description.

    Args:
        given: A `Solver`, which keeps its own limits; a function; a command, as a text or as a list
            of words; or the name of a built-in solver if `is_ours`.
        answers: As for `called`.
        is_ours: True to interpret a text as the name of a built-in solver.
        time_limit_s: Wall seconds per puzzle.
        memory_limit_mib: Resident memory.

    Raises:
        UnsupportedError: `given` is none of these, or an unknown name.
    """
    if isinstance(given, Solver):
        return given
    if isinstance(given, str) and is_ours:
        return configured(given, time_limit_s=time_limit_s, memory_limit_mib=memory_limit_mib)
    if isinstance(given, str | list | tuple):
        return command(given, time_limit_s=time_limit_s, memory_limit_mib=memory_limit_mib)
    if callable(given):
        return called(given, answers=answers, time_limit_s=time_limit_s)
    raise UnsupportedError(
        f"{shown(given)} is not a solver, expected a function, a command or a Solver"
    )


# Built-in solvers


def configured(
    name: str,
    *,
    encoding: Mapping[str, str] | None = None,
    formulation: Mapping[str, str] | None = None,
    presolve: str | None = None,
    seed: int = 0,
    time_limit_s: float | None = None,
    memory_limit_mib: int | None = None,
) -> Solver:
    """Return a built-in solver, which decides if a puzzle has exactly one solution.

        >>> solver = configured("cadical195 line=automaton")
        >>> solver(nonosat.nonogram([[1], [1]], [[1], [1]])).verdict.value
        'multiple'

    Args:
        name: A backend, a method of a family or "auto", followed by choices as in "cadical195
            line=automaton presolve=probe seed=3". It is also the solver's name.
        encoding, formulation: As in `nonosat.check`; in addition to those in the name.
        presolve: Level of presolve; by default "probe" for "auto" and "none" for others, so that
            the engines are compared.
        seed: Seed of engines that accept one.
        time_limit_s: Wall seconds per puzzle; after that the claim is empty.
        memory_limit_mib: Resident memory.

    Raises:
        UnsupportedError: A name is unknown.
    """
    if not isinstance(name, str):
        raise UnsupportedError(f"{shown(name)} is not the name of a solver, expected one as 'auto'")
    backend, text = _parsed(name)
    presolve = text.get("presolve", presolve) or ("probe" if backend == "auto" else "none")
    chosen = {kind: text[kind] for kind in KINDS if kind in text}
    is_formulated = _formulates(backend)
    encodings = {**(encoding or {}), **({} if is_formulated else chosen)}
    formulations = {**(formulation or {}), **(chosen if is_formulated else {})}
    for room, choices in (("encodings", encodings), ("formulations", formulations)):
        for kind, choice in choices.items():
            if (kind, choice) != ("count", "native"):
                plugins.find(room, f"{kind}-{choice}")
    options = Options(
        max_solutions=2,
        backend=backend,
        encoding=encodings,
        formulation=formulations,
        presolve=presolve,
        time_limit_s=time_limit_s,
        memory_limit_mib=memory_limit_mib,
        seed=_number(text["seed"]) if "seed" in text else seed,
        hints=text.get("hints", "auto"),
    )
    return Solver(name, lambda puzzle: _checked(puzzle, options), is_ours=True)


def _parsed(name: str) -> tuple[str, dict[str, str]]:
    """Return the backend of a solver's name, and the choices after it."""
    words, text = name.split(), {}
    while len(words) > 1 and (found := _CHOICE.fullmatch(words[-1])):
        text[found[1]] = found[2]
        words.pop()
    return " ".join(words), text


def _number(text: str) -> int:
    if not text.isdecimal():
        raise UnsupportedError(f"seed={text}, expected a whole number")
    return int(text)


def _formulates(backend: str) -> bool:
    """Return True if a backend takes formulations; raise UnsupportedError for an unknown name."""
    if families.is_method(backend):
        return False
    return backend != "auto" and plugins.find("backends", backend).formulates


def _checked(puzzle: Puzzle, options: Options) -> Claim:
    started = perf_counter()
    try:
        settings = {name: getattr(options, name) for name in Options.__dataclass_fields__}
        return Claim.of_result(pipeline.check(puzzle, **settings))
    except UnsupportedError as error:
        return Claim(unsupported=str(error), seconds=perf_counter() - started)
    except NonosatError as error:
        text = f"raised {type(error).__name__}: {error}"
        return Claim(failure=text, seconds=perf_counter() - started)


# Functions


def called(
    function: Callable[[Any], Any],
    *,
    name: str = "",
    answers: str = "solution",
    time_limit_s: float | None = None,
) -> Solver:
    """Return a function as a solver.

    It is called with the puzzle, and may return

    * a solution: a `Grid`, rows as lists of numbers (0 is empty) or as strings, a picture as
      one text, an array, bytes as in `oracles.solutions`; for other families their own
      solutions, or their data: for a Slitherlink rows of "#" (inside) and ".", for queens the
      column of each row, from 0, for a knight's tour rows of numbers;
    * None if there is no solution;
    * several solutions, as a list, or one by one as a generator: all of them, or the first two;
    * a `Verdict` or its word ("unique", "multiple", "unsolvable", "solved", "unknown");
    * a `Claim`, or a result of `nonosat.solve`, `check` or `count`.

    Exceptions and other answers become a failure of the claim.

    Args:
        function: Function from puzzle to answer, called in this process.
        name: Its name in reports; by default the function's name.
        answers: Meaning of the answer: "solution"; "unique" for True or False; "count" for a number
            of solutions; "all" for the complete list of solutions, so that their number is
            compared, too.
        time_limit_s: Wall seconds per call; after that the function is interrupted as by Ctrl-C:
            between two steps of Python, not within native code, and only in the main thread, which
            handles signals. In other threads only calls of nonosat end then.

    Raises:
        UnsupportedError: `function` is not a function, or the meaning is unknown.
    """
    if not callable(function):
        raise UnsupportedError(
            f"{shown(function)} is not a function, expected one from puzzle to answer"
        )
    Options(time_limit_s=time_limit_s)
    if answers not in MEANINGS:
        raise UnsupportedError(f"answers={shown(answers)}, expected {alternatives(MEANINGS)}")
    own = getattr(function, "__name__", "") or type(function).__name__

    def query(puzzle: Puzzle) -> Claim:
        started = perf_counter()
        claim = _called(function, puzzle, answers, time_limit_s)
        return replace(claim, seconds=perf_counter() - started)

    return Solver(name or own, query)


def _called(
    function: Callable[[Any], Any], puzzle: Puzzle, answers: str, time_limit_s: float | None
) -> Claim:
    def work() -> Claim:
        try:
            return read(puzzle, function(puzzle), answers)
        except SystemExit as error:
            return Claim(failure=f"called sys.exit({error.code!r})")

    watch = Watch(Limits(time_limit_s))
    try:
        return within(watch, lambda: _interrupted(time_limit_s, work))
    except UnreadableError as error:
        return Claim(failure=str(error))
    except LimitReached as error:
        if watch.reason() is None:
            return Claim(failure=_raised(error))
        return Claim(failure=f"hung for more than {time_limit_s:g} s")
    except Exception as error:
        if type(error).__module__.partition(".")[0] == "hypothesis":
            raise  # `assume` and similar exceptions are meant for the test
        return Claim(failure=_raised(error))


def _interrupted(time_limit_s: float | None, work: Callable[[], Claim]) -> Claim:
    """Return the result of `work`; LimitReached is raised in it at the time limit."""
    if time_limit_s is None or threading.current_thread() is not threading.main_thread():
        return work()

    def end(_number: int, _frame: object) -> None:
        raise LimitReached(f"time limit of {time_limit_s:g} s", kind=TIME)

    before = signal.signal(signal.SIGALRM, end)
    signal.setitimer(signal.ITIMER_REAL, time_limit_s + _LATER_S)
    try:
        return work()
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def _raised(error: BaseException) -> str:
    """Return an exception in words, with the file and line that raised it."""
    trace = error.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    where = f" (line {trace.tb_lineno} of {trace.tb_frame.f_code.co_filename})" if trace else ""
    text = " ".join(str(error).split())[:200]
    return f"raised {type(error).__name__}{': ' * bool(text)}{text}{where}"
