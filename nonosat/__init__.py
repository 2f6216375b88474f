"""Nonograms and other puzzles, solved exactly: the library's interface.

    >>> puzzle = nonosat.nonogram([[1, 1], [3], [1]], [[2], [2], [2]])
    >>> nonosat.is_unique(puzzle)
    True
    >>> print(nonosat.solve(puzzle).solution)
    #.#
    ###
    .#.

`load` and `loads` read a puzzle; `nonogram`, `from_picture`, `slitherlink`, `Queens` and `Knight`
make one from lists, `from_image` from a photograph, `read_photo` and `read_page` from one of
printed sheets; `generate_nonogram`, `generate_pattern`, `generate_structured` and
`generate_slitherlink` generate one; `repair` repairs it, `save` and `dumps` write it, `draw` draws
it, as a sheet or solved.

Functions of a puzzle: `solve`, `check`, `is_unique`, `solutions`, `count`, `sample`, `backbone`,
`why_multiple`, `estimate`, `explain`, `reason`, `hint`, `rate`, `contradiction`, `prove` (and
`verify`), `encode` and `to_cpmpy` (and `decode`); of two puzzles: `diff`; of a picture that is
being edited: `Checker`. `ModelBuilder` makes a user's model from `Clause`, `Count`, `Line` and
`Loop`, with the constants `TRUE` and `FALSE` among their literals; `solve_model`,
`enumerate_model` and `Engine` solve it.

Puzzles, solutions and results are frozen; equality depends on the findings, not on seconds. All
have a short `repr`, a `str` for people, `to_data()` and `from_data()` for JSON, and show a picture
in a notebook. Unsolvable puzzles and limits that were hit are results, not errors; only functions
that return no result (`solutions`, `is_unique`, `prove`, `encode`, `to_cpmpy`) raise
`LimitReached`. Rows, columns and cells count from 0 here and in JSON, from 1 in sentences for
people. An unknown cell is `UNKNOWN`.

Promised within one major version (before 1.0: one minor version) of `__version__`:

* the names that `dir(nonosat)` lists keep their meaning, with their arguments and the fields and
  properties that their docstrings name; more may be added, arguments with defaults at the end or by
  keyword;
* the keys of `to_data()`, which commands print with `--json`, and of the project's own JSON
  (`formats/jsonl.py`) keep their meaning, and `from_data` reads the output of any older version;
  keys may be added, so readers must ignore unknown ones;
* the formats of files (`nonosat list formats`) stay readable and writable, certificates and records
  of batches and benchmarks stay readable;
* exit statuses of commands stay as in `nonosat --help`;
* external plug-ins keep working: `nonosat.plugins`, `nonosat.model` and
  `nonosat.testing.check_plugin`.

Not promised: any other module or name below `nonosat.`; the wording of messages, of `str` and
`repr`; the layout of pictures and pages; which of several solutions comes first, stages, counters
and seconds; default engines, encodings and their clauses.

Names are imported at their first use; `__init__.pyi` lists them.
"""

from __future__ import annotations

import sys

from nonosat.core import hooks, lazy

hooks.picture = lazy.function("nonosat.render.gallery", "picture_of")
hooks.data_of = lazy.function("nonosat.formats.jsonl", "data_of")
hooks.puzzle_of = lazy.function("nonosat.formats.jsonl", "puzzle_of")
hooks.resident_mib = lazy.function("nonosat.processes.memory", "resident_mib")
hooks.isolated = lazy.function("nonosat.processes.isolation", "isolated")

sys.modules[__name__].__class__ = lazy.Package
