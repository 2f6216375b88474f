"""What puzzles, solutions and results show of themselves, whatever they are.

Each has a `repr` of one short line, a `str` for people, a picture for notebooks where there is one,
and JSON data that it can be made of again.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import fields
from operator import attrgetter
from typing import Any, ClassVar, NamedTuple, Self, TypeVar

from nonosat.core import hooks
from nonosat.core.errors import FormatError, NonosatError, PuzzleError

Data = dict[str, Any]
MAX_BRIEF = 150  # characters of what a `repr` says, beside the name of the class


class Presented(ABC):
    """The shape of puzzles, solutions and results; dataclasses among them say `repr=False`."""

    __slots__ = ()

    def __init_subclass__(cls, **options: Any) -> None:
        super().__init_subclass__(**options)
        hooks.presented(cls)

    @abstractmethod
    def to_data(self) -> Data:
        """All of it as JSON data: dictionaries, lists, strings, numbers, true, false and null."""

    @classmethod
    @abstractmethod
    def from_data(cls, data: Mapping[str, Any]) -> Self:
        """The same again from its JSON data; unknown keys are ignored.

        Raises:
            FormatError: Something is missing, or of another type than `to_data` writes.
        """

    def _brief(self) -> str:
        """What it is in a few words."""
        return str(self)

    def in_a_line(self) -> str:
        """What it is in one short line."""
        words = " ".join(self._brief().split())
        words = "".join(char if char.isprintable() else "\ufffd" for char in words)
        return words if len(words) <= MAX_BRIEF else f"{words[: MAX_BRIEF - 3]}..."

    def __repr__(self) -> str:
        return f"<{type(self).__name__}: {self.in_a_line()}>"


_Kind = TypeVar("_Kind", bound=type)


def quickly_pickled(kind: _Kind) -> _Kind:
    """A dataclass of slots that is pickled in a third of the time that `dataclasses` take for it.

    Batches send very many puzzles to other processes. The state is the same: the fields in order.
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
    """What stands out in a picture of a state, beside its marked cells.

    Args:
        wrong: Cells (row, column), or places as the puzzle's family names them, that contradict the
            clues.
        assumed: Those whose value is only tried.
        seen: What a step argues with: of a nonogram numbers of lines (rows first, then columns),
            else places.
        clashing: Numbers of the lines whose clues contradict each other.
        groups: A sign and the cells or places that bear it; each group.
    """

    wrong: Collection[Any] = ()
    assumed: Collection[Any] = ()
    seen: Collection[Any] = ()
    clashing: Collection[int] = ()
    groups: Sequence[tuple[str, Collection[Any]]] = ()


NO_STATES = States()


class Scene(NamedTuple):
    """What a picture shows.

    Args:
        puzzle: The puzzle; None for a `Grid`, which belongs to none.
        solution: The solution, or what is known of it; None draws the puzzle as it is printed.
        marked: Places that stand out: cells (row, column), or what else the puzzle's family names.
        caption: A line below.
        states: What else stands out.
    """

    puzzle: Any
    solution: Any = None
    marked: Collection[tuple[int, ...]] = ()
    caption: str = ""
    states: States = NO_STATES


class Drawn(Presented):
    """What a notebook shows as a picture.

    Attributes:
        is_gallery: Whether the pictures of its story stand side by side where one has to do.
    """

    __slots__ = ()
    is_gallery: ClassVar[bool] = False

    @abstractmethod
    def scene(self) -> Scene:
        """What its picture shows."""

    def story(self) -> Sequence[tuple[str, Scene]]:
        """What its pictures show where there is room for several, each with its title."""
        return [("", self.scene())]

    def _repr_svg_(self) -> str:
        return hooks.picture(self)


class DrawnPuzzle(Drawn):
    """A puzzle; its data are an object of the project's own JSON, as in `.jsonl` files."""

    __slots__ = ()

    def scene(self) -> Scene:
        """The puzzle as it is printed, without its goal."""
        return Scene(self, caption=str(self))

    def to_data(self) -> Data:
        """The puzzle as an object of the project's own JSON, metadata included."""
        return hooks.data_of(self)

    @classmethod
    def from_data(cls, data: Mapping[str, Any]) -> Self:
        """The puzzle of such an object.

        Raises:
            FormatError: It describes none; the message says why.
            PuzzleError: It describes a puzzle of another family.
        """
        puzzle = hooks.puzzle_of(data)
        if not isinstance(puzzle, cls):
            raise PuzzleError(f"these are data of {puzzle!r}, expected a {cls.__name__}")
        return puzzle


def puzzle_in(data: Mapping[str, Any], puzzle: Any = None) -> Any:
    """The puzzle that the data of a result are about.

    Args:
        data: What `to_data` gave.
        puzzle: The puzzle where the data do not hold it, as what `--json` prints does not.

    Raises:
        FormatError: It is in neither.
    """
    if puzzle is not None:
        return puzzle
    if not isinstance(data, Mapping) or "puzzle" not in data:
        raise FormatError(
            "these data do not hold their puzzle; give it, too: from_data(data, puzzle)"
        )
    return hooks.puzzle_of(data["puzzle"])


@contextmanager
def reading(kind: type) -> Iterator[None]:
    """Say of what the data are none, whatever is wrong with them.

    Raises:
        FormatError: For any error that data of another shape bring about.
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
