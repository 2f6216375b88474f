"""Behaviour shared by all commands that process every puzzle of their files."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import click
import pytest

from helpers.commands import INVALID, MULTIPLE, UNIQUE, put, records, run
from nonosat.cli import main

__all__ = ["put"]  # a fixture

COMMANDS = ("count", "sample", "backbone", "beliefs", "rate", "why-multiple")
ON_ONE = ("explain", "hint", "prove", "decode", "encode")


@pytest.mark.parametrize("command", COMMANDS)
def test_one_object_a_puzzle_and_for_bad_ones_their_error(put: Any, command: str) -> None:
    path = put(UNIQUE, INVALID, MULTIPLE)
    done = run(command, "--json", path)
    assert done.exit_code == 2
    corner, bad, switch = records(done)
    assert [corner["id"], switch["id"]] == ["corner", "switch"]
    assert {corner["file"], bad["file"], switch["file"]} == {path}
    assert bad.keys() == {"file", "error"}
    assert "block of length 0" in bad["error"]
    assert "block of length 0" in done.stderr
    assert [one["id"] for one in records(run(command, "--json", f"{path}#switch"))] == ["switch"]


@pytest.mark.parametrize("command", COMMANDS)
def test_pictures_are_separated(put: Any, command: str) -> None:
    lines = run(command, put(UNIQUE, MULTIPLE)).stdout.splitlines()
    ends = [index for index, line in enumerate(lines) if "2 rows x 2 columns" in line]
    assert len(ends) == 2
    has_picture = command in ("sample", "backbone", "beliefs", "why-multiple")
    assert (lines[ends[0] + 1] == "") == has_picture
    assert lines[0]
    assert lines[-1]
    assert lines.count("") == has_picture


@pytest.mark.parametrize("command", COMMANDS + ON_ONE)
def test_unknown_formats_are_refused_with_a_list(put: Any, command: str) -> None:
    more = {"prove": ["-o", "new"], "decode": ["answer"], "encode": ["-o", "new.cnf"]}
    done = run(command, put(UNIQUE), *more.get(command, []), "--from", "nothing")
    assert done.exit_code == 2
    assert "Usage: nonosat" in done.stderr
    assert "no format is called 'nothing'; there are: " in done.stderr
    assert "webpbn" in done.stderr


@pytest.mark.parametrize("command", ON_ONE)
def test_one_puzzle_is_chosen_from_many(put: Any, command: str) -> None:
    more = {"prove": ["-o", "new"], "decode": ["answer"], "encode": ["-o", "new.cnf"]}
    done = run(command, put(UNIQUE, MULTIPLE), *more.get(command, []))
    assert done.exit_code == 2
    told = "puzzles.jsonl holds 2 puzzles, expected one; choose one as FILE#ID: corner, switch"
    assert told in done.stderr


def commands_of(group: click.Group, words: tuple[str, ...] = ()) -> Iterator[tuple[Any, ...]]:
    context = click.Context(group)
    for name in group.list_commands(context):
        command = group.get_command(context, name)
        assert command is not None
        yield (*words, name), command
        if isinstance(command, click.Group):
            yield from commands_of(command, (*words, name))


ALL = dict(commands_of(main))


@pytest.mark.parametrize("words", ALL, ids=" ".join)
def test_every_command_and_option_has_a_help_text(words: tuple[str, ...]) -> None:
    command = ALL[words]
    assert command.help
    assert re.fullmatch(r"[A-Z][^.]*[^.]\.|.*, \.\.\.", command.get_short_help_str(100))
    for option in command.params:
        if isinstance(option, click.Option):
            assert option.help, option.opts
            assert re.search(r"[.)\]]$", option.help), option.opts
            if isinstance(option.default, int | float | str) and not option.is_flag:
                assert option.show_default, option.opts
    shown = run(*words, "--help")
    assert shown.exit_code == 0
    assert max(map(len, shown.stdout.splitlines())) <= 100
