"""Generators of puzzles, one family a file; the same seed makes the same puzzle."""
