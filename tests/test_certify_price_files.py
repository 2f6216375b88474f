"""Certificates by prices: untrusted files, mutations, and messages of the commands."""

from __future__ import annotations

import json
import random
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import nonosat
from helpers.clocks import Clock
from helpers.commands import MULTIPLE, put, run
from helpers.drawing import FUZZ
from helpers.price_certificates import SMALL, put_files, staircase, weighed
from helpers.progress import reported
from nonosat.certify import folder
from nonosat.certify.certificate import Certificate
from nonosat.certify.price_check import ClaimedPrices, least_distance
from nonosat.certify.prove import prove
from nonosat.certify.verify import Verified, verify
from nonosat.core.errors import CertificateError, LimitReached, UnsupportedError
from nonosat.formats import jsonl
from nonosat.puzzles.nonogram.data import Nonogram, mono
from nonosat.testing.oracles import solutions

__all__ = ["put"]  # a fixture

OLD = Path(__file__).parent / "data" / "certificates" / "version_1"


# Certificates


@pytest.mark.parametrize("index", range(len(SMALL)))
def test_small_puzzles_by_prices(index: int, tmp_path: Path) -> None:
    found = prove(SMALL[index], by="prices")
    claim = "unsolvable" if not solutions(SMALL[index], 1) else "unique"
    assert (found.claim, found.how) == (claim, "prices")
    assert tuple(found.files) == folder.FILES[claim]["prices"]
    found.write(tmp_path / "new")
    verified = verify(tmp_path / "new")
    assert verified.prices == found.prices
    assert (verified.claim, verified.num_clauses) == (claim, 0)
    assert verified.prices is not None
    assert verified.prices.bound < verified.prices.distance or claim == "unsolvable"
    assert Verified.from_data(json.loads(json.dumps(verified.to_data()))) == verified
    assert Certificate.from_data(json.loads(json.dumps(found.to_data()))) == found


def test_steps_are_reported(tmp_path: Path) -> None:
    with reported() as told:
        prove(SMALL[0], by="prices").write(tmp_path / "new")
    assert ("prices", 0, 0) in told
    with reported() as told:
        verify(tmp_path / "new")
    assert told == [(folder.PRICES, 0, 0)]


def test_data_of_versions_before_prices_are_read() -> None:
    found = prove(mono([[2], [1]], [[1], [2]]))
    data = found.to_data()
    del data["prices"]
    assert Certificate.from_data(data) == found


@pytest.mark.parametrize(
    ("rows", "columns"),
    [
        ([[1]], [[1]]),
        ([[]], [[]]),
        ([[2, 1]], [[1], [1], [], [1], []]),
        ([[1, 1, 1]], [[1], [], [1], [], [1]]),
        ([[1], [], [1]], [[1, 1]]),
        ([[3], [3]], [[2], [2], [2]]),
        ([[], []], [[], [], []]),
        ([[2], [1]], [[1], [2]]),
        ([[1]], [[]]),
        ([[3]], [[1], [1]]),
        ([[None]], [[None], [None]]),
    ],
)
def test_puzzles_decided_by_lines_need_no_table(rows: Any, columns: Any, tmp_path: Path) -> None:
    puzzle = mono(rows, columns)
    found = prove(puzzle, by="prices")
    assert found.claim == ("unsolvable", "unique")[len(solutions(puzzle, 2))]
    assert found.prices is not None
    assert (found.prices.num_tables, found.prices.num_prices) == (0, 0)
    found.write(tmp_path / "new")
    assert verify(tmp_path / "new").prices == found.prices
    assert prove(puzzle).how == "propagation"  # clauses are as short


def test_a_staircase_of_dominoes(tmp_path: Path) -> None:
    found = prove(staircase(20))
    assert found.how == "prices"
    found.write(tmp_path / "new")
    assert sum(path.stat().st_size for path in (tmp_path / "new").iterdir()) < 20_000
    verified = verify(tmp_path / "new", time_limit_s=600)  # takes 0.01 s
    assert "1,681 prices, price bound " in str(verified)
    assert str(verified).endswith("least distance 4")
    larger = prove(staircase(50))
    larger.write(tmp_path / "larger")
    assert verify(tmp_path / "larger", time_limit_s=600).claim == "unique"  # takes 0.06 s


def test_two_solutions_by_prices() -> None:
    found = prove(mono([[1], [1]], [[1], [1]]), by="prices")
    assert (found.claim, found.prices) == ("multiple", None)


def test_puzzles_for_which_prices_do_not_suffice() -> None:
    smile = nonosat.load("instances/pictures.jsonl#smile")
    with pytest.raises(LimitReached, match=r"^the price bound is \d+ cells, expected below 4; cl"):
        prove(smile, by="prices")
    assert prove(smile).how == "probing"


def test_options_that_require_clauses() -> None:
    assert prove(SMALL[2]).how == "prices"
    assert prove(SMALL[2], by="clauses").num_clauses > 0
    assert prove(SMALL[2], engine="learn").num_clauses > 0
    assert prove(SMALL[2], cubes=2, jobs=1).num_clauses > 0
    with pytest.raises(UnsupportedError, match="engines and cubes prove by clauses"):
        prove(SMALL[2], by="prices", engine="learn")
    with pytest.raises(UnsupportedError, match="'dice' proves nothing; these do: auto, prices or"):
        prove(SMALL[2], by="dice")


def test_certificates_of_version_1_are_read() -> None:
    assert json.loads((OLD / folder.MANIFEST).read_text())["certificate"] == 1
    assert verify(OLD).claim == "unique"


# Untrusted files


@pytest.fixture
def stairs(tmp_path: Path) -> Callable[[bytes], Path]:
    """Return a function that replaces the prices of a valid certificate."""
    found = prove(staircase(3), by="prices")

    def put(data: bytes) -> Path:
        return put_files(tmp_path / "stairs", "unique", {**found.files, folder.PRICES: data})

    assert verify(put(found.files[folder.PRICES])).claim == "unique"
    return put


def _file(table: Any = None, **changes: Any) -> bytes:
    plain = {"scale": 1, "prices": [[[]] * 7]}
    tables = [{**plain, **table}] if isinstance(table, dict) else [table or plain]
    return json.dumps({"version": 1, "distance": 4, "tables": tables, **changes}).encode()


@pytest.mark.parametrize(
    ("data", "why"),
    [
        (b"", "this is not JSON of whole numbers"),
        (b"\xff", "this is not JSON of whole numbers"),
        (b"[" * 100_000, "this is not JSON of whole numbers"),
        (b'{"version": 1, "version": 1}', "this is not JSON of whole numbers: a key occurs twice"),
        (b'{"version": 1.0}', "this is not JSON of whole numbers: '1.0' is not a whole number"),
        (b'{"version": NaN}', "this is not JSON of whole numbers: 'NaN' is not a whole number"),
        (b'{"version": 1e9}', "this is not JSON of whole numbers: '1e9' is not a whole number"),
        (b'{"version": ' + b"9" * 5000 + b"}", "this is not JSON of whole numbers"),
        (b"[]", "no price tables of version 1"),
        (_file(version=2), "no price tables of version 1"),
        (_file(distance=5), "the distance is 5, from the clues follows 4"),
        (_file(distance=True), "the distance is True"),
        (_file(distance=None), "the distance is None"),
        (_file(tables={}), "'tables' is not a list of at most 64"),
        (_file(tables=[{}] * 65), "'tables' is not a list of at most 64"),
        (_file(tables=[]), "there is no table, and propagation alone does not prove the claim"),
        (_file([1]), "table 1 is not an object"),
        (_file({"scale": 0}), "table 1: the scale is 0, expected 1 or more"),
        (_file({"scale": -4}), "table 1: the scale is -4"),
        (_file({"scale": True}), "table 1: the scale is True"),
        (_file({"scale": "1"}), "table 1: the scale is '1'"),
        (_file({"scale": 2**59}), r"table 1: prices and costs add up to 2\^59 or more"),
        (_file({"prices": []}), "table 1: 'prices' is not a list of 1, by colour"),
        (_file({"prices": [[[]] * 7] * 2}), "table 1: 'prices' is not a list of 1, by colour"),
        (_file({"prices": [[[]] * 6]}), "table 1: a colour has no list of 7 rows"),
        (_file({"prices": [[[0] * 8] * 7]}), "table 1: row 1 is not a list of at most 7 whole"),
        (_file({"prices": [[[None]] * 7]}), "table 1: row 1 is not a list of at most 7 whole"),
        (_file({"prices": [[[False]] * 7]}), "table 1: row 1 is not a list of at most 7 whole"),
        (_file({"prices": [[[2**63]] * 7]}), r"table 1: prices and costs add up to 2\^59"),
        (_file({"prices": [[[-(10**4000)]] * 7]}), r"table 1: prices and costs add up to 2\^59"),
        (_file({"prices": [[[2**56]] * 7]}), r"the price bound is \d+ cells, expected below 4"),
        (_file(), "the price bound is 24 cells, expected below 4"),
    ],
)
def test_invalid_prices(stairs: Any, data: bytes, why: str) -> None:
    with pytest.raises(CertificateError, match=rf"^prices\.json: {why}"):
        verify(stairs(data))


def test_tables_that_are_not_needed(stairs: Any) -> None:
    data = json.loads(prove(staircase(3), by="prices").files[folder.PRICES])
    data["tables"] *= 2
    with pytest.raises(CertificateError, match=r"^prices.json: 1 table more than the claim needs$"):
        verify(stairs(json.dumps(data).encode()))
    verify(stairs(json.dumps(data | {"tables": data["tables"][:1], "because": 0}).encode()))


def test_boards_beyond_the_checkers_are_refused(tmp_path: Path) -> None:
    data = _file(tables=[], distance=0)
    large = json.dumps({"rows": [[]] * 4000, "columns": [[]] * 4000,
                        "colors": {f"c{i}": f"#{i:06x}" for i in range(9)}}).encode()  # fmt: skip
    wide = json.dumps({"rows": [[1] * 4000], "columns": [[]] * 8000}).encode()
    for puzzle, why in (
        (large, "160,000,000 values of cells, prices are for at most 33,554,432"),
        (wide, "row 1 has 32,008,000 places of blocks, prices are for at most 8,388,608"),
    ):
        target = put_files(
            tmp_path / "c", "unsolvable", {folder.PUZZLE: puzzle, folder.PRICES: data}
        )
        with pytest.raises(CertificateError, match=f"^puzzle.json: {why}$"):
            verify(target)


def test_limits_hold(clock: Clock, tmp_path: Path) -> None:
    clock.step_s = 0.01
    with pytest.raises(LimitReached, match=r"time limit of 0\.05 s"):
        prove(staircase(40), by="prices", time_limit_s=0.05)
    # Sparse noise without a solution, on which propagation takes very long.
    rng = random.Random(1)
    rows = [[1] * 30 for _ in range(400)]
    given = [[rng.randrange(400), rng.randrange(400), 0] for _ in range(9000)]
    puzzle = json.dumps({"rows": rows, "columns": rows, "given": given}).encode()
    empty = json.dumps({"scale": 1, "prices": [[[]] * 400]})
    data = f'{{"version": 1, "distance": 0, "tables": [{", ".join([empty] * 64)}]}}'.encode()
    target = put_files(tmp_path / "c", "unsolvable", {folder.PUZZLE: puzzle, folder.PRICES: data})
    for limits, why in (({"time_limit_s": 0.2}, "time limit"), ({"memory_limit_mib": 1}, "memory")):
        with pytest.raises(LimitReached, match=why):
            verify(target, **limits)


# Mutations: only the content is wrong, the manifest matches


def _mutated(rng: random.Random, claim: str, files: dict[str, bytes]) -> dict[str, bytes]:
    """Change a price, a cell of the solution, clues, the scale, the tables or the distance."""
    kind = rng.randrange(7)
    data: Any = json.loads(files[folder.PRICES])
    puzzle = json.loads(files[folder.PUZZLE])
    table = data["tables"][-1]
    if kind == 0:
        row = rng.choice([row for plane in table["prices"] for row in plane if row])
        row[rng.randrange(len(row))] += rng.choice([-99, -7, -2, -1, 1, 2, 7, 99])
    if kind == 1 and claim == "unique":
        picture = bytearray(files[folder.SOLUTION])
        at = rng.choice([i for i, char in enumerate(picture) if char != ord("\n")])
        picture[at] = ord("#") if picture[at] == ord(".") else ord(".")
        return {**files, folder.SOLUTION: bytes(picture)}
    if kind == 2:
        lines = puzzle[rng.choice(["rows", "columns"])]
        one, other = rng.sample(range(len(lines)), 2)
        lines[one], lines[other] = lines[other], lines[one]
        return {**files, folder.PUZZLE: json.dumps(puzzle).encode()}
    if kind == 3:
        table["scale"] = rng.choice([table["scale"] + 1, 2 * table["scale"], 100])
    if kind == 4:
        data["tables"] = rng.choice([[], data["tables"][::-1], data["tables"][:-1]])
    if kind == 5:
        data["distance"] = rng.choice([0, 1, 2, 4, 100])
    if kind == 6:
        rng.shuffle(rng.choice(table["prices"]))
    return {**files, folder.PRICES: json.dumps(data).encode()}


def _follows(claim: str, files: dict[str, bytes]) -> bool:
    """True if the claim follows from the content, by enumeration."""
    (puzzle,) = jsonl.read(files[folder.PUZZLE])
    assert isinstance(puzzle, Nonogram)
    solution = None
    if claim == "unique":
        text = files[folder.SOLUTION].decode().replace("\n", "")
        solution = bytes(".#abcdef".index(char) for char in text)
        if solution not in solutions(puzzle):
            return False
    data = json.loads(files[folder.PRICES])
    if data["distance"] != (0 if solution is None else least_distance(puzzle)):
        return False
    tables = [ClaimedPrices(one["scale"], tuple(one["prices"])) for one in data["tables"]]
    found = weighed(puzzle, solution, tables)
    return found.is_proven and found.num_used == len(tables)


@pytest.mark.thorough
def test_mutations_are_refused_or_still_right(tmp_path: Path) -> None:
    proofs = [prove(puzzle, by="prices") for puzzle in SMALL]
    seen = Counter[bool]()
    for seed in range(180 * FUZZ):
        rng = random.Random(seed)
        proof = rng.choice(proofs)
        files = _mutated(rng, proof.claim, proof.files)
        follows = _follows(proof.claim, files)
        target = put_files(tmp_path / proof.claim, proof.claim, files)
        try:
            found = verify(target)
        except CertificateError:
            is_accepted = False
        else:
            is_accepted = True
            assert len(solutions(found.puzzle, 2)) == (found.claim == "unique")
        assert is_accepted == follows, seed
        seen[follows] += 1
    assert seen[True] > 18 * FUZZ
    assert seen[False] > 60 * FUZZ


def test_arbitrary_bytes(tmp_path: Path) -> None:
    proof = prove(SMALL[0], by="prices")
    data = proof.files[folder.PRICES]
    refused = 0
    for seed in range(180 * FUZZ):
        rng = random.Random(seed)
        changed = bytearray(data)
        for _ in range(rng.randint(1, 3)):
            changed[rng.randrange(len(changed))] = rng.choice(b'0123456789-,[]{}"e. ntf\x00\xff')
        files = {**proof.files, folder.PRICES: bytes(changed)}
        try:
            verify(put_files(tmp_path / "c", proof.claim, files))
        except CertificateError:
            refused += 1
        else:
            assert _follows(proof.claim, files), seed
    assert refused > 60 * FUZZ


# The commands


def _written(puzzle: Nonogram, name: str) -> str:
    Path(name).write_bytes(jsonl.write([puzzle]))
    return name


def test_the_commands(put: Any) -> None:
    put(MULTIPLE)
    path = _written(SMALL[2], "small.jsonl")
    done = run("prove", path, "-o", "by-prices", "--by", "prices")
    assert done.exit_code == 0, done.output
    sizes = "16 prices, price bound 0 cells, least distance 4, 0."
    assert f"unique by prices: by-prices ({sizes}" in done.stdout
    done = run("verify", "by-prices")
    assert done.stdout.startswith(f"by-prices: 1: valid: exactly one solution ({sizes}")
    done = run("prove", path, "-o", "by-clauses", "--by", "clauses")
    assert "clauses, " in done.stdout
    done = run("prove", _written(SMALL[1], "none.jsonl"), "-o", "none")
    assert "unsolvable by prices: none (" in done.stdout
    assert "solutions are paid 0, " in run("verify", "none").stdout


def test_the_command_reports_that_prices_do_not_suffice(put: Any) -> None:
    smile = Path(__file__).parent.parent / "instances" / "pictures.jsonl"
    put(MULTIPLE)
    done = run("prove", f"{smile}#smile", "-o", "new", "--by", "prices")
    assert (done.exit_code, done.stderr) == (5, "")
    assert done.stdout == (
        "smile: unknown: the price bound is 40 cells, expected below 4; clauses may prove it; "
        "nothing was written\n"
    )
    assert not Path("new").exists()
    done = run("prove", f"{smile}#smile", "-o", "new", "--by", "prices", "--cubes", "4")
    assert (done.exit_code, "engines and cubes prove by clauses" in done.stderr) == (2, True)


def test_a_refused_table_is_reported(put: Any) -> None:
    put(MULTIPLE)
    assert run("prove", _written(SMALL[2], "small.jsonl"), "-o", "new").exit_code == 0
    data = json.loads(Path("new/prices.json").read_text())
    data["tables"] = []
    files = {name: Path("new", name).read_bytes() for name in folder.FILES["unique"]["prices"]}
    put_files(Path("new"), "unique", {**files, folder.PRICES: json.dumps(data).encode()})
    done = run("verify", "new")
    assert done.exit_code == 2
    assert "new: prices.json: there is no table, and propagation alone does not" in done.stderr
