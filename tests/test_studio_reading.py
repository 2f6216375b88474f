"""Input of the studio: files, texts, images, and messages about invalid ones."""

from __future__ import annotations

import json
import re
import struct
import zlib
from collections.abc import Iterator
from pathlib import Path
from string import ascii_letters
from typing import Any

import pytest
from PIL import Image

import nonosat
from helpers.images import drawn as image_of
from helpers.images import enlarged, file
from helpers.studios import Visitor, refusal, studio
from nonosat.formats._choose import suffixes
from nonosat.studio import gallery, opening

CORNER = {"puzzle": {"rows": [[2], [1]], "columns": [[1], [2]]}}


@pytest.fixture(scope="module")
def visitor() -> Iterator[Visitor]:
    with studio() as found:
        yield found


@pytest.mark.slow
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


def test_faults_of_a_file_have_line_and_column(visitor: Visitor) -> None:
    reply = visitor.send("read", b'{"rows": [[1]],\n"columns": [1', name="heart.json")
    kind, message = refusal(reply)
    assert (kind, message[:17]) == ("FormatError", "this is not JSON:")  # the page names the file
    assert reply.json()["error"]["at"] == [2, 14]


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


def many_colours(number: int) -> nonosat.Nonogram:
    keys = ascii_letters[:number]
    inks = {key: f"#0000{10 + place:02x}" for place, key in enumerate(keys)}
    return nonosat.from_picture([keys], colours=inks)


def test_sixteen_colours_are_shown_and_no_more(
    visitor: Visitor, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    most, over = many_colours(16), many_colours(17)
    told = "a puzzle of 17 colours, the studio shows at most 16"
    for form in ("share", "jsonl", "webpbn"):
        text = nonosat.dumps(most, form).encode()
        (found,) = visitor.send("read", text).json()["answer"]["puzzles"]
        assert len(found["goal"]["colours"]) == 16
        kind, message = refusal(visitor.send("read", nonosat.dumps(over, form).encode()))
        assert (kind, message[: len(told)]) == ("PuzzleError", told)
    assert refusal(visitor.ask("rate", puzzle={"puzzle": over.to_data()}))[1].startswith(told)
    path = tmp_path / "over.jsonl"
    nonosat.save(over, path)
    for source in (str(path), nonosat.dumps(over, "share").strip()):
        with pytest.raises(nonosat.PuzzleError, match=told):
            opening.puzzle_of(source)
    nonosat.save([most, over], tmp_path / "both.jsonl")
    groups = {"Both": str(tmp_path / "both.jsonl"), "Mathematics": str(path)}
    monkeypatch.setattr(gallery, "GROUPS", groups)
    assert [len(group["puzzles"]) for group in gallery.gallery()] == [3, 1, 0]


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
        {"columns": 4, "dither": "atkinson"},
        {"columns": 4, "seconds": "x"},
    ],
)
def test_impossible_options_of_an_image(visitor: Visitor, parameters: Any) -> None:
    refusal(visitor.send("image", file(image_of(["#."])), **parameters))


def test_an_image_that_unpacks_to_too_much_is_refused(visitor: Visitor) -> None:
    size = struct.pack(">IIBBBBB", 20_000, 20_000, 1, 0, 0, 0, 0)
    bomb = b"\x89PNG\r\n\x1a\n" + b"".join(
        struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))
        for name, data in ((b"IHDR", size), (b"IDAT", zlib.compress(bytes(9))), (b"IEND", b""))
    )
    for question, parameters in (("image", {"columns": 20}), ("read", {"name": "x.png"})):
        message = refusal(visitor.send(question, bomb, **parameters))[1]
        assert "400000000 pixels" in message or "20000 x 20000" in message


@pytest.mark.parametrize("data", [b"", b"no image", b"\x89PNG\r\n\x1a\n", b"GIF89a" + bytes(99)])
def test_other_files_are_refused(visitor: Visitor, data: bytes) -> None:
    kind, message = refusal(visitor.send("image", data, columns=5, name="/tmp/x/my photo.png"))
    assert kind == "FormatError"
    assert "/tmp" not in message


_ODD = [
    b"",
    b"once upon a time",
    b"17",
    b"2 2\n2\n0\n1\n1\n",  # square: rows or columns first
    b"1,1,1,1,1\n1,1,1,1,1\n",
    b"3 4\n2 1\n0\n2\n1\n1 1\n1\n1\n",
    b"Rows: 2 1; 2\nColumns: 2; 1; 1\n",
    b"rows\n1\n2 x\n\ncolumns\n1\n1\n",
    b"1 2\n1\n#\n1\n1\n",  # mk that does not fit
    b"#.\n.#x\n",
    b"{}",
    b'{"rows": [[1]], "columns": [1',
    b'{"rows": [[1]]}',
    b"<puzzleset>",
    b"<html><body>",
    b"knight 3 3 closed\n1 . .\n",
    b"width 2\nheight 2\nrows\n1\n",
    b"P1\n2 2\n0 1",
    b"\xff\xd8\xff\xe0" + bytes(40),
    b"\x89PNG\r\n\x1a\n" + bytes(40),
    b"GIF89a" + bytes(99),
    b"PK\x03\x04" + bytes(60),
    b"nonosat:1:damaged",
    b"https://example.org/p?nonogram/1/1/1",
    b"a = [1, 2]",
    b"letters: A B C",
    bytes(range(256)),
    file(Image.effect_noise((40, 40), 90).convert("RGB"), "PNG"),
    file(Image.linear_gradient("L").resize((40, 40)), "PNG"),
    file(Image.linear_gradient("L").resize((40, 40)), "JPEG"),
    file(Image.new("1", (150, 150)), "PNG"),
]
_COMMAND_LINE = re.compile(r"(^|[\s(`;])--[a-z]|`|\bnonosat [a-z]")


@pytest.mark.thorough
@pytest.mark.parametrize("suffix", ["", *sorted(suffixes())])
def test_nothing_that_is_read_advises_an_option_or_a_command(visitor: Visitor, suffix: str) -> None:
    told = []
    for data in _ODD:
        reply = visitor.send("read", data, name=f"odd{suffix}" if suffix else "").json()
        if error := reply.get("error"):
            assert set(error.get("remedy", {})) <= {"kind", "argument", "values"}
            told.append(error["message"])
        else:
            told += reply["answer"]["warnings"]
    assert len(told) > len(_ODD) / 2
    assert [text for text in told if _COMMAND_LINE.search(text)] == []


def test_a_remedy_is_sent_apart_from_the_fact(visitor: Visitor) -> None:
    error = visitor.send("read", b"2 2\n2\n0\n1\n1\n").json()["error"]
    assert error["remedy"]["kind"] == "set"
    assert error["remedy"]["argument"] == "format"
    assert "rows-first:2x2" in error["remedy"]["values"]
    photo = visitor.send("read", b"\xff\xd8\xff\xe0" + bytes(40), name="a.jpg").json()["error"]
    assert photo["remedy"]["kind"] == "image"


def test_compressed_bombs_are_refused(visitor: Visitor) -> None:
    bomb = zlib.compress(b" " * 2**25, 9)
    assert "unfolds to more" in refusal(visitor.send("read", bomb, name="x.json"))[1]


def test_an_upload_is_read_no_further_than_the_studio_shows(visitor: Visitor) -> None:
    tiny = b'{"rows":[[1]],"columns":[[1]]}\n'
    reply = visitor.send("read", tiny * 501 + b"{\n", name="many.jsonl")
    told = "more than 500 puzzles, expected at most 500; split the file"
    assert refusal(reply)[1].endswith(told)
