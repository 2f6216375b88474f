"""Public names of the library, and their docstrings.

Every public name has an example in its docstring, and every example is run here.
"""

from __future__ import annotations

import ast
import doctest
import inspect
import pkgutil
import re
import subprocess
import sys
from pathlib import Path

import pytest

import nonosat
from helpers import user

ROOT = Path(__file__).parents[1]  # with the cache of mypy and the settings of the project
CONSTANTS = {"FALSE", "TRUE", "UNKNOWN", "__version__"}
NAMES = sorted(set(nonosat.__all__) - CONSTANTS)
SECTIONS = {"Args:", "Returns:", "Raises:"}
FLAGS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE


def run_examples(thing: object, name: str) -> int:
    """Run the examples of one docstring; return their number."""
    text = inspect.getdoc(thing) or ""
    test = doctest.DocTestParser().get_doctest(text, {"nonosat": nonosat}, name, None, 0)
    told: list[str] = []
    doctest.DocTestRunner(optionflags=FLAGS).run(test, out=told.append)
    assert not told, "".join(told)
    return len(test.examples)


@pytest.mark.slow
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
def test_every_public_function_documents_arguments_and_errors(name: str) -> None:
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


def test_every_import_for_type_checkers_is_a_public_name() -> None:
    tree = ast.parse(Path(str(nonosat.__file__)).with_suffix(".pyi").read_text())
    listed = [
        alias.name
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
        if alias.asname == alias.name
    ]
    assert sorted(listed) == dir(nonosat)


def revealed(names: list[str], folder: Path) -> dict[str, str]:
    """Type that mypy reports for each public name; for classes that of an instance."""
    lines = [
        f"def _(it: nonosat.{name}) -> None: reveal_type(it)"
        if isinstance(getattr(nonosat, name), type)
        else f"reveal_type(nonosat.{name})"
        for name in names
    ]
    script = folder / "reveals.py"
    script.write_text("\n".join(["import nonosat", *lines]))
    command = [sys.executable, "-m", "mypy", "--strict", "--hide-error-context", str(script)]
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=ROOT)
    pattern = r'^\S+:(\d+): note: Revealed type is "(.*)"$'
    found = re.findall(pattern, done.stdout, re.MULTILINE)
    return {names[int(line) - 2]: kind for line, kind in found}


@pytest.mark.thorough
def test_every_public_name_has_the_type_that_mypy_sees(tmp_path: Path) -> None:
    found = revealed(dir(nonosat), tmp_path)
    assert [*found] == dir(nonosat)
    for name, kind in found.items():
        thing = getattr(nonosat, name)
        if isinstance(thing, type):
            seen = kind.rpartition("fallback=")[2].split("[")[0].rstrip("]")  # of a named tuple
            assert seen == f"{thing.__module__}.{thing.__qualname__}", name
        elif inspect.isfunction(thing):
            told = re.findall(r"[(,] \*{0,2}(\w+): ", kind.replace("def (", "def ( "))
            assert set(inspect.signature(thing).parameters) <= set(told), name
        else:
            assert kind.removeprefix("builtins.") == type(thing).__name__, name


def test_rooms_and_modules_are_bound_unless_they_would_hide_a_public_name() -> None:
    code = (
        "import nonosat, sys\n"
        "from importlib import import_module\n"
        "for stem in sys.argv[1:]:\n"
        "    module = import_module(f'nonosat.{stem}')\n"
        "    assert (getattr(nonosat, stem) is module) == (stem not in dir(nonosat)), stem\n"
    )
    stems = [entry.name for entry in pkgutil.iter_modules(nonosat.__path__)]
    command = [sys.executable, "-c", code, *(set(stems) - {"__main__"})]
    subprocess.run(command, check=True)


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
    assert done.stdout.split() == ["nonosat.core", "nonosat.core.hooks", "nonosat.core.lazy"]


USER = ROOT / "tests" / "helpers" / "user.py"


@pytest.mark.thorough
def test_code_of_users_is_typed(tmp_path: Path) -> None:
    script = tmp_path / "user.py"
    script.write_text(USER.read_text())
    command = [sys.executable, "-m", "mypy", "--strict", "--python-version", "3.11", str(script)]
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=ROOT)
    assert done.stdout.startswith("Success"), done.stdout + done.stderr
    wrong = script.with_name("wrong.py")
    wrong.write_text("import nonosat\nprint(nonosat.count([[1]]).counted, nonosat.solv)\n")
    command[-1] = str(wrong)
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=ROOT)
    assert "counted" in done.stdout  # the types are really read
    assert "solv" in done.stdout


def test_code_of_users_runs(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    user.main(tmp_path)
    assert "unique" in capsys.readouterr().out


def test_an_import_leaves_the_process_as_it_is() -> None:
    """No signal handlers, hooks at a fork or at exit, threads; all public names are imported."""
    code = """
import atexit, os, signal, sys, threading

def record(owner, name):
    original = getattr(owner, name)
    def recorded(*arguments, **named):
        if sys._getframe(1).f_globals.get("__name__", "").startswith("nonosat"):
            found.append((name, arguments))
        return original(*arguments, **named)
    setattr(owner, name, recorded)

found = []
for owner, name in (
    (os, "register_at_fork"), (atexit, "register"), (signal, "signal"), (threading, "Thread"),
    (threading, "Lock"), (threading, "RLock"),
):
    record(owner, name)
handlers = [signal.getsignal(number) for number in signal.valid_signals()]
import nonosat
for name in dir(nonosat):
    getattr(nonosat, name)
assert handlers == [signal.getsignal(number) for number in signal.valid_signals()]
assert threading.active_count() == 1
assert "nonosat.processes.child" in sys.modules
assert not found, found
"""
    subprocess.run([sys.executable, "-c", code], check=True)
