"""A line as the clauses of an encoding, for CP-SAT as a SAT solver with its own presolve.

`booleans` takes the default encoding, `booleans:NAME` any other. The encoding decides whether
auxiliary variables are determined, and how many there are.

Source: that of the encoding.
"""

from __future__ import annotations

from nonosat.formulations._context import booleans

PLUGIN = booleans("line")
