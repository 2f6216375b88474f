"""Repair of pictures: the fewest cells to change so that the clues have one solution.

`flaws` finds the flaws of a picture, `driving` changes cells until there are none (`quick` is
sufficient for generators), `repair` finds the fewest changes, or the fewest clues (`clue_repair`),
by smallest hitting sets (`explain/minimal_sets`), and `result` holds the reply. Of equally few
changes the least ugly ones by `ugliness` come first.

If a grade is requested too, `grading` determines why a picture does not have it, enumerates sets of
changes by size, and meanwhile finds an answer by local search, which may start from `planting`.
"""
