"""Choice between the pool of this machine and that of a cluster.

Modules that only clusters need are imported for a cluster alone.
"""

from __future__ import annotations

from typing import Any, TypeVar

from nonosat.processes.cluster import check_installed
from nonosat.processes.pools import LocalPool, Pool
from nonosat.processes.tools import Work

_Piece = TypeVar("_Piece")


def pool_of(jobs: int, cluster: str | None, work: Work[_Piece, Any]) -> Pool[_Piece]:
    """Return the pool for some work; the caller closes it.

    Args:
        jobs: Number of processes here, if there is no cluster.
        cluster: Address of the cluster, or a `cluster.OpenCluster`; None for this machine.
        work: Work on the pieces of tasks.
    """
    if cluster is None:
        return LocalPool(jobs, work)
    check_installed()
    from nonosat.processes.cluster.pool import ClusterPool

    return ClusterPool(cluster, work)
