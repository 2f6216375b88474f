"""`batch --shards --retry`: some results are made again, all others stay unchanged."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from helpers.commands import run
from nonosat.batch import deciding, folder, results, shards
from nonosat.batch.deciding import end_data
from test_batch_shards import CHECK, Here, results_of, sharded, source, timeless

__all__ = ["source"]  # a fixture


@pytest.fixture
def tired(monkeypatch):
    """Let every third puzzle named "again" time out and every fourth crash, until reset."""
    state = {"is_tired": True, "asked": Counter()}

    def decide(asked, read, cores):
        name = read.puzzle.about.id
        state["asked"][name] += 1
        number = int(name.removeprefix("again ")) if name.startswith("again ") else 1
        if state["is_tired"] and number % 3 == 0:
            return end_data("timeout", "time limit of 1 s", 1.0)
        if state["is_tired"] and number % 4 == 0:
            return end_data("crash", "it died", 0.1)
        return deciding.decide(asked, read, cores)

    monkeypatch.setattr(shards, "decide", decide)
    return state


def made(source, retry=(), *, resume=True, pool=Here):
    with shards.opened(CHECK, [source], "out", resume=resume) as batch:
        driver = shards.ShardDriver(batch, pool(batch.work), retry)
        driver.run()
        return driver.tally


def statuses():
    return Counter(record["status"] for record in results_of("out"))


def test_only_named_results_are_made_again(source, tired):
    first = made(source, resume=False)
    assert statuses()["timeout"] == 14
    assert statuses()["crash"] == 6
    before = results_of("out")
    tired["is_tired"] = False
    tired["asked"].clear()
    second = made(source, ["crash"])
    assert sorted(tired["asked"]) == sorted(f"again {n}" for n in range(40) if n % 4 == 0 < n % 3)
    assert (second.done, second.kept) == (6, first.done - 6)
    assert statuses()["crash"] == 0
    assert statuses()["timeout"] == 14
    for was, record in zip(before, results_of("out"), strict=True):
        assert record == was or was["status"] == "crash", "the others are unchanged"
    made(source, ["timeout"])
    assert set(statuses()) == {"ok", "error"}
    whole = timeless(results_of("out"))
    assert made(source, ["timeout", "crash", "memout"]).done == 0
    assert timeless(results_of("out")) == whole


def test_verdicts_and_errors_can_be_named_too(source, tired):
    made(source, resume=False)
    tired["asked"].clear()
    tired["is_tired"] = False
    assert made(source, ["unknown"]).done == 14
    num_errors = statuses()["error"]
    assert made(source, ["error"]).done == num_errors == 2
    folder.merge("out", Path("merged.jsonl"))
    assert results_of("merged.jsonl") == results_of("out")


class Dying(Here):
    """Pool whose workers die after so many steps, during their work."""

    steps = 1

    def submit(self, number, pieces):
        (piece,) = pieces
        work = shards.part_here(self.work, piece)
        for _ in range(self.steps):
            next(work, None)
        work.close()
        super().submit(number, pieces)


def test_workers_that_die_continue_with_repeated_puzzles(source, tired, monkeypatch):
    monkeypatch.setattr(shards, "STEP_S", 0.0)
    made(source, resume=False)
    expected = statuses()["timeout"]
    tired["is_tired"] = False
    tired["asked"].clear()
    monkeypatch.setattr(Dying, "steps", 5)
    assert made(source, ["timeout"], pool=Dying).outcomes["unknown"] == 0
    assert statuses()["timeout"] == 0
    assert tired["asked"].total() == expected, "none was done twice"


def test_a_driver_that_dies_leaves_the_old_results_or_the_new(source, tired, monkeypatch):
    monkeypatch.setattr(shards, "STEP_S", 0.0)
    made(source, resume=False)
    old = timeless(results_of("out"))
    tired["is_tired"] = False

    class Broken(Here):
        num_left = 3

        def submit(self, number, pieces):
            type(self).num_left -= 1
            if self.num_left < 0:
                (piece,) = pieces
                work = shards.part_here(self.work, piece)
                for _ in range(3):
                    next(work)
                work.close()
                raise KeyboardInterrupt
            super().submit(number, pieces)

    with pytest.raises(KeyboardInterrupt):
        made(source, ["timeout"], pool=Broken)
    some = timeless(results_of("out"))
    assert len(some) == len(old)
    made(source)
    assert timeless(results_of("out")) == some, "without --retry nothing is done again"
    made(source, ["crash"])  # a draft that was begun for other options cannot be used
    assert statuses()["crash"] == 0
    made(source, ["timeout"])
    assert set(statuses()) == {"ok", "error"}
    assert not list(Path("out").glob("*.draft"))


def test_the_command_takes_it(source):
    assert sharded(source).exit_code == 2
    again = sharded(source, "--resume", "--retry", "error")
    assert again.exit_code == 2
    assert "recorded already" in again.stdout
    assert "--retry is for --resume" in sharded(source, "--retry", "error").stderr
    assert list(results.latest("out")) == results_of("out")


@pytest.mark.thorough
def test_reports_read_files_and_folders_of_a_batch(source):
    sharded(source)
    run("batch", source, "-o", "one.jsonl", "--jobs", "1")
    rows = [
        run("bench", "report", name, "--csv-runs").stdout.splitlines()
        for name in ("out", "one.jsonl")
    ]
    num_puzzles = len({r["sha256"] for r in results_of("out")} - {None})
    assert len(rows[0]) == len(rows[1]) == 1 + num_puzzles
    told = run("bench", "report", "out", "--markdown").stdout
    assert "wall seconds, which are shown as CPU seconds" in told
    assert run("bench", "compare", "out", "one.jsonl").exit_code == 0
