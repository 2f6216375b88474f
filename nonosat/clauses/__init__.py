"""Clauses: the container, the sinks, the translation of a model, and helpers of encodings."""

ENCODINGS = {
    "line": "order",
    "count": "sequential",
    "loop": "cut-sets",
}  # default for each kind of constraint
