"""Addresses that are promised: `sitegen publish`, `addresses` and `correct`."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import click

from sitegen.commands.options import FOLDER_ARGUMENT, SUCCESS, project_of
from sitegen.config import SITE_TOML
from sitegen.config.values import UnfitError, written_name
from sitegen.model import SitegenError
from sitegen.tools import correcting, publication
from sitegen.tools.publication import ORIGIN
from sitegen.tools.terminal import ignoring_print_errors, print_line, print_problems, progress


@click.command()
@FOLDER_ARGUMENT
@click.option(
    "--remote",
    default=ORIGIN,
    show_default=True,
    metavar="NAME",
    help="The remote to push to.",
)
@click.option("--branch", default="gh-pages", show_default=True, help="The branch to push to.")
@click.option(
    "-n", "--dry-run", is_flag=True, help="Show what would be published, and change nothing."
)
def publish(folder: Path | None, remote: str, branch: str, dry_run: bool) -> int:
    """Build the site and publish it as one commit on a branch, by default gh-pages of origin.

    Published addresses keep working from then on; `sitegen addresses` lists the new ones before.
    The live archive and the committed one are kept. The archive is pushed too, to the branch
    sitegen-ledger, so that builds know of it: both branches or none.
    Git runs with your settings, credentials and ssh. No hook runs, nothing is checked out, and of
    your repository only origin/sitegen-ledger changes.

    \b
    Examples:
      sitegen publish --dry-run
      sitegen publish --remote upstream --branch pages
    """
    project = project_of(folder)
    with progress(shown=True) as notify:
        published = publication.publish(
            project, remote=remote, branch=branch, notify=notify, dry_run=dry_run
        )
    with ignoring_print_errors():
        print_problems(published.problems)
        print_line(*published.lines())
    return SUCCESS


@click.command()
@FOLDER_ARGUMENT
@click.option(
    "--push",
    is_flag=True,
    help="Add them to the archive on the branch sitegen-ledger of origin, as `publish` does.",
)
def addresses(folder: Path | None, push: bool) -> int:
    """Show which new addresses publishing would promise.

    An address is promised for good once it is in the archive on the default branch or on the branch
    sitegen-ledger, or on the published site. Until then names, ids and slugs may change: a [[slug]]
    in site.toml chooses a slug.

    \b
    Examples:
      sitegen addresses
      sitegen addresses --push
    """
    project = project_of(folder)
    with progress(shown=True) as notify:
        proposed = publication.archive_to_publish(project, notify=notify)
        push_messages: list[str] = []
        if push:
            push_messages += publication.push_archive(project, proposed.archive)
    print_line(*proposed.lines(is_pushed=push), *push_messages)
    return SUCCESS


def _reason(context: click.Context, parameter: click.Parameter, text: str) -> str:
    """Returns a reason as site.toml may have it. Raises `SitegenError` for any other."""
    if not text:
        return ""
    try:
        return written_name(text)
    except UnfitError as error:
        raise SitegenError(f"--reason: {error.found}; {error.wanted}") from None


@click.command()
@FOLDER_ARGUMENT
@click.option(
    "--reason",
    default="",
    callback=_reason,
    help="Why the words were corrected. Without it, they are only shown.",
)
@click.option(
    "--all",
    "may_lose_most",
    is_flag=True,
    help="Take over everything, even if hardly a published term is left.",
)
def correct(folder: Path | None, reason: str, may_lose_most: bool) -> int:
    """Take over what the sources of published releases say now, by [[corrected]] tables in
    site.toml.

    Shows the published and the present words of each term. --reason adds the tables; until then,
    pages show the published words. The pages of these terms show the reason and the date.

    \b
    Examples:
      sitegen correct
      sitegen correct --reason "a typo"
      sitegen correct --all --reason "the wrong file was read"
    """
    project = project_of(folder)
    with progress(shown=True) as notify:
        corrections, notes = correcting.corrections(
            project, may_lose_most=may_lose_most, notify=notify
        )
    print_line(*[f"note: {note}" for note in notes])
    if not corrections:
        # Each note is about words that were not read.
        compared = "all words that were read" if notes else "all words"
        print_line(f"{compared} are as they were published")
        return SUCCESS
    file = project.folder / SITE_TOML
    for correction in corrections:
        print_line(*correction.lines())
        if reason:
            correcting.write(file, correction, reason=reason, day=date.today())
    if reason:
        print_line(f"{file}: {len(corrections)} [[corrected]] added")
    else:
        print_line("to take these words over, say why with --reason TEXT")
    return SUCCESS
