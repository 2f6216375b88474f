"""Nonograms and other puzzles, solved exactly: the library's interface.

    >>> puzzle = nonosat.nonogram([[1, 1], [3], [1]], [[2], [2], [2]])
    >>> nonosat.is_unique(puzzle)
    True
    >>> print(nonosat.solve(puzzle).solution)
    #.#
    ###
    .#.

`load` and `loads` read a puzzle; `nonogram`, `from_picture`, `slitherlink`, `Queens` and `Knight`
make one from lists, `from_image` from a photograph; `generate_nonogram`, `generate_pattern`,
`generate_structured` and `generate_slitherlink` generate one; `repair` repairs it, `save` and
`dumps` write it, `draw` draws it, as a sheet or solved. Functions of a puzzle: `solve`, `check`,
`is_unique`, `solutions`, `count`, `backbone`, `why_multiple`, `estimate`, `explain`, `reason`,
`hint`, `rate`, `contradiction`, `prove` (and `verify`), `encode` (and `decode`); of two puzzles:
`diff`; of a picture that is being edited: `Checker`. `ModelBuilder` makes a user's model from
`Clause`, `Count`, `Line` and `Loop`, with the constants `TRUE` and `FALSE` among their literals;
`solve_model`, `enumerate_model` and `Engine` solve it.

Puzzles, solutions and results are frozen; equality depends on the findings, not on seconds. All
have a short `repr`, a `str` for people, `to_data()` and `from_data()` for JSON, and show a picture
in a notebook. Unsolvable puzzles and limits that were hit are results, not errors; only functions
that return no result (`solutions`, `is_unique`, `prove`, `encode`) raise `LimitReached`. Rows,
columns and cells count from 0 here and in JSON, from 1 in sentences for people. An unknown cell is
`UNKNOWN`.

Promised within one major version (before 1.0: one minor version) of `__version__`:

* the names that `dir(nonosat)` lists keep their meaning, with their arguments and the fields and
  properties that their docstrings name; more may be added, arguments with defaults at the end or by
  keyword;
* the keys of `to_data()`, which commands print with `--json`, and of the project's own JSON
  (`formats/jsonl.py`) keep their meaning, and `from_data` reads the output of any older version;
  keys may be added, so readers must ignore unknown ones;
* the formats of files (`nonosat list formats`) stay readable and writable, certificates and records
  of batches and benchmarks stay readable;
* exit statuses of commands stay as in `nonosat --help`;
* external plug-ins keep working: `nonosat.plugins`, `nonosat.model` and
  `nonosat.testing.check_plugin`.

Not promised: any other module or name below `nonosat.`; the wording of messages, of `str` and
`repr`; the layout of pictures and pages; which of several solutions comes first, stages, counters
and seconds; default engines, encodings and their clauses.

Names are imported at their first use; the imports for type checkers are their list.
"""

from __future__ import annotations

import sys
from types import ModuleType

from nonosat.core import hooks

TYPE_CHECKING = False  # true for type checkers; importing typing takes 4 ms of every start
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from nonosat.certify.certificate import Certificate as Certificate
    from nonosat.certify.certificate import Verified as Verified
    from nonosat.certify.prove import prove as prove
    from nonosat.certify.verify import verify as verify
    from nonosat.core.about import About as About
    from nonosat.core.errors import BackendError as BackendError
    from nonosat.core.errors import CertificateError as CertificateError
    from nonosat.core.errors import FormatError as FormatError
    from nonosat.core.errors import LimitReached as LimitReached
    from nonosat.core.errors import NonosatError as NonosatError
    from nonosat.core.errors import NotAPuzzleError as NotAPuzzleError
    from nonosat.core.errors import PuzzleError as PuzzleError
    from nonosat.core.errors import RefutedError as RefutedError
    from nonosat.core.errors import UnsupportedError as UnsupportedError
    from nonosat.core.grid import UNKNOWN as UNKNOWN
    from nonosat.core.grid import Grid as Grid
    from nonosat.core.model import FALSE as FALSE
    from nonosat.core.model import TRUE as TRUE
    from nonosat.core.model import Block as Block
    from nonosat.core.model import Clause as Clause
    from nonosat.core.model import Count as Count
    from nonosat.core.model import Line as Line
    from nonosat.core.model import Loop as Loop
    from nonosat.core.model import Model as Model
    from nonosat.core.model import Values as Values
    from nonosat.core.plugins import Answer as Answer
    from nonosat.core.result import Options as Options
    from nonosat.core.result import Result as Result
    from nonosat.core.result import Stage as Stage
    from nonosat.core.result import Verdict as Verdict
    from nonosat.core.versions import __version__ as __version__
    from nonosat.explain import Contradiction as Contradiction
    from nonosat.explain import Explanation as Explanation
    from nonosat.explain import Hint as Hint
    from nonosat.explain import Rating as Rating
    from nonosat.explain import Reason as Reason
    from nonosat.explain import contradiction as contradiction
    from nonosat.explain import explain as explain
    from nonosat.explain import hint as hint
    from nonosat.explain import rate as rate
    from nonosat.explain import reason as reason
    from nonosat.formats import dumps as dumps
    from nonosat.formats import load as load
    from nonosat.formats import load_all as load_all
    from nonosat.formats import loads as loads
    from nonosat.formats import save as save
    from nonosat.formats._python import from_picture as from_picture
    from nonosat.formats._python import nonogram as nonogram
    from nonosat.formats._python import slitherlink as slitherlink
    from nonosat.generate.image import from_image as from_image
    from nonosat.generate.mending.clue_repair import ClueRepair as ClueRepair
    from nonosat.generate.mending.repair import repair as repair
    from nonosat.generate.mending.result import RepairResult as RepairResult
    from nonosat.generate.nonogram import generate_nonogram as generate_nonogram
    from nonosat.generate.patterns import generate_pattern as generate_pattern
    from nonosat.generate.slitherlink import generate_slitherlink as generate_slitherlink
    from nonosat.generate.structured import generate_structured as generate_structured
    from nonosat.puzzles.knight import Knight as Knight
    from nonosat.puzzles.knight import Tour as Tour
    from nonosat.puzzles.nonogram import Colour as Colour
    from nonosat.puzzles.nonogram import Nonogram as Nonogram
    from nonosat.puzzles.queens import Placement as Placement
    from nonosat.puzzles.queens import Queens as Queens
    from nonosat.puzzles.slitherlink import Edges as Edges
    from nonosat.puzzles.slitherlink import Path as Path
    from nonosat.puzzles.slitherlink import Slitherlink as Slitherlink
    from nonosat.questions.ambiguity import Ambiguity as Ambiguity
    from nonosat.questions.ambiguity import Switch as Switch
    from nonosat.questions.backbone_result import BackboneResult as BackboneResult
    from nonosat.questions.backbones import backbone as backbone
    from nonosat.questions.checker import Checker as Checker
    from nonosat.questions.counting import CountResult as CountResult
    from nonosat.questions.counting import count as count
    from nonosat.questions.difference import Difference as Difference
    from nonosat.questions.difference import diff as diff
    from nonosat.questions.estimates import Estimate as Estimate
    from nonosat.questions.estimates import estimate as estimate
    from nonosat.questions.why_multiple import why_multiple as why_multiple
    from nonosat.render.binding import draw_book as draw_book
    from nonosat.render.saving import draw as draw
    from nonosat.solving.engines import Engine as Engine
    from nonosat.solving.external import decode as decode
    from nonosat.solving.external import encode as encode
    from nonosat.solving.modelling import ModelBuilder as ModelBuilder
    from nonosat.solving.models import ModelResult as ModelResult
    from nonosat.solving.models import enumerate_model as enumerate_model
    from nonosat.solving.models import solve_model as solve_model
    from nonosat.solving.pipeline import check as check
    from nonosat.solving.pipeline import is_unique as is_unique
    from nonosat.solving.pipeline import solutions as solutions
    from nonosat.solving.pipeline import solve as solve


def _picture(shown: Any) -> str:
    """Return an SVG document; imports the drawing room at the first call."""
    from nonosat.render.gallery import picture_of

    return picture_of(shown)


def _data_of(puzzle: Any) -> dict[str, Any]:
    """Return the data of a puzzle; imports `formats.jsonl` at the first call."""
    from nonosat.formats.jsonl import data_of

    return data_of(puzzle)


def _puzzle_of(data: Mapping[str, Any]) -> Any:
    """Return the puzzle for such data."""
    from nonosat.formats.jsonl import puzzle_of

    return puzzle_of(data)


def _resident_mib(pid: int | None) -> float:
    """Return the resident memory of a process; imports `processes.memory` at the first call."""
    from nonosat.processes.memory import resident_mib

    return resident_mib(pid)


def _isolated(record: Any) -> Any:
    """See `processes.isolation`, imported when another package's plug-in is first used."""
    from nonosat.processes.isolation import isolated

    return isolated(record)


hooks.picture, hooks.resident_mib, hooks.isolated = _picture, _resident_mib, _isolated
hooks.data_of, hooks.puzzle_of = _data_of, _puzzle_of


_FACES = ("model", "plugins")  # promised modules that no room imports
_modules: dict[str, str] = {}  # module of each public name; filled at the first use


def _listed() -> dict[str, str]:
    """Return the module of each public name, as the imports above for type checkers list them.

    They are read from this module's compiled code, since an installation may have no sources.
    """
    if not _modules:
        from dis import get_instructions  # takes 3 ms

        module, found = "", {}
        loader: Any = __spec__.loader  # an InspectLoader, as it has loaded this module
        for step in get_instructions(loader.get_code(__name__)):
            if step.opname == "IMPORT_NAME":
                module = step.argval
            elif step.opname == "IMPORT_FROM" and module.startswith("nonosat."):
                found[step.argval] = module
        names = {name: home for name, home in found.items() if home != "nonosat.core"}  # no modules
        _modules.update(names)
    return _modules


class _Face(ModuleType):
    """Class of this module: type checkers assume that a module's `__getattr__` has every name."""

    def __getattr__(self, name: str) -> Any:
        if name == "__all__":
            return dir(self)
        from importlib import import_module

        if name in _FACES:
            return import_module(f"nonosat.{name}")
        if name not in _listed():
            raise AttributeError(f"module 'nonosat' has no attribute {name!r}")
        return getattr(import_module(_listed()[name]), name)

    def __dir__(self) -> list[str]:
        return sorted(_listed())

    def __setattr__(self, name: str, value: Any) -> None:
        """Bind an imported room, unless that hides a public function: `explain` is both."""
        has_namesake = isinstance(value, ModuleType) and callable(vars(value).get(name))
        if not (has_namesake and name in _listed()):
            super().__setattr__(name, value)


sys.modules[__name__].__class__ = _Face
