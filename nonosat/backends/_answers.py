"""Validation of an engine's answers, since the engine may come from another package."""

from __future__ import annotations

from typing import Any

from nonosat.core.answer_source import AnswerSource
from nonosat.core.errors import BackendError, shown
from nonosat.core.plugins import Answer


def answer_of(name: str, answer: Any) -> Answer:
    """Return the result of an engine's `solve` if it is an `Answer`.

    Args:
        name: Name of the backend.
        answer: The result.

    Raises:
        BackendError: The result is no `Answer`.
    """
    if isinstance(answer, Answer):
        return answer
    what = f"{name} answered {shown(answer)}, expected a nonosat.plugins.Answer"
    raise BackendError(what, advice=AnswerSource(name).advice())


def values_of(name: str, answer: Any, num_vars: int) -> bytes:
    """Return the result of an engine's `values` if it has a byte for every variable.

    Args:
        name: Name of the backend.
        answer: The result.
        num_vars: Variables that need a value; the engine may have more.

    Raises:
        BackendError: The result is not bytes, or too short.
    """
    if isinstance(answer, bytes | bytearray) and len(answer) > num_vars:
        return bytes(answer)
    what = f"{name} gave the values {shown(answer)}, expected {num_vars + 1} bytes or more"
    raise BackendError(what, advice=AnswerSource(name).advice())
