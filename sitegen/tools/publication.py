"""Publishes a site: one commit on a branch such as `gh-pages`, on top of the last one, and one with
its archive on `sitegen-ledger`. Both are pushed, or none.

The live archive is read first. If another push comes first, everything is repeated with the new
live state, so that no published address is lost. `user_git` runs git with the user's settings.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import NamedTuple

from sitegen.addresses import urls
from sitegen.model import Notify, Problem, counted
from sitegen.permanence.archive import Archive, united
from sitegen.permanence.archive_file import ArchiveStore, archive_store_in
from sitegen.permanence.archive_lines import parse
from sitegen.permanence.published_archive import in_git
from sitegen.pipeline.site_build import Built, build
from sitegen.safe_files import temporary_folder
from sitegen.sources.folder_trees import MARKER
from sitegen.sources.git.repositories import clones_here
from sitegen.sources.projects import Project
from sitegen.tools.built_site import site_files
from sitegen.tools.next_archive import ORIGIN, archive_commit, new_addresses
from sitegen.tools.user_git import (
    Branch,
    PublishError,
    Remote,
    remote_of,
    unless_overtaken,
    user_git,
)

DOMAIN, WITHOUT_JEKYLL = "CNAME", ".nojekyll"
"""Files that GitHub Pages reads: the site's domain, and the one that turns Jekyll off."""
TO_COMMIT = (
    f"builds here read the archive of {ORIGIN} only: run `sitegen build`, and commit {urls.ARCHIVE}"
)


@dataclass(frozen=True, kw_only=True, slots=True)
class Publication:
    """The changes that a publication makes, or has made."""

    place: str
    message: str
    """The message of the commit: the number of terms and releases."""
    files: int
    """The number of files that are added, changed or removed."""
    addresses: int
    """The number of addresses that were not published before."""
    problems: tuple[Problem, ...]
    """The problems of the glossaries, as a build reports them."""
    commit: str = ""
    """The commit that was pushed, if any."""
    notes: tuple[str, ...] = ()
    """What remains to be done."""

    def lines(self) -> Iterator[str]:
        """Yields the lines to print."""
        if self.files:
            addresses = counted(self.addresses, "new address")
            changes = f"{counted(self.files, 'changed file')}, {addresses}"
            commit = f", commit {self.commit[:10]}" if self.commit else ""
            yield f"{self.place}: {self.message} ({changes}){commit}"
        else:
            yield f"{self.place}: unchanged, there is nothing to publish"
        for note in self.notes:
            yield f"note: {note}"


def publish(
    project: Project, *, remote: str, branch: str, notify: Notify, dry_run: bool
) -> Publication:
    """Builds the site of a project and publishes it, unless it is live already.

    The published addresses are in the archive beside site.toml or live. Raises `SitegenError` if
    the site cannot be published, and changes nothing then. A dry run changes nothing.
    """
    with user_git(project.folder) as git:
        target = remote_of(git, remote)

        def published() -> Publication:
            return _published(project, target, branch, notify=notify, dry_run=dry_run)

        found = unless_overtaken(published)
    needs_commit = remote != ORIGIN and not dry_run
    return replace(found, notes=(*found.notes, TO_COMMIT)) if needs_commit else found


class StoredSite(NamedTuple):
    """A site that was built and stored for a commit."""

    built: Built
    files: Mapping[str, str]
    """The entry in a tree for each path."""
    archive: Archive


def _published(
    project: Project, remote: Remote, branch: str, *, notify: Notify, dry_run: bool
) -> Publication:
    """Publishes the site. Raises `OvertakenError` if another push comes first."""
    notify(f"Looking at {remote.place(branch)}")
    live = remote.read(branch)
    live_archive = _live_archive(remote, live)
    site = _stored_site(project, remote, live, live_archive, notify=notify)
    kept = in_git(project.folder / urls.ARCHIVE)
    known = united([live_archive, kept.read() if kept else Archive()])
    differing = site.files.items() ^ live.files.items()
    terms, releases = counted(site.built.terms, "term"), counted(site.built.releases, "release")
    planned = Publication(
        place=remote.place(branch),
        message=f"{terms}, {releases}",
        files=len(dict(differing)),
        addresses=len(new_addresses(site.archive, known)),
        problems=site.built.problems,
    )
    if dry_run:
        return planned
    notify("Publishing")
    following = archive_commit(remote, project, site.archive)
    commits = [(following.branch, following.id)] if following else []
    if planned.files:
        commit = remote.git.commit(site.files, message=planned.message, parent=live.tip)
        planned = replace(planned, commit=commit)
        commits.insert(0, (live, commit))
    if commits:
        remote.push(commits)
    if following:
        remote.track(following.branch)
        planned = replace(planned, notes=following.notes)
    return planned


def _live_archive(remote: Remote, live: Branch) -> Archive:
    """Returns the archive of the site on a branch. Raises `PublishError` if the branch has other
    files than those of a site."""
    is_ours = urls.ARCHIVE in live.files and urls.DATA in live.files
    place = remote.place(live.name)
    if not is_ours and live.files.keys() - {DOMAIN, WITHOUT_JEKYLL}:
        raise PublishError(
            f"{place}: holds {counted(len(live.files), 'file')} that sitegen did not write; name "
            f"another --branch, delete the branch first, or add a folder to that site with "
            f"`sitegen build --output`"
        )
    cure = "put the branch back to the commit before"
    return parse(remote.text(live, urls.ARCHIVE), f"{place}: {urls.ARCHIVE}", cure=cure)


def _stored_site(
    project: Project, remote: Remote, live: Branch, live_archive: Archive, *, notify: Notify
) -> StoredSite:
    """Builds the site of a project, which continues the live one. At its side, `CNAME` stays and
    `.nojekyll` is added."""
    others = ((remote.place(live.name), lambda: live_archive),)
    path = archive_store_in(project.folder).path
    with temporary_folder() as parent:
        site = parent / "site"
        built = build(
            project.folder,
            site,
            notify=notify,
            clones=clones_here(notify),
            config=project.config,
            archive_store=ArchiveStore(path=path, others=others, is_live=True),
        )
        (site / MARKER).unlink()
        files = remote.git.stored_files(site, site_files(site))
        archive = parse((site / urls.ARCHIVE).read_text(encoding="utf-8"), urls.ARCHIVE)
    files[WITHOUT_JEKYLL] = remote.git.stored(b"")
    if DOMAIN in live.files:
        files[DOMAIN] = live.files[DOMAIN]
    return StoredSite(built, files, archive)
