"""Remedies of errors in the words of the command line: options and commands."""

from __future__ import annotations

from nonosat.core.errors import Remedy, advice_to_set

_OPTIONS = {  # others are called as the argument
    "forbidden": "--unique",
    "format": "--from",
    "replaces": "--force",
}


def remedy_in_options(remedy: Remedy) -> str:
    """Advice to a user of the command line."""
    argument, values = remedy.argument, remedy.values
    option = _OPTIONS.get(argument, f"--{argument.replace('_', '-')}")
    if remedy.kind == "set":
        is_flag = values == ("True",)
        return advice_to_set(f"{option} ", () if is_flag else values)
    return {
        "leave": f"leave {option} out",
        "write-as": "name it with --to",
        "image": "`nonosat generate image` makes a puzzle of a photograph or a drawing",
        "convert": "`nonosat convert` writes such a file",
        "resume": "--resume goes on with it, --force replaces it",
    }[remedy.kind]
