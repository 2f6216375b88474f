"""The record of each kind of plug-in; `nonosat.plugins` offers every one of them.

A plug-in is a frozen record that its module makes once, by keyword. What has a default here is
optional.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import field
from typing import TYPE_CHECKING, Any, NoReturn

from nonosat._record import Record
from nonosat._words import Engine, Method, Refiner, Sink, SizeFormula, Solution, Strength
from nonosat.errors import BackendError, FormatError, UnsupportedError
from nonosat.grid import MAX_COLOURS
from nonosat.model import Model

if TYPE_CHECKING:
    from nonosat.limits import Watch


class Plugin(Record):
    """What every plug-in has.

    Args:
        summary: What it is, in a line of `nonosat list`.
        with_argument: The plug-in for what stands behind a ":" in its name (rows-first:3x4);
            raises UnsupportedError for a wrong argument. None where it takes no argument.
    """

    summary: str
    with_argument: Callable[[str], Any] | None = None


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
        in_process: Its engine leaves Python's lock and stops when asked; others get a child.
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
        at_once: The only solution of a small puzzle, where some microseconds are enough to find it
            and that there is no other; None for other puzzles. It is verified, and the pipeline is
            spared. None for families without such a look.
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
    at_once: Callable[[Any], Any] | None = None
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


class Holds(Record):
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

    holds: Holds
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
