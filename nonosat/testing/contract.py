"""Errors for plug-ins that violate their contract."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import NoReturn


def broken(message: str) -> NoReturn:
    """Raise AssertionError, also if Python runs without assertions."""
    raise AssertionError(message)


@contextmanager
def within(what: object) -> Iterator[None]:
    """Add the checked case to the message of a failure or of an error in the plug-in."""
    try:
        yield
    except AssertionError as error:
        raise AssertionError(f"{error} ({what})") from None
    except (Exception, SystemExit) as error:
        raise AssertionError(f"{type(error).__name__}: {error} ({what})") from error
