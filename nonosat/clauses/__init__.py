"""Clauses: the container, the sinks, the translation of a model, and what encodings share."""
