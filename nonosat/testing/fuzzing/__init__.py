"""Differential fuzzing: drawn puzzles, every way to answer them, and whoever disagrees.

A campaign (`campaign.py`) is a sequence of chunks, drawn by hypothesis from seeds of their own
(`drawing.py`). Each puzzle is answered by several ways (`ways.py`, `reach.py`) in worker processes
(`trying.py`); what disagrees, crashes or hangs is shrunk (`shrinking.py`), saved (`findings.py`)
and recorded with all that was covered (`record.py`, `coverage.py`).
"""
