"""The face of the library: its public names, and what each of them says of itself.

Every public name has an example in its docstring, and every example is run here.
"""

from __future__ import annotations

import ast
import doctest
import inspect
import subprocess
import sys
from pathlib import Path

import pytest

import nonosat
from helpers import user

CONSTANTS = {"FALSE", "TRUE", "UNKNOWN", "__version__"}
NAMES = sorted(set(nonosat.__all__) - CONSTANTS)
SECTIONS = {"Args:", "Returns:", "Raises:"}
FLAGS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE


def run_examples(thing: object, name: str) -> int:
    """Run the examples of one docstring; returns how many there are."""
    text = inspect.getdoc(thing) or ""
    test = doctest.DocTestParser().get_doctest(text, {"nonosat": nonosat}, name, None, 0)
    told: list[str] = []
    doctest.DocTestRunner(optionflags=FLAGS).run(test, out=told.append)
    assert not told, "".join(told)
    return len(test.examples)


@pytest.mark.parametrize("name", NAMES)
def test_every_public_name_has_an_example_that_holds(name: str) -> None:
    thing = getattr(nonosat, name)
    assert thing.__doc__, "a docstring of its own"
    assert run_examples(thing, name) > 0


def test_the_examples_of_the_module_hold() -> None:
    assert run_examples(nonosat, "nonosat") >= 3
    for name in CONSTANTS:
        assert f"`{name}`" in str(nonosat.__doc__)


@pytest.mark.parametrize(
    "name", [name for name in NAMES if inspect.isfunction(getattr(nonosat, name))]
)
def test_every_public_function_says_what_it_takes_and_raises(name: str) -> None:
    function = getattr(nonosat, name)
    words = set((inspect.getdoc(function) or "").split())
    assert {"Args:", "Raises:"} <= words
    text = str(inspect.getdoc(function))
    for parameter in inspect.signature(function).parameters:
        assert f"{parameter}" in text


def test_only_public_names_are_listed() -> None:
    assert dir(nonosat) == sorted(nonosat.__all__)
    nonosat.explain(nonosat.nonogram([[1]], [[1]]))  # imports rooms, which bind their names
    assert dir(nonosat) == sorted(nonosat.__all__)
    with pytest.raises(AttributeError, match="no attribute 'solv'"):
        nonosat.solv  # noqa: B018


def test_type_checkers_see_the_same_names_from_the_same_places() -> None:
    tree = ast.parse(Path(str(nonosat.__file__)).read_text())
    seen = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and str(node.module).startswith("nonosat."):
            for alias in node.names:
                if alias.asname == alias.name:
                    seen[alias.name] = str(node.module).removeprefix("nonosat.")
    assert seen == nonosat._HOMES


def test_the_function_explain_is_not_hidden_by_its_room() -> None:
    code = (
        "import nonosat, nonosat.explain, nonosat.explain.story\n"
        "from nonosat.explain import hint\n"
        "from nonosat import explain\n"
        "assert nonosat.explain is explain and explain.__name__ == 'explain'\n"
        "assert nonosat.hint is hint\n"
    )
    subprocess.run([sys.executable, "-W", "error", "-c", code], check=True)


def test_importing_the_library_imports_hardly_anything() -> None:
    code = "import nonosat, sys; print(*sorted(m for m in sys.modules if m[:8] == 'nonosat.'))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["nonosat.forks", "nonosat.seams"]


USER = Path(__file__).parent / "helpers" / "user.py"


def test_what_users_write_is_typed(tmp_path: Path) -> None:
    script = tmp_path / "user.py"
    script.write_text(USER.read_text())
    command = [sys.executable, "-m", "mypy", "--strict", "--python-version", "3.11", str(script)]
    root = USER.parent.parent.parent  # with the cache and the settings of the project
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=root)
    assert done.stdout.startswith("Success"), done.stdout + done.stderr
    wrong = script.with_name("wrong.py")
    wrong.write_text("import nonosat\nprint(nonosat.count([[1]]).counted, nonosat.solv)\n")
    command[-1] = str(wrong)
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=root)
    assert "counted" in done.stdout  # the types are really seen
    assert "solv" in done.stdout


def test_what_users_write_runs(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    user.main(tmp_path)
    assert "unique" in capsys.readouterr().out
