"""Contracts and records of plug-ins, and their lookup by name: promised to other packages."""

from nonosat.core.plugins import *  # noqa: F403
from nonosat.core.plugins import __all__ as __all__
