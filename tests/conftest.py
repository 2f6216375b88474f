"""Settings of random tests, and fixtures that test files share.

Each run draws the same examples. `NONOSAT_FUZZ=100 python -m pytest tests/test_pipeline.py` draws
a hundred times as many, other ones each time, and keeps what fails, shrunk, in
tests/data/regressions/, where later long runs begin.
"""

from __future__ import annotations

import gc
import os
import re
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import suppress
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

# Tests start many processes: if Python writes no bytecode, as in containers, each
# compiles the package again, for longer than most of them work. Before the imports: pytest
# rewrites the assertions of hypothesis, which takes each process most of a second.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
sys.dont_write_bytecode = False

import pytest
from hypothesis import HealthCheck, settings
from hypothesis.database import DirectoryBasedExampleDatabase

from helpers.browser import Viewer, end_kept, kept, viewer_of
from helpers.clocks import Clock
from helpers.drawing import FUZZ, examples
from nonosat._core import BUDGETS
from nonosat.core import hooks

if TYPE_CHECKING:
    from helpers.stepping import Stepping
    from helpers.studio import Opened, Pages

TESTS = Path(__file__).parent
REGRESSIONS = TESTS / "data" / "regressions"

gc.disable()  # until all tests are collected, which takes a quarter less time without it

settings.register_profile(
    "nonosat",
    parent=examples(40),
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much],
    derandomize=FUZZ == 1,
    database=None if FUZZ == 1 else DirectoryBasedExampleDatabase(REGRESSIONS),
)
settings.load_profile("nonosat")


def pytest_runtest_setup(item: pytest.Item) -> None:
    """Skip tests of encodings whose package is not installed."""
    spec = getattr(item, "callspec", None)
    for value in spec.params.values() if spec else ():
        if isinstance(value, str) and "pindakaas-" in value and not find_spec("pindakaas"):
            pytest.skip(f"{value} needs pindakaas, which is not installed")


def pytest_configure() -> None:
    """Let tests send Ctrl-C: a shell that starts them in the background ignores it."""
    signal.signal(signal.SIGINT, signal.default_int_handler)


def _is_whole(config: pytest.Config) -> bool:
    """True if all test files are to be collected."""
    return [Path(each).absolute() for each in config.args] == [TESTS]


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Skip files without any test of the mark that is required, as by `-m slow`.

    If they are named one by one instead, pytest lists this folder anew for each of them.
    """
    mark = re.fullmatch(r"(\w+)( and not \w+)*", config.option.markexpr)
    if mark is None or not collection_path.name.startswith("test_") or not _is_whole(config):
        return None
    return re.search(rf"\bmark\.{mark[1]}\b", collection_path.read_text()) is None or None


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report(collector: pytest.Collector) -> Iterator[None]:
    """Load each worker's share of the test files first, and then those of the others.

    If they were never loaded, pytest compiles them, for seven seconds: workers that compiled in
    the same order would each compile all of them. A file that cannot be loaded is reported in its
    turn.
    """
    report = yield
    worker = os.environ.get("PYTEST_XDIST_WORKER", "gw0").removeprefix("gw")
    share = slice(int(worker), None, int(os.environ.get("PYTEST_XDIST_WORKER_COUNT", "1")))
    if collector.path == TESTS and _is_whole(collector.config):
        for module in report.result[share]:
            with suppress(Exception, pytest.skip.Exception):
                assert module.obj
    return report


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Tests that are marked so begin before the others, then those that share a browser."""
    items.sort(
        key=lambda item: (
            item.get_closest_marker("begins_first") is None,
            "chromium" not in getattr(item, "fixturenames", ()),
        )
    )


def pytest_collection_finish() -> None:
    """Exempt the collected tests from garbage collection: eleven thousand stay until the end.

    A collection of all of them takes about a third of a second, in each of many tests.
    """
    gc.collect()
    gc.freeze()
    gc.enable()


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers() -> int:
    """Add one worker to the number of cores: tests wait for processes half of their time."""
    return (os.cpu_count() or 1) + 1


@pytest.fixture(autouse=True)
def no_callbacks_of_the_collector() -> None:
    """Remove hypothesis's timers of garbage collections: they lose a limit or Ctrl-C."""
    gc.callbacks.clear()


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    """Clock of limits and pauses; only the test moves it."""
    made = Clock()
    monkeypatch.setattr(hooks, "clock", made)
    return made


@pytest.fixture
def budgets(monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    """Return a function that replaces budgets of the strategy, by name, for one test."""

    def give(**values: float) -> None:
        for name, value in values.items():
            monkeypatch.setattr(BUDGETS, name, value)

    return give


@pytest.fixture
def chromium() -> Any:
    """Playwright's browser, shared by consecutive tests."""
    return kept()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_teardown(nextitem: pytest.Item | None) -> Iterator[None]:
    """Close the browser if the next test does not use it."""
    yield
    if "chromium" not in getattr(nextitem, "fixturenames", ()):
        end_kept()


@pytest.fixture
def viewer(chromium: Any) -> Viewer:
    """Browser that opens files."""
    return viewer_of(chromium)


@pytest.fixture
def stepping(viewer: Viewer, tmp_path: Path) -> Callable[..., Stepping]:
    """Function that opens a page with the steps of an explanation."""
    from helpers.stepping import Stepping

    return lambda html, address="", **how: Stepping(viewer, tmp_path, html, address, **how)


@pytest.fixture
def browser(chromium: Any) -> Opened:
    """Browser for tests of the studio."""
    from helpers.studio import opened_in

    return opened_in(chromium)


@pytest.fixture
def pages(browser: Opened) -> Iterator[Pages]:
    """Pages of one test in the studio's browser."""
    from helpers.studio import watched_pages

    yield from watched_pages(browser)
