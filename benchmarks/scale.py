"""Measures the scaling of one driver of `nonosat batch`: `python benchmarks/scale.py WHAT`.

`driver` checks a file of random pictures' clues with and without --shards, each in turn, here or on
a Dask cluster (`--cluster`), and prints CPU seconds per puzzle of driver and workers, and the
number of puzzles per second that would saturate the driver. `simulated` starts a Dask scheduler and
`--workers` workers that only sleep for the duration of their puzzles; it prints the cost of a task
for the driver and the scheduler, and their memory. `SCALE.md` contains the figures.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path
from time import monotonic, sleep
from typing import Any

from batch import LOOK_EVERY_S, children_of, cpu_of, make
from common import COMMAND, Figures

from nonosat.batch import folder, shards
from nonosat.batch.deciding import BatchTask
from nonosat.batch.shards import Piece, Sharded, Sharding
from nonosat.batch.tally import BatchTally
from nonosat.core.result import Options
from nonosat.processes.cluster import ClusterPool
from nonosat.processes.memory import resident_mib

HOSTS, THREADS = 4, 25  # processes shared by the simulated workers, and threads of each Dask worker
CHECK = BatchTask("check", Options(max_solutions=2))


def below(pid: int) -> Iterator[int]:
    """Yield all descendants of a process."""
    for child in children_of(pid):
        yield child
        yield from below(child)


# Cost of a puzzle


def run(path: Path, number: int, words: Sequence[str], start_s: float = 0.0) -> Figures:
    """Check a collection; return CPU seconds of the driver (without start) and descendants."""
    results = path.with_suffix(".results")
    shutil.rmtree(results, ignore_errors=True)
    results.unlink(missing_ok=True)
    command = [*COMMAND, "batch", str(path), "-o", str(results), *words, "--force-jobs"]
    started, cpu, most_mib = monotonic(), dict[int, float](), 0.0
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    while process.poll() is None:
        for pid in (process.pid, *below(process.pid)):
            cpu[pid] = max(cpu.get(pid, 0.0), cpu_of(pid))
        most_mib = max(most_mib, resident_mib(process.pid))
        sleep(LOOK_EVERY_S)
    driver = max(0.01, cpu.pop(process.pid) - start_s)
    return {
        "how": " ".join(words),
        "driver s": round(driver, 2),
        "wall s": round(monotonic() - started, 1),
        "driver us": round(driver / number * 1e6, 1),
        "workers us": round(sum(cpu.values()) / number * 1e6),
        "driver MiB": round(most_mib),
        "puzzles/s of a busy driver": round(number / driver),
    }


def measure_driver(asked: argparse.Namespace) -> None:
    """Print the cost of a puzzle, for each size of board."""
    place = ("--cluster", asked.cluster) if asked.cluster else ("--jobs", str(asked.jobs))
    with tempfile.TemporaryDirectory() as temporary:
        make(path := Path(temporary) / "one.jsonl", 1, 5, 0.55)
        start_s = min(run(path, 1, (*place, "--shards"))["driver s"] for _ in range(3))
        print(f"a driver starts in {start_s} s, which are not counted below")
        for side in asked.sides:
            path = Path(temporary) / f"{side}.jsonl"
            make(path, asked.number, side, 0.55)
            print(f"{side}x{side}, {path.stat().st_size / asked.number:.0f} bytes each")
            for _ in range(asked.times):
                for words in (place, (*place, "--shards")):
                    print(run(path, asked.number, words, start_s), flush=True)


# Simulated workers


def nap(seconds: float, work: Sharding, pieces: Sequence[Piece]) -> tuple[str, list[Sharded]]:
    """Sleep for the duration of a task, and return the result of a worker.

    Args:
        seconds: Seconds for each puzzle.
        work: The simulated work.
        pieces: The pieces of the task.
    """
    (piece,) = pieces
    count = piece.part.num_items
    sleep(count * seconds)
    shard = folder.shard_of(Path(work.folder), piece.number)
    with shard.open("wb") as file:
        file.truncate(count)
    return "", [Sharded(piece.number, count, BatchTally(done=count), frozenset())]


class SleepingPool(ClusterPool[Any]):
    """A pool whose tasks only sleep.

    Args:
        address: Address of the scheduler.
        work: The simulated work.
        seconds: Seconds for each puzzle.
    """

    def __init__(self, address: str, work: Any, seconds: float) -> None:
        self._seconds = seconds
        super().__init__(address, work)

    def _begin(self, pieces: Sequence[Any]) -> Any:
        from scale import nap  # the name by which the workers find it

        return self._client.submit(nap, self._seconds, self._work, pieces, pure=False)


async def host(address: str, number: int) -> None:
    """Run simulated workers in this process: several threads for each Dask worker."""
    from nonosat.processes.cluster.nodes import PagelessWorker

    where = tempfile.mkdtemp()
    limits = {"nthreads": THREADS, "memory_limit": 0, "local_directory": where}
    workers = [PagelessWorker(address, **limits) for _ in range(number // THREADS)]
    await asyncio.gather(*workers)
    await asyncio.gather(*(worker.finished() for worker in workers))


async def schedule(place: str) -> None:
    """Run a scheduler in this process, and write its address to a file."""
    from nonosat.processes.cluster.nodes import Scheduler

    scheduler = await Scheduler(host="127.0.0.1", port=0)
    Path(place).write_text(scheduler.address)
    await scheduler.finished()


@contextmanager
def simulated(workers: int) -> Iterator[tuple[str, int]]:
    """Start a scheduler with simulated workers; yield its address and process id."""
    here = [sys.executable, __file__]
    with tempfile.TemporaryDirectory() as temporary, ExitStack() as opened:
        place = Path(temporary) / "address"

        def started(*words: str) -> subprocess.Popen[bytes]:
            process = subprocess.Popen([*here, *words], stderr=subprocess.DEVNULL)
            opened.callback(process.wait)
            opened.callback(process.kill)
            return process

        scheduler = started("be-scheduler", "--address", str(place))
        while not (place.exists() and place.read_text()):
            sleep(LOOK_EVERY_S)
        address = place.read_text()
        for _ in range(HOSTS):
            started("be-workers", "--address", address, "--workers", str(workers // HOSTS))
        _wait_for(address, workers)
        yield address, scheduler.pid


def _wait_for(address: str, workers: int) -> None:
    from distributed import Client

    with Client(address, set_as_default=False) as client:
        client.wait_for_workers(workers // THREADS, timeout=120)


def measure_simulated(asked: argparse.Namespace) -> None:
    """Print the cost of driver and scheduler for workers that sleep."""
    with tempfile.TemporaryDirectory() as temporary, simulated(asked.workers) as (address, pid):
        path = Path(temporary) / "puzzles-0.jsonl"
        make(path, 20_000, asked.sides[0], 0.55)
        data = path.read_bytes() * (asked.number // 20_000)
        path.write_bytes(data)
        for copy in range(1, asked.copies):  # hard links, which take no space
            os.link(path, path.with_name(f"puzzles-{copy}.jsonl"))
        del data
        before = [cpu_of(each) for each in (os.getpid(), pid)]
        started = monotonic()
        puzzles, tasks = napped_shards(Path(temporary), address, asked)
        seconds = monotonic() - started
        used = [cpu_of(each) - cpu for each, cpu in zip((os.getpid(), pid), before, strict=True)]
        print(f"{puzzles} puzzles in {tasks} tasks, {tasks / seconds:.0f} a second")
        for who, each, cpu in zip(("driver", "scheduler"), (os.getpid(), pid), used, strict=True):
            a_task, mib = cpu / tasks * 1000, resident_mib(each)
            print(f"{who}: {cpu:.1f} CPU s, {a_task:.2f} ms a task, {mib:.0f} MiB")


def napped_shards(place: Path, address: str, asked: argparse.Namespace) -> tuple[int, int]:
    """Run a batch on workers that sleep; return the numbers of puzzles and tasks."""
    sources = sorted(map(str, place.glob("puzzles-*.jsonl")))
    with (
        shards.opened(CHECK, sources, str(place / "shards")) as batch,
        closing(SleepingPool(address, batch.work, asked.nap)) as pool,
    ):
        driver = shards.ShardDriver(batch, pool)
        driver.run()
        return driver.tally.done, driver._num_tasks


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("what", choices=["driver", "simulated", "be-scheduler", "be-workers"])
    parser.add_argument("--number", type=int, default=20_000, help="puzzles of a file")
    parser.add_argument("--sides", type=int, nargs="+", default=[5, 10, 15, 20])
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--cluster")
    parser.add_argument("--times", type=int, default=3)
    parser.add_argument("--workers", type=int, default=1000)
    parser.add_argument("--copies", type=int, default=10, help="of the file, for simulated workers")
    parser.add_argument("--nap", type=float, default=0.0005, help="seconds a puzzle")
    parser.add_argument("--address")
    asked = parser.parse_args()
    if asked.what == "be-scheduler":
        asyncio.run(schedule(asked.address))
    elif asked.what == "be-workers":
        asyncio.run(host(asked.address, asked.workers))
    elif asked.what == "driver":
        measure_driver(asked)
    else:
        measure_simulated(asked)


if __name__ == "__main__":
    main()
