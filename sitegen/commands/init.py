"""`sitegen init`."""

from __future__ import annotations

from pathlib import Path

import click

from sitegen.commands.options import SUCCESS, as_folder, output_of
from sitegen.config.hosts import HOSTS, Host
from sitegen.pipeline.site_build import located
from sitegen.sources.projects import Project, has_site
from sitegen.tools.existing_site import existing_site
from sitegen.tools.host_setup import advice, set_up
from sitegen.tools.installation import Installation, installation, named_installation
from sitegen.tools.proposing import propose, write
from sitegen.tools.terminal import print_line, print_problems, progress


@click.command()
@click.argument("folder", callback=as_folder, default=".")
@click.option(
    "--host",
    type=click.Choice([*HOSTS]),
    help="Where the site will be shown.  [default: where it publishes already]",
)
@click.option(
    "--path",
    "paths",
    multiple=True,
    metavar="PATH",
    help="The glossary. Repeat it for its earlier paths.",
)
@click.option(
    "--install",
    "requirement",
    metavar="SPEC",
    help="What the host installs: a version, or git+https://HOST/PATH@COMMIT.  [default: where "
    "this copy came from]",
)
@click.option("-n", "--dry-run", is_flag=True, help="Print the site.toml, and write nothing.")
def init(
    folder: Path,
    host: str | None,
    paths: tuple[str, ...],
    requirement: str | None,
    dry_run: bool,
) -> int:
    """Find the glossaries of a repository, and write site.toml and a workflow for them.

    FOLDER is a git repository, by default the current folder. A glossary that was moved or renamed
    is followed to its earlier paths. If the repository publishes a site already, on Read the Docs,
    Netlify, GitLab Pages or by a workflow, the lines to add there are printed. Else the host is
    GitHub Pages, through a workflow, unless the remote is on another forge. No existing file is
    overwritten. If there is a site.toml, --host only writes what that host needs.

    The host installs sitegen from where this copy came from: an index, a git repository, or the
    https remote of a clone. If that is unknown, the line that installs it is marked for you to
    edit, unless --install names it.

    \b
    Examples:
      sitegen init --dry-run
      sitegen init --host gitlab
      sitegen init --path docs/words.md
    """
    named_host = HOSTS[host] if host else None
    installed = named_installation(requirement) if requirement else installation()
    if named_host and has_site(folder) and not dry_run:  # a dry run shows a new site.toml
        print_line(*_set_up_host(named_host, folder, installed))
        return SUCCESS
    with progress(shown=not dry_run) as notify:
        proposal = propose(folder, notify=notify, host=named_host, paths=paths)
    print_problems(located(proposal.problems, folder, elsewhere=proposal.elsewhere))
    if dry_run:
        print_line(*proposal.text.splitlines())
    else:
        print_line(*write(proposal, folder, installed=installed))
    return SUCCESS


def _set_up_host(host: Host, folder: Path, installed: Installation) -> list[str]:
    """Writes what a host needs into a project that has a site.toml already, and returns the lines
    to print."""
    existing = existing_site(folder, host=host)
    output = str(output_of(Project(folder=folder), None))
    lines = [*set_up(host, folder, installed=installed, output=output, existing=existing)]
    lines += advice(host, installed, output=output)
    return lines or [f"nothing to set up for the host {host.name}"]
