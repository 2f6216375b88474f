"""Text and JSON of the files of certificates: UTF-8, and a `CertificateError` for all else."""

from __future__ import annotations

import json
from typing import Any

from nonosat.errors import CertificateError


def text_of(data: bytes, name: str) -> str:
    """The text of a file. Raises CertificateError, which names the file."""
    try:
        return data.decode()
    except UnicodeDecodeError as error:
        raise CertificateError(f"{name}: this is no UTF-8 text: {error.reason}") from None


def json_of(data: bytes, name: str) -> Any:
    """The JSON value of a file. Raises CertificateError, which names the file."""
    text = text_of(data, name)
    try:
        return json.loads(text)
    except json.JSONDecodeError as error:
        raise CertificateError(f"{name}: this is no JSON: {error}") from None
    except (ValueError, RecursionError):
        raise CertificateError(
            f"{name}: this is no JSON as it is read here: a number has too many digits, or lists "
            "are too deep"
        ) from None
