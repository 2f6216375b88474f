"""Cubes of a model that is no board, split by look-ahead on its clauses.

Every literal of a variable that tells solutions apart is tried and propagated (unit propagation,
`_core.Learner.look_ahead`), what is refuted is false from then on below the node, and the variable
whose values imply most, by the product of what each implies, is branched on. Below the root only
those are tried that were best above. Solutions that differ lie in different cubes or are told apart
within one, since nothing else is branched on.
"""

from __future__ import annotations

from array import array
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from nonosat.backends.learn import LearningEngine
from nonosat.board.presolve import Task
from nonosat.clauses.translate import translate
from nonosat.core.limits import Watch
from nonosat.core.model import Clause, Model
from nonosat.solving.cubes.ground import Ground, Seen
from nonosat.solving.cubes.tree import Cube, lits_of

ROOT_COST = 20_000_000  # literals tried at the root, and implied by these
LOOK_COST = 1_000_000  # the same at another node
MOST = 256  # variables that are tried below a node, the best of those tried there


class ModelGround(Ground):
    """Any model.

    Args:
        model: The model.
        encodings: By constraint kind; what lazy ones leave out is not looked at here.
        watch: Holds for all that is done here.
    """

    def __init__(self, model: Model, encodings: Mapping[str, str], watch: Watch) -> None:
        self._watch = watch
        self._engine = LearningEngine(model.num_vars, 0)
        translate(model, self._engine, encodings, lazy=True, pause=watch.check)
        every = range(1, model.num_vars + 1) if model.blocked_on is None else model.blocked_on
        self._every: Sequence[int] = [*dict.fromkeys(every)]

    def look(self, cube: Cube, above: Any) -> Seen:
        """Try what is best above, or everything where that is all known; the state is the best."""
        lits, cost = lits_of(cube), LOOK_COST if cube else ROOT_COST
        for candidates in [above] * bool(above) + [self._every]:
            found = self._engine.look_ahead(lits, candidates, MOST, cost, self._watch)
            if found is None:
                raise self._watch.limit()
            is_refuted, best, num_open, num_probes = found
            self.num_probes += num_probes
            if is_refuted:
                return Seen(True)
            if best:
                return Seen(False, best[0], num_open, state=array("i", map(abs, best)))
        return Seen(False)

    def named(self, lit: int) -> list[int]:
        """The literal itself."""
        return [lit]


def put(cube: Cube, task: Task) -> Task:
    """The task of the model in which the cube's literals hold."""
    known = tuple(Clause((lit,)) for lit in lits_of(cube))
    return replace(task, model=replace(task.model, clauses=(*task.model.clauses, *known)))
