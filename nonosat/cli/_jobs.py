"""Where commands that do several things at once do them: --jobs, --force-jobs, --cluster."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager, nullcontext
from typing import Any, TypeVar

import click

from nonosat.processes.system import num_cores

F = TypeVar("F", bound=Callable[..., Any])
NAMES = ("jobs", "force_jobs", "cluster")


def parallel_options(what: str) -> Callable[[F], F]:
    """Parameters `jobs` (None unless told) and `force_jobs` of a command.

    Args:
        what: What --jobs is a number of, and how many there are unless told.
    """

    def decorate(function: F) -> F:
        jobs = click.option("--jobs", metavar="N", type=click.IntRange(min=1), help=what)
        force = click.option(
            "--force-jobs", is_flag=True, help="Allow more of them than there are cores."
        )
        return jobs(force(function))

    return decorate


def threads(function: F) -> F:
    """Parameters `jobs` and `force_jobs` of a command that asks one question after another."""
    return parallel_options("Threads for a puzzle that takes long; by default one.")(function)


def num_threads(asked: Mapping[str, Any]) -> int:
    """The value of `threads` among all values of a command."""
    return checked(asked["jobs"], asked["force_jobs"], None, usual=1)


def places(what: str) -> Callable[[F], F]:
    """Parameters of `parallel_options`, and `cluster`."""

    def decorate(function: F) -> F:
        cluster = click.option(
            "--cluster",
            metavar="ADDRESS",
            help="Work on a Dask cluster: its scheduler's tls://HOST:PORT (HOST:PORT without "
            "certificates), or local:N for N processes here.",
        )
        return parallel_options(what)(cluster(function))

    return decorate


def checked(jobs: int | None, force: bool, cluster: str | None, usual: int | None = None) -> int:
    """How many things are done at once on this machine; of no meaning for a cluster elsewhere.

    Args:
        jobs: What was asked for.
        force: Whether it may be more than there are.
        cluster: An address; what `local:N` asks for is checked as well.
        usual: How many unless told; None for as many as there are cores.

    Raises:
        click.UsageError: They do not go together.
    """
    cores, name, number = num_cores(), "--jobs ", jobs
    if cluster is not None:
        if jobs is not None:
            raise click.UsageError("--jobs and --cluster: expected one of them")
        from nonosat.processes.cluster import LOCAL, num_local

        name, number = f"--cluster {LOCAL}", num_local(cluster)
    if force and number is None:
        raise click.UsageError("--force-jobs allows more --jobs than there are cores; say how many")
    if number is not None and number > cores and not force:
        raise click.UsageError(
            f"{name}{number} on {cores} cores: they would take time from each other; "
            f"expected at most {cores}, or --force-jobs"
        )
    return number or usual or cores


def opened(cluster: str | None) -> AbstractContextManager[str | None]:
    """The cluster, if there is one, open for all that the command does."""
    if cluster is None:
        return nullcontext()
    from nonosat.processes.cluster import OpenCluster

    return OpenCluster(cluster)
