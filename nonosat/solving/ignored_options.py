"""Options that had no effect, with the reason, so that measurements are not misattributed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from nonosat.core.result import Stage
from nonosat.solving.auto import WHOLE_CONFLICTS

if TYPE_CHECKING:
    from nonosat.solving.problem import Problem

UNUSED = "unused"  # the stage's name
_BEFORE = {"propagate": "line propagation", "probe": "propagation and probing"}


def unused(problem: Problem) -> list[Stage]:
    """Return a list of one stage, which names the options without effect; empty if all had effect.

    Args:
        problem: A solved problem; its model is built only if some option had no effect.
    """
    options, log = problem.options, problem.log
    requested = {"encoding": options.encoding, "formulation": options.formulation}
    choices = [
        (word, kind, name)
        for word, names in requested.items()
        for kind, name in names.items()
        if log.encoding.get(kind) != name
    ]
    remarks = _undivided(problem)
    names = ["cubes"] * len(remarks)
    if not choices:
        return _stage(names, remarks)
    if log.backend in ("", "sight"):
        kinds = {kind for _, kind, _ in choices}  # no model was built, and none is needed
    else:
        kinds = set(problem.model.kinds())
    remarks += [
        f"{word} {kind}={name} was not used: "
        + (_why(log.backend) if kind in kinds else "this puzzle has no constraint of that kind")
        for word, kind, name in choices
    ]
    return _stage(names + [f"{kind}={name}" for _, kind, name in choices], remarks)


def _stage(names: list[str], remarks: list[str]) -> list[Stage]:
    detail = {"choices": names, "remark": "; ".join(remarks)}
    return [Stage(UNUSED, 0.0, 0, detail)] if names else []


def _undivided(problem: Problem) -> list[str]:
    """Return why a puzzle was not split into cubes as its options allow; [] if it was."""
    tree = problem.log.tree
    is_whole = len(tree) == 1 and not any(stage.name == "split" for stage in problem.log.stages)
    if problem.options.cubes is None or not is_whole:
        return []
    return [
        f"cubes={problem.options.cubes} was not used: {problem.log.backend} decided the puzzle "
        f"before a split would pay, which is {WHOLE_CONFLICTS:,} conflicts after the first solution"
    ]


def _why(backend: str) -> str:
    """Return why the chosen encoding or formulation was not used; `backend` decided the puzzle."""
    if not backend:
        return "a limit was hit before"
    if backend == "sight":
        return "the clues contradict each other without any search"
    if what := _BEFORE.get(backend):
        return f"{what} decided the puzzle; without presolve (none) the engine gets all of it"
    return f"{backend} decided the puzzle without it; choose a backend that uses it"


def remark_of(stage: Stage) -> str:
    """Return the remark of a stage that `unused` made; "" for other stages."""
    return str(stage.detail["remark"]) if stage.name == UNUSED else ""
