"""`sitegen correct`."""

from __future__ import annotations

from datetime import date

import click

from sitegen.commands.options import BUILT, FindProject, project_options
from sitegen.tools import correcting
from sitegen.tools.terminal import print_line, progress


@click.command()
@project_options
@click.option("--reason", default="", help="Why the words were corrected, for all of them, instead of being asked.")
def correct(find_project: FindProject, reason: str) -> int:
    """Accept words of published releases that were corrected since, by [[corrected]] tables in site.toml.

    Shows the present words of each term, and asks for a reason, which the pages of these terms show with the date.

    \b
    Examples:
      sitegen correct
      sitegen correct --reason "a typo"
    """
    project = find_project()
    with progress(shown=True) as notify:
        found = correcting.corrections(project, notify=notify)
    file = project.folder / "site.toml"
    for one in found:
        for line in one.lines():
            print_line(line)
        why = reason or click.prompt("Why were they corrected?", err=True)
        correcting.write(file, one, reason=why, day=date.today())
    print_line(f"{file}: {len(found)} [[corrected]] added" if found else "all words are as they were published")
    return BUILT
