"""A table of a TOML file, read key by key; unexpected content raises a FormatError.

Invariant: after `finish` every key of the table has been read.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, NoReturn

from nonosat.core.errors import FormatError, UnsupportedError, shown

_REQUIRED = object()


class TomlTable:
    """A table that records which of its keys were read.

    Args:
        data: The table.
        path: Name of the file, for errors.
        place: Name of the table in the file; "" for the whole file.
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
        """Return all keys of the table."""
        return list(self._data)

    def fail(self, found: str, expected: str, name: str = "") -> NoReturn:
        """Raise the error for an invalid table, or for its value `name`."""
        place = ".".join(_quoted(part) for part in (self._place, name) if part)
        where = f"{place}: " if place else ""
        raise FormatError(f"{where}{found}, expected {expected}", path=self._path)

    @contextmanager
    def located(self, name: str = "") -> Iterator[None]:
        """Turn an UnsupportedError of the block into a FormatError that names this place."""
        try:
            yield
        except UnsupportedError as error:
            place = ".".join(_quoted(part) for part in (self._place, name) if part)
            raise FormatError(f"{place}: {error}", path=self._path) from None

    def _take(
        self, name: str, fits: Callable[[Any], bool], expected: str, default: object = _REQUIRED
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
        """Return the value of a key, a nonempty text."""
        expected = "a text that is not empty"
        return str(self._take(name, lambda value: isinstance(value, str) and value != "", expected))

    def texts(self, name: str) -> list[str]:
        """Return the value of a key, a nonempty list of nonempty texts."""

        def fits(value: Any) -> bool:
            is_list = isinstance(value, list) and bool(value)
            return is_list and all(isinstance(one, str) and one for one in value)

        return list(self._take(name, fits, "a list of texts that are not empty"))

    def choice(self, name: str, known: Sequence[str], default: str) -> str:
        """Return the value of a key, one of some words."""
        words = " or ".join(f'"{word}"' for word in known)
        return str(self._take(name, lambda value: value in known, words, default))

    def flag(self, name: str, default: bool) -> bool:
        """Return the value of a key, a boolean."""
        return bool(
            self._take(name, lambda value: isinstance(value, bool), "true or false", default)
        )

    def whole(self, name: str, least: int, most: int, default: object = _REQUIRED) -> int:
        """Return the value of a key, a whole number in a range."""

        def fits(value: object) -> bool:
            return type(value) is int and least <= value <= most

        return int(self._take(name, fits, f"a whole number, {least} to {most}", default))

    def number(self, name: str, least: float, most: float, default: Any = _REQUIRED) -> float:
        """Return the value of a key, a number in a range."""

        def fits(value: Any) -> bool:
            return type(value) in (int, float) and least <= value <= most

        return float(self._take(name, fits, f"a number, {least:g} to {most:g}", default))

    def numbers(self, name: str, most: int) -> tuple[int, ...]:
        """Return different whole numbers from a list, or 0 .. n - 1 for a single number n."""

        def fits(value: Any) -> bool:
            if type(value) is int:
                return 1 <= value <= most
            is_list = isinstance(value, list) and 0 < len(value) <= most
            return is_list and all(type(one) is int for one in value) and _differ(value)

        value = self._take(name, fits, "a list of different whole numbers, or how many from 0")
        return tuple(range(value)) if isinstance(value, int) else tuple(value)

    def table(self, name: str) -> TomlTable:
        """Return the value of a key, a table inside this one."""
        value = self._take(name, lambda value: isinstance(value, dict), f"a table [{name}]")
        place = f"{self._place}.{name}" if self._place else name
        return TomlTable(value, self._path, place)

    def entries(self, name: str, plain: type | None = None) -> list[Any]:
        """Return the tables of a list; empty if there is no list.

        Args:
            name: The list's name.
            plain: Type of other permitted entries.
        """

        def fits(value: object) -> bool:
            kinds = (dict,) if plain is None else (dict, plain)
            return isinstance(value, list) and all(isinstance(one, kinds) for one in value)

        beside = "" if plain is None else " and texts"
        values = self._take(name, fits, f"a list of tables{beside}", [])
        return [
            TomlTable(one, self._path, f"{name}[{index}]") if isinstance(one, dict) else one
            for index, one in enumerate(values)
        ]

    def plain(self, known: Sequence[str]) -> dict[str, Any]:
        """Return the whole table unchanged; its keys must be among `known`."""
        self._known.update(dict.fromkeys(known))
        self.finish()
        return dict(self._data)

    def finish(self, known: Collection[str] = ()) -> None:
        """Raise FormatError for keys that have not been read.

        Args:
            known: Further permitted keys, for the message.
        """
        everything = {**self._known, **dict.fromkeys(sorted(known))}
        for name in self._data:
            if name not in everything:
                self.fail(f"the unknown key {shown(name)}", f"one of {', '.join(everything)}")


def _quoted(place: str) -> str:
    """Return a place for messages, quoted if it is long or unprintable."""
    return place if place.isprintable() and len(place) <= 60 else shown(place)


def _differ(values: Sequence[int]) -> bool:
    return len(set(values)) == len(values)
