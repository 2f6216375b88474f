"""Certificates: that a puzzle has exactly one solution, none, or several, for others to check.

`prove` writes them, `verify` checks them. The two share the folder's layout (`folder`), and the
lemmas of `prove` name variables as the verifier's encoder lays them out (`formula` for nonograms,
`rules` and `encoder` for all other families); nothing that `verify` relies on comes from what
solved the puzzle.
"""
