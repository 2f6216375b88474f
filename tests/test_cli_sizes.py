"""`nonosat encode --stats` from a user's point of view."""

from __future__ import annotations

from pysat.formula import CNF

from helpers.commands import COLOURED, INVALID, UNIQUE, put, records, run

__all__ = ["put"]  # a fixture


def test_stats_shows_every_encoding(put):
    result = run("encode", "--stats", put(UNIQUE, COLOURED))
    assert result.exit_code == 0
    lines = result.stdout.splitlines()
    assert lines[0] == "corner"
    assert lines[1].split() == ["encoding", "variables", "clauses", "literals", "seconds"]
    row = next(line.split() for line in lines if line.startswith("  line=order "))
    assert int(row[1]) >= 4
    assert "flag" in lines
    assert any(line.startswith("  line=automaton ") for line in lines)


def test_stats_as_json_are_those_of_the_file(put):
    source = put(COLOURED)
    names = ["order", "automaton"]
    asked = [part for name in names for part in ("--encoding", f"line={name}")]
    found = records(run("encode", "--stats", "--json", source, *asked))
    assert [record["encoding"]["line"] for record in found] == names
    for name, record in zip(names, found, strict=True):
        run("encode", source, "-o", f"{name}.cnf", "--encoding", f"line={name}")
        cnf = CNF(from_file=f"{name}.cnf")
        assert record["clauses"] == len(cnf.clauses)
        assert record["literals"] == sum(map(len, cnf.clauses))
        assert record["variables"] >= cnf.nv
        assert record["id"] == "flag"


def test_stats_shows_refusals_in_their_row(put, monkeypatch):
    from nonosat.core.errors import UnsupportedError
    from nonosat.encodings import line_automaton

    def refuse(line, sink):
        raise UnsupportedError("too large, use another one")

    monkeypatch.setitem(vars(line_automaton.PLUGIN), "encode", refuse)
    asked = ("--encoding", "line=automaton", "--encoding", "line=order")
    result = run("encode", "--stats", put(UNIQUE), *asked)
    assert result.exit_code == 0
    assert "line=automaton  too large, use another one" in result.stdout
    automaton, order = records(run("encode", "--stats", "--json", put(UNIQUE), *asked))
    assert automaton["error"] == "too large, use another one"
    assert order["clauses"] > 0


def test_stats_goes_on_after_an_encoding_failed(put, monkeypatch):
    from nonosat.encodings import line_automaton

    def crash(line, sink):
        raise KeyError("a state")

    monkeypatch.setitem(vars(line_automaton.PLUGIN), "encode", crash)
    asked = ("--encoding", "line=automaton", "--encoding", "line=order")
    result = run("encode", "--stats", put(UNIQUE, COLOURED), *asked)
    assert result.exit_code == 70
    told = "KeyError: 'a state' (please report this with the puzzle"
    assert result.stdout.count(f"line=automaton  {told}") == 2
    assert result.stdout.count("line=order ") == 2
    automaton, order = records(run("encode", "--stats", "--json", put(UNIQUE), *asked))
    assert automaton["failure"].startswith(told)
    assert order["clauses"] > 0


def test_stats_keeps_to_limits_and_goes_on_after_bad_input(put):
    large = put({"id": "large", "rows": [[1] * 200] * 400, "columns": [[1] * 200] * 400})
    result = run("encode", "--stats", "--json", large, "--time-limit", "1e-9")
    assert result.exit_code == 5
    assert all("time limit" in record["limit"] for record in records(result))
    mixed = run("encode", "--stats", put(INVALID, UNIQUE))
    assert mixed.exit_code == 2
    assert "corner" in mixed.stdout
