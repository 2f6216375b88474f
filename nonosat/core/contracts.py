"""Contracts of plug-ins: sinks, engines, puzzles, methods, and a frozen record for each kind.

A plug-in is a frozen record that its module makes once, by keyword. A field with a default is
optional. If a field is a function, its description states the action of this function: "Return the
model of a puzzle." `nonosat.plugins` offers all of these names.
"""

from __future__ import annotations

import warnings
from abc import ABC, abstractmethod
from collections.abc import Callable, Generator, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import MISSING, Field, dataclass, field, fields, replace
from enum import Enum
from types import MappingProxyType
from typing import (
    TYPE_CHECKING,
    Any,
    ClassVar,
    NamedTuple,
    NoReturn,
    Protocol,
    Self,
    dataclass_transform,
)
from weakref import WeakValueDictionary

from nonosat.core.errors import BackendError, FormatError, UnsupportedError
from nonosat.core.model import MAX_COLOURS, Clause, Constraint, Line, Loop, Model

if TYPE_CHECKING:
    from nonosat.core.about import About
    from nonosat.core.limits import Watch


class Strength(Enum):
    """Strength of unit propagation on an encoding, under every partial assignment of the cells."""

    COMPLETE = "complete propagation"  # every value that remains has a support
    CONFLICTS = "conflicts only"  # every inconsistent partial line is refuted
    NONE = "none"


class Answer(Enum):
    """Answer of an engine for its clauses under the assumptions.

    >>> nonosat.solve_model(nonosat.Model(1)).answer is nonosat.Answer.SAT
    True
    """

    SAT = "sat"
    UNSAT = "unsat"
    UNKNOWN = "unknown"


class SizeFormula(NamedTuple):
    """Size of an encoding as arithmetic in Python's notation; a test evaluates it.

    The formula of a line encoding holds for an unassigned line in one colour whose blocks have
    known lengths, with n cells, k >= 1 blocks, s >= 1 slack, and f filled cells. The formula of a
    count encoding holds for n literals and bounds 2 <= l <= u <= n - 2 (counts with other bounds
    become single clauses or literals) or, if the encoding is made for counts of one, for l <= u =
    1. If there is no such formula, the text describes in words which quantities determine the size.
    """

    variables: str  # auxiliary variables
    clauses: str


# Sinks and engines


class Sink(Protocol):
    """Receiver of variables and clauses: a CNF container or a live engine."""

    def new_var(self) -> int:
        """Return a fresh variable."""

    def new_vars(self, count: int) -> int:
        """Allocate `count` consecutive fresh variables and return the first."""

    def add(self, clause: Sequence[int]) -> None:
        """Add one clause; it may contain the constants TRUE and FALSE."""

    def add_batch(self, clauses: Any) -> None:
        """Add clauses without constants: a buffer of 32-bit integers, each clause ended by 0."""


class Engine(ABC):
    """A live solver: a `Sink` that can also solve. `clauses.sinks` has bases for its four methods.

    Attributes:
        label: Name of the engine in messages.
    """

    label = "this engine"

    def __init_subclass__(cls, **options: Any) -> None:
        """Accept `suggest`, the name of `set_phases` in 0.1, until 0.3."""
        super().__init_subclass__(**options)
        if "suggest" in vars(cls) and "set_phases" not in vars(cls):
            message = f"{cls.__qualname__}.suggest is now called set_phases"
            warnings.warn(message, DeprecationWarning, stacklevel=2)
            # The class defines `suggest`, as the condition says.
            cls.set_phases = cls.suggest  # type: ignore[attr-defined, method-assign]  # old name

    @abstractmethod
    def new_var(self) -> int: ...

    @abstractmethod
    def new_vars(self, count: int) -> int: ...

    @abstractmethod
    def add(self, clause: Sequence[int]) -> None: ...

    @abstractmethod
    def add_batch(self, clauses: Any) -> None: ...

    @abstractmethod
    def solve(self, assumptions: Sequence[int], watch: Watch, budget: int | None = None) -> Answer:
        """Decide the clauses under assumptions.

        Args:
            assumptions: Literals that hold for this call.
            watch: Limits to poll.
            budget: Maximum amount of work in the engine's own unit (mostly conflicts), or None.

        Returns:
            SAT or UNSAT; UNKNOWN if the watch or the budget ended the search.

        Raises:
            UnsupportedError: The engine cannot keep to a budget, or cannot take assumptions.
        """

    @abstractmethod
    def values(self) -> bytes:
        """Return the model after SAT: values()[v] is 1 if variable v is true; index 0 is unused."""

    def constrain(self, constraint: Constraint) -> None:
        """Add a constraint without encoding: a clause, or a kind in `Backend.native`."""
        if not isinstance(constraint, Clause):
            kind = type(constraint).__name__
            raise UnsupportedError(f"{self.label} takes no {kind}, only clauses; encode it first")
        self.add(constraint.lits)

    def observe(self, line: Line) -> None:  # noqa: B027  # optional
        """Propagate a line exactly, if the engine can; its clauses are added as well."""

    def follow(self, loop: Loop) -> None:  # noqa: B027  # optional
        """Check that a loop is a single cycle, if the engine can; its encoding is added as well."""

    def set_phases(self, lits: Sequence[int]) -> bool:
        """Set the preferred phases of decisions.

        Args:
            lits: Literals to try first. An empty sequence restores the default phases if possible.

        Returns:
            True if the engine supports phases.
        """
        del lits
        return False

    def failed(self) -> list[int]:
        """Return the failed assumptions after UNSAT: a set that the clauses refute.

        The set need not be minimal. It is empty if the clauses alone are contradictory. Available
        if `Backend.explains` is set.
        """
        raise UnsupportedError(f"{self.label} does not return failed assumptions")

    def proof(self) -> bytes:
        """Return a refutation of the clauses after UNSAT without assumptions; called once.

        The proof is DRAT in text, and each step follows by unit propagation (RUP). Available if the
        backend `proves` and the engine was opened with the option {"proof": "yes"}.
        """
        raise UnsupportedError(f"{self.label} writes no proofs")

    def reason(self) -> str:
        """Return the reason for an UNKNOWN answer that neither watch nor budget caused; else "".

        After UNSAT without any solution, return a clause (in words) that states why, if the engine
        can.
        """
        return ""

    def lead(self, most: int, *, is_prompt: bool) -> Exchange:
        """Become the first worker of a team that shares learnt clauses.

        Available if the backend `has_teams`.

        Args:
            most: Maximum number of workers, this one included.
            is_prompt: True to pass shared clauses on immediately, False to hold them until
                `deliver`.
        """
        raise UnsupportedError(f"{self.label} supports no teams")

    def recruit(self, exchange: Any, number: int) -> Engine:
        """Return a copy of this idle engine for another thread.

        The copy has the same clauses and makes decisions in another order.

        Args:
            exchange: The value that `lead` returned.
            number: Number of the new worker, from 1, in order.
        """
        raise UnsupportedError(f"{self.label} supports no teams")

    def statistics(self) -> dict[str, int]:
        """Return the engine's counters: conflicts, decisions and propagations if it has them."""
        return {}

    def interrupt(self) -> None:  # noqa: B027  # optional
        """Make a running `solve` return UNKNOWN soon; callable from another thread."""

    def close(self) -> None:  # noqa: B027  # optional
        """Free the engine; no method may be called afterwards."""


class Exchange(Protocol):
    """Clause exchange shared by the engines of a team."""

    def tell(self, clause: Sequence[int], /) -> None:
        """Add a clause to all engines; may be called while they run."""

    def deliver(self) -> None:
        """Deliver the held clauses to the engines, in order; no engine may be running."""


class Refiner(Protocol):
    """Function that returns the clauses a candidate model violates, none if it is a solution."""

    def __call__(self, values: bytes) -> Iterable[Sequence[int]]: ...


# Puzzles and solutions


class Solution(Hashable, Protocol):
    """Solution of a puzzle: frozen data defined by its family."""

    def differences(self, other: Any) -> list[tuple[int, int]]:
        """Return the places in which two solutions of one puzzle differ, in order."""

    def lines(self) -> list[str]:
        """Return the solution as lines of plain text; `str` joins them."""


class Puzzle(Hashable, Protocol):
    """Puzzle: frozen, validated data defined by its family."""

    @property
    def family(self) -> str | Family:
        """Name of the family's module in `puzzles/`, or the family's record itself."""

    @property
    def about(self) -> About: ...

    @property
    def height(self) -> int: ...

    @property
    def width(self) -> int: ...

    @property
    def size(self) -> str:
        """Size of the puzzle in words."""

    def about_with(self, **changes: str) -> Any:
        """Return a copy with fields of `about` replaced."""


class Ending(NamedTuple):
    """Final state of a family's method, returned after its last solution.

    Args:
        exhausted: True if there are certainly no solutions other than the ones it yielded.
        reason: Why there is no solution, or why the method gave up.
        detail: Counters of the method.
    """

    exhausted: bool
    reason: str = ""
    detail: Mapping[str, Any] = MappingProxyType({})


class Method(Protocol):
    """Algorithm of one family that needs no model. Its solutions are verified."""

    def __call__(self, puzzle: Any, watch: Watch, seed: int, /) -> Generator[Any, None, Ending]:
        """Yield distinct solutions; poll the watch every few milliseconds."""


# Records


_RENAMED = {"at_once": "fast_path"}  # fields by their names in 0.1, accepted until 0.3
_CHECKED: dict[str, type] = {  # `Record.__init_subclass__` adds the record types
    kind.__name__: kind
    for kind in (str, bool, int, tuple, frozenset, Mapping, Strength, SizeFormula)
}


@dataclass_transform(kw_only_default=True, frozen_default=True, field_specifiers=(field,))
class Record:
    """Frozen dataclass with keyword arguments; TypeError names a missing or wrong field.

    The methods are defined here once for all kinds: the methods that `dataclass` generates for each
    record would add 10 % to the instructions that the program needs to start.

    Attributes:
        made: Every record by its `id()`; a forked child names a record by it.
    """

    __dataclass_fields__: ClassVar[dict[str, Field[Any]]]
    made: ClassVar[WeakValueDictionary[int, Record]] = WeakValueDictionary()

    def __init_subclass__(cls) -> None:
        dataclass(init=False, repr=False, eq=False, match_args=False)(cls)
        _CHECKED[cls.__name__] = cls

    def __init__(self, **given: Any) -> None:
        kind, known = type(self).__name__, self.__dataclass_fields__
        for old in given.keys() & _RENAMED.keys() - known.keys():
            message = f"the field {old!r} of {kind} is now called {_RENAMED[old]!r}"
            warnings.warn(message, DeprecationWarning, stacklevel=2)
            given[_RENAMED[old]] = given.pop(old)
        for name, one in known.items():
            if name in given:
                if not _fits(given[name], str(one.type)):
                    raise TypeError(f"{kind} has {name}={given[name]!r}, expected {one.type}")
            elif one.default_factory is not MISSING:
                given[name] = one.default_factory()
            elif one.default is not MISSING:
                given[name] = one.default
            else:
                raise TypeError(f"{kind} lacks {name}, expected {one.type}")
        if unknown := given.keys() - known.keys():
            raise TypeError(f"{kind} has no field {min(unknown)!r}, expected of {', '.join(known)}")
        vars(self).update(given)
        self.made[id(self)] = self

    def __setattr__(self, name: str, value: object) -> NoReturn:
        raise AttributeError(f"{type(self).__name__} is frozen, {name} cannot be set")

    @classmethod
    def signature(cls) -> str:
        """Return the required fields as keyword arguments of a call."""
        required = [one for one in fields(cls) if one.default is one.default_factory is MISSING]
        return ", ".join(f"{one.name}=..." for one in required)

    def replaced(self, **changes: Any) -> Self:
        """Return a copy with other values in some fields."""
        return replace(self, **changes)


def _fits(value: object, expected: str) -> bool:
    """Return True if a value has the type that an annotation names; elements are not checked."""
    if expected.endswith(" | None"):
        return value is None or _fits(value, expected.removesuffix(" | None"))
    name = expected.partition("[")[0]
    if name in ("Callable", "Method"):
        return callable(value)
    return isinstance(value, _CHECKED[name])


class Plugin(Record):
    """Fields common to all plug-ins.

    Args:
        summary: Description in one line of `nonosat list`.
        with_argument: Return the plug-in for the argument after a ":" in the name (rows-first:3x4);
            raises UnsupportedError for a wrong argument. None if the plug-in takes no argument.
        polls: True if all its loops call `plugins.checkpoint` every 20 ms, which ends them at a
            limit. If False, functions of another package run in child processes while there are
            limits, 2 ms a call; they must return data that can be pickled.

    No limit can end the following, which must return at once: the import of the module, the
    function `with_argument`, methods and properties of puzzles and solutions, `open_on_board` and
    the engine that it opens (which polls the watch of `solve`), and threads that a plug-in starts.
    """

    summary: str
    with_argument: Callable[[str], Any] | None = None
    polls: bool = False


class Encoding(Plugin):
    """A module `encodings/<kind>_<name>.py`: translation of one constraint kind to clauses.

    Args:
        source: Author and year.
        strength: Strength of unit propagation on its clauses.
        size: Number of variables and clauses.
        encode: Add a constraint to a sink. A lazy encoding returns a refiner, an eager one None.
            Encodings of other packages may be called in a child process, which keeps the refiner,
            and again if that ends. Raises UnsupportedError if the constraint cannot be encoded.
        encode_lines: Encode many lines of a board in pieces, and yield for each piece the number of
            auxiliary variables of each line; or return None if the lines do not form such a board
            and `encode` must be called for each.
        encode_counts: Yield batches of the clauses that `encode` makes of many counts, if they need
            no auxiliary variables; or return None if `encode` must be called for each.
        determined: True if the cells determine the values of the auxiliary variables.
        phases: Return the likelier literals of a line's auxiliary variables, given the first of
            these variables and the line's `board.beliefs.Beliefs.likely_bounds`. None, instead of a
            function, if the encoding offers no phases.
        needs: The required package, or "nothing". Only `encode` imports it.
    """

    source: str
    strength: Strength
    size: SizeFormula
    encode: Callable[[Any, Sink], Refiner | None]
    encode_lines: Callable[[Sequence[Any], Sink], Iterator[Sequence[int]] | None] | None = None
    encode_counts: Callable[[Sequence[Any]], Iterator[Any] | None] | None = None
    determined: bool = True
    phases: Callable[[int, bytes], list[int]] | None = None
    needs: str = "nothing"


class Formulation(Plugin):
    """A module `formulations/<kind>_<name>.py`: one constraint kind for CP-SAT.

    Args:
        source: Author and year.
        formulate: Add a constraint to a `formulations.Context`.
        is_hull: True if its linear relaxation is the convex hull of the constraint's solutions.
            CP-SAT then solves the whole relaxation instead of a part that it selects.
    """

    source: str
    formulate: Callable[[Any, Any], None]
    is_hull: bool = False


def _needs_board(name: str, num_vars: int, seed: int, options: Any) -> NoReturn:
    raise UnsupportedError(f"{name} works on a board and takes no clauses; try a SAT backend")


class Backend(Plugin):
    """A module `backends/<name>.py`; imports its solver's package only when an engine is opened.

    Args:
        needs: The required package, or "nothing".
        open_engine: Open an engine for 1 .. num_vars, given its name with argument, seed, options.
        open_on_board: Open an engine on a board, given the presolved model and options, or None.
        takes_lanes: True if `open_on_board` takes boards of lanes, too.
        native: Constraint kinds that its engine takes without encoding, in addition to clauses.
        formulates: True if it takes formulations instead of encodings.
        in_process: True if its engine releases Python's lock and can be interrupted; otherwise it
            runs in a child process. That of another package gets one while there are limits, unless
            it `polls` or `has_teams`.
        proves: True if its engine can be opened with the option {"proof": "yes"} and has a `proof`.
        explains: True if its engine takes assumptions and returns the `failed` ones.
        hints: Default value of the option `hints`.
        in_turns: True if `auto` calls it with a sequence of budgets instead of one unlimited run.
        has_teams: True if threads can get copies of its engine, which takes clauses `in_process`.
        check_options: Raise UnsupportedError for options of the user that its engine lacks, given
            the backend's name and the values by name; None if it has no options.
    """

    needs: str
    open_engine: Callable[[str, int, int, dict[str, str]], Engine] = _needs_board
    open_on_board: Callable[[Any, dict[str, str]], Engine] | None = None
    takes_lanes: bool = False
    native: frozenset[type] = frozenset()
    formulates: bool = False
    in_process: bool = False
    proves: bool = False
    explains: bool = False
    hints: str = "none"
    in_turns: bool = False
    has_teams: bool = False
    check_options: Callable[[str, Mapping[str, str]], object] | None = None

    def opened(self, name: str, num_vars: int, seed: int, options: dict[str, str]) -> Engine:
        """Call `open_engine`; raise BackendError if the result is no `Engine`."""
        engine = self.open_engine(name, num_vars, seed, options)
        if not isinstance(engine, Engine):
            raise BackendError(
                f"{name} opened {engine!r}, expected an engine of a class that derives from "
                "nonosat.plugins.Engine"
            )
        return engine

    @property
    def on_board(self) -> bool:
        """True if its engines work on the presolved board."""
        return self.open_on_board is not None

    @property
    def takes_clauses(self) -> bool:
        """True if the backend accepts a model as clauses under its plain name."""
        return not (self.on_board or self.formulates or self.with_argument)


class ModelCounter(Plugin):
    """A module `counters/<name>.py` with one of two functions, called in another interpreter.

    Args:
        needs: The required package, or "nothing". Only the function imports it.
        count_models: Return the number of assignments of the shown variables that a model of the
            clauses extends, given the number of variables, the clauses and the shown variables.
        count_loops: Return the number of solutions of a model of one `Loop` with counts and clauses
            over its edges; raises UnsupportedError for other models.
    """

    needs: str
    count_models: Callable[[int, Sequence[Sequence[int]], Sequence[int]], int] | None = None
    count_loops: Callable[[Model], int] | None = None


PlacedClue = tuple[int, ...]  # a place, followed by the value of the clue


class Clues(Record):
    """Access to the single clues of a puzzle, so that some of them can be left out.

    A clue is a tuple of integers: row and column, then a value. Rules and size of a puzzle are not
    clues.

    Args:
        of: Return the clues of a puzzle, in order.
        with_only: Return the puzzle with these clues and no others.
        told: Return a clue of a puzzle in words: "row 2, column 3 (clue 1)".
        clauses: Return a clue as clauses over the variables of the model of the puzzle without
            clues. None if clauses cannot express it: subsets of clues are then solved one by one.
        shown: Return every clue that the puzzle could have for a given solution, including its own.
            None if a clue may hold for a solution in several ways, such as the numbers of a tour,
            which can be counted from either end.
    """

    of: Callable[[Any], Sequence[PlacedClue]]
    with_only: Callable[[Any, Sequence[PlacedClue]], Any]
    told: Callable[[Any, PlacedClue], str]
    clauses: Callable[[Any, PlacedClue], Iterable[Sequence[int]]] | None = None
    shown: Callable[[Any, Any], Sequence[PlacedClue]] | None = None


class Symmetry(Record):
    """Classes of solutions that turns and reflections of the board map to each other.

    Only solutions of the puzzle itself belong to a class: clues do not move.

    Args:
        count: Return the number of solutions, the number of classes and True, or lower bounds and
            False if a limit was hit; given puzzle, watch and number of threads. None for a puzzle
            whose solutions must be enumerated.
        is_first: Return True for exactly one solution of each class, given puzzle and solution.
    """

    count: Callable[[Any, Watch, int], tuple[int, int, bool] | None]
    is_first: Callable[[Any, Any], bool]


def _no_obstacle(puzzle: Any) -> None:
    return None


def _nowhere(puzzle: Any, watch: Watch) -> str:
    return ""


def _lines(puzzle: Any, solution: Solution) -> list[str]:
    return solution.lines()


def _no_neighbours(puzzle: Any, solution: Any) -> Iterator[Any]:
    return iter(())


def _no_legend(puzzle: Any) -> dict[str, str]:
    return {}


class Family(Plugin):
    """A module or folder of `puzzles/`, or the `family` of a puzzle's class.

    Args:
        build: Return the model of a puzzle.
        decode: Return the solution for `values`, indexed by the model's variables.
        refutation: Return why a solution is wrong, by code that shares nothing with `build`; None
            for a correct solution.
        to_data: Return the puzzle without metadata as JSON data, equal for equal puzzles.
        from_data: Return the puzzle for the data that `to_data` returned; other keys are ignored;
            raises PuzzleError. None for families that are not read from JSON (nonograms are read by
            `formats.jsonl`).
        keys: Every key that `from_data` reads. Readers then refuse a misspelt key and warn of
            others; None disables this check.
        obstacle: Return an obvious reason why a puzzle has no solution, or None.
        fast_path: Return the only solution of a small puzzle if some microseconds suffice to find
            it and to prove that there is no other, else None. The solution is verified, and the
            pipeline does not run. None for families without a fast path.
        breaks: Describe the place at which a puzzle without a solution is contradictory, if a short
            search finds one; else "". Called after unsolvability is proved, if no other step has
            named a place.
        solution_data: Return a solution as JSON data.
        solution_from_data: Return the solution of a puzzle for such data; may raise any error for
            other data. None if results are not read from JSON.
        legend: Return the meanings of characters in that data that are not self-explanatory.
        goal: Return the solution that the puzzle's author claims, or None.
        neighbours: Yield cheap candidates for a second solution; they are verified.
        count: Return the number of solutions and True, or a lower bound and False if a limit was
            hit; given puzzle, watch and number of threads. None: the puzzle's model is counted.
        tally: Return a model that is easier to count than the model of `build`, and the number of
            the puzzle's solutions for each of its solutions. None for a puzzle whose own model is
            counted.
        symmetry: Counts up to symmetry; None if there are none.
        places: Return the place that each variable decides, as distinct tuples of integers from 0:
            a square (row, column), a value on a square (row, column, number as people write it), or
            an edge (row, column, row, column) between two corners or squares. It covers the
            variables of the model's `blocked_on`, and further ones that solutions determine. None
            if variables have no other names. In puzzles with rows and columns of clues the places
            are cells.
        part: Noun for such a place.
        clues: The clues, for finding contradictory clues and for repairing puzzles; None if clues
            cannot be left out of a puzzle.
        auto: Return the methods and engines that the backend `auto` tries, in order, given a puzzle
            and a number of solutions.
        methods: Methods of the family, by the name that --backend accepts.
        encodings: Default encodings of the family, by constraint kind.
        formulations: Default formulations of the family, by constraint kind.
        name: Name of the family if puzzles hold the record itself; else the module's name is used.
    """

    build: Callable[[Any], Model]
    decode: Callable[[Any, bytes], Any]
    refutation: Callable[[Any, Any], str | None]
    to_data: Callable[[Any], dict[str, Any]]
    from_data: Callable[[Mapping[str, Any]], Any] | None = None
    keys: frozenset[str] | None = None
    obstacle: Callable[[Any], str | None] = _no_obstacle
    fast_path: Callable[[Any], Any] | None = None
    breaks: Callable[[Any, Watch], str] = _nowhere
    solution_data: Callable[[Any, Any], Any] = _lines
    solution_from_data: Callable[[Any, Any], Any] | None = None
    legend: Callable[[Any], dict[str, str]] = _no_legend
    goal: Callable[[Any], Any] = _no_obstacle
    neighbours: Callable[[Any, Any], Iterator[Any]] = _no_neighbours
    count: Callable[[Any, Watch, int], tuple[int, bool] | None] | None = None
    tally: Callable[[Any], tuple[Model, int] | None] | None = None
    symmetry: Symmetry | None = None
    places: Callable[[Any], Mapping[int, tuple[int, ...]]] | None = None
    part: str = "place"
    clues: Clues | None = None
    auto: Callable[[Any, int | None], Sequence[str]] | None = None
    methods: Mapping[str, Method] = field(default_factory=dict)
    encodings: Mapping[str, str] = field(default_factory=dict)
    formulations: Mapping[str, str] = field(default_factory=dict)
    name: str = ""

    def __str__(self) -> str:
        return self.name


class Study(Plugin):
    """A module of `study/methods/`: a method of the documents that this project began with.

    Args:
        family: Family of the puzzles that it solves.
        source: Number and subject of the document, and the method in it.
        largest: The largest puzzles that `limit` accepts, in words.
        limit: Return why a puzzle is too large for the method, with the estimate; else None.
        solve: The method.
    """

    family: str
    source: str
    largest: str
    limit: Callable[[Any], str | None]
    solve: Method


class FormatCapabilities(Record):
    """Features of puzzles that a format can hold.

    Args:
        family: Family of the puzzles in the format; None for all families.
        also: Further families that the format can hold.
        inks: Maximum number of colours.
        unknown: True if blocks may have unknown lengths.
        given: True if it can hold given cells.
        clues: True if it writes clues. A format of pictures does not, and not every puzzle has one.
        many: True if a file can hold several puzzles.
        square: True if it holds only boards with as many rows as columns.
    """

    family: str | None = "nonogram"
    also: tuple[str, ...] = ()
    inks: int = MAX_COLOURS
    unknown: bool = False
    given: bool = False
    clues: bool = True
    many: bool = False
    square: bool = False

    def takes(self, family: str) -> bool:
        """Return True if the format can hold puzzles of a family."""
        return self.family in (None, family) or family in self.also


def _never(data: bytes) -> bool:
    return False


class Format(Plugin):
    """A module of `formats/`: conversion between text and puzzles.

    Args:
        holds: Features of puzzles that the format can hold.
        read: Yield the puzzles of a file. A faulty puzzle is yielded as its error, or raises
            FormatError, with line and column; a `formats.Remark` among them is shown as a warning.
        write: Return a file of puzzles. Raises UnsupportedError if the format cannot hold one.
        suffixes: Suffixes of its files, in lower case with the dot.
        sniff: Return True if the content is certainly of this format (a magic word, not bare
            numbers).
        inline: True if a puzzle is one word (an address, a game id) that may replace a file's name;
            `sniff` recognises it.
        shared: True if other files have its suffixes, too: of a folder, only the files that `sniff`
            recognises are read.
        by_line: Return True if a file has one puzzle a line, given its first two non-blank lines:
            `read` then accepts each line alone.
        mark: Return a puzzle with the board in a text as given values; raises FormatError and
            PuzzleError. None if the format's text is not a board alone.
    """

    holds: FormatCapabilities
    read: Callable[[bytes], Iterable[Any | FormatError]]
    write: Callable[[Sequence[Any]], bytes]
    suffixes: tuple[str, ...] = ()
    sniff: Callable[[bytes], bool] = _never
    inline: bool = False
    shared: bool = False
    by_line: Callable[[bytes], bool] = _never
    mark: Callable[[Any, bytes], Any] | None = None


class Drawing(Plugin):
    """A module or folder of `render/`, named as a family: it draws the family's puzzles.

    Args:
        text: Return a text, given puzzle, solution (None draws the puzzle as printed), style and
            marked places.
        figure: Return a `render.shapes.Figure`, which is painted as SVG, PNG or PDF, given puzzle,
            solution, marked places and a `render.look.Look`.
        grouped: Return the solution as text with a separate mark for each group, given puzzle,
            solution, groups of places, further marked places and style. None if the family's
            pictures show no groups; all these places are then marked alike.
    """

    text: Callable[..., str]
    figure: Callable[..., Any]
    grouped: Callable[..., str] | None = None


class Explainer(Plugin):
    """A module or folder of `explain/`, named as a family: it explains the family's puzzles.

    A step is a frozen record with `technique`, `settled` and `sentence`, and further fields of the
    family. `settled` holds marks: a place as in `Family.places`, followed by its value. A state is
    a partial solution: a `Drawn` with equality.

    Args:
        techniques: Description of each technique by name, easiest first.
        grades: Grade of each technique, one of `explain.explanation.NAMES`.
        explain: Return an `Explanation`, given puzzle and watch; it does not contain the
            contradictory clues.
        contradiction: Return the `Contradiction` among the clues of a puzzle without a solution,
            given puzzle and watch. None if the family has no such search.
        contradiction_of: Return the `Contradiction` for its JSON data and the puzzle.
        hint: Return a `Hint`, given puzzle, state (None: the puzzle's given values) and watch.
        read_state: Return the state of a puzzle that a file's content shows; raises FormatError.
        with_given: Return the puzzle with the marks of a state as given values; raises PuzzleError
            if they contradict its given values.
        follow: Return an `explain.story.BoardState`, given puzzle and state (None: given values).
        step_data: Return a step of a puzzle as JSON data.
        step_of: Return the step for such data.
        state_data: Return a state of a puzzle as JSON data.
        state_of: Return the state for such data.
        marks_data: Return marks of a puzzle as JSON data.
        marks_of: Return the marks for such data.
    """

    techniques: Mapping[str, str]
    grades: Mapping[str, int]
    explain: Callable[[Any, Watch], Any]
    hint: Callable[[Any, Any, Watch], Any]
    read_state: Callable[[bytes, Any], Any]
    with_given: Callable[[Any, Any], Any]
    follow: Callable[[Any, Any], Any]
    step_data: Callable[[Any, Any], dict[str, Any]]
    step_of: Callable[[Any, Any], Any]
    state_data: Callable[[Any, Any], Any]
    state_of: Callable[[Any, Any], Any]
    marks_data: Callable[[Any, Any], list[Any]]
    marks_of: Callable[[Any, Any], tuple[Any, ...]]
    contradiction: Callable[[Any, Watch], Any] | None = None
    contradiction_of: Callable[[Any, Any], Any] | None = None
