"""Common presentation of puzzles, solutions and results.

Each has a `repr` of one short line, a `str` for people, JSON data from which it can be restored,
and, if there is one, a picture for notebooks.
"""

from __future__ import annotations

import warnings
from abc import ABC, abstractmethod
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import fields, replace
from operator import attrgetter
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple, Self, TypeVar

from nonosat.core import hooks
from nonosat.core.errors import FormatError, NonosatError, PuzzleError

Data = dict[str, Any]
MAX_BRIEF = 150  # characters of a `repr`, without the name of the class
_RENAMED = {"told": "description", "clues_told": "differing_clues"}  # old names, until 0.3


class Presented(ABC):
    """Base of puzzles, solutions and results; its dataclasses are declared with `repr=False`."""

    __slots__ = ()

    def __init_subclass__(cls, **options: Any) -> None:
        super().__init_subclass__(**options)
        hooks.presented(cls)

    if not TYPE_CHECKING:

        def __getattr__(self, name: str) -> Any:
            """Return the attribute with a deprecated name, which will be removed in 0.3."""
            new = _RENAMED.get(name, "")
            if not hasattr(type(self), new):
                raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")
            message = f"{type(self).__name__}.{name} is now called {new}"
            warnings.warn(message, DeprecationWarning, stacklevel=2)
            return getattr(self, new)

    @abstractmethod
    def to_data(self) -> Data:
        """Return all fields as JSON data: dicts, lists, strings, numbers, booleans and None."""

    @classmethod
    @abstractmethod
    def from_data(cls, data: Mapping[str, Any]) -> Self:
        """Restore an object from its JSON data; unknown keys are ignored.

        Raises:
            FormatError: A key is missing, or a value has another type than `to_data` writes.
        """

    def _summary(self) -> str:
        """Return a description in a few words."""
        return str(self)

    def in_a_line(self) -> str:
        """Return a description in one short line."""
        words = " ".join(self._summary().split())
        words = "".join(char if char.isprintable() else "\ufffd" for char in words)
        return words if len(words) <= MAX_BRIEF else f"{words[: MAX_BRIEF - 3]}..."

    def __repr__(self) -> str:
        return f"<{type(self).__name__}: {self.in_a_line()}>"


_Kind = TypeVar("_Kind", bound=type)


def quickly_pickled(kind: _Kind) -> _Kind:
    """Make a dataclass with slots pickle in a third of the time that `dataclasses` need.

    Batches send very many puzzles to other processes. The state is unchanged: the fields in order.
    """
    names = tuple(one.name for one in fields(kind))
    state = attrgetter(*names)

    def restore(self: Any, values: Iterable[Any]) -> None:
        for name, value in zip(names, values, strict=True):
            object.__setattr__(self, name, value)

    changed: Any = kind
    changed.__getstate__ = lambda self: list(state(self))
    changed.__setstate__ = restore
    return kind


class States(NamedTuple):
    """Highlights in a picture of a state, other than its marked cells.

    Args:
        wrong: Cells (row, column), or places as the puzzle's family names them, that contradict the
            clues.
        assumed: Cells or places whose value is only assumed.
        seen: Premises of a step: numbers of lines for a nonogram (rows first, then columns), else
            places.
        clashing: Numbers of the lines whose clues contradict each other.
        groups: For each group, its sign and its cells or places.
    """

    wrong: Collection[Any] = ()
    assumed: Collection[Any] = ()
    seen: Collection[Any] = ()
    clashing: Collection[int] = ()
    groups: Sequence[tuple[str, Collection[Any]]] = ()


NO_STATES = States()


class Scene(NamedTuple):
    """Contents of a picture.

    Args:
        puzzle: The puzzle; None for a `Grid`, which belongs to none.
        solution: The full or partial solution; None draws the puzzle as printed.
        marked: Highlighted places: cells (row, column), or other places of the puzzle's family.
        caption: Line below the picture.
        states: Further highlights.
    """

    puzzle: Any
    solution: Any = None
    marked: Collection[tuple[int, ...]] = ()
    caption: str = ""
    states: States = NO_STATES


class Drawn(Presented):
    """Base of objects that a notebook shows as a picture.

    Attributes:
        is_gallery: True if the pictures of `story` are placed side by side in outputs that have
            room for a single picture.
    """

    __slots__ = ()
    is_gallery: ClassVar[bool] = False

    @abstractmethod
    def scene(self) -> Scene:
        """Return the contents of the object's picture."""

    def story(self) -> Sequence[tuple[str, Scene]]:
        """Return several pictures with titles, for outputs that have room for them."""
        return [("", self.scene())]

    def _repr_svg_(self) -> str:
        return hooks.picture(self)


class DrawnPuzzle(Drawn):
    """A puzzle; its data are an object of the project's own JSON, as in `.jsonl` files."""

    __slots__ = ()
    about: Any  # `About`, whose module imports this one

    def scene(self) -> Scene:
        """Return the puzzle as printed, without its goal."""
        return Scene(self, caption=str(self))

    def about_with(self, **changes: str) -> Self:
        """Return the same puzzle with fields of `about` replaced."""
        # `replace` would check millions of blocks again; `copy` is slow for many puzzles.
        same = object.__new__(type(self))
        for one in fields(self):  # type: ignore[arg-type]  # every puzzle is a dataclass
            object.__setattr__(same, one.name, getattr(self, one.name))
        object.__setattr__(same, "about", replace(self.about, **changes))
        return same

    def to_data(self) -> Data:
        """Return the puzzle as an object of the project's own JSON, metadata included."""
        return hooks.data_of(self)

    @classmethod
    def from_data(cls, data: Mapping[str, Any]) -> Self:
        """Return the puzzle for an object that `to_data` returned.

        Raises:
            FormatError: It describes none; the message states why.
            PuzzleError: It describes a puzzle of another family.
        """
        puzzle = hooks.puzzle_of(data)
        if not isinstance(puzzle, cls):
            raise PuzzleError(f"these are data of {puzzle!r}, expected a {cls.__name__}")
        return puzzle


def puzzle_in(data: Mapping[str, Any], puzzle: Any = None) -> Any:
    """Return the puzzle of a result's data.

    Args:
        data: Data from `to_data`.
        puzzle: The puzzle, if the data do not contain it, such as the output of `--json`.

    Raises:
        FormatError: The puzzle is in neither.
    """
    if puzzle is not None:
        return puzzle
    if not isinstance(data, Mapping) or "puzzle" not in data:
        raise FormatError(
            "these data do not contain their puzzle; pass it, too: from_data(data, puzzle)"
        )
    return hooks.puzzle_of(data["puzzle"])


@contextmanager
def reading(kind: type) -> Iterator[None]:
    """Convert errors caused by malformed data into a FormatError that names the class `kind`.

    Raises:
        FormatError: The body raised an error that malformed data cause.
    """
    try:
        yield
    except NonosatError:
        raise
    except (LookupError, TypeError, ValueError, AttributeError) as error:
        what = f"{error} is missing" if isinstance(error, KeyError) else str(error)
        raise FormatError(
            f"these are no data of a {kind.__name__}, which `to_data` writes: {what}"
        ) from error
