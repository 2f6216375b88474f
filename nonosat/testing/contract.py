"""Errors for plug-ins that violate their contract."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import NoReturn


def broken(message: str) -> NoReturn:
    """Raise AssertionError with this message, also if Python runs without assertions."""
    raise AssertionError(message)


@contextmanager
def within(what: object) -> Iterator[None]:
    """Add the checked case `what` to the message of an exception that the block raises."""
    try:
        yield
    except AssertionError as error:
        raise AssertionError(f"{error} ({what})") from None
    except (Exception, SystemExit) as error:
        raise AssertionError(f"{type(error).__name__}: {error} ({what})") from error
