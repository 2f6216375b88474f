"""Differential fuzzing: random puzzles, all ways to answer them, and their disagreements.

A campaign (`campaign.py`) is a sequence of chunks, drawn by hypothesis from separate seeds
(`drawing.py`). Each puzzle is answered in several ways (`ways.py`, `reach.py`) in worker processes
(`trying.py`). Disagreements, crashes and hangs are shrunk (`shrinking.py`), saved (`findings.py`)
and recorded with the coverage (`record.py`, `coverage.py`).
"""
