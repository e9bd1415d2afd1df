"""Reads git repositories: their refs, commits and trees, directly from their objects.

`process` starts git. `repositories` opens a repository, which `git_folders` finds or `cloning`
clones, and `objects` reads its content. `tags` and `main_line` choose the commits that are
releases, `dated_states` follows a branch. `sources.git_releases` makes releases of these.
"""
