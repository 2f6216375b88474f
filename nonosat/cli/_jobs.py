"""Options for parallel work: --jobs, --force-jobs, --cluster."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager, nullcontext
from typing import Any, TypeVar

import click

from nonosat.processes.cluster import LOCAL, check_installed, num_local
from nonosat.processes.system import num_cores

F = TypeVar("F", bound=Callable[..., Any])
NAMES = ("jobs", "force_jobs", "cluster")


def parallel_options(what: str) -> Callable[[F], F]:
    """Return a decorator that adds --jobs (None by default) and --force-jobs.

    Args:
        what: Text for the help: the unit that --jobs counts, and the default number.
    """

    def decorate(function: F) -> F:
        jobs = click.option("--jobs", metavar="N", type=click.IntRange(min=1), help=what)
        force = click.option("--force-jobs", is_flag=True, help="Allow more than one per core.")
        return jobs(force(function))

    return decorate


def threads(function: F) -> F:
    """Decorator that adds --jobs and --force-jobs to a command that uses threads."""
    return parallel_options("Threads for a hard puzzle; by default one.")(function)


def num_threads(params: Mapping[str, Any]) -> int:
    """Return the number of threads from the values of a command."""
    return checked(params["jobs"], params["force_jobs"], None, usual=1)


def places(what: str) -> Callable[[F], F]:
    """Return a decorator that adds --jobs, --force-jobs and --cluster."""

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
    """Return the number of parallel jobs on this machine; a remote cluster does not use it.

    Args:
        jobs: The requested number.
        force: True if it may exceed the number of cores.
        cluster: An address; the number of `local:N` is checked as well.
        usual: Default; None for the number of cores.

    Raises:
        click.UsageError: The values contradict each other.
    """
    cores, name, number = num_cores(), "--jobs ", jobs
    if cluster is not None:
        if jobs is not None:
            raise click.UsageError("--jobs and --cluster: expected one of them")
        name, number = f"--cluster {LOCAL}", num_local(cluster)
    if force and number is None:
        raise click.UsageError("--force-jobs allows more --jobs than cores; add --jobs N")
    if number is not None and number > cores and not force:
        raise click.UsageError(
            f"{name}{number} on {cores} cores: they would slow each other down; "
            f"expected at most {cores}, or --force-jobs"
        )
    return number or usual or cores


def opened(cluster: str | None) -> AbstractContextManager[str | None]:
    """Open the cluster, if there is one, while the command runs."""
    if cluster is None:
        return nullcontext()
    check_installed()
    from nonosat.processes.cluster.connecting import OpenCluster

    return OpenCluster(cluster)
