"""The documents' methods, one a file, found by their names: `study:NAME`."""
