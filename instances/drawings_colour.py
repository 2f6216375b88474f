"""Pictures in several colours, drawn by hand: a letter is a colour of `INKS`, a dot is empty.

Each drawing is (id, title, letters of its colours, rows). Drawn for this project.
"""

from __future__ import annotations

INKS = {
    "k": "#202020",
    "r": "#d03030",
    "o": "#f08020",
    "y": "#f0c020",
    "g": "#309040",
    "l": "#90c050",
    "b": "#3070d0",
    "s": "#80c0f0",
    "p": "#9040b0",
    "n": "#905030",
    "f": "#e0b080",
}

DRAWINGS: tuple[tuple[str, str, str, str], ...] = (
    (
        "tulip",
        "Tulip",
        "rpg",
        """
        .r....r....r.
        .rr..rrr..rr.
        .rrrrrprrrrr.
        .rrrrppprrrr.
        .rrrrppprrrr.
        .rrrrppprrrr.
        .rrrrppprrrr.
        ..rrrppprrr..
        ...rrrprrr...
        ....rrrrr....
        ......g......
        ......g......
        g.....g.....g
        gg....g....gg
        ggg...g...ggg
        .gggg.g.gggg.
        ..ggggggggg..
        ...ggggggg...
        .....ggg.....
        ......g......
        """,
    ),
    (
        "strawberry",
        "Strawberry",
        "ryg",
        """
        .......gg.......
        ...gg..gg..gg...
        ....gggggggg....
        ..rrrggggggrrr..
        .rrrggrggrggrrr.
        rrrrgrrggrrgrrrr
        rryrrrrrrrrrryrr
        rrrrryrrrryrrrrr
        rrrrrrrrrrrrrrrr
        rrryrrryyrrryrrr
        .rrrrrrrrrrrrrr.
        .rrrryrrrryrrrr.
        ..rrrrrrrrrrrr..
        ..rryrryyrryrr..
        ...rrrrrrrrrr...
        ....rryrryrr....
        .....rrrrrr.....
        .......rr.......
        """,
    ),
    (
        "toadstool",
        "Toadstool",
        "rfg",
        """
        .......rrrrrr.......
        .....rrrrrrrrrr.....
        ...rrr...rrrr..rr...
        ..rrrr...rrrr..rrr..
        .rrrrr...rrrrrrrrrr.
        .rrrrrrrrrrr...rrrr.
        rr..rrrrrrrr...rrrrr
        rr..rrr...rr...rr..r
        rrrrrrr...rrrrrrr..r
        rrrrrrrrrrrrrrrrrrrr
        .rrrr.ffffffff.rrrr.
        ......ffffffff......
        .......ffffff.......
        .......ffffff.......
        ..g....ffffff....g..
        .gg.g..ffffff..g.gg.
        .ggggg.ffffff.ggggg.
        gggggggggggggggggggg
        """,
    ),
    (
        "fish",
        "Reef fish",
        "okb",
        """
        .........oooo...........
        .......oooooooo.......b.
        oo....oobboooobboo......
        ooo..ooobboooobboooo..b.
        oooo.ooobboooobbookkoo..
        .ooooooobboooobbookkooo.
        .ooooooobboooobboooooooo
        oooo.ooobboooobboooooo..
        ooo..ooobboooobbooookkk.
        oo....oobboooobbooooo...
        .......oooooooooo.......
        ........ooooo...........
        """,
    ),
    (
        "butterfly",
        "Butterfly",
        "kopy",
        """
        .........k....k.........
        .........k....k.........
        .ooooo....kkkk....ooooo.
        oopppoo....kk....oopppoo
        opyyppoo...kk...ooppyypo
        opyyyppoo..kk..ooppyyypo
        opyyyypppo.kk.opppyyyypo
        oppyyyyppookkooppyyyyppo
        .opppyyyppokkoppyyypppo.
        ..oopppppookkoopppppoo..
        ....oooooookkooooooo....
        ...ooppppookkooppppoo...
        ..oppyyyppokkoppyyyppo..
        ..opyyyypookkoopyyyypo..
        ..opyyypoo.kk.oopyyypo..
        ..oppypoo..kk..oopyppo..
        ...oppoo...kk...ooppo...
        ....ooo....kk....ooo....
        """,
    ),
    (
        "melon",
        "Slice of water melon",
        "rkgl",
        """
        gllrrrrrrrrrrrrrrrrrrllg
        gllrrkrrrkrrrrkrrrkrrllg
        gllrrrrrrrrrrrrrrrrrrllg
        .gllrrrkrrrkkrrrkrrrllg.
        .gllrrrrrrrrrrrrrrrrllg.
        ..gllrrrkrrrrrrkrrrllg..
        ..ggllrrrrrrrrrrrrllgg..
        ...gglllrrrkkrrrlllgg...
        ....gggllllrrllllggg....
        ......gggggllggggg......
        ........gggggggg........
        """,
    ),
    (
        "ladybird",
        "Ladybird on a leaf",
        "krgl",
        """
        .......k....k.........
        ........k..k..........
        .......kkkkkk.........
        ......kkkkkkkk........
        .....rrrrkkrrrr.......
        ....rrrrrkkrrrrr......
        ...rrkkrrkkrrkkrr.....
        ...rrkkrrkkrrkkrr....g
        ..rrrrrrrkkrrrrrrr..gg
        ..rrrrrrrkkrrrrrrr.ggg
        ..rrrkkrrkkrrkkrrrgglg
        ..rrrkkrrkkrrkkrrgglgg
        gggrrrrrrkkrrrrrgglggg
        glggrrrrrkkrrrrgglgggg
        gglggrrrrkkrrrgglgggg.
        ggglggggggggggglgggg..
        .ggglllllllllllgggg...
        ..gggglgglggglgggg....
        ....ggggggggggggg.....
        .......ggggggg........
        """,
    ),
)
