"""The studio: a page on this machine to draw puzzles, judge, mend, explain, play and print them.

`server.py` serves the folder `page/` and answers what the page asks. It uses names of `nonosat`
that everybody has: who reads `questions.py` learns the library. The extra `studio` installs what
this room imports.
"""
