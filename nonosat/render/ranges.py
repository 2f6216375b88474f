"""Nonograms with open clues: drawn as nonograms, with the entries of their clues."""

from nonosat.render.nonogram import PLUGIN as _NONOGRAM

PLUGIN = _NONOGRAM.replaced(summary="nonograms with open clues, printed sheets")
