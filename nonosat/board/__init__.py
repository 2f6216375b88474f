"""Boards: a rectangle whose rows and columns are lines; what is known and believed of its cells."""
