"""`nonosat bench`: the commands of the benchmark harness, each imported when it is asked for.

A command NAME is the module `_bench_NAME.py` of this package.
"""

from __future__ import annotations

import pkgutil
from importlib import import_module

import click

from nonosat import cli

_PREFIX = "_bench_"


class Benchmarks(cli.Group):
    """Imports a command when it is asked for."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        del ctx
        found = (entry.name for entry in pkgutil.iter_modules(cli.__path__))
        return sorted(name.removeprefix(_PREFIX) for name in found if name.startswith(_PREFIX))

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in self.list_commands(ctx):
            return None
        command: click.Command = import_module(f"nonosat.cli.{_PREFIX}{cmd_name}").command
        return command


@click.group("bench", cls=Benchmarks, short_help="Compare solvers: run, report, compare.")
def command() -> None:
    """Run suites of puzzles and configurations under hard limits, and report what came of it."""
