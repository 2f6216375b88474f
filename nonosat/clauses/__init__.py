"""Clauses: the container, the sinks, the translation of a model, and helpers of encodings."""
