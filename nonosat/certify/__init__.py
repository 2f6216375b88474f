"""Certificates: that a puzzle has exactly one solution, none, or several, for others to check.

`prove` writes them, `verify` checks them. The two share the folder's layout (`folder`), and the
lemmas of `prove` name variables as the verifier's encoder (`formula`) lays them out; nothing that
`verify` relies on comes from what solved the puzzle.
"""
