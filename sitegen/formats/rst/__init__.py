"""Reads reStructuredText: Sphinx glossaries and plain definition lists."""
