"""Lengths: no Python function above 60 lines, no file above 800; a file is one whole subject."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
FOLDERS = ("nonosat", "tests", "benchmarks")
SUFFIXES = (".py", ".cpp", ".hpp", ".js", ".mjs", ".css", ".html", ".cmake")
MOST_LINES, MOST_OF_FUNCTION = 800, 60
HEAD = re.compile(r"( *)(async def|def|class)\b")
FILES = {
    str(path.relative_to(ROOT)): path
    for folder in FOLDERS
    for path in sorted((ROOT / folder).rglob("*"))
    if path.suffix in SUFFIXES and path.is_file()
}


def statements(node: ast.AST) -> Iterator[ast.stmt]:
    """Statements inside a node, without those in expressions, which would take longer."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.stmt | ast.excepthandler | ast.match_case):
            if isinstance(child, ast.stmt):
                yield child
            yield from statements(child)


def may_be_long(lines: list[str]) -> bool:
    """True if a function may be too long: it ends before the next one that is no deeper."""
    open_: list[tuple[int, int]] = []  # indentation and first line
    for number, line in enumerate([*lines, "def end():"]):
        if found := HEAD.match(line):
            while open_ and open_[-1][0] >= len(found[1]):
                if number - open_.pop()[1] > MOST_OF_FUNCTION:
                    return True
            if found[2].endswith("def"):
                open_.append((len(found[1]), number))
    return False


def long_functions(source: str) -> Iterator[str]:
    """Names and sizes of functions that are too long."""
    if not may_be_long(source.splitlines()):
        return  # most files, and to parse them all takes seconds
    for node in statements(ast.parse(source)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            assert node.end_lineno is not None
            size = node.end_lineno - node.lineno + 1
            if size > MOST_OF_FUNCTION:
                yield f"{node.name}: {size} lines"


@pytest.mark.parametrize("folder", FOLDERS)
def test_no_file_is_too_long(folder: str) -> None:
    sizes = {
        name: len(path.read_bytes().splitlines())
        for name, path in FILES.items()
        if name.startswith(folder)
    }
    assert sizes
    assert {name: size for name, size in sizes.items() if size > MOST_LINES} == {}


def test_no_function_is_too_long() -> None:
    found = {
        name: list(long_functions(path.read_text()))
        for name, path in FILES.items()
        if path.suffix == ".py"
    }
    assert {name: functions for name, functions in found.items() if functions} == {}


def test_long_functions_are_found() -> None:
    body = "\n    pass" * MOST_OF_FUNCTION
    assert list(long_functions(f"class A:\n  def f():{body}")) == ["f: 61 lines"]
    assert list(long_functions(f"def f():{body[:-9]}")) == []
