"""Explainer of Slitherlinks: fifteen rules of deduction, loops, inside and outside, assumptions."""

from nonosat.core.plugins import Explainer
from nonosat.explain.slitherlink.data import (
    Following,
    marks_data,
    marks_of,
    read_state,
    state_data,
    state_of,
    step_data,
    step_of,
    with_given,
)
from nonosat.explain.slitherlink.hinting import hint_within
from nonosat.explain.slitherlink.solving import explained_within
from nonosat.explain.slitherlink.step import GRADES, TECHNIQUES

PLUGIN = Explainer(
    summary="rules of clues and corners, loops, inside and outside, assumptions, guesses",
    techniques=TECHNIQUES,
    grades=GRADES,
    explain=explained_within,
    hint=hint_within,
    read_state=read_state,
    with_given=with_given,
    follow=Following,
    step_data=step_data,
    step_of=step_of,
    state_data=state_data,
    state_of=state_of,
    marks_data=marks_data,
    marks_of=marks_of,
)
