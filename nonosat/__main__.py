"""`python -m nonosat` is the command `nonosat`."""

from nonosat.cli import main

if __name__ == "__main__":
    main(prog_name="nonosat")
