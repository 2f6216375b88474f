"""Command lines that show the effect of each option of each command."""

from __future__ import annotations

LIMITS = {"--time-limit": "--time-limit 1e-9", "--memory-limit": "--memory-limit 1"}
READING = {"--from": "--from nin", "--family": "--family queens"}
GIVEN = {"--given": "--given marks"}
EACH = LIMITS | READING | {"--json": "--json"}
JOBS = {"--jobs": "--jobs 9999", "--force-jobs": "--force-jobs"}  # without a number of jobs
PLACES = JOBS | {"--cluster": "--cluster nowhere:x"}
CHOICES = {
    "--backend": "--backend search",
    "--encoding": "--backend minisat22 --encoding line=mdd",
    "--formulation": "--backend cpsat --formulation line=booleans",
    "--engine-option": "--backend cadical195 --engine-option phase=0",
    "--presolve": "--presolve none",
    "--redundant": "--backend learn --redundant counts",
    "--hints": "--backend learn --hints none",
}
DECIDING = (
    EACH
    | CHOICES
    | PLACES
    | GIVEN
    | {
        "--seed": "--seed 3",
        "--cubes": "--cubes 2",
        "--deterministic": "--jobs 1 --deterministic",
        "--journal": "--cubes 2 --journal cubes.journal",
        "--resume": "--cubes 2 --journal resumed.journal --resume",
    }
)
BOARDS = LIMITS | {
    "--backend": "--backend learn",
    "--seed": "--seed 3",
    "--json": "--json",
    "--max-solutions": "--max-solutions 2",
}

# By command: the line without options, and the words to add for each of its options.
LINES: dict[str, tuple[str, dict[str, str]]] = {
    "solve": ("--json p.jsonl", DECIDING | {"--max-solutions": "--max-solutions 3"}),
    "check": (
        "--json p.jsonl bad.jsonl u.jsonl",
        DECIDING
        | {"--max-solutions": "--max-solutions 3", "--why": "--why"}
        | {"--grade-at-most": "--grade-at-most 1", "--logic-only": "--logic-only"}
        | {"--partial": "--partial marks"},
    ),
    "backbone": ("p.jsonl", EACH | JOBS | GIVEN),
    "count": (
        "p.jsonl",
        EACH
        | JOBS
        | GIVEN
        | {"--up-to-symmetry": "--up-to-symmetry", "--backend": "--backend none"},
    ),
    "sample": ("p.jsonl -n 9", EACH | GIVEN | {"-n": "-n 2", "--seed": "--seed 3"}),
    "why-multiple": ("p.jsonl", EACH | GIVEN),
    "diff": ("u.jsonl u.jsonl", EACH),
    "rate": ("p.jsonl", EACH | {"--given": "--given marks"}),
    "beliefs": (
        "--json p.jsonl",
        EACH
        | {
            "--rounds": "--rounds 1",
            "--damping": "--damping 0.9 --rounds 2 --start 2",
            "--clamp": "--clamp 0.1 --start 2",
            "--start": "--start 2",
            "--seed": "--start 2 --seed 4",
        },
    ),
    "show": ("p.jsonl", LIMITS | READING),
    "read": (
        "--json p.pgm -o {new}.jsonl",
        LIMITS
        | {
            "--to": "--to non",
            "--no-repair": "--no-repair",
            "--page": "--page",
            "--json": "--json",
        },
    ),
    "render": (
        "p.jsonl u.jsonl -o {new}.pdf",
        LIMITS
        | {"--from": "--from nin", "--family": "--family queens"}
        | {
            "--solution": "--solution",
            "--diff": "--diff",
            "--why": "--why",
            "--clues": "--clues none",
        }
        | {"--cell": "--cell 9", "--paper": "--paper a5", "--theme": "--theme dark"}
        | {"--per-page": "--per-page 2", "--book": "--book"}
        | {"--title": "--book --title mine", "--author": "--book --author me"}
        | {"--rate": "--book --rate", "--by-rating": "--book --by-rating"}
        | {"--cover-pictures": "--book --cover-pictures"},
    ),
    "batch": (
        "p.jsonl -o {new}",
        LIMITS
        | READING
        | CHOICES
        | PLACES
        | {
            "--latest": "--latest",
            "--resume": "--resume --force",
            "--retry": "--retry crash",
            "--repair": "--repair",
            "--shards": "--shards",
            "--merge": "--merge nowhere",
            "--task": "--task solve",
            "--rules": "--rules tcga",
            "--answers": "--answers folder",
            "--seed": "--seed 3",
        },
    ),
    "convert": ("p.jsonl - --to jsonl", LIMITS | {"--from": "--from nin", "--to": "--to non"}),
    "decode": ("p.jsonl answer", EACH),
    "encode": (
        "p.jsonl -o -",
        LIMITS
        | READING
        | {
            "--stats": "--stats",
            "--to": "--to mzn",
            "--encoding": "--encoding line=mdd",
            "--formulation": "--formulation line=starts",
            "--presolve": "--presolve nothing",
            "--unique": "--unique",
            "--solution": "--unique --solution goal",
            "--json": "--json",
        },
    ),
    "explain": (
        "u.jsonl",
        LIMITS
        | {"--from": "--from nin", "--cell": "--cell 1,1"}
        | {"--steps": "--steps", "--at": "--at 1", "--json": "--json", "--given": "--given given"},
    ),
    "fuzz": (
        "",
        LIMITS
        | PLACES
        | {
            "--family": "--family nonogram",
            "--sort": "--sort unique",
            "--backends": "--backends learn",
            "--encodings": "--encodings line=order",
            "--command": "--command echo",
            "--seed": "--seed 3",
            "--seconds": "--seconds 1h",
            "--cases": "--cases 7",
            "--shrink-seconds": "--shrink-seconds 1",
            "--resume": "--resume",
            "--failures": "--failures elsewhere",
            "--replay": "--replay nothing",
            "--json": "--json",
        },
    ),
    "hint": (
        "u.jsonl",
        LIMITS | {"--from": "--from nin", "--given": "--given given", "--json": "--json"},
    ),
    "repair": (
        "p.jsonl",
        LIMITS
        | {
            "--from": "--from nin",
            "--family": "--family queens",
            "--to": "-o - --to non",
            "--max-changes": "--max-changes 1",
            "--all": "--all 2",
            "--keep": "--keep given",
            "--logic-only": "--logic-only",
            "--grade": "--grade 2",
            "--json": "--json",
        },
    ),
    "prove": (
        "p.jsonl -o {new}",
        LIMITS
        | JOBS
        | {"--from": "--from nin", "--backend": "--backend search", "--cubes": "--cubes 0"}
        | {"--by": "--by dice", "--family": "--family queens"}
        | {"--veripb": "--veripb", "--veripb-format": "--veripb --veripb-format 2.0"},
    ),
    "verify": ("certificate", LIMITS),
    "generate image": (
        "p.pgm --columns 12 --threshold 0.3 --edges 1",  # this puzzle has several solutions
        LIMITS
        | {
            "--columns": "--columns 21",
            "--unique": "--unique",
            "--logic-only": "--logic-only",
            "--grade": "--grade 2",
            "--rows": "--rows 29",
            "--colours": "--colours 2",
            "--threshold": "--threshold 0",
            "--invert": "--invert",
            "--edges": "--edges 0",
            "--dither": "--dither bayer",
            "--to": "--to non",
        },
    ),
    "generate pattern": (
        "carpet --size 9",
        LIMITS | {"--size": "--size 27", "--dark": "--dark", "--to": "--to non"},
    ),
    "generate slitherlink": (
        "4 4",
        LIMITS
        | {
            "--clues": "--clues 1",
            "--grade": "--grade 2",
            "--symmetric": "--symmetric rotation",
            "--seed": "--seed 3",
            "--count": "--count 2",
            "--to": "--to jsonl",
        },
    ),
    "generate tournament": (
        "--count 2 --size 4",
        LIMITS
        | {
            "--count": "--count 3",
            "--size": "--size 5",
            "--seed": "--seed 3",
            "--to": "--to jsonl",
        },
    ),
    "generate triddler": (
        "2",
        LIMITS
        | {
            "--density": "--density 1",
            "--unique": "--unique --density 0.6",
            "--seed": "--seed 3",
            "--count": "--count 2",
            "--to": "--to webpbn",
        },
    ),
    "generate nonogram": (
        "5 5 --seed 7",
        LIMITS
        | {
            "--density": "--density 0.7",
            "--unique": "--unique",
            "--logic-only": "--logic-only",
            "--grade": "--grade 1",
            "--symmetric": "--symmetric",
            "--colours": "--colours 2",
            "--seed": "--seed 3",
            "--count": "--count 2",
            "--to": "--to non",
        },
    ),
    "generate structured": ("combs 4", LIMITS | {"--to": "--to non"}),
    "queens": (
        "--json 6",
        BOARDS
        | {
            "--all": "--all",
            "--count": "--count",
            "--up-to-symmetry": "--count --up-to-symmetry",
            "--given": "--given square",
            "--blocked": "--blocked square",
            "--encoding": "--encoding count=product",
            "--formulation": "--backend cpsat --formulation count=booleans",
            "--engine-option": "--backend cadical195 --engine-option phase=0",
            "--as": "--as board",
        },
    ),
    "knight": (
        "--json 3 4",
        BOARDS
        | {
            "--start": "--start 2,1",
            "--closed": "--closed",
            "--given": "--given holes",
            "--holes": "--holes holes",
            "--encoding": "--encoding loop=positions --backend minisat22",
            "--formulation": "--backend cpsat --formulation loop=nothing",
            "--engine-option": "--backend cadical195 --engine-option phase=0",
            "--as": "--as way",
        },
    ),
    "bench run": (
        "suite.toml -o {new}",
        PLACES
        | {
            "--resume": "--resume --force",
            "--retry": "--retry crash",
            "--repair": "--repair",
            "--instance": "--instance nothing",
            "--configuration": "--configuration nothing",
        },
    ),
    "bench encodings": (
        "u.jsonl --encoding order -o {new}.md",
        PLACES
        | READING
        | {
            "--encoding": "--encoding bdd",
            "--backend": "--backend learn-lines",
            "--proofs": "--proofs {new}.md",
            "--time-limit": "--time-limit nothing",
            "--repetitions": "--repetitions 2",
            "--resume": "--resume --force",
            "--retry": "--retry crash",
            "--repair": "--repair",
        },
    ),
    "bench report": (
        "r.jsonl -o -",
        {
            "--markdown": "--markdown",
            "--csv": "--csv",
            "--csv-runs": "--csv-runs",
            "--baseline": "--csv --baseline nothing",
            "--seconds": "--markdown --seconds wall",
        },
    ),
    "bench compare": (
        "r.jsonl slower.jsonl",
        {"--threshold": "--threshold 99", "--seconds": "--seconds wall"},
    ),
    "study run": ("u.jsonl -o study.md --force", {"--quick": "--quick"}),
    "study report": ("s.json -o study.md --force", {}),
    "list": ("", {}),
    "studio": (
        "",
        {
            "--port": "--port 8000",
            "--no-browser": "--no-browser",
            "--static": "--static site",
            "--player": "--player package",
            "--memory-limit": "--memory-limit 1G",
        },
    ),
}
