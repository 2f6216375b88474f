"""`kill -9` of driver, workers, zygotes and runs at random moments: no run is lost or repeated.

Each kind once or twice in a row of sessions; NONOSAT_FUZZ=20 makes it 20, as in the recorded run.
"""

from __future__ import annotations

import os
import random
import signal
import subprocess
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest

from helpers.benches import CORNER, program, records_in, suite_of
from helpers.commands import COMMAND
from helpers.drawing import FUZZ
from helpers.processes import (
    PATIENCE_S,
    all_ended,
    below,
    children_of,
    command_of,
    dask_workers_of,
    happens,
    interruptible,
)
from nonosat.bench.process import MARK
from nonosat.bench.records import Header, Run, Status
from nonosat.processes import system

PLACES = {"here": (), "cluster": ("--cluster", "local:2", "--force-jobs")}
MARK_OF_TEST = "NONOSAT_TEST"
WAYS = '[configurations.auto]\n[configurations.sat]\nbackend = "cadical195"\npresolve = "none"\n'
# Leaves an orphan that sleeps on, and takes its time: while there is a file `wait`.
SLOW = """
import os, time
if not os.fork():
    os.setsid()
    if not os.fork():
        open({left!r}, "w").close()
        time.sleep(600)
    os._exit(0)
time.sleep(0.03)
while os.path.exists({wait!r}):
    time.sleep(0.01)
print("one")
"""


class Driver:
    """`nonosat bench run --resume` as a process, to be started again and again."""

    def __init__(
        self,
        folder: Path,
        num_puzzles: int = 6,
        place: str = "here",
        waits: bool = False,
        **environment: str,
    ) -> None:
        self.place = place
        self.environment = environment
        self.wait = folder / "wait"  # programs do not end while it is there
        if waits:
            self.wait.touch()
        self.orphan = folder / "orphan"  # exists when a run has left an orphan
        text = SLOW.format(wait=str(self.wait), left=str(self.orphan))
        own = program(folder, "slow", text, "{jsonl}")
        way = f'[configurations.slow]\nprogram = {own}\nverdicts = {{solved = "one"}}\n'
        noise = f"[[generate]]\nheight = 4\nwidth = 4\nseeds = {num_puzzles}\n"
        self.suite = suite_of(folder, WAYS + way + noise, CORNER)
        self.results = folder / "out.jsonl"
        self.mark = uuid4().hex
        self.start()

    def start(self) -> None:
        asked = ["bench", "run", str(self.suite.path), "-o", str(self.results), "--resume"]
        asked += PLACES[self.place]
        self.process = subprocess.Popen(
            [*COMMAND, *asked],
            env={**os.environ, MARK_OF_TEST: self.mark, **self.environment},
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
        )

    def size(self) -> int:
        return self.results.stat().st_size if self.results.exists() else 0

    def num_lines(self) -> int:
        return self.results.read_bytes().count(b"\n") if self.results.exists() else 0

    def await_progress(self) -> None:
        """Wait until more is recorded, or all is done."""
        before = self.size()
        happens(self.results.parent, lambda: self.size() > before, unless=self.process)

    def await_lines(self, count: int) -> None:
        """Wait until there are so many lines."""
        assert happens(self.results.parent, lambda: self.num_lines() >= count, unless=self.process)

    def await_silence(self) -> None:
        """Wait until no process runs that this test has started."""
        while left := self.left():
            assert all_ended(map(int, left))

    def left(self) -> list[str]:
        """Return the processes that this test started and that still run."""
        found = []
        for path in Path("/proc").glob("[0-9]*/environ"):
            with suppress(OSError):
                if f"{MARK_OF_TEST}={self.mark}".encode() in path.read_bytes():
                    found.append(path.parent.name)
        return found

    def end(self) -> None:
        """Kill remaining processes: a failed test must not make the next one fail."""
        self.process.kill()
        self.process.communicate()
        for pid in self.left():
            with suppress(ProcessLookupError):
                os.kill(int(pid), signal.SIGKILL)

    def finish(self) -> list[Run]:
        """Wait for the end, and check that every run of the suite is recorded once."""
        _, errors = self.process.communicate(timeout=PATIENCE_S)
        assert self.process.returncode == 0, errors
        assert not self.left()
        records = records_in(self.results)
        headers = {one.session: one for one in records if isinstance(one, Header)}
        runs = [one for one in records if isinstance(one, Run)]
        keys = Counter(one.key(headers[one.session]) for one in runs)
        assert set(keys.values()) == {1}
        assert len(keys) == len(self.suite.instances) * len(self.suite.configurations)
        return runs


@pytest.fixture
def drive(tmp_path: Path) -> Iterator[Callable[..., Driver]]:
    """Return a function that starts a driver in the folder of the test; no process outlives it."""
    started: list[Driver] = []

    def start(**wanted: Any) -> Driver:
        started.append(Driver(tmp_path, **wanted))
        return started[-1]

    yield start
    for driver in started:
        driver.end()


def kill_one(processes: set[int], rng: random.Random) -> None:
    """Kill one process; there may be none while they are being replaced, or when all is done."""
    with suppress(ProcessLookupError):
        if processes:
            os.kill(rng.choice(sorted(processes)), signal.SIGKILL)


def guards(driver: Driver) -> set[int]:
    """Parents of zygotes, without these and their runs, which have the same name."""
    found = {pid for pid in below(driver.process.pid) if "zygote.py" in command_of(pid)}
    return found.difference(*map(children_of, found))


def zygotes(driver: Driver) -> set[int]:
    return set().union(*map(children_of, guards(driver)))


def kill_driver(driver: Driver, rng: random.Random) -> None:
    driver.process.kill()
    driver.process.communicate()
    driver.await_silence()
    driver.start()


def kill_worker(driver: Driver, rng: random.Random) -> None:
    kill_one(dask_workers_of(driver.process.pid), rng)


def kill_zygote(driver: Driver, rng: random.Random) -> None:
    kill_one(zygotes(driver), rng)


def kill_run(driver: Driver, rng: random.Random) -> None:
    kill_one(set().union(*map(children_of, zygotes(driver))), rng)


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("place", "kills"),
    [
        ("here", [kill_driver, kill_zygote] * 2),
        ("here", [kill_run] * 2),
        ("cluster", [kill_worker, kill_zygote, kill_driver]),
        ("cluster", [kill_run]),
    ],
    ids=["here-others", "here-runs", "cluster-others", "cluster-runs"],
)
def test_nothing_is_lost_or_repeated(
    drive: Callable[..., Driver],
    place: str,
    kills: list[Callable[[Driver, random.Random], None]],
) -> None:
    rng = random.Random(7)
    kills = kills * FUZZ
    driver = drive(num_puzzles=2 + 2 * len(kills), place=place)
    for kill in kills:
        # At any moment from the start on, but not so often that no run is ever done.
        if rng.random() < 0.8:
            driver.await_progress()
        kill(driver, rng)
    runs = driver.finish()
    crashes = [one for one in runs if one.status is not Status.OK]
    if kill_run in kills:
        assert len(crashes) <= len(kills)
        assert {(one.status, one.signal) for one in crashes} <= {(Status.CRASH, 9)}
    else:
        assert not crashes, crashes[0].reason


@pytest.mark.thorough
@pytest.mark.parametrize("survivor", ["driver", "guard", "zygote"])
def test_two_may_die_at_once_and_no_process_is_left(
    drive: Callable[..., Driver], survivor: str
) -> None:
    driver = drive(num_puzzles=1, waits=True)
    # The run has left a process, which the system alone would not end.
    assert happens(driver.orphan.parent, driver.orphan.exists)
    found = {"guard": guards(driver), "zygote": zygotes(driver), "driver": set()}
    for name in found.keys() - {survivor}:
        kill_one(found[name], random.Random(1))
    driver.wait.unlink()
    if survivor != "driver":
        kill_driver(driver, random.Random(1))
    driver.finish()


@pytest.fixture
def begun(tmp_path: Path) -> Path:
    """A pipe that ends when a helper begins to import an engine's package, which never ends.

    The import stands for every slow moment of a start.
    """
    pipe = tmp_path / "begun"
    os.mkfifo(pipe)
    (tmp_path / "pysat").mkdir()
    (tmp_path / "pysat" / "__init__.py").write_text(
        f"import signal\nopen({str(pipe)!r}, 'w').close()\nsignal.pause()\n"
    )
    return pipe


@pytest.mark.thorough
@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGINT], ids=["killed", "ctrl-c"])
def test_a_driver_that_ends_while_helpers_start_takes_them_along(
    drive: Callable[..., Driver], tmp_path: Path, begun: Path, how: int
) -> None:
    with interruptible():
        driver = drive(num_puzzles=1, PYTHONPATH=str(tmp_path))
    begun.read_bytes()  # returns once a helper imports the package
    assert len(driver.left()) > 1
    driver.process.send_signal(how)
    driver.process.wait(PATIENCE_S)
    driver.await_silence()


# Holds a guard after the fork of its zygote, while there is a file `hold`.
HELD = """
import os, sys, time
def hold(guard=os.getpid()):
    while os.getpid() == guard and os.path.exists({hold!r}):
        time.sleep(0.01)
if any(word.endswith("zygote.py") for word in sys.orig_argv):
    os.register_at_fork(after_in_parent=hold)
"""


@pytest.mark.slow
def test_a_driver_that_ends_just_after_a_guard_has_forked_takes_both_along(
    drive: Callable[..., Driver], tmp_path: Path, begun: Path
) -> None:
    hold = tmp_path / "hold"
    hold.touch()
    (tmp_path / "sitecustomize.py").write_text(HELD.format(hold=str(hold)))
    driver = drive(num_puzzles=1, PYTHONPATH=str(tmp_path))
    begun.read_bytes()
    driver.process.kill()
    driver.process.wait(PATIENCE_S)
    hold.unlink()
    driver.await_silence()


@pytest.mark.thorough
def test_an_incomplete_line_is_repaired(drive: Callable[..., Driver]) -> None:
    driver = drive()
    driver.await_lines(3)
    driver.process.kill()
    driver.process.communicate()
    driver.await_silence()
    with driver.results.open("r+b") as file:
        file.truncate(driver.size() - 7)
    driver.start()
    driver.finish()


@pytest.mark.thorough
def test_ctrl_c_ends_all_and_keeps_recorded_runs(drive: Callable[..., Driver]) -> None:
    with interruptible():
        driver = drive(waits=True)  # is not done when Ctrl-C comes
    driver.await_lines(3)
    driver.process.send_signal(signal.SIGINT)
    _, errors = driver.process.communicate(timeout=PATIENCE_S)
    assert driver.process.returncode == 130
    assert b"interrupted, " in errors
    assert not driver.left()
    driver.wait.unlink()
    driver.start()
    driver.finish()


def test_strays_of_a_dead_zygote_are_found_by_their_mark() -> None:
    from nonosat.bench.process import Zygote

    with Zygote([]) as one:
        one.finish()
        mark = Path(f"/proc/{one.pid}/environ").read_bytes().split(f"{MARK}=".encode())[1]
        env = {MARK: mark.split(b"\0")[0].decode()}
        stray = subprocess.Popen(["/bin/sleep", "60"], env=env)
        os.kill(one.pid, signal.SIGKILL)
    assert stray.wait(PATIENCE_S) == -signal.SIGKILL


def test_a_program_that_has_just_begun_is_waited_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    stat, environ = tmp_path / "stat", tmp_path / "environ"
    fields = ["1"] * 50
    fields[48] = "0"  # where the environment ends: the system has not got there yet
    stat.write_text(f"7 (a b) {' '.join(fields)}\n")
    environ.write_bytes(b"")
    monkeypatch.setattr(system, "sleep", lambda _: environ.write_bytes(b"A=1\0B=2\0"))
    assert system._environment(tmp_path) == b"A=1\0B=2\0"


@pytest.mark.parametrize(("memory", "end"), [("1", "1"), ("0", "0")], ids=["bare", "zombie"])
def test_a_process_without_environment_is_not_waited_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, memory: str, end: str
) -> None:
    fields = ["1"] * 50
    fields[20], fields[48] = memory, end
    (tmp_path / "stat").write_text(f"7 (a b) {' '.join(fields)}\n")
    (tmp_path / "environ").write_bytes(b"")
    monkeypatch.setattr(system, "sleep", pytest.fail)
    assert system._environment(tmp_path) == b""
