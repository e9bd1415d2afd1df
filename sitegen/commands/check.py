"""`sitegen check`."""

from __future__ import annotations

from pathlib import Path

import click

from sitegen.commands.options import BUILT, HAS_PROBLEMS, ONLY_SUGGESTIONS, FindProject, project_options
from sitegen.tools.findings import check_built, check_sources
from sitegen.tools.terminal import print_data, print_line, progress


@click.command()
@project_options
@click.option(
    "--site",
    type=click.Path(path_type=Path),
    help="Check the built site in this folder instead of the sources.",
)
@click.option("--advisory", is_flag=True, help="End with status 0 even if something was found.")
@click.option("--json", "as_data", is_flag=True, help="Print the findings as JSON.")
def check(find_project: FindProject, site: Path | None, advisory: bool, as_data: bool) -> int:
    """Report dead links, lost addresses and other mistakes.

    Checks the sources, and the site that they would give: links, published addresses, references, terms that may be
    one under two names, and what GitHub Pages does not take. Writes nothing.

    \b
    Exit status:
      0  nothing was found
      1  mistakes were found
      2  the check could not be made
      3  no mistakes, but suggestions

    \b
    Examples:
      sitegen check
      sitegen check --site site
    """
    with progress(shown=not as_data) as notify:
        checked = check_built(site, notify=notify) if site else check_sources(find_project(), notify=notify)
    if as_data:
        print_data(checked.data())
    else:
        for line in checked.lines():
            print_line(line)
    if advisory or not checked.findings:
        return BUILT
    return ONLY_SUGGESTIONS if checked.has_only_suggestions else HAS_PROBLEMS
