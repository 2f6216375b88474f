"""Fuzzes one reader in this process, guided by coverage; started by `readers.py`.

python fuzzing.py READER SECONDS SEED FOLDER
"""

from __future__ import annotations

import logging
import sys
from pathlib import Path
from types import FunctionType, ModuleType

import atheris

sys.path.insert(0, str(Path(__file__).parent))
from reading import readers, tried

from helpers.mutations import TOKENS

MOST_MIB = 256


def instrument(module: ModuleType) -> None:
    """Instrument the functions of a module. The editable install prevents an import hook."""
    members = list(vars(module).values())
    for each in [one for one in members if isinstance(one, type)]:
        members += [getattr(one, "fget", one) for one in vars(each).values()]
    for each in members:
        function = getattr(each, "__func__", getattr(each, "__wrapped__", each))
        if isinstance(function, FunctionType) and function.__module__ == module.__name__:
            atheris.instrument_func(function)


def fuzz(title: str, seconds: str, seed: str, folder: str) -> None:
    """Fuzz one reader in this process; libFuzzer ends it."""
    valid, reader = readers(Path(folder))[title]
    for data in (*valid, *TOKENS):
        tried(reader, data)  # for imports at first use
    for name in [name for name in sys.modules if name.startswith("nonosat")]:
        instrument(sys.modules[name])
    corpus = Path(folder) / "corpus"
    corpus.mkdir()
    for at, data in enumerate([*valid, *TOKENS]):
        (corpus / str(at)).write_bytes(data)

    def one(data: bytes) -> None:
        found = tried(reader, data)
        if found.wrong:
            raise AssertionError(f"{found.wrong}: {data[:300]!r}")

    limits = ["-timeout=10", "-rss_limit_mb=1024", f"-malloc_limit_mb={MOST_MIB}"]
    told = [f"-max_total_time={seconds}", f"-seed={seed}", "-print_final_stats=1", "-max_len=4096"]
    atheris.Setup([sys.argv[0], *limits, *told, str(corpus)], one)
    atheris.Fuzz()


if __name__ == "__main__":
    logging.getLogger("nonosat").setLevel(logging.ERROR)  # remarks on the files read
    fuzz(*sys.argv[1:])
