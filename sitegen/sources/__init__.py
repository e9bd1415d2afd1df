"""Reads folders, git repositories and archives: which releases there are, and the documents of each."""
