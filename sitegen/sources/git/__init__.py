"""Reads git repositories: their refs, commits and trees, directly from their objects.

Only `process`, `listing` and `repositories` run the git command line. `repositories` finds or
clones a repository, `tags` and `main_line` choose the commits that are releases, `dated_states`
follows a branch. `sources.git_source` makes releases of these.
"""
