"""Every question of the page: the library's own answer for good input, a sentence for bad."""

from __future__ import annotations

import io
import json
import struct
import zipfile
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import nonosat
from helpers.images import drawn as image_of
from helpers.images import enlarged, file
from helpers.studios import Visitor, drawn, studio
from nonosat import plugins
from nonosat.studio.asked import MOST_FILE_BYTES, MOST_JSON_BYTES
from nonosat.studio.questions import QUESTIONS

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
    """What is certain of a result's data."""
    data = json.loads(json.dumps(answer))
    return {key: value for key, value in data.items() if key not in UNCERTAIN}


def refusal(reply: Any, status: int = 422) -> tuple[str, str]:
    """Kind and message of an error."""
    assert reply.status_code == status, reply.text
    assert reply.headers["content-type"] == "application/json"
    error = reply.json()["error"]
    return error["kind"], error["message"]


# Understand and mend


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
def test_slitherlinks_are_asked_about_as_well(visitor: Visitor, question: str) -> None:
    direct = getattr(nonosat, "why_multiple" if question == "switches" else question)
    answer = visitor.answer(question, puzzle=LOOP)
    assert plain(answer) == plain(direct(nonosat.slitherlink(["33", ".."])).to_data())


def test_a_repair_keeps_cells_and_finds_many(visitor: Visitor) -> None:
    answer = visitor.answer("repair", puzzle=drawn(*SWITCH), most=10, keep=[[0, 0], [1, 1]])
    assert sorted(one["changes"] for one in answer["repairs"]) == [[[0, 1, "#"]], [[1, 0, "#"]]]
    harder = visitor.answer("repair", puzzle=drawn(*HEART), grade=2)
    (found,) = nonosat.RepairResult.from_data(harder).pictures
    assert 2 <= (nonosat.rate(nonosat.from_picture(found)).difficulty or 0) < 3


def test_a_hint_tells_of_a_state(visitor: Visitor) -> None:
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


# Take away


def test_a_certificate_is_verified_by_the_command_that_comes_along(
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
def test_what_is_exported_is_read_again(visitor: Visitor, name: str) -> None:
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


def test_a_title_is_a_name_that_no_shell_minds(visitor: Visitor) -> None:
    for title, name in [
        ("../../etc/passwd", "etc-passwd"),
        ("Ein Süßes; $(rm) 'Tier'\r\nX: y", "ein-s-es-rm-tier-x-y"),
        ("猫", "puzzle"),
        ("a" * 300, "a" * 80),
    ]:
        puzzle = drawn(*HEART) | {"title": title}
        told = visitor.ask("export", puzzle=puzzle, format="non").headers["content-disposition"]
        assert told == f"attachment; filename*=UTF-8''{name}.non"


# Bring in


def test_a_text_is_read_without_a_name(visitor: Visitor) -> None:
    for text in (
        "rows\n2\n1\ncolumns\n1\n2\n",
        nonosat.dumps(nonosat.loads(json.dumps(CORNER["puzzle"])), "puzzlink"),
        "https://host.example/#p=" + nonosat.dumps(nonosat.from_picture(["##", ".#"]), "share"),
        "##\n.#\n",
    ):
        (found,) = visitor.send("read", text.encode()).json()["answer"]["puzzles"]
        assert (found["puzzle"]["rows"], found["puzzle"]["columns"]) == ([[2], [1]], [[1], [2]])
        assert found["size"] == "2 rows x 2 columns"


def test_files_hold_many_puzzles_and_remarks(visitor: Visitor) -> None:
    data = b'{"rows":[[1]],"columns":[[1]],"title":"one","strange":1}\n{"rows":[[]],"columns":[[]]}'
    answer = visitor.send("read", data, name="x.jsonl").json()["answer"]
    assert [one["title"] for one in answer["puzzles"]] == ["one", ""]
    (remark,) = answer["warnings"]
    assert "strange" in remark


def test_what_is_wrong_with_a_file_has_line_and_column(visitor: Visitor) -> None:
    reply = visitor.send("read", b'{"rows": [[1]],\n"columns": [1', name="heart.json")
    kind, message = refusal(reply)
    assert (kind, message[:17]) == ("FormatError", "heart.json:2:14: ")
    assert reply.json()["error"]["at"] == [2, 14]
    reply = visitor.send("read", b"<puzzleset>", name="broken.xml")
    assert refusal(reply)[1].startswith("broken.xml")


@pytest.mark.parametrize(
    "name", ["", "-", ".", "..", "/etc/passwd", "../x", "a/b", "x\0y", "\ud800", "é" * 300, "a#b"]
)
def test_names_of_files_lead_nowhere(visitor: Visitor, name: str) -> None:
    parameters = {"name": name.encode("utf-8", "replace").decode()}
    reply = visitor.send("read", b"##\n.#\n", **parameters)
    assert len(reply.json()["answer"]["puzzles"]) == 1


def test_a_board_that_is_too_large_is_refused(visitor: Visitor) -> None:
    wide = nonosat.from_picture(["#" * 201]).to_data()
    kind, message = refusal(visitor.send("read", json.dumps(wide).encode()))
    assert (kind, "room for 200 x 200" in message) == ("PuzzleError", True)
    assert refusal(visitor.ask("rate", puzzle={"puzzle": wide}))[0] == "PuzzleError"
    queens = {"family": "queens", "n": 10**6}
    assert "room for" in refusal(visitor.ask("solve", puzzle={"puzzle": queens}))[1]
    lines = "\n".join(["##"] * 201).encode()
    assert "room for" in refusal(visitor.send("read", lines))[1]


def test_an_image_becomes_a_picture(visitor: Visitor) -> None:
    rows = ["##..", "##..", "..##", "..##"]
    big = file(enlarged(image_of(rows), 10))
    answer = visitor.send("image", big, columns=4).json()["answer"]
    assert answer["picture"] == [row.replace("#", "a") for row in rows]
    assert answer["colours"] == {"a": "#000000"}
    turned = visitor.send("image", big, columns=4, invert="true", threshold=0.5).json()["answer"]
    assert turned["picture"] == [row.translate({35: ".", 46: "a"}) for row in rows]


@pytest.mark.parametrize(
    "parameters",
    [
        {},
        {"columns": "x"},
        {"columns": 0},
        {"columns": 10**9},
        {"columns": 201},
        {"columns": 4, "colours": 99},
        {"columns": 4, "edges": "nan"},
        {"columns": 4, "invert": "perhaps"},
        {"columns": 4, "seconds": "x"},
    ],
)
def test_wishes_for_an_image_that_cannot_be(visitor: Visitor, parameters: Any) -> None:
    refusal(visitor.send("image", file(image_of(["#."])), **parameters))


def test_an_image_that_unfolds_to_a_bomb_is_refused(visitor: Visitor) -> None:
    size = struct.pack(">IIBBBBB", 20_000, 20_000, 1, 0, 0, 0, 0)
    bomb = b"\x89PNG\r\n\x1a\n" + b"".join(
        struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))
        for name, data in ((b"IHDR", size), (b"IDAT", zlib.compress(bytes(9))), (b"IEND", b""))
    )
    for question, parameters in (("image", {"columns": 20}), ("read", {"name": "x.png"})):
        message = refusal(visitor.send(question, bomb, **parameters))[1]
        assert "400000000 pixels" in message or "20000 x 20000" in message


@pytest.mark.parametrize("data", [b"", b"no image", b"\x89PNG\r\n\x1a\n", b"GIF89a" + bytes(99)])
def test_what_is_no_image_is_refused(visitor: Visitor, data: bytes) -> None:
    assert refusal(visitor.send("image", data, columns=5))[0] == "FormatError"


def test_compressed_bombs_are_refused(visitor: Visitor) -> None:
    bomb = zlib.compress(b" " * 2**25, 9)
    assert "unfolds to more" in refusal(visitor.send("read", bomb, name="x.json"))[1]


# What cannot be asked


def test_uploads_are_bounded(visitor: Visitor) -> None:
    large = bytes(MOST_FILE_BYTES + 1)
    assert refusal(visitor.send("read", large), 413)[1].startswith("an upload of more than 8 MiB")

    def pieces() -> Iterator[bytes]:
        for _ in range(9):
            yield bytes(2**20)

    reply = visitor.client.post("/api/read", content=pieces())
    assert refusal(reply, 413)[0] == "TooLargeError"
    reply = visitor.client.post("/api/rate", content=bytes(MOST_JSON_BYTES + 1))
    assert refusal(reply, 413)[1].startswith("an upload of more than 1 MiB")


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"[]",
        b"{",
        b"\xff",
        b'{"puzzle": NaN}',
        b"[" * 100_000,
        b'{"a":' * 9 + b"1" + b"}" * 9,
        b'{"seconds": "x"}',
        b'{"seconds": 1e999}',
        b'{"seconds": true}',
        b'{"puzzle": 3}',
        b'{"puzzle": {}}',
        b'{"puzzle": {"puzzle": []}}',
        b'{"puzzle": {"puzzle": {"family": "chess"}}}',
        b'{"puzzle": {"puzzle": {"family": ["queens"]}}}',
        b'{"puzzle": {"puzzle": {"rows": [[1]]}}}',
        b'{"puzzle": {"picture": [], "colours": {"a": "#000000"}}}',
        b'{"puzzle": {"picture": ["a", "aa"], "colours": {"a": "#000000"}}}',
        b'{"puzzle": {"picture": ["b"], "colours": {"a": "#000000"}}}',
        b'{"puzzle": {"picture": ["?"], "colours": {"a": "#000000"}}}',
        b'{"puzzle": {"picture": [1], "colours": {"a": "#000000"}}}',
        b'{"puzzle": {"picture": "a", "colours": {"a": "#000000"}}}',
        b'{"puzzle": {"picture": ["a"], "colours": {}}}',
        b'{"puzzle": {"picture": ["a"], "colours": {"b": "#000000"}}}',
        b'{"puzzle": {"picture": ["a"], "colours": {"a": "url(x)"}}}',
        b'{"puzzle": {"picture": ["a"], "colours": {"a": "#000000"}, "title": 3}}',
        b'{"puzzle": {"picture": ["a"], "colours": {"a": "#000000"}, "background": "x"}}',
    ],
)
def test_what_is_no_question_is_refused(visitor: Visitor, body: bytes) -> None:
    kind, message = refusal(visitor.client.post("/api/rate", content=body))
    assert kind in ("FormatError", "PuzzleError")
    assert message


@pytest.mark.parametrize(
    ("question", "asked"),
    [
        ("repair", {"keep": [[9, 9]]}),
        ("repair", {"keep": 3}),
        ("repair", {"keep": ["x"]}),
        ("repair", {"most": 0}),
        ("repair", {"most": "x"}),
        ("repair", {"grade": 99}),
        ("reason", {}),
        ("reason", {"row": 9, "column": 0}),
        ("reason", {"row": "x", "column": 0}),
        ("hint", {"given": ["aa"]}),
        ("hint", {"given": ["p" * 5] * 5}),
        ("hint", {"given": 3}),
        ("export", {}),
        ("export", {"format": "gif"}),
        ("export", {"format": "clues"}),
        ("export", {"format": "queens"}),
        ("export", {"format": ["non"]}),
        ("sheet", {"kind": "exe"}),
        ("sheet", {"theme": "pink"}),
        ("sheet", {"clues": "?"}),
        ("solve", {"most": "x"}),
    ],
)
def test_wishes_that_cannot_be_are_refused(visitor: Visitor, question: str, asked: Any) -> None:
    kind, message = refusal(visitor.ask(question, puzzle=drawn(*HEART), **asked))
    assert kind.endswith("Error")
    assert message


def test_a_clue_that_is_wrong_is_named(visitor: Visitor) -> None:
    broken = {"puzzle": {"rows": [[1], [-1]], "columns": [[1], []]}}
    assert visitor.ask("solve", puzzle=broken).json()["error"]["line"] == {"row": 1}
    broken = {"puzzle": {"rows": [[1], []], "columns": [[1], [[2, "x"]]]}}
    assert visitor.ask("solve", puzzle=broken).json()["error"]["line"] == {"column": 1}


def test_other_questions_are_named(visitor: Visitor) -> None:
    message = refusal(visitor.ask("nothing"), 404)[1]
    assert all(name in message for name in QUESTIONS)
    refusal(visitor.client.get("/api/rate"), 404)


def test_a_limit_gives_what_is_known(visitor: Visitor) -> None:
    hard = nonosat.generate_nonogram(100, 100, seed=5, unique=False)
    answer = visitor.answer("solve", puzzle={"puzzle": hard.to_data()}, seconds=0.2)
    assert answer["verdict"] == "unknown"


# Without a puzzle


def test_about_tells_what_there_is(visitor: Visitor) -> None:
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
        "Pictures",
        "In colour",
        "Slitherlink",
        "Mathematics",
    ]
    for group in groups:
        assert len(group["puzzles"]) >= 8
        for one in group["puzzles"]:
            assert one["title"]
            puzzle = nonosat.loads(json.dumps(one["puzzle"]))
            assert (puzzle.family, puzzle.size) == (one["family"], one["size"])
