"""Certificates that a puzzle has exactly one solution, none, or several, checkable by others.

`prove` writes them, `verify` checks them. Both share the layout of the folder (`folder`). The
lemmas of `prove` use the variable numbers of the verifier's encoder (`formula` for nonograms,
`rules` and `encoder` for all other families). `verify` relies on nothing that comes from the
solver.
"""
