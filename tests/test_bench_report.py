"""Reports: numbers compared with a table computed by hand, and three output formats."""

from __future__ import annotations

import contextlib
import csv
import io
import json
import random
import re
import sys
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

from helpers import recorded
from helpers.commands import run
from helpers.recorded import failed, one
from nonosat.bench.compare import compare
from nonosat.bench.records import Run, Status
from nonosat.bench.report.numbers import ReportContent, num, numbers
from nonosat.bench.report.page import data_of, folder_of, page
from nonosat.bench.report.plots import plots
from nonosat.bench.report.text import markdown, runs_csv, summary_csv
from nonosat.bench.results import load
from nonosat.core.errors import NonosatError, UnsupportedError
from nonosat.core.result import Verdict

EVIL = "</script><img src=x onerror=alert(1)>&amp;{{data}}$x^2$"
BY_HAND = [  # seconds of two configurations on four instances; the limit is 10
    one("order", "a#1", 1.0),
    one("direct", "a#1", 4.0),
    one("order", "a#2", 2.0),
    one("direct", "a#2", 2.0),
    one("order", "a#3", 8.0),
    failed("direct", "a#3", Status.TIMEOUT),
    failed("order", "a#4", Status.MEMOUT, 3.0),
    one("direct", "a#4", 9.0, peak_mib=100.0),
]


def found(
    tmp_path: Path, runs: list[Run], *, names: tuple[str, ...] = recorded.NAMES
) -> ReportContent:
    path = recorded.write(tmp_path / "results.jsonl", runs, recorded.header(names))
    return numbers(load([path]), None, "cpu")


def test_summary_by_hand(tmp_path: Path) -> None:
    order, direct = found(tmp_path, BY_HAND).summary
    assert order == {
        "configuration": "order",
        "wrong": "0",
        "solved": "3 of 4",
        "timeout": "0",
        "memout": "1",
        "crash": "0",
        "unsupported": "0",
        "PAR-2 s": "7.75",  # (1 + 2 + 8 + 20) / 4
        "ratio": "baseline",
        "95 % interval": "",
        "pairs": "",
        "memory MiB": "30.5",
        "most MiB": "30.5",
    }
    assert direct["PAR-2 s"] == "8.75"  # (4 + 2 + 20 + 9) / 4
    assert (direct["ratio"], direct["pairs"]) == ("2", "2")  # the geometric mean of 4 and 1
    assert direct["most MiB"] == "100"


@pytest.mark.thorough
@pytest.mark.parametrize("pairs", [1, 2, 5, 6, 7])
def test_an_interval_rests_on_six_pairs_or_more(tmp_path: Path, pairs: int) -> None:
    runs = []
    for number in range(pairs):
        runs += [one("order", f"a#{number}", 1.0), one("direct", f"a#{number}", 2.0 + number % 2)]
    numbers_ = found(tmp_path, runs)
    _, direct = numbers_.summary
    assert direct["pairs"] == str(pairs)
    if pairs < 6:
        assert direct["95 % interval"] == "too few pairs for an interval"
        for text in (markdown(numbers_), summary_csv(numbers_), page(numbers_)):
            assert "too few pairs for an interval" in text
    else:
        low, high = map(float, direct["95 % interval"].split(" to "))
        assert 1.8 < low < float(direct["ratio"]) < high < 3.5


def test_virtual_best_by_hand(tmp_path: Path) -> None:
    best, order, direct = found(tmp_path, BY_HAND).contributions
    assert (best["solved"], best["PAR-2 s"]) == ("4", "5")  # (1 + 2 + 8 + 9) / 4
    assert (order["fastest"], order["alone"]) == ("3", "1")
    assert order["without it"] == "8.75 (+75.0%)"
    assert direct["without it"] == "7.75 (+55.0%)"


def test_repetitions(tmp_path: Path) -> None:
    """The median run counts; an instance is solved if more than half of the runs are."""
    runs = [one("order", "a#1", seconds, repetition=n) for n, seconds in enumerate((3, 1, 2))]
    runs += [one("order", "b#1", repetition=0)]
    lost = failed("order", "b#1", Status.TIMEOUT)
    runs += [replace(lost, repetition=n) for n in (1, 2)]
    (row,) = found(tmp_path, runs).summary
    assert (row["solved"], row["PAR-2 s"]) == ("1 of 2", "11")  # (2 + 20) / 2


def wrong_runs() -> list[Run]:
    liar = one("direct", "a#1", verdict=Verdict.UNSOLVABLE, solutions=())
    return [one("order", "a#1"), liar, one("direct", "a#2"), one("order", "a#2")]


@pytest.mark.slow
def test_wrong_runs_in_every_format(tmp_path: Path) -> None:
    numbers_ = found(tmp_path, wrong_runs())
    assert numbers_.summary[1]["configuration"] == "direct (WRONG)"
    assert "direct" not in str(numbers_.contributions)
    command = "nonosat check 'suites/a#1' --backend cadical195 --encoding line=direct"
    assert f"    {command}\n" in markdown(numbers_)
    assert "direct (WRONG)" in markdown(numbers_)
    assert "direct (WRONG)" in summary_csv(numbers_)
    html = page(numbers_)
    assert command.replace("'", "&#x27;") in html
    assert html.count("direct (WRONG)") >= 4  # summary, key, heat map, data of the instances
    statuses = [row["status"] for row in csv.DictReader(io.StringIO(runs_csv(numbers_)))]
    assert statuses == ["ok", "wrong", "ok", "ok"]


@pytest.mark.slow
def test_all_configurations_are_wrong(tmp_path: Path) -> None:
    numbers_ = found(tmp_path, [one("order", status=Status.WRONG, reason="row 0 is broken")])
    assert "Every configuration" in markdown(numbers_)
    assert "Every configuration" in page(numbers_)


def test_unknown_baseline(tmp_path: Path) -> None:
    path = recorded.write(tmp_path / "results.jsonl", BY_HAND)
    with pytest.raises(UnsupportedError, match="no configuration 'x', expected one of order, dire"):
        numbers(load([path]), "x", "cpu")
    second = numbers(load([path]), "direct", "wall").summary[0]
    assert second["ratio"] == "0.5"


def test_csv(tmp_path: Path) -> None:
    runs = [
        one("=SUM(A1)", "a#1"),
        one("@x", "-a#1"),
        one("order", 'a,"b\n#1', signal=-9, exit=None),
    ]
    rows = list(csv.DictReader(io.StringIO(runs_csv(found(tmp_path, runs)))))
    assert [row["configuration"] for row in rows] == ["'=SUM(A1)", "'@x", "order"]
    assert rows[1]["instance"] == "'-a#1"
    assert rows[2]["instance"] == 'a,"b\n#1'
    assert (rows[2]["signal"], rows[2]["exit"], rows[2]["conflicts"]) == ("-9", "", "1000")
    assert rows[0]["commit"] == "0123abc"


def test_markdown_is_escaped(tmp_path: Path) -> None:
    text = markdown(found(tmp_path, [one("a|b_c_<i>", "x#1"), one("order", "x#1")]))
    assert "| a\\|b\\_c\\_\\<i\\> |" in text
    assert "ortools" in text


class Elements(HTMLParser):
    """Start tags with their attributes, and the text of scripts."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str | None]]] = []
        self.feed(html)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, dict(attrs)))


def evil_runs() -> list[Run]:
    runs = [one(EVIL, f"{EVIL}#{n}", reason=EVIL, solutions=((EVIL,),)) for n in range(3)]
    return [*runs, one("order", f"{EVIL}#0", verdict=Verdict.UNSOLVABLE, solutions=())]


@pytest.mark.slow
def test_page_is_harmless(tmp_path: Path) -> None:
    path = tmp_path / "results.jsonl"
    head = recorded.header((EVIL, "order"), suite=EVIL, environment={EVIL: EVIL}, started=EVIL)
    html = page(numbers(load([recorded.write(path, evil_runs(), head)]), None, "cpu"))
    found = Elements(html).found
    assert [tag for tag, _ in found].count("script") == 2
    assert not [tag for tag, _ in found if tag in ("img", "iframe", "object", "link", "base")]
    for tag, attributes in found:
        assert not [name for name in attributes if name.startswith("on")], (tag, attributes)
    data = re.search(r'id="data">(.*?)</script>', html, re.DOTALL)
    assert data is not None
    assert json.loads(data[1])["rows"][0][0] == f"{EVIL}#0"


JUNK: tuple[object, ...] = (
    *(None, True, -1, 0, 1e308, 10**400, "", "x", "\ud800\x1b[2J", [], {}, [[]], [{}], {"": []}),
    *("ok", "unique", [1, 2], [["#"]], {"conflicts": 10**400}, {"sha256": []}),
)


def damaged(value: Any, rng: random.Random) -> Any:
    """JSON data with junk somewhere in it."""
    if not isinstance(value, dict | list) or not value or rng.random() < 0.2:
        return rng.choice(JUNK)
    copy = value.copy()
    key = rng.choice([*value]) if isinstance(value, dict) else rng.randrange(len(value))
    copy[key] = damaged(value[key], rng)
    return copy


@pytest.mark.thorough
@pytest.mark.parametrize("seed", range(4))
def test_damaged_records(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, seed: int) -> None:
    """For any file, the result is a report or an error that states the expected form."""
    numbers_ = found(tmp_path, BY_HAND)
    drawn = plots(numbers_, ("order", "direct"))
    monkeypatch.setattr(
        "nonosat.bench.report.page.plots",
        lambda damaged, _: replace(drawn, order=damaged.table.instances),
    )
    path = tmp_path / "results.jsonl"
    whole = [json.loads(line) for line in path.read_text().splitlines()]
    rng = random.Random(seed)
    errors: list[str] = []
    for _ in range(75):
        lines = whole.copy()
        for _ in range(rng.randint(1, 2)):
            index = rng.randrange(len(lines))
            lines[index] = damaged(lines[index], rng)
        path.write_text("".join(json.dumps(line) + "\n" for line in lines))
        try:
            reported = numbers(load([str(path)]), None, rng.choice(["cpu", "wall"]))
        except NonosatError as error:
            errors.append(str(error))
            continue
        html = page(reported)
        assert html.encode(errors="backslashreplace")
        assert markdown(reported)
        assert runs_csv(reported)
        with contextlib.suppress(UnsupportedError):
            compare(reported.results, numbers_.results, "cpu")
    assert 5 < len(errors) < 70
    assert all("expected" in text or "schema" in text for text in errors)


@pytest.mark.slow
def test_effort_counts_instances_that_all_able_configurations_solved(tmp_path: Path) -> None:
    runs = [
        replace(one(name, f"a#{n}"), statistics={"conflicts": c + n, "clauses": 1000, "odd": 1})
        for n in range(3)
        for name, c in (("order", 10), ("direct", 2000))
    ]
    runs[5] = failed("direct", "a#2", Status.TIMEOUT)
    runs += [
        one("automaton", "a#0"),
        *(failed("automaton", f"a#{n}", Status.CRASH) for n in (1, 2)),
    ]
    rows = found(tmp_path, runs).effort
    assert rows == [
        {"configuration": "order", "instances": "2", "clauses": "2,000", "conflicts": "21"},
        {"configuration": "direct", "instances": "2", "clauses": "2,000", "conflicts": "4,001"},
    ]
    assert "| direct | 2 | 2,000 | 4,001 |" in markdown(found(tmp_path, runs))
    assert ">4,001</td>" in page(found(tmp_path, runs))
    alone = found(tmp_path, [one("order", "a#1")])
    assert not alone.effort
    assert "Effort" not in markdown(alone) + page(alone)


@pytest.mark.slow
def test_letters_that_matplotlib_lacks(tmp_path: Path) -> None:
    assert "数独 解法" in page(found(tmp_path, [one("数独 解法"), one("\ud800\x07 $")]))


@pytest.mark.thorough
def test_page_is_the_same_each_time_and_needs_no_network(tmp_path: Path) -> None:
    numbers_ = found(tmp_path, BY_HAND)
    html = page(numbers_)
    assert html == page(numbers_)
    addresses = set(re.findall(r"""(?:https?:)?//[\w.-]+\.\w+[^\s"']*""", html))
    assert addresses <= {"http://www.w3.org/2000/svg", "http://www.w3.org/1999/xlink"}
    for _tag, attributes in Elements(html).found:
        for name in ("src", "href", "xlink:href"):
            assert re.match("#|data:image/png;base64,", attributes.get(name) or "#")
    assert "default-src 'none'" in html
    ids = re.findall(r'\bid="([^"]+)"', html)
    assert len(ids) == len(set(ids))
    assert "prefers-color-scheme: dark" in html
    assert "url(#" not in html or set(re.findall(r"url\(#([^)]+)\)", html)) <= set(ids)


@pytest.mark.slow
def test_one_configuration_and_no_solution(tmp_path: Path) -> None:
    assert "order" in page(found(tmp_path, [failed("order", "a#1", Status.CRASH)]))


@pytest.mark.thorough
def test_size_of_a_report(tmp_path: Path) -> None:
    """Maximum size for 50 000 runs, in proportion (`tests/helpers/recorded.py` makes the whole)."""
    names = {f"configuration-{index}": 1.3**index for index in range(10)}
    runs = recorded.many(5000, names, 5)
    assert len(page(found(tmp_path, runs, names=tuple(names)))) < 5_000_000 / 5


@pytest.mark.thorough
def test_command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    path = recorded.write(tmp_path / "results.jsonl", wrong_runs())
    done = run("bench", "report", path)
    assert done.exit_code == 0
    assert Path("report.html").read_text().startswith("<!DOCTYPE html>")
    assert "report.html: the report" in done.stderr
    assert "  nonosat check 'suites/a#1'" in done.stderr
    assert run("bench", "report", path, "--markdown").stdout.startswith("# made up\n")
    assert run("bench", "report", path, "--csv", "-o", "numbers.csv").stdout == ""
    assert Path("numbers.csv").read_text().startswith("configuration,wrong,solved")
    assert run("bench", "report", path, "--csv-runs").stdout.startswith("instance,sha256")
    assert run("bench", "report", path, "--baseline", "x", "--csv").exit_code == 2


@pytest.mark.parametrize(
    ("more", "told"),
    [
        (("--csv", "--markdown"), "--csv and --markdown: expected one form"),
        (("-o", "results.jsonl"), "results.jsonl has the results; choose another file"),
        (("-o", "link.html"), "link.html has the results"),
        (("-o", "r.pdf"), "r.pdf has the suffix '.pdf', expected .html, .md or .csv"),
        (("-o", "report"), "report has no suffix, expected .html, .md or .csv"),
        (("-o", "."), ". is a folder; name a file in it"),
        (("-o", "nowhere/report.html"), "nowhere/report.html: there is no folder nowhere"),
    ],
)
def test_usage(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, more: tuple[str, ...], told: str
) -> None:
    monkeypatch.chdir(tmp_path)
    path = recorded.write(tmp_path / "results.jsonl", BY_HAND)
    Path("link.html").symlink_to("results.jsonl")
    before = Path(path).read_bytes()
    done = run("bench", "report", "results.jsonl", *more)
    assert done.exit_code == 2
    assert told in done.stderr
    assert Path(path).read_bytes() == before


@pytest.mark.slow
def test_the_suffix_of_the_output_decides_the_format(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    path = recorded.write(tmp_path / "results.jsonl", BY_HAND)
    begins = {
        "r.md": "# made up",
        ".md": "# made up",
        "r.CSV": "configuration,wrong",
        "r.htm": "<!DOCTYPE html>",
    }
    for name, text in begins.items():
        assert run("bench", "report", path, "-o", name).exit_code == 0
        assert Path(name).read_text().startswith(text)
    assert run("bench", "report", path, "--csv-runs", "-o", "r.md", "--force").exit_code == 0
    assert Path("r.md").read_text().startswith("instance,")


def test_disputes_are_reported(tmp_path: Path) -> None:
    runs = [
        one(name, f"a#{n}", count=count, solutions=())
        for n in range(12)
        for name, count in (("order", 7), ("direct", 8))
    ]
    path = recorded.write(tmp_path / "results.jsonl", runs)
    done = run("bench", "report", path, "--csv")
    assert "nonosat: dispute: a#3: 7 by order; 8 by direct\n" in done.stderr
    assert "and 2 disputes more" in done.stderr


def test_without_matplotlib(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    path = recorded.write(tmp_path / "results.jsonl", BY_HAND)
    done = run("bench", "report", path, "-o", str(tmp_path / "page.html"))
    assert done.exit_code == 2
    assert "pip install 'matplotlib<" in done.stderr
    assert not (tmp_path / "page.html").exists()
    assert run("bench", "report", path, "--markdown").exit_code == 0


def test_numbers_are_short() -> None:
    shown = [num(value) for value in (0, 0.00001234, 0.01234, 1.234, 12.34, 123.4, 123456.7, 2e7)]
    assert shown == ["0", "1.23e-05", "0.0123", "1.23", "12.3", "123", "123457", "2.00e+07"]


@pytest.mark.slow
def test_counts_of_which_all_agree_are_shown(tmp_path: Path) -> None:
    """Next to the verdict, if all solutions were requested; no more digits than are readable."""
    counts = {"a#1": (17, 17), "a#2": (17, 18), "a#3": (12345 * 10**30,) * 2, "a#4": (None, 2)}
    many = {"verdict": Verdict.MULTIPLE, "solutions": ()}
    runs = [
        one(name, instance, count=count, **many)
        for instance, both in counts.items()
        for name, count in zip(("order", "direct"), both, strict=True)
    ]
    pair = ("order", "direct")
    shown = {None: ["17", "", "1.23e34", "2"], 20: [""] * 4}
    for most, texts in shown.items():
        path = recorded.write(tmp_path / "r", runs, recorded.header(max_solutions=most))
        numbered = numbers(load([path]), None, "cpu")
        data = data_of(numbered, plots(numbered, pair), pair)
        expected = [f"multiple, {text}".rstrip(", ") for text in texts]
        assert [row[3] for row in data["rows"]] == expected


def test_folder_that_all_files_share(tmp_path: Path) -> None:
    runs = [one("order", name) for name in ("../x/a#1", "../x/b#c/d", "noise:5x5,seed=1")]
    assert folder_of(found(tmp_path, runs).results.runs) == "../x/"
    runs.append(one("order", "../y/a#1"))
    assert folder_of(found(tmp_path, runs).results.runs) == ""
