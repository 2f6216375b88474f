"""Plots of a report: their axes, colours and styles."""

from __future__ import annotations

import base64
import io
import re
from pathlib import Path

import pytest
from matplotlib.image import imread

from helpers.recorded import LIMIT_S, failed, one
from nonosat.bench.records import Status
from nonosat.bench.report.numbers import fixed, milliseconds
from nonosat.bench.report.plots import STATUS_RGB, plots, style_of
from test_bench_report import found


@pytest.mark.thorough
@pytest.mark.parametrize("num_instances", [7, 30])
def test_heat_map_fills_its_axes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, num_instances: int
) -> None:
    """One column an instance, or one for several; the picture ends where the axes end."""
    monkeypatch.setattr("nonosat.bench.report.plots.MAX_MAP", 10)
    runs = [one(name, f"a#{n}") for n in range(num_instances) for name in ("order", "direct")]
    drawn = plots(found(tmp_path, runs), ("order", "direct"))
    (image,) = re.findall(r"<image [^>]*matrix[^>]*>", drawn.heat)
    width, height = (int(found) for found in re.findall(r' (?:width|height)="(\d+)"', image))
    across, _, _, down, left, top = map(float, image.split("matrix(")[1].split(")")[0].split())
    assert (width, height) == (7 if num_instances == 7 else 10, 2)
    box = drawn.heat_box
    assert (left, top) == pytest.approx((box["x0"], box["y1"]), abs=0.6)
    right, bottom = left + width * across, top + height * down
    assert (right, bottom) == pytest.approx((box["x1"], box["y0"]), abs=0.6)


def test_colours_of_the_heat_map(tmp_path: Path) -> None:
    """Status colours if nothing was solved, none if nothing ran."""
    runs = [one("order", "a#1"), failed("direct", "a#1", Status.CRASH), one("order", "b#1")]
    drawn = plots(found(tmp_path, runs), ("order", "direct"))
    encoded = re.search(r'base64,([^"]*)"[^>]*matrix', drawn.heat)
    assert encoded is not None
    pixels = imread(io.BytesIO(base64.b64decode(encoded[1])))
    seen = {tuple((pixels[1, column] * 255).round().tolist()) for column in (0, 1)}
    assert seen == {(0, 0, 0, 0), (*STATUS_RGB[Status.CRASH], 255)}


@pytest.mark.thorough
def test_axes_fit_the_data(tmp_path: Path) -> None:
    """The axis of seconds begins and ends near the times; a far limit is omitted."""
    quick = [one("order", f"a#{n}", 0.02 + n / 100) for n in range(9)]
    for runs, ends_ in (
        (quick, (0.02, 0.1)),
        ([*quick, one("order", "b#1", 4.0)], (0.02, LIMIT_S)),
        ([*quick, failed("order", "b#1", Status.TIMEOUT)], (0.02, LIMIT_S)),
    ):
        frame = plots(found(tmp_path, runs), ("order", "order")).frame
        low, high = 10 ** frame["low"], 10 ** frame["high"]
        assert ends_[0] / 2 < low < ends_[0]
        assert ends_[1] < high < ends_[1] * 2


def test_milliseconds_and_ratios_are_aligned() -> None:
    times = [milliseconds(value) for value in (0, 0.00004, 0.0095, 0.25, 1.5, 61.23456)]
    assert times == ["0.0", "0.0", "9.5", "250.0", "1,500.0", "61,234.6"]
    ratios = [fixed(value) for value in (0, 0.000123, 0.0512, 0.1, 1, 12.345, 2345, float("inf"))]
    assert ratios == ["0.00", "0.000123", "0.0512", "0.10", "1.00", "12.35", "2,345.00", "∞"]


def test_styles_of_curves_differ(tmp_path: Path) -> None:
    """No two of 32 are alike, and similar colours (gold and orange) differ in dashes."""
    names = tuple(f"way-{index}" for index in range(32))
    table = found(tmp_path, [one(name) for name in names], names=names).table
    styles = [style_of(table, name) for name in names]
    assert len(set(styles)) == 32
    for one_, other in ((0, 4), (1, 5), (2, 6), (3, 7)):
        assert styles[one_][1] != styles[other][1]


@pytest.mark.thorough
@pytest.mark.parametrize("number", [0, 1, 2, 3, 7, 40])
def test_the_axis_of_instances_has_whole_numbers(tmp_path: Path, number: int) -> None:
    runs = [one("order", f"a#{at}", 1.0 + at) for at in range(number)]
    runs += [failed("direct", "b#1", Status.TIMEOUT), failed("order", "b#1", Status.TIMEOUT)]
    drawn = plots(found(tmp_path, runs), ("order", "direct"))
    for svg, name, most in (
        (drawn.cactus, "instances solved", max(number, 1)),
        (drawn.heat, "instances, easy to hard", number + 1),
    ):
        texts = re.findall(r"<text[^>]*>([^<]*)</text>", svg)
        ticks = texts[: texts.index(name)]
        assert ticks[0] == "0"
        assert all(tick.isdecimal() for tick in ticks), ticks
        assert len(ticks) == len(set(ticks))
        assert int(ticks[-1]) <= most
