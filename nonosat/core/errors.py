"""Exceptions of the package, and helpers for their messages.

Unsolvable puzzles and limits are results, not exceptions. Each message states the fact, the
expectation and the remedy.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterable, Sequence
from math import log10

MOST_OF_PATH = 1000  # characters of a file name in messages
_MOST_MEANT = 4  # names in one suggestion


class Remedy:
    """Remedy for an error, independent of the interface.

    Python, the command line and the studio's page offer the same remedy as an argument, an option
    and a control, each in its own words. It is a plain class because a named tuple would add 1.2
    million instructions to every start.

    Args:
        kind: "set" (an argument to values that would work), "leave" (an argument out), "write-as"
            (name the format of an output file), "image" (make a puzzle of an image), "convert"
            (write another file of this one) or "resume" (continue from recorded results).
        argument: Name of the argument of the library's functions; "" for the other kinds.
        values: Values that would work, as text; () if any value does.
    """

    __slots__ = ("argument", "kind", "values")

    def __init__(self, kind: str, argument: str = "", values: tuple[str, ...] = ()) -> None:
        self.kind = kind
        self.argument = argument
        self.values = values

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Remedy):
            return NotImplemented
        own, others = ((one.kind, one.argument, one.values) for one in (self, other))
        return own == others

    def __hash__(self) -> int:
        return hash((self.kind, self.argument, self.values))


def remedy_in_python(remedy: Remedy) -> str:
    """Return the remedy in words for a caller of the library."""
    argument, values = remedy.argument, remedy.values
    if remedy.kind == "set":
        is_text = len(values) == 1 and values[0] != "True"
        return advice_to_set(f"{argument}=", (repr(values[0]),) if is_text else values)
    return {
        "leave": f"leave {argument} out",
        "write-as": "name it with format=",
        "image": "nonosat.from_image makes a puzzle of a photograph or a drawing",
        "convert": "nonosat.save writes such a file",
        "resume": "resume=True continues it",
    }[remedy.kind]


def remedy_in_records(remedy: Remedy) -> str:
    """Return the remedy in words for a record of results, valid for every interface."""
    if remedy.kind == "set" and remedy.values:
        return f"possible with {remedy.argument} {alternatives(remedy.values)}"
    return f"possible without {remedy.argument}" if remedy.kind == "leave" else ""


def advice_to_set(name: str, values: Sequence[str]) -> str:
    """Return the advice to set an argument or an option.

    Args:
        name: Name including the sign before its value: "format=", "--from ".
        values: Values that would work.
    """
    if len(values) > 1:
        return f"choose one with {name.strip()}: {', '.join(values)}"
    return f"use {name}{values[0]}" if values else f"use {name.strip(' =')}"


class NonosatError(Exception):
    """Base of all exceptions that this package raises on purpose.

    Its text is the fact and, after a semicolon, the remedy in words for Python.

    Args:
        message: What was found and what was expected.
        remedy: The remedy, if it depends on the interface.

    >>> try:
    ...     nonosat.load("no such file.non")
    ... except nonosat.NonosatError as error:
    ...     print(error)
    no such file.non: the file cannot be read: No such file or directory
    """

    def __init__(self, *message: object, remedy: Remedy | None = None) -> None:
        super().__init__(*message)
        self.remedy = remedy

    def fact(self) -> str:
        """Return the message without the remedy."""
        return super().__str__()

    def description(self, words: Callable[[Remedy], str]) -> str:
        """Return the message with the remedy in the words of an interface."""
        advice = words(self.remedy) if self.remedy else ""
        return f"{self.fact()}; {advice}" if advice else self.fact()

    def told(self, words: Callable[[Remedy], str]) -> str:
        """Return `description(words)`; deprecated name, to be removed in 0.3."""
        message = f"{type(self).__name__}.told is now called description"
        warnings.warn(message, DeprecationWarning, stacklevel=2)
        return self.description(words)

    def __str__(self) -> str:
        return self.description(remedy_in_python)


class PuzzleError(NonosatError):
    """The data do not describe a puzzle (a block of length 0, an undefined colour, ...).

    >>> nonosat.nonogram([[-1]], [[1]])
    Traceback (most recent call last):
    ...
    nonosat.core.errors.PuzzleError: row 1 has a block -1, expected a length above 0 or None
    """


class NotAPuzzleError(NonosatError, TypeError):
    """A value that is not a puzzle was passed as one; the message shows the call to write instead.

    >>> nonosat.check("a.non")
    Traceback (most recent call last):
    ...
    nonosat.core.errors.NotAPuzzleError: 'a.non' is not a puzzle; write nonosat.load('a.non') ...
    """


class FormatError(NonosatError):
    """A text is not in the format it is read as.

        >>> try:
        ...     nonosat.loads('{"rows": [[1]],\\n"columns": [1')
        ... except nonosat.FormatError as error:
        ...     (error.line, error.column)
        (2, 14)

    Args:
        message: What was found and what was expected.
        path: Name of the file, as the user gave it; filled in by the loader.
        line: Line in the file, counted from 1.
        column: Column in the line, counted from 1.
        remedy: The remedy, if it depends on the interface.
    """

    def __init__(
        self,
        message: str,
        *,
        path: str | None = None,
        line: int | None = None,
        column: int | None = None,
        remedy: Remedy | None = None,
    ) -> None:
        super().__init__(message, remedy=remedy)
        self.message = message
        self.path = path
        self.line = line
        self.column = column

    def fact(self) -> str:
        """Return the message with file, line and column, without the remedy."""
        path = None if self.path is None else path_text(self.path)
        place = [str(part) for part in (path, self.line, self.column) if part is not None]
        return ": ".join([":".join(place), self.message]) if place else self.message


class UnsupportedError(NonosatError):
    """A request that this combination cannot serve; the message lists what would work.

    >>> nonosat.solve(nonosat.nonogram([[1]], [[1]]), presolve="some")
    Traceback (most recent call last):
    ...
    nonosat.core.errors.UnsupportedError: presolve 'some' is not one of none, propagate, probe
    """


class LimitReached(NonosatError):  # noqa: N818  # an outcome, not a mistake
    """A limit ended the work; the message names it.

    Args:
        message: The limit.
        kind: "time", "memory", "called off" (the caller cancelled the work), or "" for another
            limit, such as a budget.
        remedy: The remedy, if it depends on the interface.

    >>> large = nonosat.nonogram([[1]] * 30, [[1]] * 30)
    >>> try:
    ...     num_found = sum(1 for _ in nonosat.solutions(large, time_limit_s=0.001))
    ... except nonosat.LimitReached as limit:
    ...     print(f"{limit.kind}: {limit}")
    time: the enumeration is incomplete: time limit of 0.001 s
    """

    def __init__(self, message: str = "", *, kind: str = "", remedy: Remedy | None = None) -> None:
        super().__init__(message, remedy=remedy)
        self.kind = kind


class BackendError(NonosatError):
    """A solver failed, or the verifier refuted its answer.

    Args:
        message: What happened.
        advice: Advice if an external part caused the failure; else "".

    >>> issubclass(nonosat.RefutedError, nonosat.BackendError)
    True
    """

    def __init__(self, message: str, *, advice: str = "") -> None:
        super().__init__(message)
        self.advice = advice

    def fact(self) -> str:
        """Return the message and the advice, which is equal on every interface."""
        text = super().fact()
        return f"{text}; {self.advice}" if self.advice else text


class RefutedError(BackendError):
    """The verifier refuted a solver's answer.

    >>> issubclass(nonosat.RefutedError, nonosat.NonosatError)
    True
    """


class CertificateError(NonosatError):
    """A certificate is invalid; the message names the file and the reason.

    >>> nonosat.verify("no such folder")
    Traceback (most recent call last):
    ...
    nonosat.core.errors.CertificateError: manifest.json: No such file or directory
    """


def shown(value: object) -> str:
    """Return the `repr` of a value, shortened to 60 characters."""
    try:
        text = repr(value)
    except ValueError:  # Python's limit on the digits of an integer
        return "a number of thousands of digits"
    return text if len(text) <= 60 else text[:57] + "..."


def printable(text: str, most: int = 200) -> str:
    """Return text from a file as one safe line.

    Characters that would move a terminal's cursor, change its colours or reverse the direction of
    text are replaced.

    Args:
        text: An id, a title, a file's name, ...
        most: Maximum number of characters.
    """
    text = text if len(text) <= most else text[: most - 3] + "..."
    if text.isprintable():
        return text
    return "".join(char if char.isprintable() else "\ufffd" for char in text)


def path_text(path: object) -> str:
    """Return the name of a file or folder for a message: one line of at most 1000 characters."""
    return printable(str(path), MOST_OF_PATH)


def meant(name: str, known: Iterable[str]) -> str:
    """Return a suggestion for an unknown name: " (did you mean kissat404?)"; "" if none is close.

    Args:
        name: The unknown name.
        known: All known names.
    """
    from difflib import get_close_matches  # needed only after a mistake

    low, by_low = name.lower(), {other.lower(): other for other in known}
    longer = [other for other in by_low if len(low) > 1 and other.startswith(low)]
    close = get_close_matches(low, by_low, 2, 0.65)
    every = [by_low[other] for other in dict.fromkeys(longer + close)][:_MOST_MEANT]
    found = list(map(printable, every))
    return f" (did you mean {alternatives(found)}?)" if found else ""


def alternatives(names: Sequence[str]) -> str:
    """Join names as alternatives: "a, b or c"."""
    return " or ".join(filter(None, (", ".join(names[:-1]), *names[-1:])))


def about(number: int) -> str:
    """Return a whole number as text, rounded to a power of ten from 10^9 on."""
    return str(number) if number < 10**9 else f"about 10^{int(number.bit_length() * log10(2))}"


def counted(number: int, noun: str, form: str = "") -> str:
    """Return a number with its noun: "1 open cell", "2 open cells".

    Args:
        number: The number.
        noun: Noun in the singular; an s forms its plural.
        form: Format specification of the number, such as "," to separate thousands.
    """
    return f"{number:{form}} {noun}{'' if number == 1 else 's'}"


def install_command(extra: str) -> str:
    """Return the command that installs the packages of an extra, for messages.

    The packages and their versions come from the metadata of the installation or of the build. The
    command cannot name the extra itself because no package index has nonosat.

    Args:
        extra: Name of the extra, such as "images".

    Returns:
        A command such as "pip install 'Pillow<13,>=11'".
    """
    import re
    from importlib.metadata import PackageNotFoundError, requires

    try:
        every = requires("nonosat") or []
    except PackageNotFoundError:  # a source folder on the path
        every = []
    found = [re.fullmatch(r"(.+?)\s*;\s*extra == ['\"](.+)['\"]", one) for one in every]
    packages = [f"'{one[1]}'" for one in found if one and one[2] == extra]
    return f"pip install {' '.join(packages) or repr(f'.[{extra}]') + ' in the checkout'}"


def rows_by_columns(rows: int, columns: int) -> str:
    """Return the size of a board in words: "1 row x 2 columns"."""
    return f"{counted(rows, 'row')} x {counted(columns, 'column')}"
