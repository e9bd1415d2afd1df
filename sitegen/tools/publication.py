"""Publishes a site: one commit on a branch such as `gh-pages`, on top of the last one, and one with
its archive on `sitegen-ledger`. Both are pushed, or none.

The live archive is read first, so that the site keeps what was published. `user_git` runs git with
the user's settings.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

from sitegen.addresses import urls
from sitegen.model import Notify, Problem, counted
from sitegen.permanence.archive import Archive
from sitegen.permanence.archive_file import archive_store_in
from sitegen.permanence.archive_lines import parse
from sitegen.pipeline.output import files_in
from sitegen.pipeline.site_build import Built, build
from sitegen.sources.folder_trees import MARKER
from sitegen.sources.git.repositories import SHORT, clones_here
from sitegen.sources.projects import Project
from sitegen.tools.next_archive import ORIGIN, archive_commit
from sitegen.tools.user_git import Branch, PublishError, Remote, remote_of, user_git

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
    problems: tuple[Problem, ...]
    """The problems of the glossaries, as a build reports them."""
    commit: str = ""
    """The commit that was pushed, if any."""
    notes: tuple[str, ...] = ()
    """Those of the build, and what remains to be done."""

    def lines(self) -> Iterator[str]:
        """Yields the lines to print."""
        if self.files:
            commit = f", commit {self.commit[:SHORT]}" if self.commit else ""
            yield f"{self.place}: {self.message} ({counted(self.files, 'changed file')}){commit}"
        else:
            yield f"{self.place}: unchanged, there is nothing to publish"
        for note in self.notes:
            yield f"note: {note}"


class StoredSite(NamedTuple):
    """A site that was built and stored for a commit."""

    built: Built
    files: Mapping[str, str]
    """The entry in a tree for each path."""
    archive: Archive


def publish(
    project: Project, *, remote: str, branch: str, notify: Notify, dry_run: bool
) -> Publication:
    """Builds the site of a project and publishes it, unless it is live already.

    The site keeps the addresses of the live site, and those in the archive beside site.toml. A dry
    run publishes nothing. Raises `SitegenError` if the site cannot be published; nothing has
    changed then.
    """
    with user_git(project.folder) as git:
        target = remote_of(git, remote)
        notify(f"Looking at {target.place(branch)}")
        live = target.read(branch)
        site = _stored_site(project, target, live, notify=notify)
        counts = site.built.counts
        terms = counted(counts["terms"], "term")
        releases = counted(counts["releases"], "release")
        # Files that only one side has, or that have another content there.
        differing = {path for path, _ in site.files.items() ^ live.files.items()}
        planned = Publication(
            place=target.place(branch),
            message=f"{terms}, {releases}",
            files=len(differing),
            problems=site.built.problems,
            notes=site.built.notes,
        )
        if dry_run:
            return planned
        notify("Publishing")
        return _pushed(planned, project, target, live, site)


def _pushed(
    planned: Publication, project: Project, remote: Remote, live: Branch, site: StoredSite
) -> Publication:
    """Pushes a site and its archive together. What has not changed is not pushed. Returns the
    publication with its commit."""
    commits: list[tuple[Branch, str]] = []
    notes = [*planned.notes]

    site_commit = ""
    if planned.files:
        site_commit = remote.git.commit(site.files, message=planned.message, parent=live.tip)
        commits.append((live, site_commit))
    with_archive = archive_commit(remote, project, site.archive)
    if with_archive:
        commits.append((with_archive.branch, with_archive.id))
        notes += with_archive.notes

    if commits:
        remote.push(commits)
    if with_archive:
        remote.track(with_archive.branch)
    # Builds read the archive of origin alone.
    if remote.name != ORIGIN:
        notes.append(TO_COMMIT)
    return replace(planned, commit=site_commit, notes=tuple(notes))


def _live_archive(remote: Remote, live: Branch) -> Archive:
    """Returns the archive of the site on a branch. Raises `PublishError` if the branch has another
    site, which publishing would replace."""
    has_our_site = urls.ARCHIVE in live.files and urls.DATA in live.files
    other_files = live.files.keys() - {DOMAIN, WITHOUT_JEKYLL}
    place = remote.place(live.name)
    if other_files and not has_our_site:
        raise PublishError(
            f"{place}: holds {counted(len(live.files), 'file')} that sitegen did not write; name "
            f"another --branch, or add a folder to that site with `sitegen build --output`"
        )
    cure = "put the branch back to the commit before"
    return parse(remote.text(live, urls.ARCHIVE), f"{place}: {urls.ARCHIVE}", cure=cure)


def _stored_site(project: Project, remote: Remote, live: Branch, *, notify: Notify) -> StoredSite:
    """Builds the site of a project, with the addresses of the live site, and stores its files.
    `CNAME` is taken over from the live site, and `.nojekyll` is added."""
    live_archive = _live_archive(remote, live)  # read before anything is built
    store = archive_store_in(project.folder, other=live_archive, purpose="live")
    with TemporaryDirectory(prefix="sitegen-") as parent:
        site = Path(parent, "site")
        built = build(
            project.folder,
            site,
            notify=notify,
            clones=clones_here(notify),
            config=project.config,
            archive_store=store,
        )
        (site / MARKER).unlink()  # only for builds into a folder
        (site / WITHOUT_JEKYLL).touch()
        files = remote.git.stored_files(site, [*files_in(site)])
        archive = parse((site / urls.ARCHIVE).read_text(encoding="utf-8"), urls.ARCHIVE)
    if DOMAIN in live.files:
        files[DOMAIN] = live.files[DOMAIN]
    return StoredSite(built, files, archive)
