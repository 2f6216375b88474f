"""Contracts of plug-ins: sinks, engines, puzzles, methods, and a frozen record for each kind.

A plug-in is a frozen record that its module makes once, by keyword. A field with a default is
optional. `nonosat.plugins` offers all of these names.
"""

from __future__ import annotations

import collections.abc
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

from nonosat.core.errors import BackendError, FormatError, UnsupportedError
from nonosat.core.model import MAX_COLOURS, Clause, Constraint, Line, Loop, Model

if TYPE_CHECKING:
    from nonosat.core.about import About
    from nonosat.core.limits import Watch


class Strength(Enum):
    """What unit propagation on an encoding achieves, whatever cells are known."""

    COMPLETE = "complete propagation"  # every cell value left has a support
    CONFLICTS = "conflicts only"  # every inconsistent partial line is refuted
    NONE = "none"


class Answer(Enum):
    """What an engine says of its clauses under the assumptions.

    >>> nonosat.solve_model(nonosat.Model(1)).answer is nonosat.Answer.SAT
    True
    """

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


# Sinks and engines


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


class Engine(ABC):
    """A live solver: a `Sink` that answers. `clauses.sinks` has bases for its four methods.

    Attributes:
        label: How messages call it.
    """

    label = "this engine"

    def __init_subclass__(cls, **options: Any) -> None:
        """Accept `suggest`, the name of `set_phases` in 0.1; it goes with 0.3."""
        super().__init_subclass__(**options)
        if "suggest" in vars(cls) and "set_phases" not in vars(cls):
            message = f"{cls.__qualname__}.suggest is now called set_phases"
            warnings.warn(message, DeprecationWarning, stacklevel=2)
            cls.set_phases = cls.suggest  # type: ignore[attr-defined, method-assign]

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
        """Decide; UNKNOWN when the watch ended it, or after `budget` units of its work.

        The unit is the engine's own (conflicts, mostly). Raises UnsupportedError for a budget that
        it cannot keep to, and for assumptions that it cannot take.
        """

    @abstractmethod
    def values(self) -> bytes:
        """After SAT: values()[v] is 1 where variable v is true, else 0 (index 0 unused)."""

    def constrain(self, constraint: Constraint) -> None:
        """Take a constraint as it is: a clause, or a kind that the backend lists as native."""
        if not isinstance(constraint, Clause):
            kind = type(constraint).__name__
            raise UnsupportedError(f"{self.label} takes no {kind}, only clauses; encode it first")
        self.add(constraint.lits)

    def observe(self, line: Line) -> None:  # noqa: B027  # optional
        """Propagate a line exactly, if the engine can; its clauses are, or will be, there too."""

    def follow(self, loop: Loop) -> None:  # noqa: B027  # optional
        """Watch that a loop is a single one, if the engine can; what encodes it is there, too."""

    def set_phases(self, lits: Sequence[int]) -> bool:
        """Prefer these literals in decisions; returns whether the engine can.

        None at all: decide again as if nothing had been suggested, as far as the engine can.
        """
        del lits
        return False

    def failed(self) -> list[int]:
        """After UNSAT: assumptions that the clauses refute together; `Backend.explains` says if.

        Not always the fewest; none at all where the clauses are contradictory by themselves.
        """
        raise UnsupportedError(f"{self.label} does not say which assumptions failed")

    def proof(self) -> bytes:
        """After UNSAT without assumptions: a refutation of the clauses; asked for once.

        DRAT in text, each step of which follows by unit propagation (RUP). For engines whose
        backend `proves` and that were opened with the option {"proof": "yes"}.
        """
        raise UnsupportedError(f"{self.label} writes no proofs")

    def reason(self) -> str:
        """In words, why it does not know, though neither watch nor budget has ended it.

        After UNSAT without any solution a clause that says why, where it can; else "".
        """
        return ""

    def lead(self, most: int, *, is_prompt: bool) -> Exchange:
        """Become the first of a team, whose members tell each other what they learn.

        For engines whose backend `has_teams`.

        Args:
            most: How many members there may be in the end, this one included.
            is_prompt: Whether mail comes at once, or with `deliver`.
        """
        raise UnsupportedError(f"{self.label} works alone")

    def recruit(self, exchange: Any, number: int) -> Engine:
        """A twin of this engine, which is not at work, for another thread.

        It knows all that this one has been told, and decides in another order.

        Args:
            exchange: What `lead` has returned.
            number: Of the new member, from 1, in order.
        """
        raise UnsupportedError(f"{self.label} works alone")

    def statistics(self) -> dict[str, int]:
        """Counters of the engine: conflicts, decisions, propagations where it has them."""
        return {}

    def interrupt(self) -> None:  # noqa: B027  # optional
        """Make a running `solve` return UNKNOWN soon; callable from another thread."""

    def close(self) -> None:  # noqa: B027  # optional
        """Free the engine; it is not used afterwards."""


class Exchange(Protocol):
    """What the engines of a team share."""

    def tell(self, clause: Sequence[int], /) -> None:
        """A clause for all of them, also while they are at work."""

    def deliver(self) -> None:
        """Hand out mail that is not prompt, in the order of the engines; none is at work."""


class Refiner(Protocol):
    """Clauses that a model of the encoding violates; none when the model stands."""

    def __call__(self, values: bytes) -> Iterable[Sequence[int]]: ...


# Puzzles and solutions


class Solution(Hashable, Protocol):
    """What solves a puzzle: frozen data of its family."""

    def differences(self, other: Any) -> list[tuple[int, int]]:
        """Places in which two solutions of one puzzle differ, in order."""

    def lines(self) -> list[str]:
        """It as plain text; `str` gives the same."""


class Puzzle(Hashable, Protocol):
    """What there is to solve: frozen, validated data of its family."""

    @property
    def family(self) -> str | Family:
        """The family: the name of its module in `puzzles/`, or the record itself."""

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


# Records


_CHECKED: dict[str, type] = {
    "str": str,
    "bool": bool,
    "int": int,
    "tuple": tuple,
    "frozenset": frozenset,
    "Mapping": collections.abc.Mapping,
    "Strength": Strength,
    "SizeFormula": SizeFormula,
}  # records are there by themselves


@dataclass_transform(kw_only_default=True, frozen_default=True, field_specifiers=(field,))
class Record:
    """Frozen dataclass, given by keyword and checked: TypeError says what is missing or wrong.

    The methods are here, once for all kinds: those that `dataclass` generates for each kind
    would add 10 % to the instructions of a start.
    """

    __dataclass_fields__: ClassVar[dict[str, Field[Any]]]

    def __init_subclass__(cls) -> None:
        dataclass(init=False, repr=False, eq=False, match_args=False)(cls)
        _CHECKED[cls.__name__] = cls

    def __init__(self, **given: Any) -> None:
        kind, known = type(self).__name__, self.__dataclass_fields__
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

    def __setattr__(self, name: str, value: object) -> NoReturn:
        raise AttributeError(f"{type(self).__name__} is frozen, {name} cannot be set")

    @classmethod
    def signature(cls) -> str:
        """The fields that are not optional, as a call names them."""
        required = [one for one in fields(cls) if one.default is one.default_factory is MISSING]
        return ", ".join(f"{one.name}=..." for one in required)

    def replaced(self, **changes: Any) -> Self:
        """The same record with other values in some fields."""
        return replace(self, **changes)


def _fits(value: object, expected: str) -> bool:
    """Whether a value has the type that an annotation names, as far as a look at it tells."""
    if expected.endswith(" | None"):
        return value is None or _fits(value, expected.removesuffix(" | None"))
    name = expected.partition("[")[0]
    if name in ("Callable", "Method"):
        return callable(value)
    return isinstance(value, _CHECKED[name])


class Plugin(Record):
    """What every plug-in has.

    Args:
        summary: What it is, in a line of `nonosat list`.
        with_argument: The plug-in for what stands behind a ":" in its name (rows-first:3x4);
            raises UnsupportedError for a wrong argument. None where it takes no argument.
        polls: All its loops call `plugins.checkpoint` every 20 ms, which ends them at a limit. Else
            functions of another package run in children while there are limits, 2 ms a call.
    """

    summary: str
    with_argument: Callable[[str], Any] | None = None
    polls: bool = False


class Encoding(Plugin):
    """A module `encodings/<kind>_<name>.py`: one constraint kind to clauses.

    Args:
        source: Who made it, and when.
        strength: What unit propagation on its clauses achieves.
        size: How large it is.
        encode: Adds a constraint to a sink. A lazy encoding returns a refiner. Raises
            UnsupportedError where it cannot.
        encode_lines: Does the same for many lines of a board, piece by piece, and yields for each
            piece how many auxiliary variables each of its lines has; or returns None where these
            are no such lines, and `encode` is to be called for each.
        encode_counts: Gives batches of the clauses that `encode` makes of many counts, where that
            takes no auxiliary variables; or None, and `encode` is to be called for each.
        determined: Whether the auxiliary variables have one value for each assignment of the cells.
        phases: The likelier literals of a line's auxiliary variables, by the first of them and the
            line's `board.beliefs.Beliefs.likely_bounds`; None where it has none to name.
    """

    source: str
    strength: Strength
    size: SizeFormula
    encode: Callable[[Any, Sink], Refiner | None]
    encode_lines: Callable[[Sequence[Any], Sink], Iterator[Sequence[int]] | None] | None = None
    encode_counts: Callable[[Sequence[Any]], Iterator[Any] | None] | None = None
    determined: bool = True
    phases: Callable[[int, bytes], list[int]] | None = None


class Formulation(Plugin):
    """A module `formulations/<kind>_<name>.py`: one constraint kind to CP-SAT.

    Args:
        source: Who made it, and when.
        formulate: Adds a constraint to a `formulations.Context`.
        is_hull: Whether its linear relaxation is the convex hull of the constraint's solutions, so
            that CP-SAT is to solve the whole relaxation, and not the part that it takes to be
            worth its while.
    """

    source: str
    formulate: Callable[[Any, Any], None]
    is_hull: bool = False


def _needs_board(name: str, num_vars: int, seed: int, options: Mapping[str, str]) -> NoReturn:
    del num_vars, seed, options
    raise UnsupportedError(f"{name} goes on from a board and takes no clauses; try a SAT backend")


class Backend(Plugin):
    """A module `backends/<name>.py`; imports its solver's package only when an engine is opened.

    Args:
        needs: The package, or "nothing".
        open_engine: A fresh engine by the backend's name (its argument included), the number of
            the model's variables (they are 1 .. num_vars), seed and options.
        open_on_board: A fresh engine for those that go on from the presolved board instead, by the
            task and options.
        native: The kinds of constraint that its engine takes as they are, besides clauses.
        formulates: It takes formulations, not encodings.
        in_process: Its engine leaves Python's lock and stops when asked; others get a child. That
            of another package gets one while there are limits, unless it `polls` or `has_teams`.
        proves: Its engine can be opened with the option {"proof": "yes"}, and has a `proof`.
        explains: Its engine takes assumptions, and says which `failed`.
        hints: The hints that it follows when none are asked for.
        in_turns: It is given the turns of `auto` instead of a single one without end.
        has_teams: Its engine has twins for other threads; it is an engine of clauses, `in_process`.
    """

    needs: str
    open_engine: Callable[[str, int, int, dict[str, str]], Engine] = _needs_board
    open_on_board: Callable[[Any, dict[str, str]], Engine] | None = None
    native: frozenset[type] = frozenset()
    formulates: bool = False
    in_process: bool = False
    proves: bool = False
    explains: bool = False
    hints: str = "none"
    in_turns: bool = False
    has_teams: bool = False

    def opened(self, name: str, num_vars: int, seed: int, options: dict[str, str]) -> Engine:
        """What `open_engine` gives; raises BackendError where that is no `Engine`."""
        engine = self.open_engine(name, num_vars, seed, options)
        if not isinstance(engine, Engine):
            raise BackendError(
                f"{name} opened {engine!r}, expected an engine of a class that derives from "
                "nonosat.plugins.Engine"
            )
        return engine

    @property
    def on_board(self) -> bool:
        """Whether it goes on from the presolved board."""
        return self.open_on_board is not None

    @property
    def takes_clauses(self) -> bool:
        """Whether a model can be given to it as clauses, in its own name."""
        return not (self.on_board or self.formulates or self.with_argument)


PlacedClue = tuple[int, ...]  # a place, and behind it what the puzzle tells of it


class Clues(Record):
    """What a puzzle tells of its solution, place by place, so that some of it can be left out.

    A clue is whole numbers: row and column, and a value behind them. Rules and size of a puzzle are
    no clues.

    Args:
        of: The clues of a puzzle, in order.
        with_only: The puzzle with these clues, and no others.
        told: A clue of a puzzle in words: "row 2, column 3 (clue 1)".
        clauses: What a clue says, as clauses over the variables of the puzzle's model without any
            clue. None where it cannot be said so: then puzzles with some of the clues are solved
            one by one.
        shown: By puzzle and solution every clue that the puzzle could have of this solution, its
            own among them. None where a clue may hold of a solution in several ways, as numbers of
            a tour do that can be counted from either end.
    """

    of: Callable[[Any], Sequence[PlacedClue]]
    with_only: Callable[[Any, Sequence[PlacedClue]], Any]
    told: Callable[[Any, PlacedClue], str]
    clauses: Callable[[Any, PlacedClue], Iterable[Sequence[int]]] | None = None
    shown: Callable[[Any, Any], Sequence[PlacedClue]] | None = None


class Symmetry(Record):
    """Solutions that turns and reflections of the board map to each other, which form a class.

    Only solutions of the puzzle itself are members: clues do not move.

    Args:
        count: By puzzle, watch and number of threads the number of solutions, the number of
            classes and True, or lower bounds and False if a limit was hit. None for a puzzle whose
            solutions must be found one by one.
        is_first: By puzzle and solution: True for exactly one solution of each class.
    """

    count: Callable[[Any, Watch, int], tuple[int, int, bool] | None]
    is_first: Callable[[Any, Any], bool]


def _no_obstacle(puzzle: Any) -> None:
    del puzzle


def _nowhere(puzzle: Any, watch: Watch) -> str:
    del puzzle, watch
    return ""


def _lines(puzzle: Any, solution: Solution) -> list[str]:
    del puzzle
    return solution.lines()


def _no_neighbours(puzzle: Any, solution: Any) -> Iterator[Any]:
    del puzzle, solution
    return iter(())


def _no_legend(puzzle: Any) -> dict[str, str]:
    del puzzle
    return {}


class Family(Plugin):
    """A module or folder of `puzzles/`, or the `family` of a puzzle's class.

    Args:
        build: The model of a puzzle.
        decode: The solution that `values` (indexed by the model's variables) stand for.
        refutation: Why a solution is none, by code that shares nothing with `build`; else None.
        to_data: What there is to solve as JSON data, equal for equal puzzles.
        from_data: The puzzle of what `to_data` gave, whatever other keys there are; raises
            PuzzleError. None for families that are not read from JSON (nonograms are read by
            `formats.jsonl`).
        keys: Every key that `from_data` looks at. Readers then refuse a misspelt one and warn of
            others; None where nothing is to be said of keys.
        obstacle: A visible reason why a puzzle has no solution, or None.
        fast_path: Return the only solution of a small puzzle if some microseconds suffice to find
            it and to prove that there is no other, else None. The solution is verified, and the
            pipeline does not run. None for families without a fast path.
        breaks: Where a puzzle that has no solution breaks, in words, as far as a short look tells;
            else "". It is asked once that is known, where nothing else has named a place.
        solution_data: A solution as JSON data.
        solution_from_data: The solution of a puzzle that such data stand for; raises what it likes
            for other data. None where results are not read from JSON.
        legend: What the characters in that data mean, where they do not speak for themselves.
        goal: The solution that a puzzle's author claims, or None.
        neighbours: Cheap candidates for a second solution, to be verified.
        count: The number of solutions and True, or a lower bound and False where a limit was hit;
            by so many threads. None for a puzzle whose model is to be counted.
        tally: A model that is easier to count than that of `build`, and the number of solutions of
            the puzzle for each of its solutions; None for a puzzle whose own model is counted.
        symmetry: Its counts up to symmetry; None if its solutions are not counted so.
        places: By variable what it decides, as whole numbers from 0 and each once: a square (row,
            column), what stands on it (row, column, number as people write it), an edge (row,
            column, row, column) between two corners or squares. It names those of the model's
            `blocked_on`, and further ones that solutions decide. None where a variable stands for
            itself. Of puzzles with rows and columns of clues these are cells.
        part: What such a place is called.
        clues: Its clues, so that those which contradict each other can be found, and puzzles be
            repaired; None where nothing can be left out of a puzzle.
        auto: What the backend `auto` does for a puzzle and a number of solutions: methods and
            engines in order.
        methods: Methods of its own by the name that a backend would have.
        encodings: Its default encodings by constraint kind.
        formulations: Its default formulations by constraint kind.
        name: Its name, where puzzles hold the record itself; else the module's name.
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
    """A module of `study/methods/`: a method of the founding documents.

    Args:
        family: Whose puzzles it solves.
        source: The document, by its number and subject, and which of its methods.
        largest: What `limit` lets pass, in words.
        limit: Why a puzzle is beyond what the method can bear, with the estimate; else None.
        solve: The method.
    """

    family: str
    source: str
    largest: str
    limit: Callable[[Any], str | None]
    solve: Method


class FormatCapabilities(Record):
    """What the puzzles of a format may have.

    Args:
        family: Whose puzzles; None is all families.
        also: Other families whose puzzles may stand in it.
        inks: How many colours.
        unknown: Blocks of unknown length.
        given: Cells known from the start.
        clues: Whether clues are written; a picture is not what every puzzle has.
        many: Several puzzles in a file.
    """

    family: str | None = "nonogram"
    also: tuple[str, ...] = ()
    inks: int = MAX_COLOURS
    unknown: bool = False
    given: bool = False
    clues: bool = True
    many: bool = False

    def takes(self, family: str) -> bool:
        """Whether puzzles of a family may stand in the format."""
        return self.family in (None, family) or family in self.also


def _never(data: bytes) -> bool:
    del data
    return False


class Format(Plugin):
    """A module of `formats/`: text to puzzles and back.

    Args:
        holds: What its puzzles may have.
        read: The puzzles of a file, with a bad one as its error or raised as FormatError, with line
            and column; a `formats.Remark` among them is shown as a warning.
        write: Puzzles as a file. Raises UnsupportedError where the format cannot hold one.
        suffixes: Of its files, in lower case with the dot.
        sniff: Whether the content shows this format beyond doubt (a magic word, not bare numbers).
        inline: A puzzle is a word (an address, a game id) that may stand in the place of a file's
            name; `sniff` recognises it.
        shared: Its suffixes are those of other files, too: of a folder only what `sniff` recognises
            is read.
        by_line: Whether a file whose first two lines that are not blank are these has a puzzle a
            line: `read` of each line alone finds it.
        mark: A puzzle with what a text says of its board as given values; raises FormatError and
            PuzzleError. None for a format whose text is none of a board alone.
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
        text: Puzzle, solution (None is the puzzle as it is printed), style, places that stand out.
        figure: Puzzle, solution, places that stand out, look (`render.Look`); a `render.Figure`,
            which is painted as SVG, PNG or PDF.
        grouped: Puzzle, solution, groups of places, further places that stand out, style: the
            solution as text, with a mark of its own on each group. None where the family's pictures
            show no groups; these places stand out then.
    """

    text: Callable[..., str]
    figure: Callable[..., Any]
    grouped: Callable[..., str] | None = None


class Explainer(Plugin):
    """A module or folder of `explain/`, named as a family: it explains the family's puzzles.

    A step is a frozen record with `technique`, `settled` and `sentence`, and what else the family
    tells of it. `settled` are marks: a place as `Family.places` names it, and behind it the value
    that it has. A state is what is known of a solution: a `Drawn` that compares.

    Args:
        techniques: What there is, by name, easiest first, each with what it does.
        grades: The grade of each, as `explain.rating.NAMES` has them.
        explain: Puzzle and watch; an `Explanation`, without the clues that contradict each other.
        contradiction: Puzzle and watch: of a puzzle without a solution, the `Contradiction` of its
            clues. None where nothing looks for them.
        contradiction_of: Such an answer of its JSON data and the puzzle.
        hint: Puzzle, state (None: what the puzzle itself holds) and watch; a `Hint`.
        read_state: The state that a file's content shows of a puzzle; raises FormatError.
        with_given: The puzzle with what a state shows as given values; raises PuzzleError where
            they contradict what is given.
        follow: Puzzle and state (None: nothing but what is given); an `explain.story.Board`.
        step_data: A step of a puzzle as JSON data.
        step_of: And back.
        state_data: A state of a puzzle as JSON data.
        state_of: And back.
        marks_data: Marks of a puzzle as JSON data.
        marks_of: And back.
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
