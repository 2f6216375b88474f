"""Number of solutions by a model counter of another project (`counters/`), in a child process."""

from __future__ import annotations

from nonosat.clauses.cnf import Cnf
from nonosat.clauses.translate import translate
from nonosat.core import plugins
from nonosat.core.errors import BackendError, Remedy, UnsupportedError, shown
from nonosat.core.model import Model
from nonosat.core.plugins import is_installed
from nonosat.processes.tools import Call, start_child
from nonosat.questions.place_assignment import distinguishing
from nonosat.solving.choices import eager_encodings
from nonosat.solving.problem import Problem


def require(name: str) -> plugins.ModelCounter:
    """Return a counter; raise UnsupportedError if there is none of this name, or no package."""
    counter = plugins.find("counters", name)
    if not is_installed(counter):
        raise UnsupportedError(
            f"the counter {name} needs the package {counter.needs}, which is not installed: "
            f"pip install {counter.needs}"
        )
    return counter


def count_by(name: str, problem: Problem) -> int:
    """Return the number of a puzzle's solutions by a counter, in a child that a limit kills.

    Raises:
        UnsupportedError: Its package is missing, or it does not count models of this kind or size.
        LimitReached: A limit of the problem is reached.
        BackendError: The counter failed.
    """
    counter, watch, factor = require(name), problem.watch, 1
    if counter.count_loops:
        model, factor = _of_one_loop(name, problem)
        call = Call(counter.count_loops, (model,))
    else:
        assert counter.count_models is not None
        model = problem.model
        cnf = Cnf(model.num_vars)
        translate(model, cnf, eager_encodings(problem.family), pause=watch.check)
        call = Call(counter.count_models, (cnf.num_vars, [*cnf], sorted({*distinguishing(model)})))
    child = start_child(name, call)
    try:
        number = child.finish(watch)
    finally:
        child.kill()
    if type(number) is not int or number < 0:
        raise BackendError(f"{name} returned {shown(number)}, expected a number of solutions")
    return factor * number


def _of_one_loop(name: str, problem: Problem) -> tuple[Model, int]:
    """Return the model whose loops are counted, and the number of solutions for each loop."""
    tally = problem.family.tally
    model, factor = (tally and tally(problem.puzzle)) or (problem.model, 1)
    if len(model.loops) != 1 or len(model.lines):
        raise UnsupportedError(
            f"the counter {name} counts loops only, expected a Slitherlink or a knight's tour",
            remedy=Remedy("set", "backend", ("auto",)),
        )
    return model, factor
