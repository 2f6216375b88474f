"""Figures on the structure of the package: rooms, floors, cycles, lines, and a clue's way.

A room is a folder or a module at the top of nonosat/. A floor is one more than the highest floor
that a room imports from; rooms that import each other in a cycle share theirs. An arrow is a pair
of rooms, one of which imports the other. Modules with one importer are counted without plug-ins,
which are found by name, commands, and modules from which `nonosat/__init__.pyi` imports names. The
way of a clue is traced during the check of a puzzle: a stay is a function of the package that is
called from another file, a climb a call into a room of a higher floor than the caller's.

    python benchmarks/house.py                           # this checkout
    python benchmarks/house.py OTHER/nonosat             # another one, without the way
    python benchmarks/house.py --way instances/pictures.jsonl#cat
"""

from __future__ import annotations

import argparse
import ast
import re
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from pathlib import Path
from types import FrameType
from typing import Any

Graph = Mapping[str, set[str]]
LANGUAGES = {
    ".py": "Python",
    ".pyi": "stubs",
    ".cpp": "C++",
    ".hpp": "C++",
    ".js": "JavaScript",
    ".css": "CSS",
    ".html": "HTML",
    ".md": "Markdown",
}


def modules(house: Path) -> dict[str, Path]:
    """Return the files of a package by the names of their modules."""
    found = {}
    for path in sorted(house.rglob("*.py")):
        parts = path.relative_to(house.parent).with_suffix("").parts
        found[".".join(parts).removesuffix(".__init__")] = path
    return found


def imports(source: str, known: Iterable[str], *, types: bool = False) -> Iterator[str]:
    """Yield the modules among `known` that a file imports, inside functions as well.

    Args:
        source: The file.
        known: Modules.
        types: Yield imports for type checkers as well.
    """
    pending: list[ast.AST] = [ast.parse(source)]
    while pending:
        node = pending.pop()
        is_if = isinstance(node, ast.If) and ast.unparse(node.test).endswith("TYPE_CHECKING")
        if is_if and not types:
            continue
        pending += ast.iter_child_nodes(node)
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names if alias.name in known)
        elif isinstance(node, ast.ImportFrom) and node.module:
            for alias in node.names:
                name = f"{node.module}.{alias.name}"
                if (one := name if name in known else node.module) in known:
                    yield one


def room_of(module: str) -> str:
    return ".".join(module.split(".")[:2])


def circles(graph: Graph) -> list[set[str]]:
    """Return the strongly connected components with two or more nodes."""

    @cache
    def reach(start: str) -> frozenset[str]:
        seen, pending = set(), [start]
        while pending:
            for other in graph.get(pending.pop(), ()):
                if other not in seen:
                    seen.add(other)
                    pending.append(other)
        return frozenset(seen)

    found: list[set[str]] = []
    for one in graph:
        circle = {other for other in reach(one) if one in reach(other)}
        if len(circle) > 1 and circle not in found:
            found.append(circle)
    return found


def floors(graph: Graph) -> dict[str, int]:
    """Return each room's floor, from 1."""
    home = {one: one for one in graph} | {
        one: min(circle) for circle in circles(graph) for one in circle
    }

    @cache
    def height(circle: str) -> int:
        others = {home[other] for one in graph if home[one] == circle for other in graph[one]}
        return 1 + max(map(height, others - {circle}), default=0)

    return {one: height(home[one]) for one in graph}


def with_one_importer(files: Mapping[str, Path], graph: Graph) -> list[str]:
    """Return modules that exactly one other imports, with the exceptions above."""
    importers: dict[str, set[str]] = {}
    for name, others in graph.items():
        for other in others:
            importers.setdefault(other, set()).add(name)
    face = files[min(files, key=len)]
    stub = face.with_suffix(".pyi")  # older checkouts list the names in `__init__.py`
    offered = {*imports((stub if stub.exists() else face).read_text(), files, types=True)}
    single = (name for name, found in importers.items() if len(found) == 1)
    return [
        name
        for name in single
        if name not in offered
        and not re.search(r"^(PLUGINS?\b|def command\()", files[name].read_text(), re.MULTILINE)
    ]


def imports_inside(tree: ast.AST) -> Iterator[ast.stmt]:
    """Return the imports inside functions, each once."""
    functions = (n for n in ast.walk(tree) if isinstance(n, ast.FunctionDef | ast.AsyncFunctionDef))
    inner = (node for function in functions for node in ast.walk(function))
    found = (node for node in inner if isinstance(node, ast.Import | ast.ImportFrom))
    return iter(dict.fromkeys(found))


def parameters(tree: ast.AST) -> Iterator[int]:
    """Yield the number of parameters of each function, without `self` and `cls`."""
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            every = [*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs]
            yield sum(one.arg not in ("self", "cls") for one in every)


def report_code(files: Mapping[str, Path], house: Path) -> None:
    """Print the figures on the text of files."""
    trees = [ast.parse(path.read_text()) for path in files.values()]
    print(f"imports inside functions {sum(len([*imports_inside(tree)]) for tree in trees)}")
    names = (node.id for tree in trees for node in ast.walk(tree) if isinstance(node, ast.Name))
    print(f"Any {sum(name == 'Any' for name in names)}")
    print(f"functions of more than 6 parameters {sum(n > 6 for t in trees for n in parameters(t))}")
    lines: Counter[str] = Counter()
    for path in house.rglob("*"):
        if path.suffix in LANGUAGES and path.is_file():
            lines[LANGUAGES[path.suffix]] += len(path.read_bytes().splitlines())
    print(f"lines {dict(sorted(lines.items()))}")


class Way:
    """Profiler that counts calls between files of the package."""

    def __init__(self, house: Path, floor: Mapping[str, int]) -> None:
        self._names = {str(path): name for name, path in modules(house).items()}
        self._floor = floor
        self.stays: set[tuple[str, str]] = set()
        self.climbs = 0

    def __call__(self, frame: FrameType, event: str, _: Any) -> None:
        there = self._names.get(frame.f_code.co_filename)
        if event != "call" or there is None or frame.f_code.co_name == "<module>":
            return
        caller = frame.f_back
        while caller is not None and caller.f_code.co_filename not in self._names:
            caller = caller.f_back
        here = self._names[caller.f_code.co_filename] if caller else there
        if here != there:
            stay = (there, frame.f_code.co_name)
            higher = self._floor[room_of(there)] > self._floor[room_of(here)]
            self.climbs += stay not in self.stays and higher
            self.stays.add(stay)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("house", nargs="?", type=Path)
    parser.add_argument("--way", metavar="PUZZLE")
    parser.add_argument("--alone", action="store_true", help="list modules with one importer")
    asked = parser.parse_args()
    house = asked.house or Path(__file__).resolve().parents[1] / "nonosat"
    files = modules(house)
    texts = {name: path.read_text() for name, path in files.items()}
    graph = {name: {*imports(text, files)} - {name} for name, text in texts.items()}
    typed = {name: {*imports(text, files, types=True)} - {name} for name, text in texts.items()}
    faces = {house.name, f"{house.name}.__main__"}
    inner = {name: others - faces for name, others in graph.items() if name not in faces}
    rooms: dict[str, set[str]] = {room_of(name): set() for name in inner}
    for name, others in inner.items():
        rooms[room_of(name)] |= {room_of(other) for other in others} - {room_of(name)}
    floor = floors(rooms)
    print(f"rooms {len(rooms)}, files {len(files)}, arrows {sum(map(len, rooms.values()))}")
    print(f"floors {max(floor.values())}")
    print(f"circles of rooms {[len(one) for one in circles(rooms)]}")
    print(f"circles of files {[len(one) for one in circles(inner)]}")
    all_typed = {name: others - faces for name, others in typed.items() if name not in faces}
    print(f"circles of files, types included {[len(one) for one in circles(all_typed)]}")
    alone = with_one_importer(files, graph)
    size = sum(len(texts[name].splitlines()) for name in alone)
    print(f"modules with one importer {len(alone)} of {size} lines")
    report_code(files, house)
    if asked.alone:
        print(*sorted(alone), sep="\n")
    if asked.way:
        import nonosat

        puzzle = nonosat.load(asked.way)
        way = Way(Path(nonosat.__file__).parent, floor | dict.fromkeys(faces, 0))
        sys.setprofile(way)
        nonosat.check(puzzle)
        sys.setprofile(None)
        visited = {room_of(there) for there, _ in way.stays}
        print(f"way: {len(way.stays)} stays in {len(visited)} rooms, {way.climbs} climbs")


if __name__ == "__main__":
    main()
