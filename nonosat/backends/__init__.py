"""Backends: one solver a file, its package imported only there and only when it is used."""
