"""reStructuredText: Sphinx glossaries and bare definition lists."""
