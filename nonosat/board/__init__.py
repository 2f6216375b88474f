"""Boards (rectangles whose rows and columns are lines): presolve, beliefs, prices, decimation."""
