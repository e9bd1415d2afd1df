"""Addresses that are promised: `sitegen publish`, `addresses` and `correct`."""

from __future__ import annotations

import sys
from contextlib import nullcontext
from datetime import date

import click

from sitegen.commands.options import BUILT, FindProject, project_folder
from sitegen.model import SitegenError
from sitegen.permanence.archive_file import archive_store_in
from sitegen.sources.projects import Project
from sitegen.text.credentials import shown_address
from sitegen.tools import archived_words, correcting, next_archive
from sitegen.tools.publication import publish as publish_site
from sitegen.tools.publish_targets import target
from sitegen.tools.terminal import (
    print_data,
    print_line,
    print_problems,
    progress,
    report_of_success,
)


@click.command()
@project_folder
@click.option(
    "--remote",
    default="origin",
    show_default=True,
    metavar="NAME-or-URL",
    help="The repository to push to.",
)
@click.option("--branch", default="gh-pages", show_default=True, help="The branch to push to.")
@click.option(
    "--prefix",
    default="",
    metavar="PATH",
    help="Publish below this folder of the branch; the rest stays.",
)
@click.option(
    "-n", "--dry-run", is_flag=True, help="Show what would be published, and change nothing."
)
@click.option("--json", "as_data", is_flag=True, help="Print what changed as JSON.")
def publish(
    find_project: FindProject, remote: str, branch: str, prefix: str, dry_run: bool, as_data: bool
) -> int:
    """Build the site and publish it as one commit on a branch, by default gh-pages of origin.

    Published addresses keep working from then on; `sitegen addresses` lists the new ones before.
    What is in the live archive and in the committed one is kept. What is published to origin is
    also added to the archive on the branch sitegen-ledger, so that builds know of it.
    Git runs with your settings, credentials and ssh. No hook runs, nothing is checked out, and of
    your repository only origin/sitegen-ledger changes.

    \b
    Examples:
      sitegen publish --dry-run
      sitegen publish --remote upstream --branch pages
      sitegen publish --prefix glossary
    """
    project = find_project()
    archive = archive_store_in(project.folder).path
    with (
        progress(shown=not as_data) as notify,
        target(project.folder, remote=remote, branch=branch, prefix=prefix) as place,
    ):
        published = publish_site(project, place, archive=archive, notify=notify, dry_run=dry_run)
    with report_of_success() if published.commit else nullcontext():
        print_problems(published.problems)
        if as_data:
            print_data(published.data())
        else:
            print_line(*published.lines())
    return BUILT


@click.command()
@project_folder
@click.option(
    "--push",
    is_flag=True,
    help="Add them to the archive on the branch sitegen-ledger, as `publish` does.",
)
@click.option(
    "--remote", default="origin", show_default=True, help="The remote that --push pushes to."
)
@click.option(
    "--archived",
    default="",
    metavar="NAME",
    help="Show the published words of a term, or of a release, instead.",
)
@click.option("--json", "as_data", is_flag=True, help="Print them as JSON.")
def addresses(
    find_project: FindProject, push: bool, remote: str, archived: str, as_data: bool
) -> int:
    """Show which new addresses publishing would promise.

    An address is promised for good once it is in the archive on the default branch or on the branch
    sitegen-ledger, or on the published site. Until then names, ids and slugs may change: a [[slug]]
    in site.toml chooses a slug.

    \b
    Examples:
      sitegen addresses
      sitegen addresses --push
      sitegen addresses --archived Tensor
    """
    if archived:
        _print_archived(find_project(), archived, as_data=as_data)
        return BUILT
    with progress(shown=not as_data) as notify:
        project = find_project()
        found = next_archive.next_archive(project, notify=notify)
        pushed = next_archive.PushedArchive()
        if push:
            withheld = project.settings().withheld
            pushed = next_archive.push(found.path, found.archive, remote=remote, withheld=withheld)
    if as_data:
        print_data({**found.data(), **pushed._asdict()})
        return BUILT
    print_line(*found.lines())
    if push:
        place = f"{shown_address(remote)}, branch sitegen-ledger"
        print_line(f"pushed to {place}: {pushed.commit[:10] or 'unchanged'}")
    if pushed.note:
        print_line(f"note: {pushed.note}")
    return BUILT


def _print_archived(project: Project, name: str, *, as_data: bool) -> None:
    """Prints the published words of a term, or of a release."""
    entries = archived_words.archived_words(project, name)
    if as_data:
        print_data({"entries": entries})
    else:
        print_line(*archived_words.lines(entries))


@click.command()
@project_folder
@click.option(
    "--reason",
    default="",
    help="Why the words were corrected, for all of them, instead of being asked.",
)
@click.option(
    "--all",
    "every",
    is_flag=True,
    help="Take over everything, also where hardly a published term is left.",
)
def correct(find_project: FindProject, reason: str, every: bool) -> int:
    """Take over what the sources of published releases say now, by [[corrected]] tables in
    site.toml.

    Shows the present words of each term, and asks for a reason, which the pages of these terms show
    with the date. Until then the published words are shown.

    \b
    Examples:
      sitegen correct
      sitegen correct --reason "a typo"
      sitegen correct --all --reason "the wrong file was read"
    """
    project = find_project()
    with progress(shown=True) as notify:
        found = correcting.corrections(project, every=every, notify=notify)
    file = project.folder / "site.toml"
    for one in found:
        print_line(*one.lines())
        why = reason or _asked_reason()
        correcting.write(file, one, reason=why, day=date.today())
    all_published = "all words are as they were published"
    print_line(f"{file}: {len(found)} [[corrected]] added" if found else all_published)
    return BUILT


def _asked_reason() -> str:
    """Asks why words were corrected. Raises `SitegenError` without a terminal to ask in."""
    try:
        reason: str = click.prompt("Why were they corrected?", err=True)
    except click.Abort:
        if sys.stdin is not None and sys.stdin.isatty():
            raise
        found = "there is no terminal to ask why they were corrected"
        raise SitegenError(f"{found}; write --reason TEXT") from None
    return reason
