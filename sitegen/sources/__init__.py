"""Reads folders and git repositories: the releases of each source, and the documents of each
release."""
