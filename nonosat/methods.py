"""Which encodings and formulations a set of options stands for."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from nonosat import plugins
from nonosat.errors import UnsupportedError
from nonosat.formulations import DEFAULTS as FORMULATIONS
from nonosat.result import Options
from nonosat.translate import ENCODINGS

if TYPE_CHECKING:
    from nonosat.beliefs import Settings


def _chosen(kind: str, defaults: Mapping[str, str], asked: Mapping[str, str]) -> dict[str, str]:
    """The methods by constraint kind; raises UnsupportedError for a name that nothing has."""
    for constraint, name in asked.items():
        if constraint not in defaults:
            known = ", ".join(sorted(plugins.names(kind)))
            raise UnsupportedError(f"there are no {kind} of {constraint!r}; there are: {known}")
        plugins.find(kind, f"{constraint}-{name}")
    return {**defaults, **asked}


def chosen_hints(options: Options) -> Settings | None:
    """The settings of the beliefs that an engine is to follow; None for none.

    Raises:
        UnsupportedError: Hints that nothing gives, or a backend that takes none.
    """
    from nonosat.beliefs import Settings
    from nonosat.hints import settings_of

    if options.hints == "auto":
        return Settings() if options.backend == "auto" else None
    settings = settings_of(options.hints)
    named = settings is not None and options.backend != "auto"
    if named and plugins.find("backends", options.backend).ON_BOARD:
        raise UnsupportedError(f"backend {options.backend!r} takes no hints")
    return settings


def chosen_methods(options: Options) -> tuple[dict[str, str], dict[str, str]]:
    """The encodings and the formulations by constraint kind that `options` stand for.

    Raises:
        UnsupportedError: A name that nothing has, or methods that the backend does not use.
    """
    encodings = _chosen("encodings", ENCODINGS, options.encoding)
    formulations = _chosen("formulations", FORMULATIONS, options.formulation)
    takes_encoding, takes_formulation = True, False
    if options.backend != "auto":
        module = plugins.find("backends", options.backend)
        takes_formulation = module.FORMULATES
        takes_encoding = not module.ON_BOARD and not takes_formulation
    for asked, taken, word in (
        (options.encoding, takes_encoding, "encodings"),
        (options.formulation, takes_formulation, "formulations"),
    ):
        if asked and not taken:
            raise UnsupportedError(f"backend {options.backend!r} uses no {word}")
    return encodings, formulations
