"""A table of a TOML file, read key by key; whatever is not as expected is a FormatError.

Invariant: after `finish` every key of the table has been looked at.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, NoReturn

from nonosat.core.errors import FormatError, UnsupportedError, shown

_REQUIRED = object()


class Table:
    """A table that remembers which of its keys were read.

    Args:
        data: The table.
        path: Name of the file, for errors.
        place: Name of the table in the file; "" for the whole of it.
    """

    def __init__(self, data: Mapping[str, Any], path: str, place: str = "") -> None:
        self._data = data
        self._path = path
        self._place = place
        self._known: dict[str, None] = {}

    def __contains__(self, name: str) -> bool:
        self._known[name] = None
        return name in self._data

    def names(self) -> list[str]:
        """All keys."""
        return list(self._data)

    def fail(self, found: str, expected: str, name: str = "") -> NoReturn:
        """Raise the error for what was found in this table, or for its value `name`."""
        place = ".".join(_quoted(part) for part in (self._place, name) if part)
        where = f"{place}: " if place else ""
        raise FormatError(f"{where}{found}, expected {expected}", path=self._path)

    @contextmanager
    def told(self, name: str = "") -> Iterator[None]:
        """Turn an UnsupportedError of the block into a FormatError that names this place."""
        try:
            yield
        except UnsupportedError as error:
            place = ".".join(_quoted(part) for part in (self._place, name) if part)
            raise FormatError(f"{place}: {error}", path=self._path) from None

    def _take(
        self, name: str, fits: Callable[[Any], bool], expected: str, default: Any = _REQUIRED
    ) -> Any:
        self._known[name] = None
        if name not in self._data:
            if default is _REQUIRED:
                self.fail(f"no {name}", expected)
            return default
        value = self._data[name]
        if not fits(value):
            self.fail(shown(value), expected, name)
        return value

    def text(self, name: str) -> str:
        """A text that is not empty."""
        expected = "a text that is not empty"
        return str(self._take(name, lambda value: isinstance(value, str) and value != "", expected))

    def texts(self, name: str) -> list[str]:
        """A list of texts, at least one."""

        def fits(value: Any) -> bool:
            is_list = isinstance(value, list) and bool(value)
            return is_list and all(isinstance(one, str) and one for one in value)

        return list(self._take(name, fits, "a list of texts that are not empty"))

    def choice(self, name: str, known: Sequence[str], default: str) -> str:
        """One of some words."""
        words = " or ".join(f'"{word}"' for word in known)
        return str(self._take(name, lambda value: value in known, words, default))

    def flag(self, name: str, default: bool) -> bool:
        """True or false."""
        return bool(
            self._take(name, lambda value: isinstance(value, bool), "true or false", default)
        )

    def whole(self, name: str, least: int, most: int, default: Any = _REQUIRED) -> int:
        """A whole number in a range."""

        def fits(value: Any) -> bool:
            return type(value) is int and least <= value <= most

        return int(self._take(name, fits, f"a whole number, {least} to {most}", default))

    def number(self, name: str, least: float, most: float, default: Any = _REQUIRED) -> float:
        """A number in a range."""

        def fits(value: Any) -> bool:
            return type(value) in (int, float) and least <= value <= most

        return float(self._take(name, fits, f"a number, {least:g} to {most:g}", default))

    def numbers(self, name: str, most: int) -> tuple[int, ...]:
        """Different whole numbers: a list of them, or how many there are from 0."""

        def fits(value: Any) -> bool:
            if type(value) is int:
                return 1 <= value <= most
            is_list = isinstance(value, list) and 0 < len(value) <= most
            return is_list and all(type(one) is int for one in value) and _differ(value)

        value = self._take(name, fits, "a list of different whole numbers, or how many from 0")
        return tuple(range(value)) if isinstance(value, int) else tuple(value)

    def table(self, name: str) -> Table:
        """A table inside this one."""
        value = self._take(name, lambda value: isinstance(value, dict), f"a table [{name}]")
        place = f"{self._place}.{name}" if self._place else name
        return Table(value, self._path, place)

    def entries(self, name: str, plain: type | None = None) -> list[Any]:
        """The tables of a list, none where there is no list.

        Args:
            name: The list's name.
            plain: What may stand in it beside tables.
        """

        def fits(value: Any) -> bool:
            kinds = (dict,) if plain is None else (dict, plain)
            return isinstance(value, list) and all(isinstance(one, kinds) for one in value)

        beside = "" if plain is None else " and texts"
        values = self._take(name, fits, f"a list of tables{beside}", [])
        return [
            Table(one, self._path, f"{name}[{index}]") if isinstance(one, dict) else one
            for index, one in enumerate(values)
        ]

    def plain(self, known: Sequence[str]) -> dict[str, Any]:
        """The whole table as it is, with no keys but these."""
        self._known.update(dict.fromkeys(known))
        self.finish()
        return dict(self._data)

    def finish(self, known: Collection[str] = ()) -> None:
        """Refuse keys that nobody has asked for.

        Args:
            known: Others that would have been right.
        """
        everything = {**self._known, **dict.fromkeys(sorted(known))}
        for name in self._data:
            if name not in everything:
                self.fail(f"the unknown key {shown(name)}", f"one of {', '.join(everything)}")


def _quoted(place: str) -> str:
    """A place as messages name it: a key in quotes may be long, or move the terminal."""
    return place if place.isprintable() and len(place) <= 60 else shown(place)


def _differ(values: Sequence[int]) -> bool:
    return len(set(values)) == len(values)
