"""Mending pictures: the fewest cells to change so that their clues have one solution.

`flaws` finds what is wrong with a picture, `driving` changes cells until nothing is (`quick` is all
that generators need), `mender` finds the fewest changes, `repair` is the public word for both,
`result` what it tells. Of equally few changes the ones that `looks` finds least ugly come first.
"""
