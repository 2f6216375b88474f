"""The shortest shell command that repeats a recorded run.

Texts from records are quoted for a shell and shown in one line without control characters.
"""

from __future__ import annotations

import os
import re
import shlex
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from nonosat.bench.records import Header, Run
from nonosat.bench.results import options_of

_TEXTS = ("backend", "presolve", "hints")
_TABLES = {
    "encoding": "encoding",
    "formulation": "formulation",
    "engine_options": "engine-option",
}
_NOISE = re.compile(r"noise:(\d+)x(\d+),density=([\d.e-]+),seed=(\d+)(?:,colours=(\d+))?")
_VARIABLE = re.compile(r"(\$\w+)/(.+)", re.DOTALL)
_PLACEHOLDER = re.compile(r"\{(\w+)\}")
MOST_SOLUTIONS = 10**6  # upper limit of --max-solutions in a command
_COUNTER = "count"  # the backend for `nonosat count`


def command(header: Header, run: Run) -> str:
    """Return the command as one line for a shell.

    Args:
        header: Provides the task and the options of the run's configuration.
        run: The run to be repeated.
    """
    options = options_of(header, run)
    if isinstance(words := options.get("program"), list):
        text = _program(header, run, [str(word) for word in words], options.get("stdin"))
    else:
        before, instance = _instance(header, run)
        words = [*_question(header, run, options), *_words(options, run.seed)]
        text = f"{before}{words[0]} {words[1]} {instance} {shlex.join(words[2:])}".strip()
    return "".join(char if char.isprintable() else "\ufffd" for char in text)


def _question(header: Header, run: Run, options: Mapping[str, Any]) -> list[str]:
    """Return the words `nonosat COMMAND`, and the option for the number of solutions if needed."""
    if header.task in ("solve", "check"):
        return ["nonosat", header.task]
    if options.get("backend") == _COUNTER:
        return ["nonosat", "count"]
    most = header.max_solutions or min((run.count or 1) + 1, MOST_SOLUTIONS)
    return ["nonosat", "solve", "--max-solutions", str(most)]


def _words(options: Mapping[str, Any], seed: int) -> list[str]:
    """Return the configuration's options as words of a command; none for backend `count`."""
    if options.get("backend") == _COUNTER:
        return []
    words = []
    for name in _TEXTS:
        if isinstance(value := options.get(name), str):
            words += [f"--{name}", value]
    for name, word in _TABLES.items():
        if isinstance(table := options.get(name), dict):
            words += [part for key in table for part in (f"--{word}", f"{key}={table[key]}")]
    if isinstance(names := options.get("redundant"), list):
        words += [word for name in names for word in ("--redundant", str(name))]
    return [*words, "--seed", str(seed)] if seed else words


def _instance(header: Header, run: Run) -> tuple[str, str]:
    """Return a command that generates the puzzle, or "", and the argument that names it."""
    if noise := _NOISE.fullmatch(run.instance):
        height, width, density, seed, colours = noise.groups()
        call = f"Noise({height}, {width}, {density}, ({seed},), {colours or 1})"
        code = (
            f"from nonosat.bench.instances import Noise, generate; "
            f"print(next(generate({call})).text)"
        )
        return f"python -c {shlex.quote(code)} | ", "-"
    if found := _VARIABLE.fullmatch(run.instance):
        return "", f'"{found[1]}"/{shlex.quote(found[2])}'
    name = os.path.normpath(Path(header.suite_file).parent / run.instance)
    return "", shlex.quote(f"./{name}" if name.startswith("-") else name)


def _program(header: Header, run: Run, words: list[str], stdin: object) -> str:
    """Return a command that writes the puzzle in the program's format and starts the program."""
    limits = header.limits
    values = {
        "seed": str(run.seed),
        "wall_s": f"{limits.wall_s:g}",
        "memory_mib": str(limits.memory_mib or 10**6),
        "suite": str(Path(header.suite_file).parent),
    }
    formats: dict[str, None] = {stdin: None} if isinstance(stdin, str) else {}

    def filled(found: re.Match[str]) -> str:
        if found[1] in values:
            return values[found[1]]
        formats[found[1]] = None
        return f"puzzle.{found[1]}"

    line = shlex.join(_PLACEHOLDER.sub(filled, word) for word in words)
    before, instance = _instance(header, run)
    steps = [
        f"{before}nonosat convert {instance} {name} --to {shlex.quote(form)}"
        for form, name in ((form, shlex.quote(f"puzzle.{form}")) for form in formats)
    ]
    into = f" < {shlex.quote(f'puzzle.{stdin}')}" if isinstance(stdin, str) else ""
    return " && ".join([*steps, line + into])
