"""Generators of puzzles, a kind of puzzle a file; the same arguments make the same puzzle."""
