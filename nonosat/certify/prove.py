"""Writing certificates, of puzzles of every family.

A nonogram's is made by `nonogram_prover`: price tables, or clauses in the encoding of lines. That
of any other puzzle is made by `stated_prover`: its rules are stated once more (`certify.rules`).
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any

from nonosat.certify.certificate import Certificate
from nonosat.core import plugins
from nonosat.core.errors import UnsupportedError, alternatives, shown
from nonosat.core.families import name_of
from nonosat.core.limits import Limits, Watch
from nonosat.core.plugins import Puzzle
from nonosat.core.result import Options
from nonosat.processes.guard import Guard, within
from nonosat.puzzles.nonogram.data import Nonogram
from nonosat.solving.choices import choices_of

if TYPE_CHECKING:
    from nonosat.certify.prover import Prover

# `prove`, CPU seconds on 22 bundled puzzles that need an engine: 20, learn-lines 23, glucose421 26,
# cadical195 42; n-domino 20 alone: 56, 53, 49, 59 (benchmarks/native/PROOFS.md).
ENGINE = "learn"
WAYS = ("auto", "prices", "clauses")


def prove(
    puzzle: Puzzle,
    *,
    by: str = "auto",
    engine: str | None = None,
    cubes: int | None = None,
    jobs: int | None = None,
    veripb: bool = False,
    time_limit_s: float | None = None,
    memory_limit_mib: int | None = None,
) -> Certificate:
    """Decide a puzzle and certify the verdict, for others to check.

        >>> certificate = nonosat.prove(nonosat.nonogram([[2], [1]], [[1], [2]]))
        >>> certificate.claim
        'unique'
        >>> nonosat.prove(nonosat.slitherlink(["33", "33"]))
        <Certificate: unsolvable by learn, 93 clauses, 9 lemmas>

    `certificate.write(folder)` writes its files, which `verify` and other checkers read.

    Args:
        puzzle: A puzzle of any family. The rules of a family that is not ours are taken as its own
            model states them, and certificates say so.
        by: What proves that there is no other solution, or none: "prices" (nonograms only),
            "clauses", or "auto": clauses where propagation alone leaves nothing open or an engine
            or cubes are asked for, else prices where they suffice, else clauses.
        engine: A backend that writes proofs (`plugins.Backend.proves`); "learn" by default.
        cubes, jobs: As in `nonosat.solve`: the cubes' refutations are put together to one
            (nonograms only).
        veripb: Add the clues of a nonogram in OPB, and a proof by prices in VeriPB's format, for
            checkers of pseudo-Boolean proofs; a puzzle with several solutions has none.
        time_limit_s: Wall seconds for everything.
        memory_limit_mib: Resident memory of this process, and of the engine's.

    Raises:
        NotAPuzzleError: It is no puzzle; the message says what to write.
        LimitReached: A limit was hit, or prices alone do not suffice; the message says which.
        UnsupportedError: The engine writes no proofs, the board has too many variables, an engine
            or cubes are asked for where prices have to do, or what only nonograms have of another
            puzzle.
        BackendError: The engine failed, or its proof is wrong.
    """
    name = name_of(puzzle)  # refuses what is no puzzle
    by = _way(by, engine, cubes)
    engine = engine or ENGINE
    plugins.require_proofs(engine)
    if jobs is not None and cubes is None:
        raise UnsupportedError("a proof by several processes is one of cubes; say how many cubes")
    # Refuses engines without cubes.
    choices_of(Options(backend=engine, cubes=cubes, jobs=jobs), puzzle.family)
    watch = Watch(Limits(time_limit_s, memory_limit_mib))
    begin: Callable[[], Prover]
    if isinstance(puzzle, Nonogram):
        begin = _of_nonogram(puzzle, engine, watch, by=by, cubes=cubes, jobs=jobs, veripb=veripb)
    else:
        _refuse_parts(name, cubes)
        _refuse_prices(name, by, veripb)
        begin = _of_rules(puzzle, engine, watch)
    return _run(begin, watch)


# What makes certificates is imported before any limit counts: that is no work to be cut short.


def _of_nonogram(puzzle: Nonogram, engine: str, watch: Watch, **how: Any) -> Callable[[], Prover]:
    from nonosat.certify.nonogram_prover import NonogramProver

    return partial(NonogramProver, puzzle, engine, watch, **how)


def _of_rules(puzzle: Puzzle, engine: str, watch: Watch) -> Callable[[], Prover]:
    from nonosat.certify.stated_prover import StatedProver

    return partial(StatedProver, puzzle, engine, watch)


def _refuse_parts(name: str, cubes: int | None) -> None:
    """Refuse a proof in parts where the formula is not that of lines."""
    if cubes is not None:
        raise UnsupportedError(
            "proofs are put together from cubes for nonograms alone, which a puzzle of the family "
            f"{name} is not; leave cubes out"
        )


def _refuse_prices(name: str, by: str, veripb: bool) -> None:
    """Refuse what rests on prices, for a family that has no lines."""
    if by == "prices" or veripb:
        raise UnsupportedError(
            "prices are for rows and columns of clues, which a puzzle of the family "
            f"{name} does not have; clauses prove its verdict, leave out "
            f"{'veripb' if veripb else 'prices'}"
        )


def _run(begin: Callable[[], Prover], watch: Watch) -> Certificate:
    """The certificate of a prover within the limits of a watch."""

    def work() -> Certificate:
        with Guard(watch):
            prover = begin()
        prover.find()  # by what has guards of its own
        with Guard(watch):
            return prover.run()

    return within(watch, work, guarded=False)


def _way(by: str, engine: str | None, cubes: int | None) -> str:
    """The way that is asked for; who names an engine or cubes asks for clauses."""
    if by not in WAYS:
        raise UnsupportedError(f"{shown(by)} proves nothing; these do: {alternatives(WAYS)}")
    if engine is None and cubes is None:
        return by
    if by == "prices":
        raise UnsupportedError("engines and cubes prove by clauses; leave them out, or prices")
    return "clauses"
