"""Order of imports: they point downwards, and a room's private modules are used only in it.

The order of the rooms is written once, in the tables of `nonosat/README.md`, top to bottom.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

import nonosat

HOUSE = Path(nonosat.__file__).parent
NATIVE = "native"  # a room that is not a folder of modules
ROOMS = re.findall(r"^\| `?([\w ]+?)/?`? \|", (HOUSE / "README.md").read_text(), re.MULTILINE)
ROOMS = ROOMS[ROOMS.index("cli") : ROOMS.index(NATIVE) + 1]
FACES = ("nonosat", "nonosat.__main__", "nonosat.model", "nonosat.plugins")  # import from anywhere
USERS = ("studio",)  # rooms that use only the library's public names, as other packages do
MODULES = {
    ".".join(("nonosat", *path.relative_to(HOUSE).with_suffix("").parts)).removesuffix(
        ".__init__"
    ): path
    for path in HOUSE.rglob("*.py")
}


def room_of(module: str) -> str:
    if module.startswith("nonosat._core"):
        return NATIVE
    return f"{module}.".split(".")[1]


def imports(source: str, *, types: bool = False) -> Iterator[tuple[int, str]]:
    """Line and module of every import, inside functions as well; with `types` also imports for
    types.

    A name that is no module of the house counts as an import of the module that defines it.
    """
    pending: list[ast.AST] = [ast.parse(source)]
    while pending:
        node = pending.pop()
        if isinstance(node, ast.If) and ast.unparse(node.test).endswith("TYPE_CHECKING"):
            pending += [*node.orelse, *(node.body if types else ())]
            continue
        pending += ast.iter_child_nodes(node)
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            assert not node.level, f"line {node.lineno}: a relative import hides its room"
            names = [f"{node.module}.{alias.name}" for alias in node.names]
        else:
            continue
        for name in names:
            if name.partition(".")[0] == "nonosat":
                is_named = name in MODULES or name == "nonosat._core"
                yield node.lineno, name if is_named else name.rpartition(".")[0]


def complaints(module: str, source: str) -> Iterator[str]:
    """One sentence for each import that breaks the order."""
    here = room_of(module)
    for line, name in imports(source):
        there = room_of(name)
        if here == there:
            continue
        where = f"{module.replace('.', '/')}, line {line}: {name}"
        if name == "nonosat" and here in USERS:
            continue
        if name in FACES:
            yield f"{where} is upstairs: it offers names to other packages, not to rooms"
        elif ROOMS.index(there) < ROOMS.index(here):
            yield f"{where} is upstairs ({there} stands above {here} in the map)"
        elif any(part.startswith("_") for part in name.split(".")[2:]):
            yield f"{where} is private to {there}; say what you need in a public module of it"


def test_the_map_names_every_room():
    folders = {path.name for path in HOUSE.iterdir() if path.is_dir() and path.name[0] != "_"}
    assert folders == set(ROOMS)
    assert len(ROOMS) == len(set(ROOMS))


@pytest.mark.thorough
@pytest.mark.parametrize("module", sorted(MODULES.keys() - set(FACES)))
def test_imports_point_downwards(module):
    assert list(complaints(module, MODULES[module].read_text())) == []


@pytest.mark.thorough
def test_no_files_import_each_other_in_a_circle():
    """Imports for types count, too: modules that need each other's types are one subject."""
    graph = {
        module: {name for _, name in imports(path.read_text(), types=True) if name in MODULES}
        for module, path in MODULES.items()
        if module not in FACES
    }
    TopologicalSorter({name: others - {name, *FACES} for name, others in graph.items()}).prepare()


def test_no_modules_of_the_page_import_each_other_in_a_circle():
    page = HOUSE / "studio" / "page"
    graph = {
        path: {
            (path.parent / name).resolve()
            for name in re.findall(
                r'^(?:import|export|\}).* from "(\.[^"]+)";$', text, re.MULTILINE
            )
        }
        for path in page.rglob("*.js")
        for text in [path.read_text()]
    }
    assert sum(map(len, graph.values())) > 100
    TopologicalSorter(graph).prepare()


@pytest.mark.parametrize(
    ("module", "line", "problem"),
    [
        ("nonosat.core.limits", "from nonosat.board.line import domains", "upstairs"),
        ("nonosat.board.line", "import nonosat", "upstairs"),
        ("nonosat.encodings.line_log", "def f():\n    from nonosat import cli", "upstairs"),
        ("nonosat.solving.session", "from nonosat.backends._remote import Child", "private"),
        ("nonosat.solving.session", "import nonosat.backends._remote", "private"),
    ],
)
def test_violations_of_the_order_are_reported_in_a_sentence(module, line, problem):
    (sentence,) = complaints(module, line)
    assert problem in sentence
    assert sentence.startswith(module.replace(".", "/"))


def test_types_and_own_private_modules_are_free():
    source = "if TYPE_CHECKING:\n    from nonosat.cli import main\nfrom nonosat.board import _x"
    assert list(complaints("nonosat.board.line", source)) == []
