"""Resolution of options to encodings, formulations, engines and phases."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, replace
from typing import TYPE_CHECKING, Any, NamedTuple

from nonosat._core import BUDGETS
from nonosat.clauses import ENCODINGS
from nonosat.core import families, plugins
from nonosat.core.errors import UnsupportedError, meant
from nonosat.core.plugins import Family
from nonosat.core.result import Options
from nonosat.formulations import DEFAULTS as FORMULATIONS
from nonosat.solving.auto import ENGINE

if TYPE_CHECKING:
    from nonosat.board import decimation
    from nonosat.board.phases import How


def _chosen(kind: str, defaults: Mapping[str, str], requested: Mapping[str, str]) -> dict[str, str]:
    """Return the name of the plug-in of each constraint kind: the requested one or the default.

    UnsupportedError is raised for an unknown name.
    """
    for constraint, name in requested.items():
        if constraint not in defaults:
            known = ", ".join(sorted(plugins.names(kind)))
            idea = meant(constraint, defaults)
            raise UnsupportedError(
                f"there are no {kind} of {constraint!r}{idea}; there are: {known}"
            )
        if kind != "encodings" or name != NATIVE:
            plugins.find(kind, f"{constraint}-{name}")
    return {**defaults, **requested}


def chosen_phases(
    options: Options, num_open: int = 0, reached: decimation.Decimated | None = None
) -> How | None:
    """Return the source of an engine's initial phases: settings, or `reached`; None for none.

    Args:
        options: Options, whose `hints` may select phases.
        num_open: Number of cells that presolve left open; the default of `auto` depends on it.
        reached: Result of an earlier decimation.

    Raises:
        UnsupportedError: The phases are unknown, or the backend takes none.
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


def chosen_attempts(options: Options) -> list[dict[str, Any]] | None:
    """Return settings of the decimations of `auto` before its engine; None for the native table.

    Args:
        options: Options, whose `hints` may select settings, or other phases.
    """
    if options.hints == "auto":
        return None
    from nonosat.board import decimation

    requested = chosen_phases(options)
    return [asdict(requested)] if isinstance(requested, decimation.Settings) else []


CUBE_ENGINES = ("learn", "learn-lines")  # they support budgets of conflicts and can be interrupted
NATIVE = "native"  # as an encoding: the engine takes the constraint without encoding


class Choices(NamedTuple):
    """Encodings and formulations by constraint kind, and options of the engine by name."""

    encodings: Mapping[str, str]
    formulations: Mapping[str, str]
    engine_options: Mapping[str, str] = {}


# By constraint kind, instead of lazy encodings, for a formula that must be complete.
EAGER = {"loop": "positions"}


def eager_encodings(family: Family) -> dict[str, str]:
    """Return the encodings, by constraint kind, that make a complete formula of a puzzle."""
    return {**ENCODINGS, **family.encodings, **EAGER}


def choices_of(options: Options, family: Family | None = None, *, lazy: bool = True) -> Choices:
    """Return the encodings and formulations that `options` select, and the engine's options.

    Args:
        options: Options of the call.
        family: Family whose defaults hold for kinds that `options` do not name; None for that of
            nonograms.
        lazy: True if defaults may be lazy encodings, which return refiners.

    Raises:
        UnsupportedError: A name is unknown, or the backend does not use the choice.
    """
    own = family or plugins.find("puzzles", "nonogram")
    defaults = {**ENCODINGS, **own.encodings} if lazy else eager_encodings(own)
    encodings = _chosen("encodings", defaults, options.encoding)
    formulations = _chosen(
        "formulations", {**FORMULATIONS, **own.formulations}, options.formulation
    )
    takes_encoding, takes_formulation = True, False
    if families.is_method(options.backend, own):
        takes_encoding = False
    elif options.backend != "auto":
        backend = plugins.find("backends", options.backend)
        takes_formulation = backend.formulates
        takes_encoding = not backend.on_board and not takes_formulation
    for requested, taken, word in (
        (options.encoding, takes_encoding, "encodings"),
        (options.formulation, takes_formulation, "formulations"),
    ):
        if requested and not taken:
            raise UnsupportedError(f"backend {options.backend!r} uses no {word}")
    _refuse_cubes(options)
    _refuse_threads(options, own)
    _refuse_native(options)
    _refuse_redundant(options, takes_encoding or takes_formulation)
    return Choices(encodings, formulations, _engine_options(options))


def engine_of(options: Options) -> str:
    """Return the engine that `options` name for a model.

    Raises:
        UnsupportedError: The engine takes no models, or the name is unknown.
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
    """Return the encodings and formulations that `options` select; raises as `engine_of` does."""
    return choices_of(replace(options, backend=engine_of(options)))


def names_failed(name: str) -> bool:
    """Return True if an engine returns failed assumptions."""
    return plugins.find("backends", name).explains


def native_kinds(name: str, choices: Choices) -> frozenset[type]:
    """Return the kinds of constraint that an engine receives without encoding.

    CP-SAT takes every kind that has formulations; an engine of clauses takes the kinds that the
    options select.
    """
    backend = plugins.find("backends", name)
    if backend.formulates:
        return backend.native
    requested = {kind for kind, name in choices.encodings.items() if name == NATIVE}
    return frozenset(kind for kind in backend.native if kind.__name__.lower() in requested)


def _refuse_cubes(options: Options) -> None:
    """Raise UnsupportedError for options that cannot be combined with cubes."""
    if options.cubes is None:
        return
    if options.backend not in ("auto", *CUBE_ENGINES):
        raise UnsupportedError(
            f"backend {options.backend!r} decides no cubes; these do: auto, "
            f"{', '.join(CUBE_ENGINES)}"
        )
    if "symmetry" in options.redundant:
        raise UnsupportedError(
            "symmetry breaking would be wrong inside a cube; leave out cubes, or symmetry"
        )


def _refuse_threads(options: Options, family: Family) -> None:
    """Raise UnsupportedError for threads if the method or engine has none."""
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
    """Raise UnsupportedError if "native" is chosen for a kind that the engine does not take."""
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


def _engine_options(options: Options) -> dict[str, str]:
    """Return options of the engine as texts; raise UnsupportedError for those that it lacks."""
    if not options.engine_options:
        return {}
    name = options.backend
    check = None
    if name != "auto" and not families.is_method(name):
        check = plugins.find("backends", name).check_options
    if check is None:
        able = [
            name for name, one in sorted(plugins.names("backends").items()) if one.check_options
        ]
        raise UnsupportedError(
            f"backend {name!r} has no engine options; these have: {', '.join(able)}"
        )
    texts = {option: str(value) for option, value in options.engine_options.items()}
    check(name, texts)
    return texts


def _refuse_redundant(options: Options, is_encoded: bool) -> None:
    """Raise UnsupportedError if redundant clauses are unknown, unused, or exclude solutions."""
    if not options.redundant:
        return
    from nonosat.board.redundant import SUMMARIES

    if unknown := sorted(set(options.redundant) - SUMMARIES.keys()):
        raise UnsupportedError(
            f"no redundant clauses are called {unknown[0]!r}{meant(unknown[0], SUMMARIES)}; "
            f"there are: {', '.join(SUMMARIES)}"
        )
    if not is_encoded:
        raise UnsupportedError(f"backend {options.backend!r} takes no redundant clauses")
    if "symmetry" in options.redundant and options.max_solutions != 1:
        raise UnsupportedError(
            "symmetry breaking excludes solutions: expected a search for a single one; "
            "leave it out to check or to count"
        )
