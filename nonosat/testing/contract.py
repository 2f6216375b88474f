"""How a check says that a plug-in breaks its contract."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import NoReturn


def broken(message: str) -> NoReturn:
    """Raise the AssertionError; also where Python runs without assertions."""
    raise AssertionError(message)


@contextmanager
def within(what: object) -> Iterator[None]:
    """Say of what a check was made when it fails, or when the plug-in itself does."""
    try:
        yield
    except AssertionError as error:
        raise AssertionError(f"{error} ({what})") from None
    except (Exception, SystemExit) as error:
        raise AssertionError(f"{type(error).__name__}: {error} ({what})") from error
