"""`nonosat bench`: the commands of the benchmark harness, in modules `_bench_NAME.py`."""

from __future__ import annotations

import click

from nonosat.cli import LazyCommands

_COMMANDS = {
    "compare": "Find regressions between two benchmarks.",
    "encodings": "Compare encodings on your own puzzles.",
    "report": "Report results of benchmarks: a page, Markdown or CSV.",
    "run": "Run a suite, or the rest of it.",
}


@click.group("bench", cls=LazyCommands, sections={"Commands": _COMMANDS}, prefix="_bench_")
def command() -> None:
    """Run suites of puzzles and configurations under hard limits, and report the results."""
