"""Attribution of a failure: to nonosat itself, or to a plug-in or program from another author.

Entry points are read only after a failure, because reading them takes 25 ms.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from types import MappingProxyType
from typing import Any, NamedTuple

from nonosat.core import plugins
from nonosat.core.errors import BackendError, shown

PROGRAM = "program:"


class AnswerSource(NamedTuple):
    """Backend, encodings and family that produced an answer.

    Args:
        backend: Name of the engine or method.
        kind: "encodings" or "formulations".
        choices: Names of those that were used, by constraint kind.
        family: Name of the puzzle's family.
    """

    backend: str
    kind: str = "encodings"
    choices: Mapping[str, str] = MappingProxyType({})
    family: str = ""

    def __str__(self) -> str:
        """Return the parts in words: "cadical195 with the encoding line=order"."""
        if not self.choices:
            return self.backend
        noun = self.kind if len(self.choices) > 1 else self.kind.removesuffix("s")
        names = ", ".join(f"{kind}={name}" for kind, name in self.choices.items())
        return f"{self.backend} with the {noun} {names}"

    def advice(self) -> str:
        """Return the advice to report a wrong answer to the authors of the plug-ins involved.

        "" if all parts belong to nonosat.
        """
        named = [("backends", self.backend)] if self.backend else []
        named += [(self.kind, f"{kind}-{name}") for kind, name in self.choices.items()]
        named += [("puzzles", self.family)] if self.family else []
        return advice([who for kind, name in named if (who := maker(kind, name))])


def maker(kind: str, name: str) -> str:
    """Describe the package or program that a plug-in comes from.

    Args:
        kind: One of `plugins.KINDS`.
        name: Name of the plug-in, possibly with an argument.

    Returns:
        Its description in words; "" if it belongs to nonosat or is not a plug-in.
    """
    if kind == "backends" and name.startswith(PROGRAM):
        return f"the program {name.removeprefix(PROGRAM).split(maxsplit=1)[0]}"
    base = name.partition(":")[0]
    for one, point in plugins.entry_points(kind):
        if one == base and not plugins.is_built_in(kind, base):
            return _named(one, point)
    return ""


def advice(makers: list[str]) -> str:
    """Return the advice to report a failure to the authors of `makers`; "" if there are none."""
    if not makers:
        return ""
    are = "is" if len(makers) == 1 else "are"
    return f"{' and '.join(makers)} {are} not part of nonosat, please report this to the authors"


def advice_on(error: BaseException) -> str:
    """Return the advice to report an error to the authors of the plug-in that raised it.

    That plug-in has the innermost frame in the traceback; "" if no frame is in a plug-in.
    """
    return advice_on_modules(_modules(error))


def failure_of(error: BaseException, name: str = "") -> BackendError:
    """Return the error for an exception in a plug-in, with its traceback as a note.

    Args:
        error: The exception, possibly of `sys.exit`.
        name: The part of the plug-in that raised it.
    """
    from traceback import format_exception  # slow import, for failures alone

    what = f"{type(error).__name__}: {error}"
    if isinstance(error, SystemExit):
        what = f"sys.exit({shown(error.code)}) was called, expected an answer or an exception"
    failed = BackendError(f"{name} failed: {what}" if name else what, advice=advice_on(error))
    failed.add_note("".join(format_exception(error)))
    return failed


def advice_on_modules(modules: Iterable[str]) -> str:
    """Return the advice to report a failure to the authors of the first module of a plug-in.

    "" if all modules belong to nonosat or to packages without plug-ins.
    """
    points = [found for kind in plugins.KINDS for found in plugins.entry_points(kind)]
    for module in modules:
        package = module.partition(".")[0]
        theirs = [one for one in points if _home(one[1]).partition(".")[0] == package != "nonosat"]
        if theirs:
            exact = [one for one in theirs if _home(one[1]) == module]
            return advice([_named(*(exact[0] if len(exact) == 1 else ("", theirs[0][1])))])
    return ""


def _home(point: Any) -> str:
    """Return the name of the module to which an entry point refers."""
    return str(point.value).partition(":")[0]


def _modules(error: BaseException) -> Iterator[str]:
    """Yield the modules in the tracebacks of an error and its causes, innermost first."""
    one: BaseException | None = error
    causes = []
    while one is not None and one not in causes:
        causes.append(one)
        one = one.__cause__
    for cause in reversed(causes):
        names, trace = [], cause.__traceback__
        while trace is not None:
            names.append(str(trace.tb_frame.f_globals.get("__name__", "")))
            trace = trace.tb_next
        yield from reversed(names)


def _named(name: str, point: Any) -> str:
    """Describe a plug-in and its package; without a name, the package alone."""
    dist = getattr(point, "dist", None)
    package = f"the package {dist.name} {dist.version}" if dist else f"the module {_home(point)}"
    return f"the plug-in {name!r} of {package}" if name else package
