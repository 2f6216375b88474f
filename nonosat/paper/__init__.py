"""Puzzles read from photographs of printed sheets, with the solver's help.

A photograph, or a page of a PDF (`_pdf.py`), becomes a page seen from above (`_page.py`). Its ink
becomes numbers beside the board (`_fields.py`), which are recognised with their alternatives
(`_numbers.py`, `_plain.py`), and with their colours (`_colours.py`).
The solver decides between them (`_choosing.py`, `_deciding.py`): the likeliest reading with exactly
one solution. `photo.py` has the entry points, for one board and for a page, and the answer,
`overlay.py` its picture.

The packages of the extra `paper` are used in a child process, which limits end.
"""
