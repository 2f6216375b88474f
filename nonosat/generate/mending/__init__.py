"""Mending pictures: the fewest cells to change so that their clues have one solution.

`flaws` finds what is wrong with a picture, `driving` changes cells until nothing is (`quick` is all
that generators need), `repair` finds the fewest changes, or the fewest clues (`clue_repair`), by
smallest hitting sets (`hitting`), and `result` is the reply. Of equally few changes the ones that
`looks` finds least ugly come first.

If a grade is wanted, too, `grading` tries all sets of changes by size, finds an answer meanwhile by
a walk, which may start from `planting`, and judges what a picture lacks for the grade.
"""
