"""A suite built without a file, which compares encodings of lines on given puzzles.

Presolve and hints are off, because propagation would solve easy puzzles before any clause is
generated and hide the strength of the encodings' own propagation. The encoding `placements` is
skipped on puzzles for which it would generate more than `MOST_CLAUSES` clauses, which would
dominate the run.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from hashlib import sha256
from itertools import chain
from pathlib import Path
from typing import Any

from nonosat.bench.instances import Instance, Source, read
from nonosat.bench.records import RunLimits
from nonosat.bench.suite import NUM_SOLUTIONS, Configuration, Suite, different, recorded_options
from nonosat.core import families, plugins
from nonosat.core.errors import UnsupportedError
from nonosat.core.result import FrozenDict, Options
from nonosat.formats import jsonl
from nonosat.solving.choices import choices_of

NAME = "encodings"
TASK = "check"
_KIND = "line"
# per puzzle, for the encoding placements; about a second of generating them
MOST_CLAUSES = 1_000_000


def encodings_suite(
    sources: Sequence[Source],
    encodings: Sequence[str],
    backends: Sequence[str],
    limits: RunLimits,
    repetitions: int = 1,
) -> Suite:
    """Return the suite of every encoding with every backend on every puzzle.

    Args:
        sources: The puzzles; paths are relative to the working directory.
        encodings: Names of encodings of lines; empty for all of them.
        backends: Engines that take clauses.
        limits: Limits of each run.
        repetitions: Number of runs of each pair of a puzzle and a configuration.

    Raises:
        FormatError: A puzzle cannot be read.
        UnsupportedError: A name is unknown, a backend takes no clauses, or a puzzle has no lines.
    """
    path = Path(NAME)
    names = list(dict.fromkeys(encodings)) or every_encoding()
    configurations = tuple(_configurations(names, list(dict.fromkeys(backends))))
    found = chain.from_iterable(read(source, path) for source in sources)
    instances, repeated = different(found)
    for instance in instances:
        _check(instance)
    requested = [[one.name, dict(one.options)] for one in configurations]
    text = json.dumps([requested, [one.sha256 for one in instances]], sort_keys=True)
    return Suite(
        name=NAME,
        path=path,
        sha256=sha256(text.encode()).hexdigest(),
        task=TASK,
        max_solutions=NUM_SOLUTIONS[TASK],
        limits=limits,
        repetitions=repetitions,
        instances=instances,
        configurations=configurations,
        repeated=repeated,
        most_clauses=MOST_CLAUSES,
    )


def every_encoding() -> list[str]:
    """Return the names of all encodings of lines, including plug-ins, the default first."""
    prefix = f"{_KIND}-"
    known = plugins.names("encodings").items()
    found = (n for n, one in known if n.startswith(prefix) and plugins.is_installed(one))
    names = [name.removeprefix(prefix) for name in found]
    return sorted(names, key=lambda name: (name != "order", name))


def _configurations(encodings: Sequence[str], backends: Sequence[str]) -> Iterator[Configuration]:
    for backend in backends:
        for encoding in encodings:
            given: dict[str, Any] = {"backend": backend, "encoding": {_KIND: encoding}}
            options = Options(
                **given, presolve="none", hints="none", max_solutions=NUM_SOLUTIONS[TASK]
            )
            choices_of(options)
            name = encoding if len(backends) == 1 else f"{encoding}, {backend}"
            yield Configuration(name, FrozenDict(recorded_options(options)))


def _check(instance: Instance) -> None:
    """Raise UnsupportedError for a puzzle without lines to encode."""
    (puzzle,) = jsonl.read(instance.text.encode())
    if families.family_of(puzzle).build(puzzle).lines:
        return
    family = families.name_of(puzzle)
    text = f"{instance.name} is of the family {family}, which has no lines to encode"
    raise UnsupportedError(f"{text}; expected nonograms")
