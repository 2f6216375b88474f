"""What an engine says, looked at before it is used: the engine may be somebody else's."""

from __future__ import annotations

from typing import Any

from nonosat.core.answer_source import AnswerSource
from nonosat.core.errors import BackendError, shown
from nonosat.core.plugins import Answer


def answer_of(name: str, said: Any) -> Answer:
    """What the `solve` of an engine returned, if that is an answer.

    Args:
        name: The backend's.
        said: What it returned.

    Raises:
        BackendError: It is none.
    """
    if isinstance(said, Answer):
        return said
    what = f"{name} answered {shown(said)}, expected a nonosat.plugins.Answer"
    raise BackendError(what, advice=AnswerSource(name).advice())


def values_of(name: str, said: Any, num_vars: int) -> bytes:
    """What the `values` of an engine returned, if that has a byte for every variable.

    Args:
        name: The backend's.
        said: What it returned.
        num_vars: Variables that need a value; the engine may have more.

    Raises:
        BackendError: It has not.
    """
    if isinstance(said, bytes | bytearray) and len(said) > num_vars:
        return bytes(said)
    what = f"{name} gave the values {shown(said)}, expected {num_vars + 1} bytes or more"
    raise BackendError(what, advice=AnswerSource(name).advice())
