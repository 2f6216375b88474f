"""The studio: a page on this machine to draw, judge, repair, explain, play and print puzzles.

`server.py` serves the folder `page/` and answers the page's questions. It uses only public names of
`nonosat`, so that `questions.py` is also an introduction to the library. The extra `studio`
installs the packages that this room imports.
"""
