"""Literals, constraints and models: promised to other packages."""

from nonosat.core.model import *  # noqa: F403
from nonosat.core.model import __all__ as __all__
