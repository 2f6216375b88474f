"""The methods of the documents that this project began with, in plain, readable Python.

They are slow on purpose: each is its document's method, step by step, with the document's slips
corrected and said so. They are reachable as backends, `study:NAME`, and their solutions pass the
same verifier as any other's, so that they can be compared with what replaced them.

A method is a module of `study/methods/`, found by its name (`queens_rows.py` is
`study:queens-rows`), with a record `plugins.Study`. Other packages add theirs by entry points of
`nonosat.study`.
"""
