"""Tasks on the machines of a Dask cluster.

`pool.ClusterPool` is the pool of a cluster (`nonosat.processes.pools`); commands that process a
sequence of puzzles share a `connecting.OpenCluster`. The modules that these need import Dask; they
are imported after `check_installed`.
"""

from nonosat.core.errors import UnsupportedError, install_command

LOCAL = "local:"


def check_installed() -> None:
    """Raise UnsupportedError if Dask is not installed."""
    try:
        import distributed  # noqa: F401 - the import is the test
    except ImportError:
        raise UnsupportedError(
            "a cluster needs the package distributed, which is not installed; "
            f"{install_command('cluster')} installs it"
        ) from None


def num_local(address: str) -> int | None:
    """Return the N of `local:N`; None for the address of a scheduler.

    Raises:
        UnsupportedError: The text has neither form.
    """
    if not address.startswith(LOCAL):
        return None
    number = address.removeprefix(LOCAL)
    if not (number.isascii() and number.isdigit() and 0 < int(number) < 10**6):
        raise UnsupportedError(
            f"a cluster {address!r}, expected local:N with N processes, or the address of a "
            "Dask scheduler (tls://HOST:PORT, or HOST:PORT without encryption)"
        )
    return int(number)
