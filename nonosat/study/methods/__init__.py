"""The documents' methods, one per file, found by their names: `study:NAME`."""
