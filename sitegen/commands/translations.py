"""`sitegen translations`."""

from __future__ import annotations

from pathlib import Path

import click

from sitegen.commands.options import BUILT, HAS_PROBLEMS
from sitegen.sources.projects import find_project
from sitegen.tools.terminal import print_data, print_lines, progress
from sitegen.tools.translators import OPEN, data, lines, translation_report, workflow_commands


@click.command()
@click.argument("language", metavar="[LANG]", default="")
@click.option(
    "--glossary",
    type=click.Path(path_type=Path),
    metavar="FOLDER",
    help="The folder with the glossary's site.toml.  [default: content, or the current folder]",
)
@click.option(
    "--format",
    "form",
    type=click.Choice(["text", "github"]),
    default="text",
    show_default=True,
    help="Lines, or annotations of a GitHub workflow.",
)
@click.option("--json", "as_data", is_flag=True, help="Print an object for each term and language as JSON.")
@click.option("--advisory", is_flag=True, help="End with status 0 even if translations are behind.")
def translations(language: str, glossary: Path | None, form: str, as_data: bool, advisory: bool) -> int:
    """Report which translations are behind their originals, and with which words.

    Compares the commits of both languages term by term: a translation is behind if the words of its original were
    changed after its own words were. Changes of links, markup and front matter do not count.

    \b
    Exit status:
      0  every translation is up to date, or missing
      1  translations are behind, touched, untranslated or orphaned
      2  the report could not be made

    \b
    Examples:
      sitegen translations
      sitegen translations fr
      sitegen translations --format github
    """
    with progress(shown=not as_data) as notify:
        project = find_project(glossary, git="", paths=(), tags=())
        report = translation_report(project, language, notify=notify)
    if as_data:
        print_data(data(report))
    for line in () if as_data else workflow_commands(report) if form == "github" else lines(report):
        print_lines(line)
    return HAS_PROBLEMS if any(one.state in OPEN for _, one in report) and not advisory else BUILT
