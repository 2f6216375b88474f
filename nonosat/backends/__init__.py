"""Backends: one solver a file, its package imported only there and only when it is used."""

from nonosat.backends._answers import answer_of, values_of
from nonosat.backends._remote import RemoteEngine, open_backend

__all__ = ["RemoteEngine", "answer_of", "open_backend", "values_of"]
