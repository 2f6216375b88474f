"""The methods of the documents that this project began with, in plain, readable Python.

The code is simple rather than fast: each module follows the method of its document step by step,
and states each correction of the document. The methods are available as backends, `study:NAME`, and
their solutions pass the same verifier as those of all other backends, so that they can be compared
with the methods that replaced them.

A method is a module of `study/methods/`, found by its name (`queens_rows.py` is
`study:queens-rows`), with a record `plugins.Study`. Other packages add theirs by entry points of
`nonosat.study`.
"""
