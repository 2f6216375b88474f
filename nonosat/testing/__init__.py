"""Property tests: random data that shrinks well, and oracles that share no code with solvers."""

from nonosat.testing.plugins import check_plugin

__all__ = ["check_plugin"]
