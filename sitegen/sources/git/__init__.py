"""Reads glossaries from git at every release, directly from the repository's objects.

Only `process` and `repositories` run the git command line. `repositories` finds or clones a
repository and its refs, `tags` chooses the releases, `trees` finds the files, `dated_states` and
`word_log` follow commits, and `git_source` combines the results.
"""
