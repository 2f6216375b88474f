"""Nonograms and other puzzles, solved exactly: what Python offers of this package.

    >>> puzzle = nonosat.nonogram([[1, 1], [3], [1]], [[2], [2], [2]])
    >>> nonosat.is_unique(puzzle)
    True
    >>> print(nonosat.solve(puzzle).solution)
    #.#
    ###
    .#.

A puzzle is read by `load` or `loads`, made of lists by `nonogram`, `from_picture`, `slitherlink`,
`Queens` or `Knight`, of a photograph by `from_image`, made up by `generate_nonogram`,
`generate_pattern`, `generate_structured` or `generate_slitherlink`, mended by `repair`, written by
`save` or `dumps`, and drawn by `draw`, as a sheet or solved. What can be asked of it: `solve`,
`check`, `is_unique`, `solutions`, `count`, `backbone`, `why_multiple`, `estimate`, `explain`,
`reason`, `hint`, `rate`, `contradiction`, `prove` (and `verify`), `encode` (and `decode`); of two,
their `diff`; of a picture that is being edited, a `Checker`. A model of one's own is made with
`ModelBuilder` from `Clause`, `Count`, `Line` and `Loop`, the constants `TRUE` and `FALSE` among
their literals, and asked about with `solve_model`, `enumerate_model` or an `Engine`.

Puzzles, solutions and results are frozen and compare by what is certain, not by seconds. All have a
short `repr`, a `str` for people, `to_data()` and `from_data()` for JSON, and show a picture in a
notebook. Unsolvable puzzles and limits that were hit are results, not errors; only what cannot be a
result (`solutions`, `is_unique`, `prove`, `encode`) raises `LimitReached`. Rows, columns and cells
count from 0 here and in JSON, from 1 in sentences for people. An unknown cell is `UNKNOWN`.

What is promised: within one major version (before 1.0: one minor version) of `__version__`

* the names that `dir(nonosat)` lists keep their meaning, with their arguments and the fields and
  properties that their docstrings name; more may come, arguments with defaults at the end or by
  keyword;
* the keys of `to_data()`, which commands print with `--json`, and of the project's own JSON
  (`formats/jsonl.py`) keep theirs, and `from_data` reads what any older version wrote; keys may be
  added, so readers ignore those that they do not know;
* the formats of files (`nonosat list formats`) stay readable and writable, certificates and records
  of batches and benchmarks stay readable;
* exit statuses of commands stay as `nonosat --help` has them;
* plug-ins of others keep working: `nonosat.plugins`, `nonosat.model` and
  `nonosat.testing.check_plugin`.

Not promised: any other module or name below `nonosat.`; the wording of messages, of `str` and
`repr`; the look of pictures and pages; which of several solutions comes first, stages, counters and
seconds; default engines, encodings and their clauses.

Names are imported when they are first used.
"""

from __future__ import annotations

import sys
from types import ModuleType

from nonosat import forks, seams

TYPE_CHECKING = False  # true for type checkers; importing typing takes 4 ms of every start
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from nonosat.about import About as About
    from nonosat.certify.certificate import Certificate as Certificate
    from nonosat.certify.certificate import Verified as Verified
    from nonosat.certify.prove import prove as prove
    from nonosat.certify.verify import verify as verify
    from nonosat.errors import BackendError as BackendError
    from nonosat.errors import CertificateError as CertificateError
    from nonosat.errors import FormatError as FormatError
    from nonosat.errors import LimitReached as LimitReached
    from nonosat.errors import NonosatError as NonosatError
    from nonosat.errors import NotAPuzzleError as NotAPuzzleError
    from nonosat.errors import PuzzleError as PuzzleError
    from nonosat.errors import RefutedError as RefutedError
    from nonosat.errors import UnsupportedError as UnsupportedError
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
    from nonosat.generate.mending.clue_result import ClueRepair as ClueRepair
    from nonosat.generate.mending.repair import repair as repair
    from nonosat.generate.mending.result import RepairResult as RepairResult
    from nonosat.generate.nonogram import generate_nonogram as generate_nonogram
    from nonosat.generate.patterns import generate_pattern as generate_pattern
    from nonosat.generate.slitherlink import generate_slitherlink as generate_slitherlink
    from nonosat.generate.structured import generate_structured as generate_structured
    from nonosat.grid import UNKNOWN as UNKNOWN
    from nonosat.grid import Grid as Grid
    from nonosat.model import FALSE as FALSE
    from nonosat.model import TRUE as TRUE
    from nonosat.model import Block as Block
    from nonosat.model import Clause as Clause
    from nonosat.model import Count as Count
    from nonosat.model import Line as Line
    from nonosat.model import Loop as Loop
    from nonosat.model import Model as Model
    from nonosat.model import Values as Values
    from nonosat.plugins import Answer as Answer
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
    from nonosat.result import Options as Options
    from nonosat.result import Result as Result
    from nonosat.result import Stage as Stage
    from nonosat.result import Verdict as Verdict
    from nonosat.solving.elsewhere import decode as decode
    from nonosat.solving.elsewhere import encode as encode
    from nonosat.solving.engines import Engine as Engine
    from nonosat.solving.modelling import ModelBuilder as ModelBuilder
    from nonosat.solving.models import ModelResult as ModelResult
    from nonosat.solving.models import enumerate_model as enumerate_model
    from nonosat.solving.models import solve_model as solve_model
    from nonosat.solving.pipeline import check as check
    from nonosat.solving.pipeline import is_unique as is_unique
    from nonosat.solving.pipeline import solutions as solutions
    from nonosat.solving.pipeline import solve as solve
    from nonosat.versions import __version__ as __version__

_HOMES = {
    "dumps": "formats",
    "load": "formats",
    "load_all": "formats",
    "loads": "formats",
    "save": "formats",
    "from_picture": "formats._python",
    "nonogram": "formats._python",
    "slitherlink": "formats._python",
    "ClueRepair": "generate.mending.clue_result",
    "RepairResult": "generate.mending.result",
    "repair": "generate.mending.repair",
    "generate_nonogram": "generate.nonogram",
    "from_image": "generate.image",
    "generate_pattern": "generate.patterns",
    "generate_slitherlink": "generate.slitherlink",
    "generate_structured": "generate.structured",
    "Colour": "puzzles.nonogram",
    "Nonogram": "puzzles.nonogram",
    "Edges": "puzzles.slitherlink",
    "Path": "puzzles.slitherlink",
    "Slitherlink": "puzzles.slitherlink",
    "Placement": "puzzles.queens",
    "Queens": "puzzles.queens",
    "Knight": "puzzles.knight",
    "Tour": "puzzles.knight",
    "UNKNOWN": "grid",
    "Grid": "grid",
    "About": "about",
    "check": "solving.pipeline",
    "is_unique": "solving.pipeline",
    "solutions": "solving.pipeline",
    "solve": "solving.pipeline",
    "Checker": "questions.checker",
    "CountResult": "questions.counting",
    "count": "questions.counting",
    "Ambiguity": "questions.ambiguity",
    "Switch": "questions.ambiguity",
    "why_multiple": "questions.why_multiple",
    "BackboneResult": "questions.backbone_result",
    "backbone": "questions.backbones",
    "Difference": "questions.difference",
    "diff": "questions.difference",
    "Estimate": "questions.estimates",
    "estimate": "questions.estimates",
    "Contradiction": "explain",
    "Explanation": "explain",
    "Hint": "explain",
    "Rating": "explain",
    "Reason": "explain",
    "contradiction": "explain",
    "explain": "explain",
    "hint": "explain",
    "rate": "explain",
    "reason": "explain",
    "Certificate": "certify.certificate",
    "prove": "certify.prove",
    "Verified": "certify.certificate",
    "verify": "certify.verify",
    "draw": "render.saving",
    "draw_book": "render.binding",
    "decode": "solving.elsewhere",
    "encode": "solving.elsewhere",
    "Options": "result",
    "Result": "result",
    "Stage": "result",
    "Verdict": "result",
    "FALSE": "model",
    "TRUE": "model",
    "Block": "model",
    "Clause": "model",
    "Count": "model",
    "Line": "model",
    "Loop": "model",
    "Model": "model",
    "Values": "model",
    "Answer": "plugins",
    "Engine": "solving.engines",
    "ModelBuilder": "solving.modelling",
    "ModelResult": "solving.models",
    "enumerate_model": "solving.models",
    "solve_model": "solving.models",
    "BackendError": "errors",
    "CertificateError": "errors",
    "FormatError": "errors",
    "LimitReached": "errors",
    "NonosatError": "errors",
    "NotAPuzzleError": "errors",
    "PuzzleError": "errors",
    "RefutedError": "errors",
    "UnsupportedError": "errors",
    "__version__": "versions",
}
__all__ = [*_HOMES]


def _picture(shown: Any) -> str:
    """An SVG document; the drawing is imported when a notebook first asks for one."""
    from nonosat.render.gallery import picture_of

    return picture_of(shown)


def _data_of(puzzle: Any) -> dict[str, Any]:
    """See `formats.jsonl`, imported when data of a puzzle are first asked for."""
    from nonosat.formats.jsonl import data_of

    return data_of(puzzle)


def _puzzle_of(data: Mapping[str, Any]) -> Any:
    """The same the other way."""
    from nonosat.formats.jsonl import puzzle_of

    return puzzle_of(data)


def _resident_mib(pid: int | None) -> float:
    """See `processes.memory`, imported when a limit of memory is first asked for."""
    from nonosat.processes.memory import resident_mib

    return resident_mib(pid)


forks.wait_for_imports()
seams.picture, seams.resident_mib = _picture, _resident_mib
seams.data_of, seams.puzzle_of = _data_of, _puzzle_of


def _named(name: str) -> Any:
    """What has a public name."""
    from importlib import import_module

    return getattr(import_module(f"nonosat.{_HOMES[name]}"), name)


class _Face(ModuleType):
    """This module; a class, for type checkers take a module's `__getattr__` to have every name."""

    def __getattr__(self, name: str) -> Any:
        if name not in _HOMES:
            raise AttributeError(f"module 'nonosat' has no attribute {name!r}")
        return _named(name)

    def __dir__(self) -> list[str]:
        return sorted(_HOMES)

    def __setattr__(self, name: str, value: Any) -> None:
        """Importing a room binds its name here: of `explain` that would hide the function."""
        if name not in _HOMES or not isinstance(value, ModuleType):
            super().__setattr__(name, value)


sys.modules[__name__].__class__ = _Face
