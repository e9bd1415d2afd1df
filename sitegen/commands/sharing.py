"""The commands by which a glossary reaches others: what a change does to it, and the site on the web."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import click

from sitegen.build.ledger_file import keeping_in
from sitegen.commands.options import BUILT, HAS_PROBLEMS, reading
from sitegen.sources.git.clones import clones_here
from sitegen.tools.terminal import complain_of, give, progress, say, say_data

if TYPE_CHECKING:
    from sitegen.sources.places import Place


@click.command()
@reading
@click.option("--remote", default="", metavar="NAME-or-URL", help="The repository to push to.  [default: origin]")
@click.option("--branch", default="gh-pages", show_default=True, help="The branch to push to.")
@click.option("--to", type=click.Path(path_type=Path), metavar="FOLDER", help="Write to a folder, and push nothing.")
@click.option("-n", "--dry-run", is_flag=True, help="Show what would be published, and change nothing.")
@click.option("--json", "as_data", is_flag=True, help="Give what was changed as JSON.")
def publish(
    where: Callable[[], Place], remote: str, branch: str, to: Path | None, dry_run: bool, as_data: bool
) -> int:
    """Build the site and put it on the web: one commit on a branch, by default gh-pages of origin.

    Nothing is published that is not in the ledger beside site.toml, so run `sitegen build` before, and commit it.
    What is live is taken in, and no address of it is lost, nor its CNAME. Your git is used with its settings,
    credentials and ssh; no hook runs, nothing is checked out, and the repository that you are in stays as it is.
    """
    from sitegen.tools.publish import publish, target

    place = where()
    ledger = keeping_in(place.folder).path
    with progress(shown=not as_data) as tell, target(place.folder, to=to, remote=remote, branch=branch) as there:
        published = publish(place, there, ledger=ledger, tell=tell, clones=clones_here(tell), dry_run=dry_run)
    complain_of(published.problems)
    if as_data:
        say_data(published.data())
    else:
        for line in published.lines():
            say(line)
    return BUILT


@click.command()
@click.argument("change", metavar="BASE..HEAD")
@reading
@click.option("--json", "as_data", is_flag=True, help="Give the same as JSON.")
def diff(change: str, where: Callable[[], Place], as_data: bool) -> int:
    """Say in Markdown what a change does to the glossary, for a comment on it.

    Tells which terms it adds, rewords, renames or removes, word by word, which others refer to them, which published
    addresses are affected, and what may be renamed. Both sides are read from git, as they were committed. Leaves with
    status 0 when published addresses are safe, 1 when some would break, 2 when the two could not be compared.
    """
    from sitegen.tools.review import data, markdown, review

    found = review(change, where())
    if as_data:
        say_data(data(found))
    else:
        give(markdown(found))
    return HAS_PROBLEMS if found.breaks else BUILT
