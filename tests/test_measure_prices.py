"""Programs that measure prices and report on them: records, tables, plot, ways to close a gap."""

from __future__ import annotations

import importlib.util
import json
import re
import subprocess
import sys
from itertools import pairwise
from pathlib import Path
from xml.etree import ElementTree

import pytest

import nonosat
from nonosat.board import prices
from nonosat.core.limits import Limits, Watch
from nonosat.generate.structured import generate_structured

FOLDER = Path(__file__).parent.parent / "benchmarks" / "native"


def _module(name):
    spec = importlib.util.spec_from_file_location(f"measure_{name}", FOLDER / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def measure():
    before = [*sys.path]
    yield _module("prices")
    sys.path[:] = before


@pytest.fixture(scope="module")
def report():
    return _module("prices_report")


def _run(*arguments):
    command = [sys.executable, *map(str, arguments)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)
    return done.returncode, done.stdout, done.stderr


@pytest.mark.thorough
def test_a_quick_measure_is_recorded_and_reported(tmp_path):
    record, picture = tmp_path / "prices.json", tmp_path / "prices.svg"
    status, _, errors = _run(FOLDER / "prices.py", "--quick", "--record", record)
    assert (status, errors) == (0, "")
    figures = json.loads(record.read_text())
    assert {*figures} == {"on", "yardstick", "growth", "families", "noise"}
    knights = figures["families"]["knights 8"]
    assert knights["prove"]["bound"] < knights["prove"]["goal"]
    assert knights["learn"]["conflicts"] > 500
    trominoes = figures["families"]["trominoes 5"]
    assert trominoes["prove"]["bound"] == 60
    assert trominoes["gap"]["by probing"] == {"open": 0, "bound": 0}
    status, output, errors = _run(FOLDER / "prices_report.py", record, "--svg", picture)
    assert (status, errors) == (0, "")
    assert "| trominoes 5 | 215 | 60 |" in output
    assert "probing by prices: " in output
    assert output.count("\n| --- |") == 3
    ElementTree.parse(picture)
    assert "by prices" in picture.read_text()


def test_unknown_parts_are_refused(tmp_path):
    status, _, errors = _run(FOLDER / "prices.py", "growing", "--record", tmp_path / "x")
    assert status == 2
    assert "growth" in errors
    assert not (tmp_path / "x").exists()


def _growth():
    """Growth as recorded: n squared by prices, doubled by each domino for clause learning."""
    by_prices = {str(n): {"s": n * n / 1e4, "sweeps": [n, n]} for n in range(10, 101, 10)}
    learnt = {str(n): {"s": 2.0**n / 1e3, "verdict": "unique"} for n in range(8, 13)}
    learnt["13"] = {"s": 20.1, "verdict": "unknown"}
    fits = {"exponent of n": 2.0, "times a domino": 2.0}
    return {"prices": by_prices, "learn": learnt, "limit_s": 20, "fits": fits}


def test_the_plot_has_all_points_inside(report):
    drawn = report.plot(_growth())
    places = re.findall(r'<circle cx="([\d.]+)" cy="([\d.]+)"', drawn)
    assert len(places) == 10 + 5  # a measurement that reached its limit is no point
    for x, y in places:
        assert report.LEFT <= float(x) <= report.WIDTH - report.RIGHT
        assert report.TOP <= float(y) <= report.HEIGHT - report.BOTTOM
    heights = [float(y) for _, y in places]
    assert heights[:10] == sorted(heights[:10], reverse=True)  # larger ones take longer
    steps = [a - b for a, b in pairwise(heights[10:])]
    assert max(steps) - min(steps) < 0.2  # a straight line
    assert "n to the 2.0" in drawn
    assert "2.00 times more a domino" in drawn


def test_the_table_of_growth(report):
    lines = list(report.growth_table(_growth()))
    assert "| 10 | 441 | 10, 10 | 10 ms | 1.0 s |" in lines
    assert "| 13 | 729 |  |  | > 20 s |" in lines
    assert "| 100 | 40401 | 100, 100 | 1.0 s |  |" in lines


def test_the_slope_is_fitted(measure):
    assert measure._slope(
        {x: 2.718281828459045 ** (3 * x + 1) for x in (1, 2, 4)}
    ) == pytest.approx(3)


@pytest.mark.parametrize("family", ["swapped", "trominoes"])
def test_probing_by_prices_decides_what_the_bound_leaves_open(measure, family):
    puzzle = generate_structured(family, 4)
    watch = Watch(Limits())
    task = measure._propagated(puzzle, watch)
    assert task.probe(watch)[0]
    cells = prices.find(task, watch, stubborn=True)
    assert cells.outcome is prices.PriceOutcome.OPEN
    solution = nonosat.check(puzzle, backend="cadical195").solution.cells
    proof = prices.refute_others(task, solution, watch, stubborn=True)
    assert proof.bound >= prices.least_distance(task)
    found = measure.closing(task, solution, proof, 60)
    assert found["by probing"] == {"open": 0, "bound": 0}
    assert 0 < found["refuted"] <= found["tried"]
    assert task.board.cells() == solution
