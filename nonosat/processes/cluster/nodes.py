"""A scheduler and a worker of Dask that listen on no port but the cluster's own.

The classes of distributed also serve pages over HTTP to any client, on a port that TLS does not
protect. They are in a separate module because a worker's process finds its class by name.
"""

from __future__ import annotations

import distributed


class Scheduler(distributed.Scheduler):  # type: ignore[misc]  # Dask has no types
    """Scheduler without pages."""

    def start_http_server(self, *_: object, **__: object) -> None:
        """Start no HTTP server: Dask's pages are not needed."""


class PagelessWorker(distributed.Worker):  # type: ignore[misc]  # Dask has no types
    """Worker without pages."""

    def start_http_server(self, *_: object, **__: object) -> None:
        """Start no HTTP server: Dask's pages are not needed."""
