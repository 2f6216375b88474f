"""Every command that writes a file prints a line about it on standard error, unless --quiet."""

from __future__ import annotations

from pathlib import Path

import pytest

from helpers.commands import run

DIAGONAL = "#...\n.#..\n..#.\n...#\n"
WRITING = {
    "convert bundled:dot out.non": "out.non: 1 puzzle",
    "convert bundled:colour out.jsonl": "out.jsonl: 11 puzzles",
    "render bundled:dot bundled:row -o out.pdf": "out.pdf: 2 pages",
    "render bundled:dot -o out.svg": "out.svg: 1 picture",
    "explain bundled:dot --html out.html": "out.html: 1 page",
    "explain bundled:dot --svg out.svg": "out.svg: 1 picture",
    "show bundled:dot --svg out.svg": "out.svg: 1 picture",
    "encode bundled:dot -o out.cnf": "out.cnf: 1 puzzle as cnf",
    "repair drawn.txt -o out.jsonl": "out.jsonl: 1 puzzle",
    "generate nonogram 3 4 --count 2 -o out.jsonl": "out.jsonl: 2 puzzles",
}


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("drawn.txt").write_text(DIAGONAL)


@pytest.mark.parametrize("command", WRITING)
def test_a_file_that_is_written_gets_a_line(command: str) -> None:
    done = run(*command.split())
    assert (done.exit_code, done.stderr) == (0, WRITING[command] + "\n")


@pytest.mark.parametrize("command", WRITING)
def test_quiet_prints_none(command: str) -> None:
    assert run(*command.split(), "--quiet").stderr == ""
    assert list(Path().glob("out.*"))


def test_standard_output_gets_none() -> None:
    assert run("convert", "bundled:dot", "-", "--to", "non").stderr == ""


def test_a_page_of_steps_is_not_printed_as_well() -> None:
    usual = run("explain", "bundled:smile").stdout
    assert len(usual.splitlines()) > 20
    assert len(run("explain", "bundled:smile", "--html", "a.html").stdout.splitlines()) == 1
    assert "1. " in run("explain", "bundled:smile", "--html", "b.html", "--steps").stdout


def test_repair_shows_the_picture_that_results() -> None:
    shown = run("repair", "drawn.txt").stdout.splitlines()
    result = [line.replace("+", "#").replace("-", ".") for line in shown[:4]]
    changes = sum(line.count("+") + line.count("-") for line in shown[:4])
    run("repair", "drawn.txt", "-o", "out.txt")
    assert Path("out.txt").read_text().split() == result
    assert changes == sum(
        a != b for a, b in zip("".join(result), DIAGONAL.replace("\n", ""), strict=True)
    )
