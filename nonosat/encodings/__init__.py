"""Encodings: one constraint kind to clauses, one method a file `<kind>_<name>.py`.

An encoding declares the strength of its unit propagation and its sources; a test holds it to both
its model set and that strength.
"""
