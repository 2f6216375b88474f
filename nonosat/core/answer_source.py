"""Whose fault a failure may be: ours, or that of a plug-in or a program that somebody else made.

Nothing here is looked up before something has failed: reading entry points takes 25 ms.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from types import MappingProxyType
from typing import Any, NamedTuple

from nonosat.core import plugins

PROGRAM = "program:"


class AnswerSource(NamedTuple):
    """What has given an answer together.

    Args:
        backend: The engine, or the method.
        kind: "encodings" or "formulations".
        choices: Those that were used, by constraint kind.
        family: The family's name.
    """

    backend: str
    kind: str = "encodings"
    choices: Mapping[str, str] = MappingProxyType({})
    family: str = ""

    def __str__(self) -> str:
        """In words: "cadical195 with the encoding line=order"."""
        if not self.choices:
            return self.backend
        noun = self.kind if len(self.choices) > 1 else self.kind.removesuffix("s")
        names = ", ".join(f"{kind}={name}" for kind, name in self.choices.items())
        return f"{self.backend} with the {noun} {names}"

    def advice(self) -> str:
        """To whom this is to be told; "" where all of it is ours."""
        named = [("backends", self.backend)] if self.backend else []
        named += [(self.kind, f"{kind}-{name}") for kind, name in self.choices.items()]
        named += [("puzzles", self.family)] if self.family else []
        return advice([who for kind, name in named if (who := maker(kind, name))])


def maker(kind: str, name: str) -> str:
    """Whose plug-in it is, in words; "" where it is ours, or no plug-in at all.

    Args:
        kind: One of `plugins.KINDS`.
        name: Its name, perhaps with an argument.
    """
    if kind == "backends" and name.startswith(PROGRAM):
        return f"the program {name.removeprefix(PROGRAM).split(maxsplit=1)[0]}"
    base = name.partition(":")[0]
    for one, point in plugins.entry_points(kind):
        if one == base and not plugins.is_built_in(kind, base):
            return _named(one, point)
    return ""


def advice(makers: list[str]) -> str:
    """What to do about a failure of theirs; "" where there are none."""
    if not makers:
        return ""
    are = "is" if len(makers) == 1 else "are"
    return f"{' and '.join(makers)} {are} not part of nonosat, please report this to the authors"


def advice_on(error: BaseException) -> str:
    """Return the advice on an error, by its innermost frame that is in a plug-in."""
    return advice_on_modules(_modules(error))


def advice_on_modules(modules: Iterable[str]) -> str:
    """Return the advice on the first of these modules that belongs to a plug-in's package."""
    points = [found for kind in plugins.KINDS for found in plugins.entry_points(kind)]
    for module in modules:
        package = module.partition(".")[0]
        theirs = [one for one in points if _home(one[1]).partition(".")[0] == package != "nonosat"]
        if theirs:
            exact = [one for one in theirs if _home(one[1]) == module]
            return advice([_named(*(exact[0] if len(exact) == 1 else ("", theirs[0][1])))])
    return ""


def _home(point: Any) -> str:
    """The module that an entry point names."""
    return str(point.value).partition(":")[0]


def _modules(error: BaseException) -> Iterator[str]:
    """The modules that an error, and what caused it, went through, innermost first."""
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
    """A plug-in and its package; without a name the package, of which it may be any."""
    dist = getattr(point, "dist", None)
    package = f"the package {dist.name} {dist.version}" if dist else f"the module {_home(point)}"
    return f"the plug-in {name!r} of {package}" if name else package
