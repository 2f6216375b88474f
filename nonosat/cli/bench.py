"""`nonosat bench`: the commands of the benchmark harness, in modules `_bench_NAME.py`."""

from __future__ import annotations

import click

from nonosat.cli import Lazy

_COMMANDS = {
    "compare": "Look for regressions between two benchmarks.",
    "encodings": "Compare encodings on your own puzzles.",
    "report": "Show what benchmarks found: a page, Markdown or CSV.",
    "run": "Run a suite, or what is left of it.",
}


@click.group("bench", cls=Lazy, listed=_COMMANDS, prefix="_bench_")
def command() -> None:
    """Run suites of puzzles and configurations under hard limits, and report what came of it."""
