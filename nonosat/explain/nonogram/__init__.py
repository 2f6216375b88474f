"""Explainer of nonograms.

Its techniques, from the easiest to the hardest: rules for one line, assumptions that lead to a
contradiction, counting arguments (prices of cells), and guesses that a search confirms.
"""

from nonosat.core.plugins import Explainer
from nonosat.explain.nonogram.contradictions import Contradiction, contradiction_within
from nonosat.explain.nonogram.data import (
    Following,
    cells_data,
    cells_of,
    grid_data,
    grid_of,
    step_data,
    step_of,
)
from nonosat.explain.nonogram.given import read_state, with_given
from nonosat.explain.nonogram.hinting import hint_within
from nonosat.explain.nonogram.solving import explained_within
from nonosat.explain.nonogram.step import GRADES, TECHNIQUES

PLUGIN = Explainer(
    summary="lines, assumptions about cells, prices, guesses",
    techniques=TECHNIQUES,
    grades=GRADES,
    explain=explained_within,
    hint=hint_within,
    read_state=read_state,
    with_given=with_given,
    follow=Following,
    step_data=step_data,
    step_of=step_of,
    state_data=grid_data,
    state_of=grid_of,
    marks_data=cells_data,
    marks_of=cells_of,
    contradiction=lambda puzzle, watch: contradiction_within(puzzle, watch, is_unsolvable=True),
    contradiction_of=Contradiction.from_data,
)
