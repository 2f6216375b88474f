"""The choice of where tasks are done. What only clusters need is imported for one alone."""

from __future__ import annotations

from typing import Any, TypeVar

from nonosat.processes.pools import LocalPool, Pool
from nonosat.processes.tools import Work

_Piece = TypeVar("_Piece")


def pool_of(jobs: int, cluster: str | None, work: Work[_Piece, Any]) -> Pool[_Piece]:
    """Where tasks are done; to be closed.

    Args:
        jobs: Processes here, if there is no cluster.
        cluster: Its address, or a `cluster.OpenCluster`.
        work: What is done with the pieces of tasks.
    """
    if cluster is None:
        return LocalPool(jobs, work)
    from nonosat.processes.cluster import ClusterPool

    return ClusterPool(cluster, work)
