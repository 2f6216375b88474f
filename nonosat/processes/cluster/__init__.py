"""Where tasks are done: by processes of this machine, or by the machines of a Dask cluster.

`ClusterPool` is the pool of a cluster (`nonosat.processes.pools`); what is done for puzzle after
puzzle shares an `OpenCluster`. Dask is imported when a cluster is reached.
"""

from typing import Any, TypeVar

from nonosat.processes.cluster.connecting import LOCAL, num_local
from nonosat.processes.cluster.opened import OpenCluster
from nonosat.processes.cluster.pool import ClusterPool
from nonosat.processes.pools import LocalPool, Pool
from nonosat.processes.tools import Work

__all__ = ["LOCAL", "ClusterPool", "OpenCluster", "num_local", "pool_of"]

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
    return ClusterPool(cluster, work)
