"""Puzzle families, one module or folder each: data, model, decoding, verifier."""
