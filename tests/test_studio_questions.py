"""Every query of the page: the library's own answer for valid input, a sentence for invalid."""

from __future__ import annotations

import io
import json
import random
import zipfile
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from typing import Any

import httpx
import pytest

import nonosat
from helpers.studios import Visitor, drawn, refusal, studio
from nonosat.core import plugins
from nonosat.studio import wire, work

HEART = (".a.a.", "aaaaa", "aaaaa", ".aaa.", "..a..")
SWITCH = ("a.", ".a")
FLAG = ("aab", "abb", "bbc")
INKS = {"a": "#aa0000", "b": "#00bb00", "c": "#0000cc"}
LOOP = {"puzzle": {"family": "slitherlink", "rows": ["33", ".."]}}
CORNER = {"puzzle": {"rows": [[2], [1]], "columns": [[1], [2]]}}
CLASH = {"puzzle": {"rows": [[2], [0]], "columns": [[1], [2]]}}
UNCERTAIN = ("seconds", "stages", "versions", "options", "puzzle")


@pytest.fixture(scope="module")
def visitor() -> Iterator[Visitor]:
    with studio() as found:
        yield found


def picture(*rows: str) -> nonosat.Nonogram:
    return nonosat.from_picture([row.replace("a", "#") for row in rows])


def plain(answer: Any) -> Any:
    """Return the deterministic part of a result's data."""
    data = json.loads(json.dumps(answer))
    return {key: value for key, value in data.items() if key not in UNCERTAIN}


# Understand and repair


@pytest.mark.slow
@pytest.mark.parametrize(
    ("question", "asked", "direct"),
    [
        ("explain", {}, nonosat.explain),
        ("rate", {}, nonosat.rate),
        ("beliefs", {}, nonosat.estimate),
        ("solve", {}, nonosat.solve),
        ("switches", {}, nonosat.why_multiple),
        ("repair", {}, nonosat.repair),
        ("reason", {"row": 1, "column": 2}, lambda puzzle: nonosat.reason(puzzle, 1, 2)),
        ("hint", {}, nonosat.hint),
    ],
)
@pytest.mark.parametrize("rows", [HEART, (*SWITCH, "..", "..")])
def test_answers_are_the_library_s_own(
    visitor: Visitor, question: str, asked: Any, direct: Any, rows: tuple[str, ...]
) -> None:
    if question == "reason":
        rows = HEART
    black = {"a": "#000000"}
    answer = visitor.answer(question, puzzle=drawn(*rows, colours=black), **asked)
    assert plain(answer) == plain(direct(picture(*rows)).to_data())


@pytest.mark.parametrize("question", ["explain", "rate", "solve", "switches", "hint", "repair"])
def test_slitherlinks_are_supported_as_well(visitor: Visitor, question: str) -> None:
    direct = getattr(nonosat, "why_multiple" if question == "switches" else question)
    answer = visitor.answer(question, puzzle=LOOP)
    assert plain(answer) == plain(direct(nonosat.slitherlink(["33", ".."])).to_data())


def test_a_repair_yields_results_so_far_before_its_answer() -> None:
    rows = ["".join("a" if row == column else "." for column in range(6)) for row in range(6)]
    sent = {"picture": rows, "colours": {"a": "#1a1a1a"}}
    *known, reply, end = work.answered("repair", sent, {"progress": "mine", "most": 2}, {})
    assert end is None
    assert known
    assert all(isinstance(one, work.PartialResult) for one in known)
    told = [json.loads(one.body)["answer"] for one in known]
    bounds = [one["least"] for one in told]
    answer = json.loads(reply.body)["answer"]
    assert bounds == sorted(bounds)
    assert bounds[-1] == answer["least"] > 1
    assert not any(one["complete"] for one in told)
    (quiet, _) = work.answered("repair", sent, {"most": 2}, {})
    assert plain(json.loads(quiet.body)["answer"]) == plain(answer)


def test_letters_of_colours_are_no_digits() -> None:
    letters = "abcdefghijklmnop"
    colours = {letter: f"#{at:02x}8040" for at, letter in enumerate(letters)}
    puzzle = wire.puzzle_of({"picture": [letters], "colours": colours})
    assert "".join(colour.key for colour in puzzle.colours) == "abcdefghjkmnprtu"
    assert list(puzzle.goal.cells) == list(range(1, 17))


@pytest.mark.slow
def test_progress_is_fetched_while_a_repair_is_at_work() -> None:
    draw = random.Random(1)
    rows = ["".join(draw.choice(".a") for _ in range(60)) for _ in range(60)]
    name, known = "a repair with a long name" * 9, None
    with ThreadPoolExecutor(1) as beside:
        with studio() as visitor:
            of = {"of": name}
            assert visitor.client.get("api/progress", params=of).json() == {"answer": None}
            asked = beside.submit(visitor.ask, "repair", puzzle=drawn(*rows), progress=name)
            while known is None and not asked.done():
                known = visitor.client.get("api/progress", params=of).json()["answer"]
        # The end of the studio ends the repair.
        with suppress(httpx.HTTPError):
            asked.result()
    assert known is not None
    assert known["complete"] is False


def test_a_repair_keeps_cells_and_finds_many(visitor: Visitor) -> None:
    answer = visitor.answer("repair", puzzle=drawn(*SWITCH), most=10, keep=[[0, 0], [1, 1]])
    assert sorted(one["changes"] for one in answer["repairs"]) == [[[0, 1, "#"]], [[1, 0, "#"]]]
    harder = visitor.answer("repair", puzzle=drawn(*HEART), grade=2)
    (found,) = nonosat.RepairResult.from_data(harder).pictures
    assert 2 <= (nonosat.rate(nonosat.from_picture(found)).difficulty or 0) < 3


def test_a_hint_depends_on_a_state(visitor: Visitor) -> None:
    step = visitor.answer("hint", puzzle=CORNER, given=["aa", "??"])
    assert [cell[:2] for cell in step["step"]["settled"]] == [[1, 1]]
    wrong = visitor.answer("hint", puzzle=CORNER, given=[".?", "??"])
    assert wrong["wrong"] == [[0, 0, "."]]
    edges = nonosat.explain(nonosat.slitherlink(["33", ".."])).grid.to_data()["edges"]
    assert visitor.answer("hint", puzzle=LOOP, given=edges)["verdict"] == "solved"


def test_colours_are_the_ones_that_were_sent(visitor: Visitor) -> None:
    answer = visitor.answer("solve", puzzle=drawn(*FLAG, colours=INKS))
    assert answer["solutions"] == [list(FLAG)]
    assert answer["puzzle"]["colors"] == INKS


def test_prices_are_a_table_of_cells(visitor: Visitor) -> None:
    (path,) = Path(__file__).parents[1].glob("instances/domino.jsonl")
    puzzle = nonosat.load(f"{path}#2")
    found = visitor.answer("prices", puzzle={"puzzle": puzzle.to_data()})
    assert found["bound"] < found["distance"]
    assert (len(found["prices"]), len(found["prices"][0])) == (puzzle.height, puzzle.width)
    assert any(price for row in found["prices"] for price in row)
    assert found["layers"] == [found["prices"]]
    assert visitor.answer("prices", puzzle=CORNER)["prices"] == [[0, 0], [0, 0]]
    none = visitor.answer("prices", puzzle=drawn(*SWITCH))
    assert none == {"prices": None, "why": "The puzzle is multiple: two pictures show that."}
    assert visitor.answer("prices", puzzle=LOOP)["prices"] is None


# Export


def test_a_certificate_is_verified_by_the_enclosed_command(
    visitor: Visitor, tmp_path: Path
) -> None:
    reply = visitor.ask("certificate", puzzle=drawn(*HEART) | {"title": "My Heart!"})
    assert reply.headers["content-type"] == "application/zip"
    command = reply.headers["x-nonosat-command"]
    name = "my-heart-certificate"
    assert command == f"unzip {name}.zip && nonosat verify {name}"
    assert reply.headers["content-disposition"] == f"attachment; filename*=UTF-8''{name}.zip"
    with zipfile.ZipFile(io.BytesIO(reply.content)) as archive:
        archive.extractall(tmp_path)
    assert nonosat.verify(tmp_path / name).claim == "unique"


WRITTEN = sorted(
    name
    for name, one in plugins.names("formats").items()
    if one.suffixes and "read only" not in one.summary and one.holds.takes("nonogram")
)


@pytest.mark.parametrize("name", WRITTEN)
def test_exported_files_are_read_again(visitor: Visitor, name: str) -> None:
    reply = visitor.ask("export", puzzle=drawn(*HEART), format=name)
    assert reply.status_code == 200, reply.text
    told = reply.headers["content-disposition"]
    suffix = plugins.find("formats", name).suffixes[0]
    assert told == f"attachment; filename*=UTF-8''puzzle{suffix}"
    (found,) = visitor.send("read", reply.content, name=f"x{suffix}").json()["answer"]["puzzles"]
    again = nonosat.Nonogram.from_data(found["puzzle"])
    assert (again.rows, again.columns) == (picture(*HEART).rows, picture(*HEART).columns)
    assert found["drawn"] is (again.goal is not None)
    if found["goal"] is not None:
        assert found["goal"]["picture"] == list(HEART)


@pytest.mark.parametrize("name", ["slitherlink", "loopy", "share", "jsonl", "puzzlink"])
def test_slitherlinks_are_exported(visitor: Visitor, name: str) -> None:
    reply = visitor.ask("export", puzzle=LOOP, format=name)
    assert nonosat.loads(reply.content).rows() == ["33", ".."]


@pytest.mark.parametrize(
    ("kind", "begin"), [("svg", b"<svg"), ("png", b"\x89PNG"), ("pdf", b"%PDF")]
)
@pytest.mark.parametrize("solution", [False, True])
def test_sheets_are_drawn(visitor: Visitor, kind: str, begin: bytes, solution: bool) -> None:
    asked = {"kind": kind, "solution": solution, "clues": "both-sides", "theme": "dark"}
    reply = visitor.ask("sheet", puzzle=drawn(*FLAG, colours=INKS), **asked)
    assert begin in reply.content[:200]
    assert reply.headers["content-disposition"].startswith("attachment; ")
    if kind == "pdf":
        assert reply.content.count(b"/Type /Page\n") == (2 if solution else 1)


def test_a_page_to_play_is_a_file_of_its_own(visitor: Visitor) -> None:
    reply = visitor.ask("player", puzzle=drawn(*HEART) | {"title": "<My> Heart"})
    assert reply.headers["content-disposition"] == "attachment; filename*=UTF-8''my-heart.html"
    assert reply.headers["content-type"] == "text/html; charset=utf-8"
    assert reply.text.startswith("<!DOCTYPE html>") or reply.text.startswith("<!doctype html>")
    assert "<My>" not in reply.text
    assert refusal(visitor.ask("player", puzzle={"puzzle": {"family": "queens", "n": 5}}))


def test_a_title_becomes_a_name_that_is_safe_in_a_shell(visitor: Visitor) -> None:
    for title, name in [
        ("../../etc/passwd", "etc-passwd"),
        ("Ein Süßes; $(rm) 'Tier'\r\nX: y", "ein-susses-rm-tier-x-y"),
        ("Café Müller, été – ½", "cafe-muller-ete-1-2"),
        ("猫", "puzzle"),
        ("a" * 300, "a" * 80),
    ]:
        puzzle = drawn(*HEART) | {"title": title}
        told = visitor.ask("export", puzzle=puzzle, format="non").headers["content-disposition"]
        assert told == f"attachment; filename*=UTF-8''{name}.non"


# Without a puzzle


def test_about_lists_formats_and_versions(visitor: Visitor) -> None:
    about = visitor.client.get("/api/about").json()["answer"]
    assert about["version"] == nonosat.__version__
    assert about["first"] is None
    assert {one["name"] for one in about["formats"] if one["writes"]} >= set(WRITTEN)
    held = {one["name"]: one["families"] for one in about["formats"]}
    assert held["queens"] == ["queens"]
    assert held["non"] == ["nonogram"]
    assert held["puzzlink"] == ["nonogram", "slitherlink"]
    assert {one["name"] for one in about["formats"]} == plugins.names("formats").keys()


def test_the_gallery_shows_puzzles_of_each_kind(visitor: Visitor) -> None:
    groups = visitor.client.get("/api/gallery").json()["answer"]
    assert [one["group"] for one in groups] == [
        "First steps",
        "Pictures",
        "In colour",
        "Slitherlink",
        "Mathematics",
    ]
    assert groups[0]["puzzles"][0]["size"] == "5 rows x 5 columns"
    for group in groups:
        assert len(group["puzzles"]) >= (3 if group is groups[0] else 8)
        efforts = [one["difficulty"] or 9 for one in group["puzzles"]]
        assert efforts == sorted(efforts)
        assert efforts[0] < 9
        for one in group["puzzles"]:
            assert one["title"]
            puzzle = nonosat.loads(json.dumps(one["puzzle"]))
            assert (puzzle.family, puzzle.size) == (one["family"], one["size"])
    for one in groups[0]["puzzles"]:  # solved by lines alone
        assert nonosat.check(nonosat.loads(json.dumps(one["puzzle"]))).backend == "propagate"
