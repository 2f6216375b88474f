"""Differential fuzzing: random puzzles, all ways to answer them, and their disagreements.

A campaign (`campaign.py`) is a sequence of chunks, which are lists of puzzles that hypothesis draws
from a seed (`drawing.py`). Each puzzle is answered in several ways (`ways.py`, `reach.py`), for
example by different engines, in worker processes (`trying.py`). Disagreements, crashes and hangs
are shrunk (`shrinking.py`), saved (`findings.py`) and recorded with the coverage (`record.py`,
`coverage.py`).
"""
