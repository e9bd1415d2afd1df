"""Which entries are the same term, and what happened to each term from release to release."""
