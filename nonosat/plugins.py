"""Plug-ins: what a module must offer to be one, and how it is found by its name.

A plug-in is a module in the package of its kind. Built-ins resolve by import alone; entry points
of the group `nonosat.<kind>` are read only for a name that no built-in has, and by `names`
(reading them costs 25 ms). A module whose name starts with an underscore is not a plug-in.

A module with `TAKES_ARGUMENT = True` reads what stands behind a ":" in its name (rows-first:3x4),
and may have a `check_argument` that refuses a wrong one before any work is done; for all others
an argument is refused.
"""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Collection, Generator, Hashable, Iterable, Mapping, Sequence
from enum import Enum
from functools import cache
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from nonosat.errors import UnsupportedError
from nonosat.model import Constraint, Model

if TYPE_CHECKING:
    from nonosat.about import About
    from nonosat.limits import Watch

KINDS = ("formats", "backends", "encodings", "formulations", "puzzles", "study")
_PACKAGES = {"study": "study.methods"}  # by kind, where it has not the same name


class Strength(Enum):
    """What unit propagation on an encoding achieves, whatever cells are known."""

    COMPLETE = "complete propagation"  # every cell value left has a support
    CONFLICTS = "conflicts only"  # every inconsistent partial line is refuted
    NONE = "none"


class Answer(Enum):
    """What an engine says of its clauses under the assumptions."""

    SAT = "sat"
    UNSAT = "unsat"
    UNKNOWN = "unknown"


class SizeFormula(NamedTuple):
    """How large an encoding is, as arithmetic in Python's notation; a test evaluates it.

    Of a line it holds for an open one in one colour whose blocks have known lengths, with n cells,
    k >= 1 blocks, s >= 1 slack, and f filled cells; of a count for n literals between the bounds
    2 <= l <= u <= n - 2 (those further out are single clauses or literals) or, where the encoding
    is made for counts of one, for l <= u = 1. Where there is no such formula the text says what
    decides the size, in words.
    """

    variables: str  # auxiliary ones
    clauses: str


class Sink(Protocol):
    """Takes variables and clauses: a CNF container and a live engine are both sinks."""

    def new_var(self) -> int:
        """A variable that nobody has used."""

    def new_vars(self, count: int) -> int:
        """So many at once: the first of them, the others follow it."""

    def add(self, clause: Sequence[int]) -> None:
        """One clause; may hold the constants TRUE and FALSE."""

    def add_batch(self, clauses: Any) -> None:
        """Many clauses without constants: a buffer of 32-bit integers, each clause ended by 0."""


class Refiner(Protocol):
    """Clauses that a model of the encoding violates; none when the model stands."""

    def __call__(self, values: bytes) -> Iterable[Sequence[int]]: ...


class Encoding(Protocol):
    """A module `encodings/<kind>_<name>.py`: one constraint kind to clauses."""

    SUMMARY: str
    SOURCE: str
    STRENGTH: Strength
    SIZE: SizeFormula
    DETERMINED: bool  # the auxiliary variables have one value for each assignment of the cells

    def encode(self, constraint: Any, sink: Sink) -> Refiner | None:
        """Add the constraint to the sink. Raises UnsupportedError where it cannot."""


class Formulation(Protocol):
    """A module `formulations/<kind>_<name>.py`: one constraint kind to CP-SAT.

    With `TAKES_ARGUMENT`, `formulate` has a third parameter `argument`, "" by default.
    """

    SUMMARY: str
    SOURCE: str

    def formulate(self, constraint: Any, context: Any) -> None:
        """Add the constraint to the `formulations.Context`."""


class Engine(Sink, Protocol):
    """A live solver. `constrain` takes the kinds that its module lists in NATIVE."""

    def constrain(self, constraint: Constraint) -> None: ...

    def suggest(self, lits: Sequence[int]) -> bool:
        """Prefer these literals in decisions; returns whether the engine can.

        None at all: decide again as if nothing had been suggested, as far as the engine can.
        """

    def solve(self, assumptions: Sequence[int], watch: Watch, budget: int | None = None) -> Answer:
        """Decide; UNKNOWN when the watch ended it, or after `budget` units of its work.

        The unit is the engine's own (conflicts, mostly). Raises UnsupportedError for a budget that
        it cannot keep to.
        """

    def values(self) -> bytes:
        """After SAT: values()[v] is 1 where variable v is true, else 0 (index 0 unused)."""

    def statistics(self) -> dict[str, int]:
        """Counters of the engine: conflicts, decisions, propagations where it has them."""

    def interrupt(self) -> None:
        """Make a running `solve` return UNKNOWN soon; callable from another thread."""

    def close(self) -> None:
        """Free the engine; it is not used afterwards."""


class ProvingEngine(Engine, Protocol):
    """An engine that was opened with the option {"proof": "yes"}; its module has it in PROVES."""

    def proof(self) -> bytes:
        """After UNSAT without assumptions: a refutation of the clauses; asked for once.

        DRAT in text, each step of which follows by unit propagation (RUP).
        """


class Backend(Protocol):
    """A module `backends/<name>.py`; imports its solver's package only inside `open_engine`.

    Where it offers several engines, SUMMARIES may tell them apart. It may have
    `own_hints(name) -> str`, the hints that are given when none are asked for ("none" otherwise),
    and IN_TURNS, whether it is given the turns of `auto` instead of a single one without end.
    """

    SUMMARY: str
    NEEDS: str  # the package, or "nothing"
    NAMES: Collection[str]  # the engines it offers; one name for a single engine
    NATIVE: Mapping[str, frozenset[type]]  # by name: kinds of constraint taken as they are
    ON_BOARD: bool  # goes on from the presolved board: has `open_on_board`, not `open_engine`
    FORMULATES: bool  # takes formulations, not encodings
    IN_PROCESS: Collection[
        str
    ]  # engines that leave the GIL and stop when asked; others get a child
    PROVES: Collection[str]  # engines that can be opened as a `ProvingEngine`

    def open_engine(self, name: str, num_vars: int, seed: int, options: dict[str, str]) -> Engine:
        """A fresh engine whose variables 1 .. num_vars are the model's."""


class Solution(Hashable, Protocol):
    """What solves a puzzle: frozen data of its family."""

    def differences(self, other: Any) -> list[tuple[int, int]]:
        """Places in which two solutions of one puzzle differ, in order."""

    def lines(self) -> list[str]:
        """It as plain text; `str` gives the same."""


class Puzzle(Hashable, Protocol):
    """What there is to solve: frozen, validated data of its family."""

    @property
    def family(self) -> str:
        """Name of the module in `puzzles/`."""

    @property
    def about(self) -> About: ...

    @property
    def height(self) -> int: ...

    @property
    def width(self) -> int: ...

    @property
    def size(self) -> str:
        """How large it is, in words."""

    def about_with(self, **changes: str) -> Any:
        """The same puzzle with fields of `about` replaced."""


class Family(Protocol):
    """A module or folder of `puzzles/`; `nonosat.families` has what it may offer beyond this."""

    SUMMARY: str

    def obstacle(self, puzzle: Any) -> str | None:
        """A visible reason why the puzzle has no solution, or None."""

    def build(self, puzzle: Any) -> Model: ...

    def decode(self, puzzle: Any, values: bytes) -> Solution:
        """The solution that `values` (indexed by the model's variables) stand for."""

    def refutation(self, puzzle: Any, solution: Any) -> str | None:
        """Why `solution` is none, by code that shares nothing with `build`."""

    def to_data(self, puzzle: Any) -> dict[str, Any]:
        """What there is to solve as JSON data, equal for equal puzzles."""


class Ending(NamedTuple):
    """How a method of a family's own ended, once it has no more to say.

    Args:
        exhausted: There are certainly no solutions beside those it gave.
        reason: Why there is none, or why it gives up.
        detail: Its counters.
    """

    exhausted: bool
    reason: str = ""
    detail: Mapping[str, Any] = MappingProxyType({})


class Method(Protocol):
    """A method of a family's own: one that needs no model. Its solutions are verified."""

    def __call__(self, puzzle: Any, watch: Watch, seed: int, /) -> Generator[Any, None, Ending]:
        """Solutions, none twice. Looks at the watch every few milliseconds."""


class Format(Protocol):
    """A module of `formats/`: text to puzzles and back."""

    SUMMARY: str
    SUFFIXES: tuple[str, ...]
    HOLDS_MANY: bool

    def sniff(self, data: bytes) -> bool:
        """Whether the content shows this format beyond doubt (a magic word, not bare numbers)."""

    def read(self, data: bytes) -> list[Any]:
        """Every puzzle in the file. Raises FormatError with line and column."""

    def write(self, puzzles: Sequence[Any]) -> bytes:
        """Raises UnsupportedError where the format cannot hold a puzzle."""


def native_kinds(module: Any, name: str) -> frozenset[type]:
    """The kinds of constraint that a backend's engine takes as they are; none unless it says so."""
    found: frozenset[type] = module.NATIVE.get(name.partition(":")[0], frozenset())
    return found


def require_proofs(name: str) -> None:
    """Raises UnsupportedError unless `name` is a backend's engine that writes proofs."""
    module = _module("backends", name)
    if module is None or name not in module.PROVES:
        able = sorted(other for other, one in names("backends").items() if other in one.PROVES)
        raise UnsupportedError(f"{name} writes no proofs; these do: {', '.join(able)}")


def _table(module: Any, name: str) -> dict[str, Any]:
    """The names under which a module is found: its own, or those of its table."""
    return dict.fromkeys(getattr(module, "NAMES", (name,)), module)


def _package(kind: str) -> str:
    return f"nonosat.{_PACKAGES.get(kind, kind)}"


@cache
def builtins(kind: str) -> tuple[str, ...]:
    """The names of the modules that this package has of a kind."""
    package = importlib.import_module(_package(kind))
    return tuple(
        entry.name for entry in pkgutil.iter_modules(package.__path__) if entry.name[0] != "_"
    )


def _entry_points(kind: str) -> dict[str, Any]:
    from importlib.metadata import entry_points

    return {point.name: point for point in entry_points(group=f"nonosat.{kind}")}


@cache
def find(kind: str, name: str) -> Any:
    """The module of `kind` that serves `name`.

    Args:
        kind: One of `KINDS`.
        name: The plug-in's name, words joined by "-"; for encodings and formulations with the
            constraint kind in front: "line-order". What stands after a ":" is an argument.

    Raises:
        UnsupportedError: Nothing has that name (the message lists what there is), or what has
            it takes no argument, or not this one.
    """
    base = name.partition(":")[0]
    module = _module(kind, base)
    if module is None:
        own = ["auto"] if kind == "backends" else []  # the pipeline's choice, not a module
        known = ", ".join(own + sorted(names(kind)))
        noun = "family" if kind == "puzzles" else kind.rstrip("s")
        raise UnsupportedError(f"no {noun} is called {name!r}; there are: {known}")
    refuse_argument(module, name)
    return module


def is_there(kind: str, name: str) -> bool:
    """Whether something of `kind` has the name, whatever its argument."""
    return _module(kind, name.partition(":")[0]) is not None


def refuse_argument(module: Any, name: str) -> None:
    """Raises UnsupportedError when `name` has an argument and the module does not take it."""
    base, colon, argument = name.partition(":")
    if colon and not getattr(module, "TAKES_ARGUMENT", False):
        raise UnsupportedError(f"{base} takes no argument, found {argument!r}; say just {base!r}")
    if colon and hasattr(module, "check_argument"):
        module.check_argument(argument)


def _module(kind: str, base: str) -> Any:
    """What serves a name without its argument, or None."""
    stem = base.replace("-", "_")
    own = builtins(kind)
    if stem in own:
        module = importlib.import_module(f"{_package(kind)}.{stem}")
        if base in _table(module, base):
            return module
    for other in own:
        module = importlib.import_module(f"{_package(kind)}.{other}")
        if base in getattr(module, "NAMES", ()):
            return module
    if base in (points := _entry_points(kind)):
        return points[base].load()
    return None


def names(kind: str) -> dict[str, Any]:
    """Every plug-in of `kind` by name, entry points included."""
    found: dict[str, Any] = {}
    for stem in builtins(kind):
        module = importlib.import_module(f"{_package(kind)}.{stem}")
        found.update(_table(module, stem.replace("_", "-")))
    for name, point in _entry_points(kind).items():
        if name not in found:
            found.update(_table(point.load(), name))
    return found
