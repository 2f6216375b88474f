"""Which encodings and formulations a set of options stands for."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from nonosat._core import BUDGETS
from nonosat.clauses.translate import ENCODINGS
from nonosat.core import families, plugins
from nonosat.core.errors import UnsupportedError, meant
from nonosat.core.plugins import Family
from nonosat.core.result import Options
from nonosat.formulations import DEFAULTS as FORMULATIONS
from nonosat.solving.auto import ENGINE

if TYPE_CHECKING:
    from nonosat.board import decimation
    from nonosat.board.phases import How


def _chosen(kind: str, defaults: Mapping[str, str], asked: Mapping[str, str]) -> dict[str, str]:
    """The plug-ins by constraint kind; raises UnsupportedError for a name that nothing has."""
    for constraint, name in asked.items():
        if constraint not in defaults:
            known = ", ".join(sorted(plugins.names(kind)))
            idea = meant(constraint, defaults)
            raise UnsupportedError(
                f"there are no {kind} of {constraint!r}{idea}; there are: {known}"
            )
        if kind != "encodings" or name != NATIVE:
            plugins.find(kind, f"{constraint}-{name}")
    return {**defaults, **asked}


def chosen_phases(
    options: Options, num_open: int = 0, reached: decimation.Decimated | None = None
) -> How | None:
    """What an engine is to follow; None for nothing.

    Args:
        options: Its `hints` may ask for phases.
        num_open: Cells that presolve left open: by them `auto` chooses.
        reached: What decimation has come to on them already.

    Raises:
        UnsupportedError: Phases that nothing gives, or a backend that takes none.
    """
    is_method = families.is_method(options.backend)
    if options.hints != "auto":
        text = options.hints
    elif options.backend == "auto":
        from nonosat.board import decimation

        if reached and (reached.is_complete or num_open >= BUDGETS.large_open):
            return reached
        return decimation.Settings() if num_open >= BUDGETS.large_open else decimation.FURTHER
    else:
        text = "none" if is_method else plugins.find("backends", options.backend).hints
    if text == "none":
        return None
    from nonosat.board.phases import settings_of

    settings = settings_of(text)
    if options.backend != "auto" and (
        is_method or plugins.find("backends", options.backend).on_board
    ):
        raise UnsupportedError(f"backend {options.backend!r} takes no hints")
    return reached or settings


def chosen_attempts(options: Options, num_open: int) -> Sequence[decimation.Settings]:
    """How `auto` decimates before it opens an engine, one time after another.

    Args:
        options: Its `hints` may ask for settings, or for something else.
        num_open: Cells that presolve left open.
    """
    from nonosat.board import decimation

    if options.hints != "auto":
        asked = chosen_phases(options)
        return (asked,) if isinstance(asked, decimation.Settings) else ()
    if num_open >= BUDGETS.largest_open:
        return decimation.PATIENT
    return decimation.QUICK + (decimation.SLOWER if num_open >= BUDGETS.large_open else ())


CUBE_ENGINES = ("learn", "learn-lines")  # they keep to budgets of conflicts, and can be stopped
NATIVE = "native"  # as an encoding: the engine takes the constraint as it is


class Choices(NamedTuple):
    """Encodings and formulations by constraint kind."""

    encodings: Mapping[str, str]
    formulations: Mapping[str, str]


# By constraint kind, instead of lazy encodings, where a formula has to say everything at once.
EAGER = {"loop": "positions"}


def choices_of(
    options: Options, family: str | Family = "nonogram", *, lazy: bool = True
) -> Choices:
    """The encodings and the formulations that `options` stand for, by constraint kind.

    Args:
        options: What is asked.
        family: Its defaults hold for kinds that `options` do not name.
        lazy: Whether defaults may be encodings that refine what an engine answers.

    Raises:
        UnsupportedError: A name that nothing has, or a choice that the backend does not use.
    """
    own = families.named(family)
    eager = {} if lazy else EAGER
    encodings = _chosen("encodings", {**ENCODINGS, **own.encodings, **eager}, options.encoding)
    formulations = _chosen(
        "formulations", {**FORMULATIONS, **own.formulations}, options.formulation
    )
    takes_encoding, takes_formulation = True, False
    if families.is_method(options.backend, family):
        takes_encoding = False
    elif options.backend != "auto":
        backend = plugins.find("backends", options.backend)
        takes_formulation = backend.formulates
        takes_encoding = not backend.on_board and not takes_formulation
    for asked, taken, word in (
        (options.encoding, takes_encoding, "encodings"),
        (options.formulation, takes_formulation, "formulations"),
    ):
        if asked and not taken:
            raise UnsupportedError(f"backend {options.backend!r} uses no {word}")
    _refuse_cubes(options)
    _refuse_threads(options, family)
    _refuse_native(options)
    _refuse_redundant(options, takes_encoding or takes_formulation)
    return Choices(encodings, formulations)


def engine_of(options: Options) -> str:
    """The engine that `options` name for a model.

    Raises:
        UnsupportedError: It takes no models, or nothing has the name.
    """
    name = ENGINE if options.backend == "auto" else options.backend
    if families.is_method(name):
        raise UnsupportedError(
            f"{name!r} is a method for {' and '.join(families.with_method(name)) or 'puzzles'}, "
            f"not for models; {ENGINE!r} is one for models"
        )
    backend = plugins.find("backends", name)
    if backend.on_board or backend.hints != "none":
        raise UnsupportedError(
            f"backend {name!r} needs a puzzle with rows and columns of clues, not a model; "
            f"{ENGINE!r} is one for models, and so are engines without hints, as in "
            "portfolio:learn,cadical195"
        )
    return name


def engine_choices(options: Options) -> Choices:
    """The encodings and formulations that `options` stand for; raises what `engine_of` raises."""
    return choices_of(replace(options, backend=engine_of(options)))


def names_failed(name: str) -> bool:
    """Whether an engine says which assumptions it refuted."""
    return plugins.find("backends", name).explains


def native_kinds(name: str, choices: Choices) -> frozenset[type]:
    """The kinds of constraint that an engine is given as they are.

    CP-SAT takes every kind that formulations serve; an engine of clauses takes the kinds that the
    options ask for.
    """
    backend = plugins.find("backends", name)
    if backend.formulates:
        return backend.native
    asked = {kind for kind, name in choices.encodings.items() if name == NATIVE}
    return frozenset(kind for kind in backend.native if kind.__name__.lower() in asked)


def _refuse_cubes(options: Options) -> None:
    """Raises UnsupportedError for options that do not go with cubes."""
    if options.cubes is None:
        return
    if options.backend not in ("auto", *CUBE_ENGINES):
        raise UnsupportedError(
            f"backend {options.backend!r} decides no cubes; these do: auto, "
            f"{', '.join(CUBE_ENGINES)}"
        )
    if "symmetry" in options.redundant:
        raise UnsupportedError("symmetry breaking would be wrong inside a cube; leave one out")


def _refuse_threads(options: Options, family: str | Family) -> None:
    """Raises UnsupportedError for threads of a method or an engine that has none."""
    name = options.backend
    if options.jobs is None or options.cubes is not None or name == "auto":
        return
    if families.is_method(name, family) or not plugins.find("backends", name).has_teams:
        able = [name for name, one in sorted(plugins.names("backends").items()) if one.has_teams]
        raise UnsupportedError(
            f"{name!r} has one thread; these have several: {', '.join(['auto', *able])}; leave out "
            "jobs, or let engines race, as in portfolio:learn,cadical195"
        )


def _refuse_native(options: Options) -> None:
    """Raises UnsupportedError where the engine does not take the kind as it is."""
    for kind in (kind for kind, name in options.encoding.items() if name == NATIVE):
        able = [
            name
            for name, backend in plugins.names("backends").items()
            for one in backend.native
            if one.__name__.lower() == kind and not backend.formulates
        ]
        if options.backend.partition(":")[0] not in able:
            which = f"these do: {', '.join(sorted(able))}" if able else "no engine does"
            raise UnsupportedError(
                f"backend {options.backend!r} does not take a {kind} as it is; {which}"
            )


def _refuse_redundant(options: Options, is_encoded: bool) -> None:
    """Raises UnsupportedError for redundant clauses that there are not, or that would be wrong."""
    if not options.redundant:
        return
    from nonosat.board.redundant import SUMMARIES

    if unknown := sorted(set(options.redundant) - SUMMARIES.keys()):
        raise UnsupportedError(
            f"nothing redundant is called {unknown[0]!r}{meant(unknown[0], SUMMARIES)}; there are: "
            f"{', '.join(SUMMARIES)}"
        )
    if not is_encoded:
        raise UnsupportedError(f"backend {options.backend!r} takes no redundant clauses")
    if "symmetry" in options.redundant and options.max_solutions != 1:
        raise UnsupportedError(
            "symmetry breaking loses solutions: expected a single solution to be asked for; "
            "leave it out to check or to count"
        )
