"""Solving: the way from a puzzle to a verdict, and the choices made on it."""
