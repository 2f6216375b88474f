"""Text and JSON of the files of certificates: UTF-8, and a `CertificateError` for all else."""

from __future__ import annotations

import json
from codecs import BOM_UTF16_BE, BOM_UTF16_LE
from collections.abc import Sequence
from functools import partial
from typing import Any

from nonosat.core.errors import CertificateError, shown


def text_of(data: bytes, name: str) -> str:
    """The text of a file. Raises CertificateError, which names the file."""
    for mark in (BOM_UTF16_LE, BOM_UTF16_BE):
        if data.startswith(mark):
            raise CertificateError(f"{name}: this is UTF-16 text, expected UTF-8")
    try:
        return data.decode()
    except UnicodeDecodeError as error:
        raise CertificateError(f"{name}: this is no UTF-8 text: {error.reason}") from None


def _object(name: str, pairs: Sequence[tuple[str, Any]]) -> dict[str, Any]:
    """Return a JSON object without two values for one key."""
    found = dict(pairs)
    if len(found) < len(pairs):
        keys = [key for key, _ in pairs]
        doubled = next(key for key in keys if keys.count(key) > 1)
        raise CertificateError(f"{name}: the key {shown(doubled)} is there twice, expected once")
    return found


def json_of(data: bytes, name: str) -> Any:
    """The JSON value of a file. Raises CertificateError, which names the file."""
    text = text_of(data, name)
    try:
        return json.loads(text, object_pairs_hook=partial(_object, name))
    except json.JSONDecodeError as error:
        raise CertificateError(f"{name}: this is no JSON: {error}") from None
    except (ValueError, RecursionError):
        raise CertificateError(
            f"{name}: this is no JSON as it is read here: a number has too many digits, or lists "
            "are too deep"
        ) from None
