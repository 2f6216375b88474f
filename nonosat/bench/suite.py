"""A suite of instances, configurations and limits, read from a TOML file and fully checked.

    task = "check"                 # "solve" (the default), "check", "count" or "enumerate"
    max_solutions = 100            # only for "enumerate"
    repetitions = 3                # default 1
    pictures = false               # record digests of solutions alone; default true
    instances = ["a.jsonl", "folder", "*.non", "b.jsonl#7", "$NONOSAT_INSTANCES/survey.jsonl",
                 {path = "c.txt", format = "picture", first = 10},
                 {path = "d.txt", family = "slitherlink"}]  # as in --from and --family

    [limits]
    wall_s = 10
    cpu_s = 10                     # optional, as is
    memory_mib = 1024

    [[generate]]                   # random pictures
    height = 20
    width = 20
    density = 0.5
    seeds = [1, 2, 3]              # or a number n: the seeds 0 .. n - 1
    colours = 1

    [configurations.order]         # options of `nonosat.core.result.Options`, all with defaults
    backend = "cadical195"
    encoding = {line = "order"}    # likewise formulation, presolve, hints, redundant, seed
    engine_options = {restartint = 50}

    [configurations.counter]       # in a suite that counts, `nonosat count`
    backend = "count"

    [configurations.pbnsolve]      # an external program; see `external.py`
    program = ["pbnsolve", "-u", "{non}"]
    stdin = "non"                  # instead of {non}: a format for standard input
    verdicts = {unique = "UNIQUE", multiple = "MULTIPLE", unsolvable = "no solution"}
                                   # also solved, unknown, and unsupported = "..."
    filled = "X"                   # printed cells, if the program prints pictures
    empty = "."
    count = "(\\d+) solutions"     # for tasks that count
    needs = ["pbnsolve"]           # programs, or packages of the present python3: if one is not
                                   # installed, the configuration is left out

    [configurations.minizinc]      # the formats of `nonosat encode` and `decode`
    program = ["minizinc", "-n", "2", "{mzn}"]
    answer = true                  # verdicts are then optional, and come first

Paths are relative to the suite's file. An unknown key, a wrong type, an empty set or an unknown
name raises a FormatError that states the expected value. All checks precede the first run.
"""

from __future__ import annotations

import json
import tomllib
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field, fields, replace
from hashlib import sha256
from itertools import chain
from pathlib import Path
from typing import Any, TypeVar

from nonosat.batch.foreign import foreign_file
from nonosat.bench.external import missing, program_of, program_path
from nonosat.bench.instances import Instance, Noise, Source, generate, read
from nonosat.bench.records import TASKS, RunLimits
from nonosat.bench.table import TomlTable
from nonosat.bench.task import COUNTER
from nonosat.core import plugins
from nonosat.core.errors import FormatError, UnsupportedError
from nonosat.core.grid import MAX_CELLS
from nonosat.core.limits import MAX_MEMORY_MIB, MAX_TIME_S
from nonosat.core.model import MAX_COLOURS
from nonosat.core.result import OF_CORES, FrozenDict, Options
from nonosat.solving.choices import choices_of, chosen_phases

NUM_SOLUTIONS = {"solve": 1, "check": 2, "count": None}  # maximum number of solutions by task
_LEFT_OUT = (
    *("max_solutions", "time_limit_s", "memory_limit_mib"),  # set by the task and the limits
    *OF_CORES,  # a run has one core
)
_OPTIONS = tuple(one.name for one in fields(Options) if one.name not in _LEFT_OUT)
_MOST = 10**6  # maximum number of repetitions, of puzzles of a source, and of seeds
_SHOWN = 8  # names listed by a message
T = TypeVar("T", Instance, "Configuration")


@dataclass(frozen=True, slots=True)
class Configuration:
    """A way to solve: its name and all its options, as JSON data."""

    name: str
    options: Mapping[str, Any]

    @property
    def sha256(self) -> str:
        """Hash of the options."""
        text = json.dumps(self.options, sort_keys=True, separators=(",", ":"))
        return sha256(text.encode()).hexdigest()


@dataclass(frozen=True, slots=True)
class Suite:
    """A suite ready to run.

    Args:
        name: The file's name without its suffix.
        path: The file.
        sha256: Hash of the file.
        task: One of `TASKS`.
        max_solutions: Maximum number of solutions; None for all.
        limits: Limits of each run.
        repetitions: Number of runs of each pair of an instance and a configuration.
        instances: The instances; no two have the same hash.
        configurations: The configurations; no two have the same hash.
        repeated: Names of instances that were omitted because another one is the same puzzle.
        pictures: True to record solutions; False for puzzles that must not be distributed.
        absent: Omitted configurations, with their requirements that are not installed.
        most_clauses: Maximum number of clauses; an encoding that needs more is skipped, see `task`.
    """

    name: str
    path: Path
    sha256: str
    task: str
    max_solutions: int | None
    limits: RunLimits
    repetitions: int
    instances: tuple[Instance, ...]
    configurations: tuple[Configuration, ...]
    repeated: tuple[str, ...] = ()
    pictures: bool = True
    absent: Mapping[str, str] = field(default_factory=FrozenDict)
    most_clauses: int | None = None


def load_suite(path: str | Path) -> Suite:
    """Read a suite and all the puzzles that it names.

    Raises:
        FormatError: The file cannot be read or is not a suite, or an instance is invalid.
    """
    file = Path(path)
    try:
        data = file.read_bytes()
        table = TomlTable(tomllib.loads(data.decode()), str(path))
    except OSError as error:
        message = f"the file cannot be read: {error.strerror}"
        raise FormatError(message, path=str(path)) from error
    except (ValueError, RecursionError) as error:  # neither UTF-8 nor TOML
        found = foreign_file(file, "")
        message = (
            f"this is {found}; expected a suite in TOML" if found else f"this is no TOML: {error}"
        )
        raise FormatError(message, path=str(path)) from None
    task = table.choice("task", TASKS, "solve")
    if task == "enumerate":
        most: int | None = table.whole("max_solutions", 1, 10**9)
    else:
        most = NUM_SOLUTIONS[task]
    repetitions = table.whole("repetitions", 1, _MOST, 1)
    pictures = table.flag("pictures", True)
    limits = _limits(table.table("limits"))
    configurations, absent = _configurations(table, task, most, file)
    sources = [*map(_source, table.entries("instances", str))]
    noises = [*map(_noise, table.entries("generate"))]
    table.finish()
    kept, repeated = different(chain(_read(sources, file), *map(generate, noises)))
    if not kept:
        table.fail("no instances", "paths in instances, or tables [[generate]]")
    return Suite(
        name=file.stem,
        path=file,
        sha256=sha256(data).hexdigest(),
        task=task,
        max_solutions=most,
        limits=limits,
        repetitions=repetitions,
        instances=kept,
        configurations=configurations,
        repeated=repeated,
        pictures=pictures,
        absent=absent,
    )


def _limits(table: TomlTable) -> RunLimits:
    wall_s = table.number("wall_s", 0.01, MAX_TIME_S)
    cpu_s = table.number("cpu_s", 0.01, MAX_TIME_S) if "cpu_s" in table else None
    memory = table.whole("memory_mib", 1, MAX_MEMORY_MIB) if "memory_mib" in table else None
    table.finish()
    return RunLimits(wall_s, cpu_s, memory)


# Instances


def _source(entry: Any) -> Source:
    if isinstance(entry, str):
        return Source(entry)
    path = entry.text("path")
    format_ = entry.text("format") if "format" in entry else None
    family = entry.text("family") if "family" in entry else None
    first = entry.whole("first", 1, _MOST) if "first" in entry else None
    entry.finish()
    for key, kind, name in (("format", "formats", format_), ("family", "puzzles", family)):
        if name is not None:
            with entry.located(key):
                plugins.find(kind, name)
    return Source(path, format_, family, first)


def _noise(table: TomlTable) -> Noise:
    height = table.whole("height", 1, MAX_CELLS)
    width = table.whole("width", 1, MAX_CELLS)
    if height * width > MAX_CELLS:
        table.fail(f"{height} x {width} cells", f"at most {MAX_CELLS}")
    density = table.number("density", 0, 1, 0.5)
    colours = table.whole("colours", 1, MAX_COLOURS, 1)
    seeds = table.numbers("seeds", _MOST)
    table.finish()
    return Noise(height, width, density, seeds, colours)


def _read(sources: list[Source], file: Path) -> Iterator[Instance]:
    for source in sources:
        yield from read(source, file)


def different(instances: Iterator[Instance]) -> tuple[tuple[Instance, ...], tuple[str, ...]]:
    """Return the first instance of each hash, and the names of the others."""
    kept: dict[str, Instance] = {}
    repeated = []
    for one in instances:
        if kept.setdefault(one.sha256, one) is not one:
            repeated.append(one.name)
    return tuple(kept.values()), tuple(repeated)


# Configurations


def _configurations(
    table: TomlTable, task: str, most: int | None, file: Path
) -> tuple[tuple[Configuration, ...], Mapping[str, str]]:
    """Return the tables [configurations.NAME], checked as far as possible without a puzzle.

    The second result maps each omitted configuration to its missing requirements.
    """
    whole = table.table("configurations")
    names: dict[str, str] = {}
    found = []
    absent: dict[str, str] = {}
    for name in whole.names():
        own = whole.table(name)
        if "needs" in own and (lacking := missing(own.texts("needs"))):
            absent[name] = lacking
            continue
        options = program_of(own, file) if "program" in own else _own(own, task, most)
        one = Configuration(name, FrozenDict(options))
        if (other := names.setdefault(one.sha256, name)) != name:
            own.fail(f"the same options as {other}", "different ones; use repetitions to repeat")
        found.append(one)
    if not found:
        others = " except those whose requirements are missing" if absent else ""
        table.fail(f"no configurations{others}", "at least one table [configurations.NAME]")
    return tuple(found), FrozenDict(absent)


def _own(table: TomlTable, task: str, most: int | None) -> dict[str, Any]:
    """Return the options of a built-in backend."""
    given = table.plain(_OPTIONS)
    if given.get("backend") == COUNTER:
        if task != "count":
            table.fail(f"backend = {COUNTER!r} in a suite with the task {task}", 'task = "count"')
        if len(given) > 1:
            table.fail(f"options in addition to backend = {COUNTER!r}", "none")
        return {"backend": COUNTER, "seed": 0}
    if isinstance(given.get("redundant"), list):
        given["redundant"] = tuple(given["redundant"])
    with table.located():
        options = Options(**given, max_solutions=most)
        choices_of(options)
        if options.hints != "auto":
            chosen_phases(options)
    return recorded_options(options)


def recorded_options(options: Options) -> dict[str, Any]:
    """Return the options of a configuration with a built-in backend as JSON data."""
    data = {name: getattr(options, name) for name in _OPTIONS}
    if not options.engine_options:
        del data["engine_options"]  # older records have none, and the same hash
    return {**data, "redundant": list(options.redundant)}


def restricted(suite: Suite, instances: Collection[str], configurations: Collection[str]) -> Suite:
    """Return a suite with only some of its instances and configurations.

    Args:
        suite: The suite.
        instances: Names of instances to keep; empty for all.
        configurations: Names of configurations to keep; empty for all.

    Raises:
        UnsupportedError: The suite does not contain a name.
    """
    return replace(
        suite,
        instances=_named(suite.instances, instances, "instance"),
        configurations=_named(suite.configurations, configurations, "configuration", suite.absent),
    )


def _named(
    items: tuple[T, ...],
    names: Collection[str],
    kind: str,
    absent: Mapping[str, str] = FrozenDict(),
) -> tuple[T, ...]:
    known = [item.name for item in items]
    if found := [name for name in names if name in absent]:
        raise UnsupportedError(f"{found[0]} needs {absent[found[0]]}, which is not installed")
    if unknown := [name for name in names if name not in known]:
        some = ", ".join(known[:_SHOWN]) + (", ..." if len(known) > _SHOWN else "")
        raise UnsupportedError(f"the suite has no {kind} {unknown[0]!r}; it has {some}")
    return tuple(item for item in items if not names or item.name in names)


def command_of(configuration: Configuration, suite: Suite) -> list[str]:
    """Return the words of an external program, its own path absolute."""
    first, *rest = configuration.options["program"]
    return [program_path(first, suite.path.parent.absolute()), *rest]
