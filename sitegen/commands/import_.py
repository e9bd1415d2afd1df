"""`sitegen import`. The module's name ends with `_` because `import` is a keyword of Python."""

from __future__ import annotations

from pathlib import Path

import click

from sitegen.commands.options import BUILT, FindProject, project_options
from sitegen.tools.release_folders import write
from sitegen.tools.terminal import print_line, print_problems, progress, report_of_success


@click.command("import")
@project_options
@click.option(
    "-o",
    "--output",
    type=click.Path(path_type=Path),
    default=Path("content"),
    show_default=True,
    help="A new folder to write.",
)
def import_(find_project: FindProject, output: Path) -> int:
    """Copy the glossary at every release into a folder.

    The new folder has a folder for each release, and a site.toml with their dates and order. It gives the same site
    without git. No existing file is overwritten.

    \b
    Examples:
      sitegen import --git ../project --path GLOSSARY.md --output content
    """
    with progress(shown=True) as notify:
        imported = write(find_project(), output, notify=notify)
    with report_of_success():
        print_problems(imported.problems)
        print_line(f"{output}: {imported.files:,} files; sitegen build {output}")
    return BUILT
