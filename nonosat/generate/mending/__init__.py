"""Mending pictures: the fewest cells to change so that their clues have one solution.

`flaws` finds what is wrong with a picture, `driving` changes cells until nothing is (`quick` is all
that generators need), `mender` finds the fewest changes, `repair` is the public word for both,
`result` what it tells. Of equally few changes the ones that `looks` finds least ugly come first.

Where a grade is wanted, too, `judging` tells what a picture lacks, `enumerating` tries all sets of
changes by size, `wandering` finds an answer meanwhile, and `grading` lets both take turns.
"""
