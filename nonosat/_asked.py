"""Counts among the options, and which of the options for several cores go together."""

from __future__ import annotations

from typing import TYPE_CHECKING

from nonosat.errors import UnsupportedError, shown

if TYPE_CHECKING:
    from nonosat.result import Options

MAX_CUBES = 10**6
MAX_JOBS = 1024


def check_count(name: str, count: object, most: int) -> None:
    if count is not None and (type(count) is not int or not 1 <= count <= most):
        raise UnsupportedError(
            f"{name} is {shown(count)}, expected a whole number, at least 1 and at most {most} "
            "(or None for no limit)"
        )


def check_parallel(options: Options) -> None:
    cubes, jobs, cluster = options.cubes, options.jobs, options.cluster
    check_count("cubes", cubes, MAX_CUBES)
    check_count("jobs", jobs, MAX_JOBS)
    for name, text, expected in (
        ("cluster", cluster, "an address"),
        ("journal", options.journal, "a path as text"),
    ):
        if text is not None and not isinstance(text, str):
            raise UnsupportedError(f"{name} is {shown(text)}, expected {expected}")
        if cubes is None and text is not None:
            raise UnsupportedError(f"{name} is for cubes; say how many cubes, or leave it out")
    for name in ("deterministic", "resume"):
        if type(value := getattr(options, name)) is not bool:
            raise UnsupportedError(f"{name} is {shown(value)}, expected True or False")
    if options.resume and options.journal is None:
        raise UnsupportedError("resume is for a journal of cubes; name its file, or leave it out")
    if None not in (jobs, cluster):
        raise UnsupportedError("jobs and cluster: expected one of them")
    if options.deterministic and (jobs is None or cubes is not None):
        what = "deterministic is for jobs without cubes; say how many jobs, or leave it out"
        raise UnsupportedError(what)
