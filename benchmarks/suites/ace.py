"""ACE (github.com/xcsp3team/ace) as a program: `ace.py INSTANCE OPTION...`.

The solver is the one in the package pycsp3, which is not imported, because its import takes longer
than ACE.
"""

from __future__ import annotations

import os
import sys
from importlib.util import find_spec
from pathlib import Path


def main() -> None:
    found = find_spec("pycsp3")
    if found is None or found.origin is None:
        sys.exit("pycsp3 is not installed")
    jars = sorted(Path(found.origin).parent.glob("solvers/ace/ACE-*.jar"))
    if not jars:
        sys.exit("pycsp3 holds no ACE")
    os.execvp("java", ["java", "-jar", str(jars[-1]), *sys.argv[1:]])  # noqa: S606, S607 - no shell


if __name__ == "__main__":
    main()
