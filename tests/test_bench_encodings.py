"""`nonosat bench encodings`: encodings on a user's puzzles, in one command with its page."""

from __future__ import annotations

import json
from collections import Counter
from math import comb
from pathlib import Path
from typing import Any

import pytest

import nonosat
from helpers.commands import MULTIPLE, UNIQUE, put, run
from nonosat.bench import proofs
from nonosat.bench.encodings import MOST_CLAUSES, every_encoding
from nonosat.bench.results import load
from nonosat.clauses.cnf import Cnf
from nonosat.clauses.translate import translate
from nonosat.core import plugins
from nonosat.core.families import family_of
from nonosat.core.limits import Limits, Watch
from nonosat.core.result import Verdict
from nonosat.encodings.line_placements import num_clauses, num_placements
from nonosat.formats import jsonl

__all__ = ["put"]  # a fixture

HARD = {
    "id": "hard",
    "rows": [[2], [3], [2], [1, 1], [3]],
    "columns": [[1], [1, 1], [2, 1], [2, 1], [2, 1]],
}


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


def test_proofs_of_encodings_are_checked_and_put_into_one_table(put: Any) -> None:
    words = ["--encoding", "order", "--encoding", "automaton", "-o", "m.csv", "--proofs", "p.md"]
    done = run("bench", "encodings", put(UNIQUE, MULTIPLE, HARD), *words)
    assert done.exit_code == 0, done.stderr
    title, _, *lines = Path("p.md").read_text().splitlines()
    rows = [[cell.strip() for cell in line.split("|")[1:-1]] for line in lines if line]
    assert title == "Proofs of learn:"
    assert tuple(rows[0]) == proofs.HEAD
    by_name = {row[0]: row for row in rows[2:]}
    assert by_name.keys() == {"order", "automaton"}
    for name, row in by_name.items():
        assert row[1] == plugins.find("encodings", f"line-{name}").strength.value
        assert row[2] == "2"  # the puzzle with several solutions has no proof
        variables, clauses = (int(cell.replace(",", "")) for cell in row[3:5])
        expected = Counter[str]()
        for data in (UNIQUE, HARD):
            (puzzle,) = jsonl.read(json.dumps(data).encode())
            model = family_of(puzzle).build(puzzle)
            cnf = Cnf(model.num_vars)
            translate(model, cnf, {"line": name, "count": "totalizer", "loop": "cells"})
            expected["variables"] += cnf.num_vars - model.num_vars
            expected["clauses"] += len([*cnf])
        assert (variables, clauses) == (expected["variables"], expected["clauses"])
        assert int(row[8].replace(",", "")) >= 2


def test_proofs_need_an_engine_that_writes_them(put: Any) -> None:
    done = run("bench", "encodings", put(UNIQUE), "--backend", "minisat22", "--proofs", "p.md")
    assert done.exit_code == 2
    assert "minisat22 writes no proofs" in done.stderr


def test_engines_that_count_no_conflicts_have_proofs(put: Any) -> None:
    words = ["--backend", "lingeling", "--encoding", "order", "-o", "m.csv", "--proofs", "p.md"]
    done = run("bench", "encodings", put(UNIQUE, HARD), *words)
    assert done.exit_code == 0, done.stderr
    cells = [cell.strip() for cell in Path("p.md").read_text().splitlines()[4].split("|")[1:-1]]
    by_head = dict(zip(proofs.HEAD, cells, strict=True))
    assert (by_head["puzzles"], by_head["conflicts"]) == ("2", "-")
    assert int(by_head["lemmas"].replace(",", "")) >= 1


@pytest.mark.parametrize("options", ["-o p.md", "--results p.md", "-o ./p.md"])
def test_the_table_of_proofs_has_a_file_of_its_own(put: Any, options: str) -> None:
    done = run("bench", "encodings", put(UNIQUE), *options.split(), "--proofs", "p.md")
    assert done.exit_code == 2
    assert "--proofs names a file that --output or --results writes, too" in done.stderr
    assert not Path("p.md").exists()


def test_encodings_with_few_proofs_are_left_out_of_the_sums() -> None:
    one = proofs.Refutation(1, 2, 0.5, 3, 4, 4, 1_000_000, 0.25)
    few = {"order": {"a": one, "b": one}, "mdd": {"a": one}, "direct": {}}
    text = proofs.table(few)
    assert "| order | conflicts only | 1 | 1 | 2 | 0.50 | 3 | 4 | 4 | 1.00 | 0.25 |" in text
    assert "Refuted too few puzzles: direct (0 of 2)." in text


def test_a_table_without_refutations_states_it(put: Any) -> None:
    words = ["--encoding", "order", "-o", "m.csv", "--proofs", "p.md"]
    assert run("bench", "encodings", put(MULTIPLE), *words).exit_code == 0
    (_, _, line) = Path("p.md").read_text().splitlines()
    assert line == "No puzzle was shown to have exactly one solution and refuted within the limits."


def test_a_limit_leaves_a_puzzle_out_and_a_second_solution_is_reported() -> None:
    (puzzle,) = jsonl.read(json.dumps(MULTIPLE).encode())
    model = family_of(puzzle).build(puzzle)
    true = {*nonosat.solve_model(model).values.true()}
    values = bytes(var in true for var in range(model.num_vars + 1))
    with pytest.raises(nonosat.BackendError, match="found another solution with line=order"):
        proofs.refutation(model, values, "order", "learn", Watch(Limits()))
