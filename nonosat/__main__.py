"""Entry point of the command `nonosat`, and of `python -m nonosat`."""

from nonosat.processes import interruption


def main() -> None:
    """Run the command that the arguments name, and exit with its status."""
    interruption.quits()  # before anything else: the next import takes long enough for Ctrl-C
    from nonosat.cli import forget_unwritten
    from nonosat.cli import main as command

    try:
        command(prog_name="nonosat")
    finally:
        forget_unwritten()


if __name__ == "__main__":
    main()
