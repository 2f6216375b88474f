"""A small valid file of every format with named parts, so that one of them can be changed.

In a template `<<block|2>>` is the part "block" with the text 2. Parts of the same name in several
formats have the same meaning: "block" is the length of a block (a clue of Slitherlink, a given
number of a knight's board), "cell" a cell of a drawn board, "height" and "width" sizes, "id" and
"title" free text, "key" the use of a colour, "shade" the definition of a colour. Images are not
text and have no parts.
"""

from __future__ import annotations

import re
from base64 import b64decode
from typing import NamedTuple

_PART = re.compile(r"<<(\w+)\|([^>]*)>>")


class Edited(NamedTuple):
    """A changed text, and the line and column of the change, both from 1."""

    text: str
    line: int
    column: int


class Sample(NamedTuple):
    """A template of a file."""

    template: str

    @property
    def text(self) -> str:
        """The valid file."""
        return _PART.sub(r"\2", self.template)

    @property
    def parts(self) -> frozenset[str]:
        """The names of its parts."""
        return frozenset(found[1] for found in _PART.finditer(self.template))

    def put(self, part: str, word: str) -> Edited:
        """Return the file with another word instead of a part, which it must have."""
        found = re.search(rf"<<{part}\|([^>]*)>>", self.template)
        assert found is not None, part
        before = _PART.sub(r"\2", self.template[: found.start()])
        behind = _PART.sub(r"\2", self.template[found.end() :])
        return Edited(before + word + behind, *_place(before))

    def replace(self, old: str, new: str) -> Edited:
        """Return the file with another text instead of the first `old`, which it must contain."""
        before, _, behind = self.text.partition(old)
        assert old in self.text, old
        return Edited(before + new + behind, *_place(before))


def _place(before: str) -> tuple[int, int]:
    return before.count("\n") + 1, len(before) - before.rfind("\n")


_JSONL = """\
{"id":"first","rows":[[1]],"columns":[[1]]}
{"id":"<<id|toy>>","title":"<<title|boot>>","width":<<width|4>>,"height":<<height|3>>,\
"rows":[[[<<block|2>>,"r"],[1,"<<key|b>>"]],[],[[2,"b"]]],\
"columns":[[[1,"r"]],[[1,"r"],[1,"b"]],[[1,"b"]],[[1,"b"]]],\
"colors":{"r":"<<shade|#ff0000>>","b":"#0000ff"},"goal":"<<goal|110200000220>>"}
"""
_JSON = """\
[
 {
  "id": "<<id|toy>>",
  "title": "<<title|boot>>",
  "width": <<width|4>>,
  "height": <<height|3>>,
  "rows": [[<<block|2>>, 1], [], [2]],
  "columns": [[1], [1, 1], [1], [1]],
  "goal": "<<goal|110100000110>>"
 }
]
"""
_NON = """\
id "<<id|toy>>"
title "<<title|boot>>"
width <<width|4>>
height <<height|3>>
color r <<shade|#ff0000>>
color b #0000ff
rows
<<block|2>>r,1<<key|b>>
0
2b
columns
1r
1r,1b
1b
1b
goal "<<goal|rr0b00000bb0>>"
"""
_WEBPBN = """\
<?xml version="1.0"?>
<puzzleset>
<puzzle type="grid" defaultcolor="red" backgroundcolor="white">
<id><<id|toy>></id>
<title><<title|boot>></title>
<color name="white" char=".">ffffff</color>
<color name="red" char="r"><<shade|ff0000>></color>
<color name="blue" char="b">0000ff</color>
<clues type="rows">
<line><count><<block|2>></count><count color="<<key|blue>>">1</count></line>
<line></line>
<line><count color="blue">2</count></line>
</clues>
<clues type="columns">
<line><count>1</count></line>
<line><count>1</count><count color="blue">1</count></line>
<line><count color="blue">1</count></line>
<line><count color="blue">1</count></line>
</clues>
<solution type="goal"><image>|<<goal|rr.b||....||.bb.>>|</image></solution>
</puzzle>
</puzzleset>
"""
_G = """\
<<title|boot>>
#d
   0:.  #ffffff
   r:r  <<shade|#ff0000>>
   b:B  #0000ff
: rows
<<block|2>>r 1<<key|b>>

2b
: columns
1r
1r 1b
1b
1b
:
"""
_COUNTED_ROWS, _COUNTED_COLUMNS = "2 <<block|2>> 1\n0\n1 2\n", "1 1\n2 1 1\n1 1\n1 1\n"
_ROWS, _COLUMNS = "<<block|2>> 1\n0\n2\n", "1\n1 1\n1\n1\n"

# ##.#     the picture of all files, except those of other families or without colours
# ....
# .##.
SAMPLES: dict[str, Sample] = {
    name: Sample(template)
    for name, template in {
        "jsonl": _JSONL,
        "json": _JSON,
        "non": _NON,
        "webpbn": _WEBPBN,
        "g": _G,
        "nin": f"<<width|4>> <<height|3>>\n{_ROWS}{_COLUMNS}",
        "mk": f"<<height|3>> <<width|4>>\n{_ROWS}#\n{_COLUMNS}",
        "cwd": f"<<height|3>>\n<<width|4>>\n{_ROWS}\n{_COLUMNS}",
        "clues": f"Rows:\n{_ROWS}\nColumns:\n{_COLUMNS}",
        "rows-first": f"{_ROWS}\n{_COLUMNS}",
        "columns-first": f"{_COLUMNS}\n{_ROWS}",
        "pattern": "# a game\n<<width|4>>x<<height|3>>:1/1.1/1/1/<<block|2>>.1//2\n",
        "puzzlink": "# an address\n"
        "https://puzz.link/p?nonogram/<<width|3>>/<<height|2>>/<<block|2>>112g11\n",
        "loopy": "# a game\n<<width|4>>x<<height|4>>t0de:<<block|3>>c3d22b2a1\n",
        "slitherlink": "<<height|4>> <<width|4>>\n<<block|3>> . . .\n3 . . .\n. 2 2 .\n. 2 . 1\n",
        "knight": "# two holes\nknight <<height|3>> <<width|4>> closed\n"
        "1 . . .\n. . x <<block|10>>\n. . . <<cell|x>>\n",
        "queens": "# one queen\nqueens <<height|4>>\n.Q..\n..<<cell|.>>x\n....\n....\n",
        "ranges": "# open clues\nranges\nrows\n<<block|2>>/3 1+\n0\n*\ncolumns\n1\n1-2 1\n?\n1 *\n",
        "share": "nonosat:1:q1bKTFGyUjJU0lEqz0wpyVCyMtFRSs7PyS8qVrKqVkoCyikbAEFaGlBFEYiXlgbi"
        "K9XqKKXnJ-YARYyMDAxBQgaGhkBhAA\n",
        "pzprv3": "pzprv3\nnonogram\n<<height|3>>\n<<width|4>>\n. . . 1 . .\n. . 1 1 1 1\n"
        "<<block|2>> 1 . . . <<cell|.>>\n. . . . . .\n. 2 . . . .\n",
        "savefile": "SAVEFILE:41:Simon Tatham's Portable Puzzle Collection\nVERSION :1:1\n"
        "GAME    :7:Pattern\nPARAMS  :3:4x3\nCPARAMS :3:4x3\nDESC    :16:1/1.1/1/1/2.1//2\n"
        "NSTATES :1:1\nSTATEPOS:1:1\n",
        "gno": "[Description]\n<<title|boot>>\n\n\n0\n[Dimensions]\n<<height|3>>\n<<width|4>>\n"
        "[Row clues]\n<<block|2>>,1\n0\n2\n[Column clues]\n1\n1,1\n1\n1\n"
        "[Solution grid]\n2 2 1 <<cell|2>>\n1 1 1 1\n1 2 2 1\n",
        "sgriddler": "MK Version 3.0\n\n<<width|4>> <<height|3>>\n\n\n\n\n\n1\n1 1\n1\n1\n\n"
        "1 <<block|2>>\n0\n2\n",
        "dzn": "X = <<width|4>>;\nY = <<height|3>>;\nmaxlen = 4;\n"
        "rows = [|1,1,0,1\n |0,-1,-1,-1\n |1,1,-1,-1\n |];\n"
        "cols = [|1,-1,-1\n |1,0,1\n |1,-1,-1\n |1,-1,-1\n |];\n",
        "counts-rows-first": f"<<height|3>> <<width|4>>\n{_COUNTED_ROWS}{_COUNTED_COLUMNS}",
        "counts-columns-first": f"<<height|3>> <<width|4>>\n{_COUNTED_COLUMNS}{_COUNTED_ROWS}",
        "gecode": "// a puzzle\nconst int toy[] = {\n<<width|4>>, <<height|3>>,\n"
        "1,1, 2,1,1, 1,1, 1,1,\n2,<<block|2>>,1, 0, 1,2\n};\n",
        "tournament": "$1\n1\n<<block|1>>\n1\n1\n2\t1\n0\n0\n1\n",
        "picture": "picture: 2 colours\nrr.b\n..<<cell|.>>.\n.bb.\n",
        "csv": "red,red,0,<<cell|blue>>\n0,0,0,0\n0,blue,blue,0\n",
        "tsv": "1\t1\t0\t<<cell|1>>\n0\t0\t0\t0\n0\t1\t1\t0\n",
        "pbm": "P1\n# a picture\n<<width|4>> <<height|3>>\n110<<cell|1>>\n0000\n0110\n",
    }.items()
}

# The same board as images, black on white.
IMAGES: dict[str, bytes] = {
    name: b64decode(text)
    for name, text in {
        "png": "iVBORw0KGgoAAAANSUhEUgAAAAQAAAADAQMAAACOOjyFAAAABlBMVEX///8AAABVwtN+AAAADklE"
        "QVR42mO4wMDAkAAABHYBMb3odeAAAAAASUVORK5CYII=",
        "gif": "R0lGODdhBAADAIEAAP///wAAAAAAAAAAACwAAAAABAADAAAIDAADBAAwEIBBggMDAgA7",
        "bmp": "Qk1KAAAAAAAAAD4AAAAoAAAABAAAAAMAAAABAAgAAAAAAAwAAADEDgAAxA4AAAIAAAACAAAA////AAAAAAA"
        "AAQEAAAAAAAEBAAE=",
        "webp": "UklGRigAAABXRUJQVlA4TBsAAAAvA4AAAA8w//M///MfeFDbtg0bckubEtH/yB8A",
    }.items()
}
