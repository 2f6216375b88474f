"""Exact nonogram solving: native line propagation, SAT and CP-SAT behind one pipeline."""

__version__ = "0.1.0"
