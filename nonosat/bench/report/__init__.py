"""Reports of benchmarks: one page without network, Markdown, CSV.

`page.py`, `plots.py` and `drawing.py` need matplotlib, and are imported after `check_installed`.
"""

from nonosat.core.errors import UnsupportedError, install_command


def check_installed() -> None:
    """Raise UnsupportedError if matplotlib is not installed."""
    try:
        import matplotlib  # noqa: F401 - the import is the test
    except ImportError:
        raise UnsupportedError(
            "the page's plots need matplotlib, which is not installed: "
            f"{install_command('report')} (Markdown and CSV work without it)"
        ) from None
