"""Work on the machines of a Dask cluster, or on a cluster of this machine alone.

`ClusterPool` is the pool (`nonosat.pools`), `ClusterExecutor` the batches of puzzles on it; what is
done for puzzle after puzzle shares an `OpenCluster`.
"""

from nonosat.cluster.connecting import LOCAL, num_local
from nonosat.cluster.executor import ClusterExecutor
from nonosat.cluster.opened import OpenCluster
from nonosat.cluster.pool import ClusterPool

__all__ = ["LOCAL", "ClusterExecutor", "ClusterPool", "OpenCluster", "num_local"]
