"""The studio: a page on this machine to draw, judge, repair, explain, play and print puzzles.

`server.py` serves the files of the folder `page/` and the requests of the page, which are called
questions. `questions.py` answers them with public names of `nonosat` alone, so that it is also an
introduction to the library. The extra `studio` installs the packages that this package imports.
"""
