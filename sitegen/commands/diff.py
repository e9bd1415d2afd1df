"""`sitegen diff`."""

from __future__ import annotations

import click

from sitegen.commands.options import BUILT, HAS_PROBLEMS, FindProject, project_options
from sitegen.tools.review import review
from sitegen.tools.review_report import data, markdown
from sitegen.tools.terminal import print_data, print_lines, progress


@click.command()
@click.argument("change", metavar="[BASE..HEAD]", default="")
@project_options
@click.option("--advisory", is_flag=True, help="End with status 0 even if published addresses would break.")
@click.option("--json", "as_data", is_flag=True, help="Print the same as JSON.")
def diff(change: str, find_project: FindProject, advisory: bool, as_data: bool) -> int:
    """Describe in Markdown what a change does to the glossary, for a comment on it.

    Lists the terms that are added, reworded, renamed or removed, with the words that differ, the terms that refer to
    them, the published addresses that are affected, and possible renames. Both sides are read from git, as they were
    committed; a commit without a site.toml is read with the present one. By default it is what HEAD changes since it
    left the default branch, as that was last fetched.

    \b
    Exit status:
      0  no published address breaks
      1  some published addresses would break, or a glossary is deleted
      2  the two commits could not be compared

    \b
    Examples:
      sitegen diff
      sitegen diff main...my-branch
      sitegen diff v1.0..v1.1 glossary
    """
    project = find_project()
    with progress(shown=not as_data) as notify:
        notify("Comparing")
        found = review(change, project)
    if as_data:
        print_data(data(found))
    else:
        print_lines(markdown(found))
    return HAS_PROBLEMS if found.fails and not advisory else BUILT
