"""Generators of puzzles, one kind per file; equal arguments produce equal puzzles."""
