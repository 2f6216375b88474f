"""Certificates: that a puzzle has exactly one solution, none, or several, checkable by others."""
