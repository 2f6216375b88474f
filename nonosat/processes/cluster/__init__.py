"""Tasks on the machines of a Dask cluster.

`ClusterPool` is the pool of a cluster (`nonosat.processes.pools`); commands that process a sequence
of puzzles share an `OpenCluster`. Dask is imported when a cluster is opened.
"""

from nonosat.processes.cluster.connecting import LOCAL, num_local
from nonosat.processes.cluster.opened import OpenCluster
from nonosat.processes.cluster.pool import ClusterPool

__all__ = ["LOCAL", "ClusterPool", "OpenCluster", "num_local"]
