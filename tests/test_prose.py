"""First words of docstrings: a verb, or a noun that names the thing."""

import ast
import re
from pathlib import Path

import nonosat

FORBIDDEN = re.compile(
    r"(What|Whether|How|Who|Whose|That|Those|The same|The others?|The one|The way|Of|As|Where|Told"
    r"|Asked)\b"
)
DOCUMENTED = ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef


def test_docstrings_begin_with_a_verb_or_a_noun() -> None:
    """No docstring of the package or of a test begins with a word that hides its subject.

    Write "Return the sum", "Raise ValueError if ..." or "Number of cells" instead of "What the sum
    is" or "How many cells".
    """
    folders = (Path(nonosat.__file__).parent, Path(__file__).parent)
    paths = sorted(path for folder in folders for path in folder.rglob("*.py"))
    texts = {path: path.read_text(encoding="utf-8") for path in paths}
    found = [
        f"{path}:{node.body[0].lineno}: {doc.partition(chr(10))[0]}"
        for path, text in texts.items()
        if re.search('"""' + FORBIDDEN.pattern, text)  # to parse all files takes seconds
        for node in ast.walk(ast.parse(text))
        if isinstance(node, DOCUMENTED)
        and (doc := ast.get_docstring(node))
        and FORBIDDEN.match(doc)
    ]
    assert not found, "\n".join(found)
