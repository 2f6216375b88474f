"""Choices that were asked for and not used, and why: nobody should measure what did not happen."""

from __future__ import annotations

from typing import TYPE_CHECKING

from nonosat.core.result import Stage

if TYPE_CHECKING:
    from nonosat.solving.problem import Problem

UNUSED = "unused"  # the stage's name
_BEFORE = {"propagate": "line propagation", "probe": "propagation and probing"}


def unused(problem: Problem) -> list[Stage]:
    """Return a stage that names the choices that were not used, with a remark; or none.

    Args:
        problem: Solved; its model is built only where some choice was not used.
    """
    options, log = problem.options, problem.log
    asked = {"encoding": options.encoding, "formulation": options.formulation}
    choices = [
        (word, kind, name)
        for word, names in asked.items()
        for kind, name in names.items()
        if log.encoding.get(kind) != name
    ]
    if not choices:
        return []
    if log.backend in ("", "sight"):
        kinds = {kind for _, kind, _ in choices}  # no model was built, and none is now
    else:
        kinds = set(problem.model.kinds())
    remarks = [
        f"{word} {kind}={name} was not used: "
        + (_why(log.backend) if kind in kinds else "this puzzle has no constraint of that kind")
        for word, kind, name in choices
    ]
    names = [f"{kind}={name}" for _, kind, name in choices]
    return [Stage(UNUSED, 0.0, 0, {"choices": names, "remark": "; ".join(remarks)})]


def _why(backend: str) -> str:
    """Why no engine was told of the puzzle in this way."""
    if not backend:
        return "a limit was hit before"
    if backend == "sight":
        return "the clues show at sight that there is no solution"
    if what := _BEFORE.get(backend):
        return f"{what} settled the puzzle; without presolve (none) all of it is left to the engine"
    return f"{backend} settled the puzzle without it; choose a backend that uses it"


def remark_of(stage: Stage) -> str:
    """What a stage tells people about choices that were not used; "" for other stages."""
    return str(stage.detail["remark"]) if stage.name == UNUSED else ""
