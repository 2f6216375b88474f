"""`nonosat bench encodings`: encodings on a user's puzzles, in one command with its page."""

from __future__ import annotations

from math import comb
from pathlib import Path
from typing import Any

import pytest

import nonosat
from helpers.commands import MULTIPLE, UNIQUE, put, run
from nonosat.bench.encodings import MOST_CLAUSES, every_encoding
from nonosat.bench.results import load
from nonosat.core import plugins
from nonosat.core.families import family_of
from nonosat.core.result import Verdict
from nonosat.encodings.line_placements import num_clauses, num_placements

__all__ = ["put"]  # a fixture


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def test_all_encodings_run_on_all_puzzles_without_presolve(put: Any) -> None:
    done = run("bench", "encodings", put(UNIQUE, MULTIPLE), "-o", "mine.md")
    names = {name[5:] for name in plugins.names("encodings") if name.startswith("line-")}
    assert every_encoding()[0] == "order"
    assert set(every_encoding()) == names
    assert done.exit_code == 0, done.stderr
    assert done.stdout == f"{2 * len(names)} runs: {2 * len(names)} ok; mine.jsonl\n"
    results = load(["mine.jsonl"])
    assert {run.configuration for run in results.runs} == names
    assert {run.verdict for run in results.runs} == {Verdict.UNIQUE, Verdict.MULTIPLE}
    for options in results.header.configurations.values():
        assert (options["presolve"], options["hints"], options["backend"]) == (
            *["none"] * 2,
            "learn",
        )
    text = Path("mine.md").read_text()
    assert "ratios against order." in text
    assert "## Effort" in text
    assert "conflicts" in text


@pytest.mark.slow
def test_engines_and_encodings_are_chosen_and_the_page_is_usual(put: Any) -> None:
    words = ["--encoding", "mdd", "--encoding", "order", "--backend", "learn", "--backend"]
    done = run("bench", "encodings", put(UNIQUE), *words, "minisat22", "--time-limit", "600")
    assert done.exit_code == 0, done.stderr
    page = Path("encodings.html").read_text()
    for name in ("mdd, learn", "order, learn", "mdd, minisat22", "order, minisat22"):
        assert name in page
    header = load(["encodings.jsonl"]).header
    assert (header.limits.wall_s, header.task) == (600, "check")


def test_recorded_runs_are_not_repeated(put: Any) -> None:
    line = ["bench", "encodings", put(UNIQUE), "--encoding", "order", "-o", "mine.csv"]
    assert run(*line).exit_code == 0
    done = run(*line)
    assert done.exit_code == 2
    assert "mine.jsonl has results; --resume continues it" in done.stderr
    done = run(*line, "--encoding", "log", "--resume")
    assert done.stdout == "1 run: 1 ok, 1 done before; mine.jsonl\n"
    assert Path("mine.csv").read_text().count("\n") == 3


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["--encoding", "ordr"], "no encoding is called 'line=ordr' (did you mean line=order"),
        (["--backend", "search"], "backend 'search' uses no encodings"),
        (["--backend", "cpsat"], "backend 'cpsat' uses no encodings"),
        (["-o", "mine.pdf"], "mine.pdf"),
        (["--time-limit", "x"], "invalid duration"),
    ],
)
def test_invalid_options_are_refused_before_any_run(put: Any, words: list[str], told: str) -> None:
    done = run("bench", "encodings", put(UNIQUE), *words)
    assert (done.exit_code, done.stdout) == (2, "")
    assert told in done.stderr
    assert not [*Path().glob("*.html"), *Path().glob("encodings.jsonl")]


def test_puzzles_without_lines_are_refused(put: Any) -> None:
    Path("board.queens").write_text("....\n....\n....\n....\n")
    done = run("bench", "encodings", put(UNIQUE), "board.queens")
    assert done.exit_code == 2
    assert "of the family queens, which has no lines to encode; expected nonograms" in done.stderr
    assert run("bench", "encodings", "nowhere.non").exit_code == 2


def test_placements_are_skipped_above_a_budget_as_the_table_states(put: Any) -> None:
    wide: dict[str, Any] = {"id": "wide", "rows": [[3, 3, 3, 3]] * 30, "columns": [[1]] * 30}
    puzzle = nonosat.nonogram(wide["rows"], wide["columns"])
    lines = family_of(puzzle).build(puzzle).lines
    sizes = [comb(30 - 12 - 3 + 4, 4), comb(30, 1)]  # stars and bars, of a row and of a column
    assert [num_placements(lines[0]), num_placements(lines[30])] == sizes
    wanted = 30 * 30 * (sum(sizes) + 4)
    assert sum(map(num_clauses, lines)) == wanted > MOST_CLAUSES
    words = ["--encoding", "order", "--encoding", "placements", "--time-limit", "600"]
    run("bench", "encodings", put(wide, UNIQUE), *words, "-o", "mine.md")
    reasons = [one.reason for one in load(["mine.jsonl"]).runs if one.configuration != "order"]
    assert f"skipped: {wanted:,} clauses, the budget is {MOST_CLAUSES:,}" in reasons
    assert "1 (1 skipped: too large)" in Path("mine.md").read_text()
    assert "too few pairs for an interval" in Path("mine.md").read_text()
