"""Number of examples of random tests."""

from __future__ import annotations

import os

from hypothesis import settings

FUZZ = int(os.environ.get("NONOSAT_FUZZ", "1"))  # factor on the usual number of examples


def examples(number: int) -> settings:
    """Settings for a random test with this number of examples in a quick run."""
    return settings(max_examples=number * FUZZ)
