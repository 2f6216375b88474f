"""The command `nonosat`: resolves subcommands by name and maps outcomes to exit statuses.

A subcommand is a module of this package that defines `command`, with "-" for each "_" in its name,
and has a line in `SECTIONS`, which `--help` shows. Only the subcommand that runs is imported.
"""

from __future__ import annotations

import io
import os
import select
import signal
import sys
from collections.abc import Collection, Mapping
from contextlib import suppress
from errno import EFBIG, EIO, ENOENT, ENOSPC
from importlib import import_module
from typing import Any, TextIO

import click

from nonosat.core.answer_source import advice_on
from nonosat.core.errors import (
    BackendError,
    LimitReached,
    NonosatError,
    Remedy,
    advice_to_set,
    meant,
    path_text,
)
from nonosat.core.versions import versions
from nonosat.processes import interruption

BAD_INPUT = 2
UNKNOWN = 5
ON_TRUST = 6
FAILURE = 70
INTERRUPTED = interruption.STATUS
CLOSED_PIPE = 141
SECTIONS = {
    "Solve and check": {
        "solve": "Find a solution, or several.",
        "check": "Decide whether the solution is the only one.",
        "count": "Count the solutions of puzzles.",
        "sample": "Draw random solutions.",
        "backbone": "Show the cells that all solutions share.",
        "beliefs": "Show how likely the cells are filled.",
        "batch": "Solve or check a big collection.",
    },
    "Make and mend": {
        "generate": "Make new puzzles.",
        "repair": "Change a picture, or clues, so that there is one solution.",
        "read": "Read a puzzle from a photograph of its sheet.",
        "studio": "Draw, check, repair, explain and play puzzles in a browser.",
    },
    "Understand": {
        "explain": "Solve a puzzle as a person would.",
        "hint": "Show the next step from a partly filled board.",
        "rate": "Rate the difficulty of a puzzle for a person.",
        "why-multiple": "Show why puzzles have several solutions.",
        "diff": "Show the differences of two pictures or puzzles.",
    },
    "Print and convert": {
        "show": "Show a puzzle as text.",
        "render": "Draw sheets to print, pictures and books.",
        "convert": "Write puzzles in another format.",
        "encode": "Write a puzzle for other solvers.",
        "decode": "Show the answer of another solver.",
        "list": "Show formats, backends, encodings, ...",
    },
    "Prove": {
        "prove": "Write a certificate of a puzzle's verdict.",
        "verify": "Check certificates.",
    },
    "Benchmark and test": {
        "bench": "Compare solvers: run, report, compare.",
        "fuzz": "Find puzzles on which solvers disagree.",
        "study": "Repeat the founding documents' experiments.",
    },
    "Other puzzles": {
        "knight": "Find a knight's tour of a board.",
        "queens": "Place n queens, in one way or all, or count.",
    },
}
_OPTIONS = {  # arguments whose option has another name
    "forbidden": "--unique",
    "format": "--from",
    "replaces": "--force",
}
_NO_THREAD = "can't start new thread"  # Python's message if there is no memory for a thread
EPILOG = """\b
Exit status:
    0  solved, unique, or done
    1  `bench compare` found a regression, `hint` or `check --partial` wrong marks
    2  bad input or usage, an invalid certificate
    3  multiple: a second solution was searched for and found
    4  unsolvable
    5  unknown: a limit was reached, or `read` is not certain
    6  `verify` checked a cover as far as possible, the rest is trusted
    7  `check` found a unique puzzle above --grade-at-most
   70  an internal failure
  130  interrupted by Ctrl-C (143: by SIGTERM, 129: by a closed terminal)
For several puzzles it is 2 if any input was bad, else the highest.

\b
NO_COLOR=1 turns colours off, NONOSAT_TRACEBACK=1 shows the traceback of an
unexpected failure."""


def _show_version(ctx: click.Context, _: click.Parameter, is_shown: bool) -> None:
    if is_shown and not ctx.resilient_parsing:
        click.echo("\n".join(f"{name} {version}" for name, version in versions().items()))
        ctx.exit()


class SuggestingGroup(click.Group):
    """Group of commands that suggests a similar name for an unknown one."""

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Return the command that the arguments begin with."""
        name, known = args[0], self.list_commands(ctx)
        if name in known or name.startswith("-"):
            return super().resolve_command(ctx, args)
        raise click.UsageError(
            f"no command is called {name!r}{meant(name, known)}; there are: {', '.join(known)}", ctx
        )


class LazyCommands(SuggestingGroup):
    """Commands in modules of this package, each imported when it is called.

    Args:
        sections: Titles of the list of commands, each with its commands and their lines.
        prefix: Prefix of the names of their modules.
    """

    def __init__(
        self, *args: Any, sections: Mapping[str, Mapping[str, str]], prefix: str = "", **more: Any
    ) -> None:
        super().__init__(*args, **more)
        self._sections = sections
        self._lines = dict(sorted(line for lines in sections.values() for line in lines.items()))
        self._prefix = f"{__name__}.{prefix}"

    def list_commands(self, ctx: click.Context) -> list[str]:
        return [*self._lines]  # `list` is a module of this package

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in self._lines:
            return None
        found: click.Command = import_module(self._prefix + cmd_name.replace("-", "_")).command
        found.short_help = self._lines[cmd_name]
        return found

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the list of commands; click would import every command for its line."""
        for title, lines in self._sections.items():
            with formatter.section(title):
                formatter.write_dl([*lines.items()])


class Commands(LazyCommands):
    """The commands of `nonosat`; failures become messages and exit statuses."""

    def make_context(
        self, info_name: str | None, args: list[str], *more: Any, **settings: Any
    ) -> click.Context:
        """Parse the arguments; `--help` and `--version` print here, perhaps into a closed pipe."""
        if "" in args:  # as a file name it would mean the current folder
            before = [arg for arg in args[: args.index("")] if arg]
            where = f"the argument after {before[-1]!r}" if before else "the first argument"
            raise click.UsageError(
                f"{where} is empty; is a variable of the shell not set? '.' is the current folder"
            )
        try:
            return super().make_context(info_name, args, *more, **settings)
        except BrokenPipeError:
            _forget_output()
            raise click.exceptions.Exit(CLOSED_PIPE) from None
        except OSError as error:  # a full disk
            _forget_output()
            raise click.exceptions.Exit(report(error)) from None

    def invoke(self, ctx: click.Context) -> Any:
        """Run the subcommand; convert every exception into a message and an exit status."""
        if sys.stdout is None:
            click.echo(
                "nonosat: standard output is closed; send it to a file or /dev/null", err=True
            )
            ctx.exit(BAD_INPUT)
        for stream in (sys.stdout, sys.stderr):  # a terminal may lack characters of a name
            if isinstance(stream, io.TextIOWrapper):
                stream.reconfigure(errors="backslashreplace")
        try:
            was_quitting = interruption.raises()
            try:
                return self._answered(ctx)
            finally:
                if was_quitting:
                    interruption.quits()
        except KeyboardInterrupt as error:
            for far in getattr(error, "__notes__", [])[:1]:  # added by the innermost `Working`
                warn(f"interrupted, {far}")
            ctx.exit(interruption.status())
        except click.exceptions.Exit as end:
            ctx.exit(interruption.status() if end.exit_code == INTERRUPTED else end.exit_code)

    def _answered(self, ctx: click.Context) -> Any:
        """Return the result of the subcommand; convert every error into a message and a status."""
        try:
            return super().invoke(ctx)
        except (click.ClickException, click.exceptions.Exit, click.Abort):
            raise
        except BrokenPipeError:
            _forget_output()
            ctx.exit(CLOSED_PIPE)
        except Exception as error:
            # If the interruption closed the terminal, no message can be written.
            is_interrupted = isinstance(error.__context__, KeyboardInterrupt)
            ctx.exit(INTERRUPTED if is_interrupted else report(error))
        except SystemExit as end:  # from a plug-in; nonosat itself calls `ctx.exit`
            ctx.exit(report(RuntimeError(f"sys.exit({end.code!r}) was called")))


def exit_status(statuses: Collection[int]) -> int:
    """Return the exit status of several puzzles: that of bad input, or else the highest."""
    return BAD_INPUT if BAD_INPUT in statuses else max(statuses)


def report(error: Exception, about: str = "") -> int:
    """Report an error on standard error and return its exit status.

    Args:
        error: Any error except a closed pipe.
        about: Name of the puzzle that was processed, if any.
    """
    text, status = outcome_of(error, about)
    warn(text)
    return status


def outcome_of(error: Exception, about: str = "") -> tuple[str, int]:
    """Return the message and the exit status of an error; see `report`."""

    where = f"{about}: " if about and not str(error).startswith(f"{about}: ") else ""
    if isinstance(error, NonosatError | OSError) and not isinstance(error, BackendError):
        what = _os_error_text(error) if isinstance(error, OSError) else message_of(error)
        return f"{where}{what}", UNKNOWN if isinstance(error, LimitReached) else BAD_INPUT
    if need := _missing_of_system(error):
        return f"{where}{need}", BAD_INPUT
    if os.environ.get("NONOSAT_TRACEBACK"):
        import traceback

        _write("".join(traceback.format_exception(error)))
    if isinstance(error, MemoryError) or str(error) == _NO_THREAD:
        return f"{where}out of memory{f': {error}' if str(error) else ''}", UNKNOWN
    return f"{where}failure: {failure_text(error)}", FAILURE


def _missing_of_system(error: Exception) -> str:
    """Return the message for a module or call of POSIX that the system lacks; "" for others."""
    # By identity, since arrays of numpy compare element by element.
    modules = [one for one in (os, select, signal) if one is getattr(error, "obj", None)]
    if isinstance(error, AttributeError) and modules:
        missing = f"{modules[0].__name__}.{error.name}"
    elif isinstance(error, ModuleNotFoundError) and error.name in ("fcntl", "resource"):
        missing = f"the module {error.name}"
    else:
        return ""
    return (
        f"this system has no {missing.removeprefix('the ')}, expected a POSIX system such as Linux "
        "or macOS; without child processes there are solve, check and count with the backends "
        "auto, learn and search, and the static page of the studio"
    )


def message_of(error: Exception) -> str:
    """Return the message of an error, with its remedy in options and commands."""

    return error.description(remedy_in_options) if isinstance(error, NonosatError) else str(error)


def remedy_in_options(remedy: Remedy) -> str:
    """Return the advice of an error in options and commands."""
    argument, values = remedy.argument, remedy.values
    option = _OPTIONS.get(argument, f"--{argument.replace('_', '-')}")
    if remedy.kind == "set":
        is_flag = values == ("True",)
        return advice_to_set(f"{option} ", () if is_flag else values)
    return {
        "leave": f"leave {option} out",
        "write-as": "name it with --to",
        "image": "`nonosat generate image` makes a puzzle from a photograph or a drawing",
        "convert": "`nonosat convert` writes such a file",
        "resume": "--resume continues it, --force replaces it",
    }[remedy.kind]


def warn(message: str) -> None:
    """Write a message to standard error, with control and bidirectional characters replaced."""
    safe = "".join(char if char.isprintable() or char == "\n" else "\ufffd" for char in message)
    _write(f"nonosat: {safe}\n")


def note(message: str) -> None:
    """Write a line to standard error that is not an error."""
    _write(f"{message}\n")


def _write(text: str) -> None:
    """Write to standard error; ignore failures, because the exit status reports the outcome."""
    with suppress(OSError):
        click.echo(text, err=True, nl=False)


def failure_text(error: Exception) -> str:
    """Return the failure and where to report it: nonosat, a plug-in or an external program."""

    is_backend_error = isinstance(error, BackendError)
    what = str(error) if is_backend_error else f"{type(error).__name__}: {error}"
    hint = "NONOSAT_TRACEBACK=1 shows the traceback"
    if is_backend_error and error.advice:  # type: ignore[attr-defined]  # a BackendError
        return f"{what} ({hint})"
    return f"{what} ({advice_on(error) or 'please report this with the puzzle'}; {hint})"


def _os_error_text(error: OSError) -> str:
    """Return the system's message without its number: "x.non: No such file or directory"."""

    path = error.filename2 or error.filename
    if path is None and error.errno in (ENOSPC, EFBIG, EIO):  # others have names
        path = "standard output"
    if path is None and error.errno == ENOENT:
        path = "the current folder"  # it was removed; all other paths have names
    what = error.strerror or str(error)
    return f"{path_text(path)}: {what}" if path else what


def _forget_output() -> None:
    """Redirect standard output to the null device, so that flushing at exit cannot fail."""
    _forget(sys.stdout)


def _forget(stream: TextIO) -> None:
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, stream.fileno())


def forget_unwritten() -> None:
    """Discard output that cannot be written: Python would otherwise exit with status 120."""
    for stream in (sys.stdout, sys.stderr):
        if stream is None or stream.closed:  # a plug-in may have closed it
            continue
        try:
            stream.flush()
        except OSError:
            _forget(stream)


@click.group(
    cls=Commands,
    sections=SECTIONS,
    epilog=EPILOG,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)
@click.option(
    "--version",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=_show_version,
    help="Show the versions of all components and exit.",
)
def main() -> None:
    """Solve and check nonograms exactly; also Slitherlinks, n queens and knight's tours.

    `nonosat COMMAND --help` describes a command and its options.

    FILE may hold many puzzles or be a folder; PUZZLE is one: a FILE with one in it, or FILE#ID. A
    puzzle itself may take the place of FILE: an address of puzz.link, a game id of Pattern or
    Loopy, or a text that the studio shares (nonosat:1:...). bundled:cat is a puzzle that comes with
    nonosat (`nonosat list puzzles`), bundled: means all of them. OUT is written; an existing file
    is replaced only with --force. - is standard input or output (`check -- -#ID` selects a puzzle
    there: arguments that begin with - and are not options follow --).

    Long work reports progress on standard error: on a terminal after two seconds, elsewhere in a
    line after ten seconds and then every half minute. --quiet hides it.
    """
