"""Reports on a glossary: `sitegen check`, `diff` and `translations`."""

from __future__ import annotations

from pathlib import Path

import click

from sitegen.commands.options import (
    AS_JSON,
    FOLDER_ARGUMENT,
    HAS_PROBLEMS,
    ONLY_SUGGESTIONS,
    SUCCESS,
    project_of,
)
from sitegen.tools import findings, review_report, translators
from sitegen.tools.review import review
from sitegen.tools.terminal import print_data, print_line, print_text, progress


@click.command()
@FOLDER_ARGUMENT
@click.option("--advisory", is_flag=True, help="End with status 0 even if something was found.")
@AS_JSON
def check(folder: Path | None, advisory: bool, as_data: bool) -> int:
    """Report mistakes in the sources, and terms that may be one under two names. Writes nothing.

    \b
    Exit status:
      0  nothing was found
      1  mistakes were found
      2  the check could not be made
      3  no mistakes, but suggestions

    \b
    Examples:
      sitegen check
      sitegen check --advisory
    """
    with progress(shown=not as_data) as notify:
        checked = findings.check(project_of(folder), notify=notify)
    if as_data:
        print_data(checked.data())
    else:
        print_line(*checked.lines())
    if advisory or not checked.findings:
        return SUCCESS
    if checked.has_only_suggestions:
        return ONLY_SUGGESTIONS
    return HAS_PROBLEMS


@click.command()
@click.argument("change", metavar="[BASE..HEAD]", default="")
@FOLDER_ARGUMENT
@click.option(
    "--advisory", is_flag=True, help="End with status 0 even if published addresses would break."
)
def diff(change: str, folder: Path | None, advisory: bool) -> int:
    """Describe in Markdown what a change does to the glossary, for a comment on it.

    Lists the terms that are added, reworded, renamed or removed, with the words that differ, the
    terms that refer to them, the published addresses that are affected, and possible renames. Both
    sides are read from git, as they were committed; a commit without a site.toml is read with the
    present one. The default is from where HEAD left the default branch, as last fetched, to HEAD.

    \b
    Exit status:
      0  no published address breaks
      1  a build would be refused, or a glossary is deleted, moved or unreadable
      2  the two commits could not be compared

    \b
    Examples:
      sitegen diff
      sitegen diff main...my-branch
      sitegen diff v1.0..v1.1 glossary
    """
    project = project_of(folder)
    with progress(shown=True) as notify:
        notify("Comparing")
        reviewed = review(change, project)
    print_text(review_report.markdown(reviewed))
    is_failure = reviewed.fails and not advisory
    return HAS_PROBLEMS if is_failure else SUCCESS


@click.command()
@click.argument("language", metavar="[LANG]", default="")
@click.option(
    "--glossary",
    type=click.Path(path_type=Path),
    metavar="FOLDER",
    help="The folder with the glossary's site.toml.  [default: content, or the current folder]",
)
@click.option("--advisory", is_flag=True, help="End with status 0 even if translations are behind.")
@AS_JSON
def translations(language: str, glossary: Path | None, advisory: bool, as_data: bool) -> int:
    """Report which translations are behind their originals, and with which words.

    Compares the commits of both languages term by term: a translation is behind if the words of its
    original were changed after its own words were. Changes of links, markup, headings and front
    matter do not count.

    \b
    Exit status:
      0  every translation is up to date, or missing
      1  there is something to do, as the report says, or no translation was read
      2  the report could not be made

    \b
    Examples:
      sitegen translations
      sitegen translations fr
    """
    with progress(shown=not as_data) as notify:
        project = project_of(glossary)
        report = translators.translation_report(project, language, notify=notify)
    if as_data:
        print_data(translators.data(report))
    else:
        print_line(*translators.lines(report, project))
    is_failure = translators.is_open(report) and not advisory
    return HAS_PROBLEMS if is_failure else SUCCESS
