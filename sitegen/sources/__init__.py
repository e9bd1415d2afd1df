"""Reads folders, git repositories and archives: the releases of each source, and the documents of each release."""
